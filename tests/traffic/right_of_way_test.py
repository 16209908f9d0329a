#!/usr/bin/python3
"""Who goes first where a net says it in an unusual way: prohibitions, links that nobody controls, nets without internal
lanes. Nets are made by netconvert; SUMO 1.15 is run beside where it is installed."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from traffic import CALM, NETCONVERT, PROGRAM, SHARED, SUMO, Scenario, convert, h5py, np  # noqa: E402

WEST_FIRST = '<prohibition prohibitor="wj->je" prohibited="sj->jn"/>'
SOUTH_FIRST = '<prohibition prohibitor="sj->jn" prohibited="wj->je"/>'


def crossing(inside, west="", south="", options=(), kind="priority"):
    """A net: the roads wj je and sj jn of equal rank cross at j; attributes of the two links."""
    places = {"w": (-200, 0), "e": (200, 0), "s": (0, -200), "n": (0, 200), "j": (0, 0)}
    edges = [(a + b, a, b, 1) for a, b in ["wj", "je", "sj", "jn"]]
    links = "".join(f'<connection from="{a}" to="{b}" fromLane="0" toLane="0" {attributes}/>'
                    for a, b, attributes in [("wj", "je", west), ("sj", "jn", south)])
    return convert(places, edges, links + inside, {"j": kind}, options=options)


def two_cars(net, south_departs=0.0, options=""):
    """One from the west, one from the south, which meet at j unless the latter departs later."""
    routes = (f'<vType id="t" {CALM}/><route id="west" edges="wj je"/><route id="south" edges="sj jn"/>'
              '<vehicle id="west" type="t" route="west" depart="0" departSpeed="max"/>'
              f'<vehicle id="south" type="t" route="south" depart="{south_departs}" departSpeed="max"/>')
    return Scenario(net, routes, 200, options=options)


def losses(result):
    return {name: trip["timeLoss"] for name, trip in result.trips.items()}


@unittest.skipUnless(NETCONVERT, "netconvert is not installed")
class RightOfWay(unittest.TestCase):
    def check(self, scenario, free, braking):
        """The one drives freely, the other loses time, as much as in SUMO."""
        result = losses(scenario.run(rows=False))
        self.assertLess(result[free], 0.5)
        self.assertGreater(result[braking], 1)
        if SUMO:
            beside = losses(scenario.run_sumo(rows=False))
            for name, loss in result.items():
                self.assertAlmostEqual(loss, beside[name], delta=0.1, msg=name)

    def test_prohibition(self):
        self.check(two_cars(crossing(WEST_FIRST)), "west", "south")
        self.check(two_cars(crossing(SOUTH_FIRST)), "south", "west")

    def test_right_before_left(self):
        self.check(two_cars(crossing("", kind="right_before_left")), "south", "west")

    def test_without_internal_lanes(self):
        for rule, free, braking in [(WEST_FIRST, "west", "south"), (SOUTH_FIRST, "south", "west")]:
            self.check(two_cars(crossing(rule, options=["--no-internal-links"])), free, braking)

    @unittest.skipUnless(SUMO, "sumo is not installed")
    def test_turning_left_on_yellow(self):
        """Who can not stop any more gives way inside the junction: it comes as slowly as in SUMO."""
        arms = {"w": (-200, 0), "e": (200, 0), "s": (0, -200), "n": (0, 200), "j": (0, 0)}
        net = convert(arms, [(a + b, a, b, 1) for x in "wesn" for a, b in [x + "j", "j" + x]],
                      kinds={"j": "traffic_light"})
        links = len(re.search(r'<phase [^>]*state="([^"]*)"', net).group(1))
        phases = "".join(f'<phase duration="{d}" state="{s * links}"/>' for d, s in [(12, "G"), (3, "y"), (90, "r")])
        net = re.sub(r"(<tlLogic [^>]*>).*?(</tlLogic>)", rf"\1{phases}\2", net, flags=re.DOTALL)
        for start in (30, 34, 36):  # m from the start of the road: it comes to the line at 12 s
            car = (f'<vType id="t" {CALM}/><vehicle id="v" type="t" depart="0" departPos="{start}" departSpeed="max">'
                   '<route edges="wj jn"/></vehicle>')
            scenario = Scenario(net, car, 20)
            ours, sumo = scenario.run().of("v"), scenario.run_sumo().of("v")
            self.assertEqual(len(ours[2]), len(sumo[2]))
            self.assertLess(np.abs(ours[2] - sumo[2]).max(), 0.01, start)

    def test_losses(self):
        """s that the cars from the west and the south lose for departures from the south at 0, 1, 2, 3 and 4 s: where
        the south goes first, and where nobody on the western link gives way."""
        for attributes, west, south in [("", [2.01, 3.82, 4.82, 5.82, 0.8], [0, 0, 0, 0, 0]),
                                        ('pass="true"', [1.47, 0, 0, 0, 0], [0, 1.02, 0, 0, 0])]:
            net = crossing(SOUTH_FIRST, attributes)
            for departs in range(5):
                with self.subTest(attributes=attributes, departs=departs):
                    result = losses(two_cars(net, departs).run(rows=False))
                    self.assertAlmostEqual(result["west"], west[departs], delta=0.02)
                    self.assertAlmostEqual(result["south"], south[departs], delta=0.02)

    def test_who_stands_inside(self):
        """Somebody from the south stands inside behind a long vehicle, on the way from the west."""
        keep = 'keepClear="false"'
        net = crossing(WEST_FIRST, keep, keep, options=["--default.junctions.radius", "10"])
        for gap in (1, 3, 5):
            routes = (f'<vType id="t" {CALM}/><vType id="long" length="9" {CALM}/><vType id="f" minGap="{gap}" {CALM}/>'
                      '<route id="west" edges="wj je"/><route id="south" edges="sj jn"/>'
                      '<vehicle id="l" type="long" route="south" depart="0" departPos="170">'
                      '<stop lane="jn_0" startPos="0" endPos="1" duration="300"/></vehicle>'
                      '<vehicle id="f" type="f" route="south" depart="0" departPos="150"/>'
                      '<vehicle id="w" type="t" route="west" depart="40" departPos="20" departSpeed="max"/>')
            scenario = Scenario(net, routes, 100)
            result = scenario.run()
            self.assertEqual(result.of("f")[2][-1], 0)
            self.assertEqual(result.of("w")[2][-1], 0)
            if SUMO:
                np.testing.assert_allclose(result.of("w")[1], scenario.run_sumo().of("w")[1], atol=0.01)

    def test_uncontrolled_link_at_a_signal(self):
        """The signal stops the road from the south only; the one from the west slows down to look for others."""
        net = crossing(WEST_FIRST, west='uncontrolled="true"', kind="traffic_light")
        self.assertIn("<tlLogic", net)
        south = []
        for departs in range(0, 90, 9):
            with self.subTest(departs=departs):
                scenario = two_cars(net, departs)
                result = losses(scenario.run(rows=False))
                south.append(result["south"])
                if SUMO:
                    beside = losses(scenario.run_sumo(rows=False))
                    for name, loss in result.items():
                        self.assertAlmostEqual(loss, beside[name], delta=0.1, msg=name)
        self.assertGreater(max(south), 5)
        self.assertLess(min(south), 0.01)


class Joining(unittest.TestCase):
    @unittest.skipUnless(SHARED.exists(), "no shared data")
    def test_nobody_collides_who_enters_in_one_step(self):
        """A left and a right turn join: with this seed two cars enter in one step, the nearer one too fast to stop."""
        config = SHARED / "scenarios/rilsa-example1/run.sumo.cfg"
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "out.h5"
            subprocess.run([PROGRAM, "run", config, "--output", path, "--quiet", "--lenient", "--seed", "2"], check=True,
                           capture_output=True, timeout=60)
            with h5py.File(path) as file:
                self.assertEqual(int(file.attrs["collisions"]), 0)


if __name__ == "__main__":
    unittest.main()
