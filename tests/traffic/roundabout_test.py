#!/usr/bin/python3
"""Lanes and waits at a roundabout of two lanes, with SUMO run beside."""

import math
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from traffic import CALM, NETCONVERT, SUMO, Scenario, convert, np  # noqa: E402

ARMS = 4


def roundabout(radius=35, reach=250):
    """Arms k: in<k> with two lanes comes to the ring, out<k> leaves it from the outer lane; r<k> leads from arm k to the
    next."""
    at = {f"{name}{k}": (round(r * math.cos(k * math.tau / ARMS), 1), round(r * math.sin(k * math.tau / ARMS), 1))
          for k in range(ARMS) for name, r in (("n", radius), ("o", reach))}
    edges, links = [], []
    for k in range(ARMS):
        after = (k + 1) % ARMS
        edges += [(f"in{k}", f"o{k}", f"n{k}", 1, 2), (f"out{k}", f"n{k}", f"o{k}", 1, 1),
                  (f"r{k}", f"n{k}", f"n{after}", 2, 2)]
        links += [(f"r{k}", f"r{after}", 0), (f"r{k}", f"r{after}", 1), (f"r{k}", f"out{after}", 0),
                  (f"in{k}", f"r{k}", 0), (f"in{k}", f"r{k}", 1)]
    net = convert(at, edges, "".join(f'<connection from="{a}" to="{b}" fromLane="{n}" toLane="{n}"/>'
                                     for a, b, n in links))
    ring = [" ".join(f"{name}{k}" for k in range(ARMS)) for name in "nr"]
    return net.replace("</net>", f'<roundabout nodes="{ring[0]}" edges="{ring[1]}"/></net>')


def way(enters, passes):
    """The edges of who comes from one arm and passes so many edges of the ring."""
    ring = [f"r{(enters + k) % ARMS}" for k in range(passes)]
    return " ".join([f"in{enters}", *ring, f"out{(enters + passes) % ARMS}"])


@unittest.skipUnless(SUMO and NETCONVERT, "SUMO is not installed")
class Roundabout(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.net = roundabout()

    def test_who_goes_far_drives_on_the_inside(self):
        inside = []
        for passes in (1, 2, 3):
            routes = (f'<vType id="t" {CALM}/><vehicle id="v" type="t" depart="0" departLane="0" departPos="20">'
                      f'<route edges="{way(0, passes)}"/></vehicle>')
            scenario = Scenario(self.net, routes, 100)
            ours, sumo = scenario.run(), scenario.run_sumo()
            self.assertEqual(list(ours.lane), list(sumo.lane), passes)
            np.testing.assert_allclose(ours.position, sumo.position, atol=0.02)
            inside.append("in0_1" in ours.lane)
        self.assertEqual(inside, [False, True, True])

    def test_as_many_pass_as_in_sumo(self):
        flows = "".join(f'<flow id="f{k}{passes}" type="t" begin="0" end="1200" period="{period}" departLane="best" '
                        f'departSpeed="max"><route edges="{way(k, passes)}"/></flow>'
                        for k in range(ARMS) for passes, period in ((1, 25), (2, 14), (3, 25)))
        scenario = Scenario(self.net, f'<vType id="t"/>{flows}', 1500)
        measured = []
        for run in (scenario.run, scenario.run_sumo):
            results = [run(seed) for seed in (1, 2)]
            ring = np.concatenate([r.lane[np.char.startswith(r.lane.astype(str), "r")] for r in results]).astype(str)
            measured.append((np.mean([len(r.trips) for r in results]),
                             np.mean([trip["duration"] for r in results for trip in r.trips.values()]),
                             np.mean(np.char.endswith(ring, "_1"))))
        (count, duration, inner), (sumo_count, sumo_duration, sumo_inner) = measured
        self.assertAlmostEqual(count, sumo_count, delta=0.02 * sumo_count)
        self.assertAlmostEqual(duration, sumo_duration, delta=0.1 * sumo_duration)
        self.assertAlmostEqual(inner, sumo_inner, delta=0.05)


if __name__ == "__main__":
    unittest.main()
