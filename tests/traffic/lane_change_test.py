#!/usr/bin/python3
"""Lane changes on motorways, with SUMO run beside: how many, and who may pass whom on the right."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from traffic import CALM, NETCONVERT, SUMO, Scenario, convert, np, road  # noqa: E402

BEGIN, END = 200, 900  # s that count
LIMIT = 27.78  # m/s
SEEDS = range(1, 3)


def changes(result):
    """Lane changes to the right and to the left from BEGIN on, and the mean speed."""
    order = np.lexsort((result.time, result.vehicle))
    order = order[result.time[order] >= BEGIN]
    edge, _, lane = np.char.rpartition(result.lane[order].astype(str), "_").T
    vehicle = result.vehicle[order]
    step = np.diff(lane.astype(int))[(vehicle[1:] == vehicle[:-1]) & (edge[1:] == edge[:-1])]
    return np.array([np.count_nonzero(step < 0), np.count_nonzero(step > 0), result.speed[order].mean()])


class Motorway(unittest.TestCase):
    def check(self, lanes, flow, step=1, last=None):
        net = road([(3000, lanes, LIMIT), (1000, last or lanes, LIMIT)])
        routes = ('<vType id="t"/><route id="r" edges="e0 e1"/><flow id="f" type="t" route="r" begin="0" '
                  f'end="{END}" period="{3600 / flow / lanes}" departLane="best" departSpeed="max"/>')
        scenario = Scenario(net, routes, END, step)
        ours = np.mean([changes(scenario.run(seed)) for seed in SEEDS], axis=0)
        theirs = np.mean([changes(scenario.run_sumo(seed)) for seed in SEEDS], axis=0)
        self.assertGreater(theirs[:2].min(), 80)
        np.testing.assert_allclose(ours[:2], theirs[:2], rtol=0.1)
        self.assertAlmostEqual(ours[2], theirs[2], delta=0.04 * theirs[2])

    @unittest.skipUnless(SUMO, "SUMO is not installed")
    def test_free_flow(self):
        self.check(2, 400)

    @unittest.skipUnless(SUMO, "SUMO is not installed")
    def test_dense_flow(self):
        self.check(3, 1000)

    @unittest.skipUnless(SUMO, "SUMO is not installed")
    def test_full_road_in_half_steps(self):
        self.check(3, 1700, step=0.5)


class Overtaking(unittest.TestCase):
    """A slow car and a faster one behind it on the right lane; times as in SUMO 1.15."""

    def left_at(self, pieces, slow, at, behind, speed):
        """When the faster one goes left, s."""
        edges = " ".join(f"e{i}" for i in range(len(pieces)))
        routes = (f'<vType id="slow" {CALM} lcSpeedGain="0" lcStrategic="-1" {slow}/><vType id="fast" {CALM}/>'
                  f'<route id="r" edges="{edges}"/>'
                  f'<vehicle id="slow" type="slow" route="r" depart="0" departPos="{at}" departSpeed="8"/>'
                  f'<vehicle id="fast" type="fast" route="r" depart="0" departPos="{behind}" departSpeed="{speed}"/>')
        result = Scenario(road(pieces), routes, 40).run()
        return min(result.time[(result.vehicle == "fast") & (result.lane == "e0_1")], default=None)

    def test_who_speeds_up_is_judged_by_the_next_step(self):
        place = [(1500, 2, 13.89)], 'maxSpeed="8"', 22, 5.1, 8
        self.assertEqual(self.left_at(*place), 1)
        self.assertEqual(self.left_at(place[0], 'accel="1"', *place[2:]), 2)
        self.assertIsNone(self.left_at(place[0], 'accel="2"', *place[2:]))

    def test_a_lane_that_ends_is_taken_only_where_coming_back_is_easy(self):
        for length, time in ((700, 4), (600, None)):
            self.assertEqual(self.left_at([(length, 2, 13.89), (500, 1, 13.89)], 'maxSpeed="8"', 75, 30, 10), time)


class KeepRight(unittest.TestCase):
    def right_at(self, extra):
        """When a lone car leaves the left lane, s."""
        routes = (f'<vType id="t" {CALM} {extra}/><route id="r" edges="e0"/>'
                  '<vehicle id="a" type="t" route="r" depart="0" departLane="1" departSpeed="max"/>')
        result = Scenario(road([(2000, 2, 13.89)]), routes, 60).run()
        return result.time[result.lane == "e0_0"].min()

    def test_who_does_not_care_for_speed_keeps_right_all_the_same(self):
        self.assertEqual(self.right_at('lcSpeedGain="0"'), self.right_at(""))

    def test_less_will_takes_longer(self):
        self.assertGreater(self.right_at('lcKeepRight="0.2"'), 3 * self.right_at(""))


class Merge(unittest.TestCase):
    """A car on the lane that ends, at 10 m/s, and a faster one just ahead on the other; speeds as in SUMO 1.15."""

    def next_speed(self, gap, ahead):
        net = road([(200, 2, 13.89), (500, 1, 13.89)])
        routes = (f'<vType id="a" {CALM}/><vType id="b" sigma="0" speedFactor="1.2" speedDev="0" maxSpeed="{ahead}"/>'
                  '<route id="r" edges="e0 e1"/>'
                  '<vehicle id="a" type="a" route="r" depart="0" departLane="1" departPos="100" departSpeed="7.4"/>'
                  f'<vehicle id="b" type="b" route="r" depart="0" departPos="{115 + gap - ahead}" '
                  f'departSpeed="{ahead}"/>')
        return Scenario(net, routes, 3).run().of("a")[2][2]

    def test_falls_in_behind_a_leader_that_may_slow_down(self):
        for gap, ahead, speed in ((1, 15, 10.333), (1, 16, 11.666), (-1, 16, 11), (2.4, 15.5, 11.466)):
            self.assertAlmostEqual(self.next_speed(gap, ahead), speed, delta=0.003)

    def test_drops_back_where_the_leader_is_not_fast_enough(self):
        self.assertAlmostEqual(self.next_speed(0, 15), 10 - 7 / 3.6, delta=0.003)


class Pass(unittest.TestCase):
    """A car on the lane that ends, at 13 m/s, and a slower one just ahead on the other; speeds as in SUMO 1.15."""

    def next_speeds(self, left):
        """Of both, from `left` m before the end."""
        net = road([(300, 2, 20), (500, 1, 20)])
        routes = (f'<vType id="a" {CALM} accel="0.01" lcOvertakeRight="1"/><vType id="b" {CALM} accel="0.5"/>'
                  '<route id="r" edges="e0 e1"/>'
                  f'<vehicle id="a" type="a" route="r" depart="0" departLane="1" departPos="{287 - left}" '
                  f'departSpeed="13"/><vehicle id="b" type="b" route="r" depart="0" departPos="{302 - left}" '
                  'departSpeed="5"/>')
        result = Scenario(net, routes, 3).run()
        return [result.of(vehicle)[2][2] for vehicle in "ab"]

    def test_who_is_passed_does_not_speed_up(self):
        np.testing.assert_allclose(self.next_speeds(45), [13.02, 5.5], atol=0.003)

    def test_nobody_passes_where_the_lane_is_too_short(self):
        passing, passed = self.next_speeds(40)
        self.assertLess(passing, 13.01 - 7 / 3.6)
        self.assertAlmostEqual(passed, 6, delta=0.003)


class Right(unittest.TestCase):
    """A fast car on the right, a slow one 40 m ahead on the left."""

    def drive(self, limit, extra=""):
        routes = (f'<vType id="slow" sigma="0" speedFactor="0.7" speedDev="0" lcKeepRight="0"/>'
                  f'<vType id="fast" {CALM} {extra}/><route id="r" edges="e0"/>'
                  '<vehicle id="slow" type="slow" route="r" depart="0" departLane="1" departPos="200" '
                  'departSpeed="max"/><vehicle id="fast" type="fast" route="r" depart="0" departLane="0" '
                  'departPos="160" departSpeed="max"/>')
        result = Scenario(road([(2000, 2, limit)]), routes, 20).run()
        return {vehicle: (result.lane[result.vehicle == vehicle], *result.of(vehicle)) for vehicle in ("fast", "slow")}

    def test_nobody_passes_on_the_right(self):
        cars = self.drive(LIMIT)
        on_right = cars["fast"][0] == "e0_0"
        self.assertLess((cars["fast"][2] - cars["slow"][2])[on_right].max(), -5)
        self.assertLess(cars["fast"][3][-1], 0.72 * LIMIT)

    def test_slow_traffic_does(self):
        cars = self.drive(16)
        self.assertTrue((cars["fast"][0] == "e0_0").all())
        self.assertGreater(cars["fast"][2][-1], cars["slow"][2][-1])

    def test_who_breaks_the_rule_does(self):
        cars = self.drive(LIMIT, 'lcOvertakeRight="1"')
        self.assertTrue((cars["fast"][0] == "e0_0").all())
        self.assertGreater(cars["fast"][2][-1], cars["slow"][2][-1])


class Ending(unittest.TestCase):
    """A lone car beside a lane on the right that does not lead on."""

    def lanes(self, limit):
        routes = (f'<vType id="t" {CALM}/><route id="r" edges="e0 e1"/>'
                  '<vehicle id="car" type="t" route="r" depart="0" departLane="1" departSpeed="max"/>')
        net = road([(3000, 2, limit), (500, 1, limit)])
        net = net.replace('from="e0" to="e1" fromLane="0"', 'from="e0" to="e1" fromLane="1"')
        return set(Scenario(net.replace('incLanes="e0_0"', 'incLanes="e0_1"'), routes, 60).run().lane)

    def test_nobody_goes_there_on_a_motorway(self):
        self.assertEqual(self.lanes(22.3), {"e0_1"})

    def test_drivers_keep_right_there_on_other_roads(self):
        self.assertEqual(self.lanes(22.2), {"e0_0", "e0_1"})


@unittest.skipUnless(SUMO and NETCONVERT, "SUMO is not installed")
class InsideJunctions(unittest.TestCase):
    """A car enters just before a crossing, beyond which only the other lane leads on."""

    def changes_inside(self, priority, end=(45, 0), places=range(1, 15), speed=6):
        """Of cars from different places: how many change within the junction. All as in SUMO."""
        nodes = {"a": (-300, 0), "x": (0, 0), "b": end, "c": (300, 0), "s": (0, -200), "n": (0, 200), "d": (45, -200)}
        edges = [("ax", "a", "x", priority, 2), ("xb", "x", "b", priority, 2), ("bc", "b", "c", 3), ("bd", "b", "d", 3),
                 ("sx", "s", "x", 2), ("xn", "x", "n", 2)]
        links = [("ax", "xb", 0, 0), ("ax", "xb", 1, 1), ("xb", "bc", 1, 0), ("xb", "bd", 0, 0), ("sx", "xn", 0, 0)]
        net = convert(nodes, edges, "".join(f'<connection from="{a}" to="{b}" fromLane="{k}" toLane="{n}"/>'
                                            for a, b, k, n in links))
        inside = 0
        for before in places:
            routes = (f'<vType id="t" {CALM}/><vehicle id="v" type="t" depart="0" departLane="0" '
                      f'departPos="{-before}" departSpeed="{speed}"><route edges="ax xb bc"/></vehicle>')
            scenario = Scenario(net, routes, 60)
            ours, sumo = scenario.run(), scenario.run_sumo()
            self.assertEqual(list(ours.lane), list(sumo.lane), before)
            first = next(lane for lane in ours.lane if not lane.startswith("ax"))
            inside += first.endswith("_1") and ours.lane[list(ours.lane).index(first) - 1] == "ax_0"
        return inside

    def test_who_has_priority_changes(self):
        self.assertGreater(self.changes_inside(priority=3), 1)

    def test_nobody_changes_who_gives_way(self):
        self.assertEqual(self.changes_inside(priority=1, places=np.arange(3.2, 4.6, 0.2), speed=3), 0)

    def test_nobody_changes_between_lanes_of_different_lengths(self):
        self.assertEqual(self.changes_inside(priority=3, end=(30, 35)), 0)


if __name__ == "__main__":
    unittest.main()
