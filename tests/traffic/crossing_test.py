#!/usr/bin/python3
"""Gaps that drivers on a minor road take and refuse, how impatience shortens them, and what stops cost. Nets of
../shared/tiny; SUMO's figures were measured with SUMO 1.15."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from traffic import CALM, SHARED, Scenario, np  # noqa: E402

TINY = SHARED / "tiny"
BEGIN = 40  # s: the minor car stands at its line when the major stream passes


def crossing(minor_route, minor_type, major, step, options):
    routes = (f'<vType id="t" {CALM}/><vType id="m" {CALM} {minor_type}/><route id="major" edges="wj je"/>'
              f'<route id="minor" edges="{minor_route}"/>{major}')
    return Scenario(TINY / "cross_gaps" / "net.net.xml", routes, 400, step, options)


def minor_car():
    return f'<vehicle id="minor" type="m" route="minor" depart="{BEGIN}" departPos="-1"/>'


def takes(minor_route, headway, minor_type=""):
    """Whether a standing minor car enters between major cars `headway` s apart, in a stream of 3 s before and after
    them. Steps of 0.1 s, no impatience."""
    departs = [3 * i for i in range(20)]
    departs += [departs[-1] + headway + 3 * i for i in range(20)]
    cars = [f'<vehicle id="{i}" type="t" route="major" depart="{depart}" departSpeed="max"/>'
            for i, depart in enumerate(departs)]
    cars.insert(sum(depart <= BEGIN for depart in departs), minor_car())
    result = crossing(minor_route, minor_type, "".join(cars), 0.1, '<time-to-impatience value="0"/>').run()
    time = result.time[(result.vehicle == "minor") & (result.lane == minor_route.split()[0] + "_0")].max()
    return time < result.time[(result.vehicle == "39") & (result.lane == "wj_0")].max() - 3


def waiting(headway, time_to_impatience, minor_type=""):
    """s that a standing minor car waits beside a stream of equal headways; teleports."""
    stream = (f'<flow id="f" type="t" route="major" begin="0" period="{headway}" number="100" departSpeed="max"/>' +
              minor_car())
    result = crossing("sj jn", minor_type, stream, 1, f'<time-to-impatience value="{time_to_impatience}"/>').run(rows=0)
    return result.trips["minor"]["waitingTime"], result.teleports


class CriticalGap(unittest.TestCase):
    def test_crossing(self):
        self.assertTrue(takes("sj jn", 6.5))
        self.assertFalse(takes("sj jn", 6.0))

    def test_merging(self):
        self.assertTrue(takes("sj je", 7.0))
        self.assertFalse(takes("sj je", 6.5))

    def test_longer_time_gap(self):
        for route in ["sj jn", "sj je", "sj jw"]:
            self.assertFalse(takes(route, 7.5, 'jmTimegapMinor="3"'), route)


    def test_turning_left(self):
        self.assertTrue(takes("sj jw", 7.0))
        self.assertFalse(takes("sj jw", 6.5))


class Impatience(unittest.TestCase):
    def test_waiting_beside_a_stream(self):
        for limit, headway, expected in [(180, 4, 60), (180, 5, 50), (180, 6, 0), (60, 4, 20), (60, 5, 20), (60, 6, 0)]:
            with self.subTest(time_to_impatience=limit, headway=headway):
                self.assertAlmostEqual(waiting(headway, limit)[0], expected, delta=1)

    def test_never_without_impatience(self):
        self.assertEqual(waiting(4, 0)[1], 1)

    def test_impatient_by_type(self):
        self.assertLessEqual(waiting(4, 180, 'impatience="0.5"')[0], 5)


class Stops(unittest.TestCase):
    def test_alone_at_an_all_way_stop_and_a_stop_sign(self):
        for net in ["allway", "stop_sign"]:
            routes = (f'<vType id="t" {CALM}/><vehicle id="v" type="t" depart="0" departSpeed="max">'
                      '<route edges="sj jn"/></vehicle>')
            trip = Scenario(TINY / net / "net.net.xml", routes, 200).run(rows=False).trips["v"]
            self.assertAlmostEqual(trip["timeLoss"], 4.49, delta=0.1)
            self.assertEqual(trip["waitingTime"], 1)


if __name__ == "__main__":
    if not TINY.exists():
        print("SKIPPED: no shared data")
        sys.exit(77)
    unittest.main()
