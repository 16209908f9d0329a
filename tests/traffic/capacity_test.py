#!/usr/bin/python3
"""Vehicles per hour where a lane ends, with SUMO run beside."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from traffic import SHARED, SUMO, Scenario, np, road  # noqa: E402

BEGIN, END = 300, 1500
SEEDS = range(1, 4)


def flow(result):
    """Arrivals per hour after the start."""
    arrivals = np.array([trip["arrival"] for trip in result.trips.values()])
    return 3600 * np.count_nonzero((arrivals >= BEGIN) & (arrivals < END)) / (END - BEGIN)


class Capacity(unittest.TestCase):
    def check(self, scenario):
        ours = np.mean([flow(scenario.run(seed, rows=False)) for seed in SEEDS])
        theirs = np.mean([flow(scenario.run_sumo(seed, rows=False)) for seed in SEEDS])
        self.assertGreater(theirs, 1000)
        self.assertAlmostEqual(ours, theirs, delta=0.05 * theirs)

    def drop(self, limit, lane):
        routes = ('<vType id="t" speedDev="0.1"/><route id="r" edges="e0 e1"/><flow id="f" type="t" route="r" '
                  f'begin="0" end="{END}" vehsPerHour="3600" departLane="{lane}" departSpeed="max"/>')
        self.check(Scenario(road([(500, 2, limit), (500, 1, limit)]), routes, END))

    def test_two_lanes_into_one(self):
        self.drop(13.89, "best")  # nobody takes the lane that ends, though traffic there would be faster

    def test_two_full_lanes_into_one(self):
        self.drop(13.89, "free")

    def test_two_lanes_into_one_on_a_motorway(self):
        self.drop(27.78, "best")

    @unittest.skipUnless(SHARED.exists(), "no shared data")
    def test_on_ramp(self):
        flows = "".join(f'<route id="{name}" edges="{name} bc cd"/><flow id="{name}" type="t" route="{name}" begin="0" '
                        f'end="{END}" vehsPerHour="{flow}" departSpeed="max"/>' for name, flow in (("ab", 1400), ("rb", 900)))
        self.check(Scenario(SHARED / "tiny/on_ramp/net.net.xml", '<vType id="t" speedDev="0.1"/>' + flows, END))


if __name__ == "__main__":
    if not SUMO:
        print("SKIPPED: SUMO is not installed")
        sys.exit(77)
    unittest.main()
