#!/usr/bin/python3
"""Who enters a junction to be kept clear while there is little room beyond it: second by second as in SUMO, on a road
that crosses two others."""

import shutil
import subprocess
import sys
import pathlib
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from traffic import CALM, SUMO, Scenario  # noqa: E402

NETCONVERT = shutil.which("netconvert")
NODES = [("a", -200, 0), ("j", 0, 0), ("b", 70, 0), ("c", 270, 0),
         ("s", 0, -200), ("n", 0, 200), ("p", 70, -200), ("q", 70, 200)]


def net(second, keep_clear, priority):
    """Roads a-j-b-c, s-j-n and p-b-q. second: type of junction b; priority: of the road a-c."""
    edges = [("a", "j", priority), ("j", "b", priority), ("b", "c", priority), ("s", "j", 2), ("j", "n", 2),
             ("p", "b", 2), ("b", "q", 2)]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        nodes = "".join(f'<node id="{n}" x="{x}" y="{y}" type="{second if n == "b" else "priority"}"/>'
                        for n, x, y in NODES)
        (folder / "n.nod.xml").write_text(f"<nodes>{nodes}</nodes>")
        roads = "".join(f'<edge id="{f}{t}" from="{f}" to="{t}" numLanes="1" speed="13.9" priority="{p}"/>'
                        for f, t, p in edges)
        (folder / "e.edg.xml").write_text(f"<edges>{roads}</edges>")
        (folder / "c.con.xml").write_text(f'<connections><connection from="aj" to="jb" fromLane="0" toLane="0" '
                                          f'keepClear="{keep_clear}"/></connections>')
        subprocess.run([NETCONVERT, "-n", "n.nod.xml", "-e", "e.edg.xml", "-x", "c.con.xml", "-o", "net.xml"],
                       cwd=folder, check=True, capture_output=True, timeout=60)
        return (folder / "net.xml").read_text()


def entries(second, keep_clear="true", priority=3, crossing=0):
    """s at which each car of a queue before junction j is on the road beyond, here and in SUMO. crossing: s between
    the cars that come from p."""
    cars = "".join(f'<vehicle id="{n}" type="t" depart="0" departPos="{185 - 7.5 * n}"><route edges="aj jb bc"/>'
                   '</vehicle>' for n in range(16))
    stream = crossing and (f'<flow id="f" type="t" begin="0" end="150" period="{crossing}" departSpeed="max">'
                           '<route edges="pb bq"/></flow>')
    scenario = Scenario(net(second, keep_clear, priority), f'<vType id="t" {CALM}/>{cars}{stream or ""}', 240)
    results = scenario.run(), scenario.run_sumo()
    return [[float(r.time[(r.vehicle == str(n)) & (r.lane == "jb_0")].min()) for n in range(16)] for r in results]


class KeepClear(unittest.TestCase):
    def test_before_a_signal(self):
        ours, sumo = entries("traffic_light")
        self.assertEqual(ours, sumo)
        self.assertGreater(max(b - a for a, b in zip(ours, ours[1:])), 10)  # somebody waited before the junction

    def test_where_the_next_road_has_priority(self):
        for headway in [4, 7, 9]:
            with self.subTest(crossing=headway):
                ours, sumo = entries("priority", priority=1, crossing=headway)
                self.assertEqual(ours, sumo)

    def test_who_drives_on_leaves_no_gap(self):
        ours, sumo = entries("priority")
        self.assertEqual(ours, sumo)
        self.assertLess(ours[-1], 45)

    def test_told_not_to(self):
        ours, sumo = entries("traffic_light", "false")
        self.assertEqual(ours, sumo)
        self.assertLess(ours, entries("traffic_light")[0])


if __name__ == "__main__":
    if not SUMO or not NETCONVERT:
        print("SKIPPED: sumo is not installed")
        sys.exit(77)
    unittest.main()
