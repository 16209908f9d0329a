#!/usr/bin/python3
"""Who goes first where a net says it in an unusual way: prohibitions, links that nobody controls, nets without internal
lanes. Nets are made by netconvert; SUMO 1.15 is run beside where it is installed."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from traffic import CALM, SUMO, Scenario, np  # noqa: E402

NETCONVERT = shutil.which("netconvert")
WEST_FIRST = '<prohibition prohibitor="wj->je" prohibited="sj->jn"/>'
SOUTH_FIRST = '<prohibition prohibitor="sj->jn" prohibited="wj->je"/>'


def crossing(inside, west="", south="", options=(), kind="priority"):
    """A net: the roads wj je and sj jn of equal rank cross at j; attributes of the two links."""
    places = {"w": (-200, 0), "e": (200, 0), "s": (0, -200), "n": (0, 200), "j": (0, 0)}
    nodes = "".join(f'<node id="{name}" x="{x}" y="{y}" type="{kind if name == "j" else "priority"}"/>'
                    for name, (x, y) in places.items())
    edges = "".join(f'<edge id="{a}{b}" from="{a}" to="{b}" priority="1"/>' for a, b in ["wj", "je", "sj", "jn"])
    links = "".join(f'<connection from="{a}" to="{b}" fromLane="0" toLane="0" {attributes}/>'
                    for a, b, attributes in [("wj", "je", west), ("sj", "jn", south)])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "nod.xml").write_text(f"<nodes>{nodes}</nodes>")
        (folder / "edg.xml").write_text(f"<edges>{edges}</edges>")
        (folder / "con.xml").write_text(f"<connections>{links}{inside}</connections>")
        subprocess.run([NETCONVERT, "-n", folder / "nod.xml", "-e", folder / "edg.xml", "-x", folder / "con.xml", "-o",
                        folder / "net.xml", "--xml-validation", "never", *options], check=True, capture_output=True)
        return (folder / "net.xml").read_text()


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


if __name__ == "__main__":
    unittest.main()
