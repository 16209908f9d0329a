#!/usr/bin/python3
"""How many vehicles a calibrated edge gets. Figures of SUMO were measured with SUMO 1.15, which is run beside where it
is installed."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from traffic import CALM, SUMO, Scenario, road  # noqa: E402

ROAD = [(500, 1, 13.89), (1000, 1, 13.89), (500, 1, 13.89)]


def calibrated(calibrator, flows, demand="", lanes=1):
    """An edge e1 with a calibrator of these attributes and flows, which begin at 0 and add vehicles on e1."""
    routes = f'<vType id="t" {CALM}/><route id="r" edges="e0 e1 e2"/>'
    scenario = Scenario(road([(length, lanes, limit) for length, _, limit in ROAD]), demand, 900,
                        options='<additional-files value="add.xml"/>')
    inside = "".join(f'<flow begin="0" end="600" route="r" type="t" {flow}/>' for flow in flows)
    (scenario.folder / "add.xml").write_text(
        f'<additional>{routes}<calibrator id="c" pos="0" {calibrator}>{inside}</calibrator></additional>')
    return scenario


def demand(per_hour, where=""):
    return f'<flow id="x" begin="0" end="600" vehsPerHour="{per_hour}" type="t" route="r" departSpeed="max" {where}/>'


def added(result):
    return sorted(trip["depart"] for vehicle, trip in result.trips.items() if vehicle.startswith("c.0"))


def passed(result):
    return sum(not vehicle.startswith("c.0") for vehicle in result.trips)


# attributes of the calibrator, of its flow, demand, lanes: vehicles added, others that arrive, the first one added
CASES = [
    ('edge="e1"', 'vehsPerHour="360"', "", 1, 60, 0, 324),
    ('edge="e1"', 'vehsPerHour="1200"', "", 1, 200, 0, 1),
    ('edge="e1"', 'vehsPerHour="1200" speed="10"', "", 1, 200, 0, 1),
    ('edge="e1" freq="30"', 'vehsPerHour="360"', "", 1, 9, 0, 330),
    ('edge="e1"', 'vehsPerHour="360"', demand(200), 1, 28, 34, 424),
    ('edge="e1"', 'vehsPerHour="360"', demand(1200), 1, 0, 72, None),
    ('edge="e1"', 'vehsPerHour="360"', demand(1200, 'departEdge="1"'), 1, 0, 60, None),
    ('edge="e1" freq="60"', 'vehsPerHour="360"', demand(1200), 1, 0, 91, None),
    ('edge="e1"', 'vehsPerHour="100"', demand(1200), 1, 0, 29, None),
    ('edge="e1"', 'vehsPerHour="0"', demand(1200), 1, 0, 11, None),
    ('edge="e1" freq="10"', 'vehsPerHour="3000"', "", 2, 119, 0, 0),
    ('edge="e1" freq="10"', 'vehsPerHour="3000" departLane="first"', "", 2, 60, 0, 0),
    ('lane="e1_1"', 'vehsPerHour="360"', demand(1200, 'departLane="0"'), 2, 60, 200, 324),
]


class Calibrators(unittest.TestCase):
    def check(self, result, expected, late):
        count, others, first = expected
        times = added(result)
        self.assertLessEqual(abs(len(times) - count), late)
        self.assertLessEqual(abs(passed(result) - others), late)
        if first is not None:
            self.assertAlmostEqual(times[0], first, delta=10 * late)

    def test_counts(self):
        for *scene, lanes, count, others, first in CASES:
            with self.subTest(scene=scene):
                self.check(calibrated(scene[0], [scene[1]], scene[2], lanes).run(rows=False), (count, others, first), 1)

    @unittest.skipUnless(SUMO, "sumo is not installed")
    def test_counts_of_sumo(self):
        for *scene, lanes, count, others, first in CASES:
            with self.subTest(scene=scene):
                self.check(calibrated(scene[0], [scene[1]], scene[2], lanes).run_sumo(rows=False),
                           (count, others, first), 0)


if __name__ == "__main__":
    unittest.main()
