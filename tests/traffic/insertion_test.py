#!/usr/bin/python3
"""How fast a road takes in vehicles that are all due at once. Figures of SUMO were measured with SUMO 1.15."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from traffic import CALM, NETCONVERT, SUMO, Scenario, convert, np, road  # noqa: E402


def departures(vehicle_type, attributes, lanes=1, seed=1):
    """Times at which 120 vehicles due at 0 enter."""
    routes = (f'<vType id="t" {vehicle_type}/><route id="r" edges="e0"/>' +
              "".join(f'<vehicle id="{i}" type="t" route="r" depart="0" {attributes}/>' for i in range(120)))
    trips = Scenario(road([(1000, lanes, 13.89)]), routes, 1000).run(seed, rows=False).trips
    return np.sort([trip["depart"] for trip in trips.values()])


def headway(times):
    return (times[99] - times[19]) / 80


class Insertion(unittest.TestCase):
    def test_headways_of_equal_drivers(self):
        for speed, expected in [("0", 2.5), ("avg", 2.0), ("last", 2.0), ("desired", 2.0)]:
            with self.subTest(speed=speed):
                self.assertAlmostEqual(headway(departures(CALM, f'departSpeed="{speed}"')), expected, delta=0.01)

    def test_as_fast_as_is_safe(self):
        """Which speeds are safe hangs on the last digit after a while: SUMO comes to 1.675 s, others to up to 1.8 s."""
        times = departures(CALM, 'departSpeed="max"')
        self.assertEqual(list(times[:16]), [0, 1, 2, 3, 5, 7, 8, 10, 12, 13, 15, 16, 18, 20, 22, 24])
        self.assertAlmostEqual(headway(times), 1.75, delta=0.08)

    def test_headways_of_default_drivers(self):
        for speed, expected in [("0", 3.0), ("max", 2.26)]:
            with self.subTest(speed=speed):
                mean = np.mean([headway(departures("", f'departSpeed="{speed}"', seed=seed)) for seed in range(1, 11)])
                self.assertAlmostEqual(mean, expected, delta=0.03 * expected)

    def test_lanes_in_parallel(self):
        for lane, together in [("best", 3), ("free", 3), ("random", 3), ("first", 1)]:
            with self.subTest(lane=lane):
                times = departures(CALM, f'departLane="{lane}" departSpeed="0"', lanes=3)
                self.assertEqual(np.count_nonzero(times == 0), together)

    def test_at_the_end_of_a_lane_of_no_length(self):
        """The last place of a lane is 0.1 m before its end, or its start."""
        routes = (f'<vType id="t" {CALM}/><route id="r" edges="e0 e1"/><flow id="f" type="t" route="r" begin="0" '
                  'end="30" period="10" departPos="last" departSpeed="max"/>')
        for length in [0.01, 0.05, 0.1, 5]:
            with self.subTest(length=length):
                trips = Scenario(road([(length, 1, 13.89), (200, 1, 13.89)]), routes, 100).run(rows=False).trips
                self.assertEqual([trip["depart"] for trip in trips.values()], [0, 10, 20])

    @unittest.skipUnless(SUMO and NETCONVERT, "SUMO is not installed")
    def test_behind_a_junction(self):
        """Who comes to the junction holds back who wants to enter beyond it, even if its own way is another."""
        net = convert({"a": (0, 0), "x": (200, 0), "b": (400, 0), "c": (200, 200)},
                      [("ax", "a", "x", 2), ("xb", "x", "b", 2), ("xc", "x", "c", 1)])
        waits = []
        for way in ("ax xb", "ax xc"):
            for place in range(100, 200, 20):
                routes = (f'<vType id="t" {CALM}/><vehicle id="w" type="t" depart="0" departPos="{place}" '
                          f'departSpeed="10"><route edges="{way}"/></vehicle><vehicle id="v" type="t" depart="2" '
                          'departPos="0"><route edges="xb"/></vehicle>')
                scenario = Scenario(net, routes, 100)
                ours, sumo = [run(rows=False).trips["v"]["depart"] for run in (scenario.run, scenario.run_sumo)]
                self.assertEqual(ours, sumo, (way, place))
                waits.append(ours - 2)
        self.assertEqual((min(waits), max(waits[len(waits) // 2:]) > 0), (0, True))


if __name__ == "__main__":
    unittest.main()
