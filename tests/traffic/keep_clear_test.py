#!/usr/bin/python3
"""Who enters a junction to be kept clear while there is little room beyond it: second by second as in SUMO, on a road
that crosses two others."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from traffic import CALM, NETCONVERT, SUMO, Scenario, convert  # noqa: E402

NODES = {"a": (-200, 0), "j": (0, 0), "b": (70, 0), "c": (270, 0),
         "s": (0, -200), "n": (0, 200), "p": (70, -200), "q": (70, 200)}


def crossings(second, keep_clear, priority):
    """Roads a-j-b-c, s-j-n and p-b-q. second: type of junction b; priority: of the road a-c."""
    edges = [("aj", "a", "j", priority), ("jb", "j", "b", priority), ("bc", "b", "c", priority), ("sj", "s", "j", 2),
             ("jn", "j", "n", 2), ("pb", "p", "b", 2), ("bq", "b", "q", 2)]
    return convert(NODES, edges, f'<connection from="aj" to="jb" fromLane="0" toLane="0" keepClear="{keep_clear}"/>',
                   {"b": second}, 13.9)


def entries(second, keep_clear="true", priority=3, crossing=0):
    """s at which each car of a queue before junction j is on the road beyond, here and in SUMO. crossing: s between
    the cars that come from p."""
    cars = "".join(f'<vehicle id="{n}" type="t" depart="0" departPos="{185 - 7.5 * n}"><route edges="aj jb bc"/>'
                   '</vehicle>' for n in range(16))
    stream = crossing and (f'<flow id="f" type="t" begin="0" end="150" period="{crossing}" departSpeed="max">'
                           '<route edges="pb bq"/></flow>')
    scenario = Scenario(crossings(second, keep_clear, priority), f'<vType id="t" {CALM}/>{cars}{stream or ""}', 240)
    results = scenario.run(), scenario.run_sumo()
    return [[float(r.time[(r.vehicle == str(n)) & (r.lane == "jb_0")].min()) for n in range(16)] for r in results]


def chain(lengths, vehicle, traffic, start):
    """A road aj over a crossing j and then e0, e1, ... with a road that leaves between each two, up to a road that has
    priority. start: attributes of a long vehicle that comes over it."""
    x, nodes = 0, {"a": (-200, 0), "j": (0, 0), "s": (0, -200), "n": (0, 200)}
    edges, before = [("aj", "a", "j", 3), ("sj", "s", "j", 1), ("jn", "j", "n", 1)], "j"
    for k, length in enumerate(lengths):
        x, last = x + length, k == len(lengths) - 1
        nodes[f"x{k}"] = x, 0
        edges.append((f"e{k}", before, f"x{k}", 1 if last else 3))
        if not last:
            nodes[f"y{k}"] = x, -200
            edges.append((f"o{k}", f"x{k}", f"y{k}", 1))
        before = f"x{k}"
    nodes |= {"z": (x + 200, 0), "p": (x, -200), "q": (x, 200)}
    edges += [("out", before, "z", 1), ("pc", "p", before, 5), ("cq", before, "q", 5)]
    way = " ".join(f"e{k}" for k in range(len(lengths))) + " out"
    routes = (f'<vType id="t" {CALM}/><vType id="long" {CALM} length="{vehicle}"/>{traffic.format(way=way)}'
              f'<vehicle id="long" type="long" {start}><route edges="aj {way}"/></vehicle>')
    return Scenario(convert(nodes, edges, speed=13.9), routes, 60)


class Chain(unittest.TestCase):
    """A long vehicle before short lanes: how far the one ahead looks, and where it would have to fit."""

    def entry(self, lengths, vehicle, traffic, start):
        scenario = chain(lengths, vehicle, traffic, start)
        ours, sumo = [float(r.time[(r.vehicle == "long") & (r.lane != "aj_0")].min())
                      for r in (scenario.run(), scenario.run_sumo())]
        self.assertEqual(ours, sumo, lengths)
        return ours

    def test_behind_another(self):
        ahead = ('<vehicle id="ahead" type="t" depart="0" departPos="12" departSpeed="0.1"><route edges="{way}"/>'
                 '</vehicle>')
        entered = [self.entry(lengths, 30, ahead, 'depart="2" departPos="-0.4"') for lengths in
                   [(40, 25, 20), (40, 36, 20), (40, 37, 20), (40, 25, 25, 20), (40, 22, 22, 22, 30), (40, 20, 30, 30),
                    (40, 22, 35, 30)]]
        self.assertEqual((min(entered), max(entered)), (3, 9))  # at once, and late

    def test_comes_slowly_where_it_would_not_fit_before_a_road_that_is_taken(self):
        stream = ('<flow id="f" type="t" begin="0" end="20" period="3" departSpeed="max" departPos="120">'
                  '<route edges="pc cq"/></flow>')
        for length, speed in [(19, 4), (22, 11)]:  # m/s after 8 s; the lane takes 14.4 m less
            scenario = chain([length], 8, stream, 'depart="0" departPos="100" departSpeed="max"')
            ours, sumo = [r.of("long")[2][:9] for r in (scenario.run(), scenario.run_sumo())]
            self.assertLess(abs(ours - sumo).max(), 0.01, length)
            self.assertAlmostEqual(ours[-1], speed, delta=0.5)


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

    def test_who_is_before_on_the_lane_takes_room_too(self):
        car = '<vehicle id="{}" type="t" depart="0" departPos="{}" departSpeed="{}"><route edges="{}"/>{}</vehicle>'
        stands = '<stop lane="jb_0" endPos="14" duration="1000"/>'  # room for one behind it
        cars = (f'<vType id="t" {CALM} minGap="1"/>' + car.format("stands", 14, 0, "jb bc", stands) +
                car.format("before", 120, 13.9, "aj jb bc", "") + car.format("behind", 98, 13.9, "aj jb bc", ""))
        scenario = Scenario(crossings("priority", "true", 3), cars, 12)
        ours, sumo = [r.of("behind")[2] for r in (scenario.run(), scenario.run_sumo())]
        self.assertEqual(len(ours), len(sumo))
        self.assertLess(abs(ours - sumo).max(), 0.01)
        self.assertLess(ours[-1], 0.1)

    def test_told_not_to(self):
        ours, sumo = entries("traffic_light", "false")
        self.assertEqual(ours, sumo)
        self.assertLess(ours, entries("traffic_light")[0])


if __name__ == "__main__":
    if not SUMO or not NETCONVERT:
        print("SKIPPED: sumo is not installed")
        sys.exit(77)
    unittest.main()
