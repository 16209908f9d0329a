#!/usr/bin/python3
"""At yellow a driver stops if the distance to the lane end is at least the brake gap without reaction time, and
drives on otherwise."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from traffic import CALM, Scenario, road  # noqa: E402

LINE, YELLOW = 400, 5
BRAKE_GAPS = [(8, 4.5, 3.50), (13.89, 4.5, 14.67), (20, 4.5, 35.00), (27.78, 4.5, 72.18), (13.89, 3, 25.56),
              (13.89, 4, 17.67)]  # speed, comfortable deceleration, distance at which SUMO 1.15 changes its mind


def passes(speed, decel, distance, length):
    """Whether a driver at this distance drives over the line at the first step of yellow."""
    net = road([(LINE, 1, speed), (500, 1, speed)], [(YELLOW, "G"), (length, "y"), (60, "r")])
    position = LINE - distance - (YELLOW - 1) * speed
    routes = (f'<vType id="t" decel="{decel}" maxSpeed="60" {CALM}/><route id="r" edges="e0 e1"/>'
              f'<vehicle id="v" type="t" route="r" depart="0" departPos="{position:.4f}" departSpeed="max"/>')
    result = Scenario(net, routes, YELLOW + 20).run()
    return bool((result.lane == "e1_0").any())


class Yellow(unittest.TestCase):
    def test_decision(self):
        for speed, decel, gap in BRAKE_GAPS:
            for length in [3, 6]:
                with self.subTest(speed=speed, decel=decel, length=length):
                    self.assertTrue(passes(speed, decel, gap - 0.03, length))
                    self.assertFalse(passes(speed, decel, gap + 0.03, length))


if __name__ == "__main__":
    unittest.main()
