#!/usr/bin/python3
"""Public problem reports whose inputs are made here; their ids are those of ../shared/cases/README.md."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from traffic import CALM, PROGRAM, SHARED, Scenario, h5py, np, road  # noqa: E402

ROAD = [(200, 1, 13.89), (200, 1, 13.89)]


class Case(unittest.TestCase):
    def test_S40_the_locale_changes_nothing(self):
        routes = f'<vType id="t" {CALM}/><vehicle id="v" type="t" depart="0.5"><route edges="e0 e1"/></vehicle>'
        scenario = Scenario(road(ROAD), routes, 100)
        first, second = scenario.folder / "first.h5", scenario.folder / "second.h5"
        scenario.try_run("--output", first, environment={"LC_ALL": "C"})
        for variable in ["LC_ALL", "LC_NUMERIC"]:
            done = scenario.try_run("--output", second, environment={variable: "de_DE.UTF-8"})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(subprocess.run([PROGRAM, "compare", first, second], check=False).returncode, 0)

    def test_S44_a_mix_of_mixes_draws_at_both_levels(self):
        inner = "".join(f'<vTypeDistribution id="{k}"><vType id="{k}1" probability="0.25"/>'
                        f'<vType id="{k}2" probability="0.75"/></vTypeDistribution>' for k in "ab")
        routes = (inner + '<vTypeDistribution id="mix" vTypes="a b" probabilities="0.6 0.4"/><route id="r" edges="e0"/>'
                  '<flow id="f" type="mix" route="r" begin="0" end="1000" number="1000" departLane="random"/>')
        scenario = Scenario(road([(500, 3, 13.89)]), routes, 1100)
        scenario.run(rows=False)
        with h5py.File(scenario.folder / "out.h5") as file:
            drawn = file["trips/type_names"].asstr()[:][file["trips/type"][:]]
        for name, share in {"a1": 0.15, "a2": 0.45, "b1": 0.1, "b2": 0.3}.items():
            self.assertAlmostEqual(np.count_nonzero(drawn == name) / 1000, share, delta=0.05)

    def test_S46_forbidden_edge_or_connection(self):
        routes = (f'<vType id="t" vClass="bus" {CALM}/><route id="r" edges="e0 e1"/>'
                  '<vehicle id="v" type="t" route="r" depart="0"/>')
        edge = road(ROAD).replace('<lane id="e1_0"', '<lane id="e1_0" disallow="bus"')
        link = road(ROAD).replace('<lane id=":n1_0_0"', '<lane id=":n1_0_0" disallow="bus"')
        link = link.replace('<connection from="e0"', '<connection disallow="bus" from="e0"')
        for net in [edge, link]:
            done = Scenario(net, routes, 100).try_run("--output", "none")
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, '"v".*"e0".*"e1".*bus')
            done = Scenario(net, routes, 100, options='<ignore-route-errors value="true"/>').try_run("--output", "none")
            self.assertEqual(done.returncode, 0)
            self.assertRegex(done.stderr, 'warning: .*"v".*"e0".*"e1".*bus')
            self.assertIn("1 arrived", done.stdout)

    def test_S48_opposing_left_turns(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([PROGRAM, "generate", "corridor", "--size", "1", "--lanes", "1", "--signals", "--output",
                            folder], check=True, capture_output=True)
            routes = (f'<vType id="t" {CALM}/><route id="w" edges="west-crossing1 crossing1-north1"/>'
                      '<route id="e" edges="east-crossing1 crossing1-south1"/>')
            routes += "".join(f'<vehicle id="{side}{i}" type="t" route="{side}" depart="0"/>'
                              for i in range(5) for side in "we")
            result = Scenario(pathlib.Path(folder) / "net.net.xml", routes, 600).run(rows=False)
        self.assertEqual((len(result.trips), result.teleports, result.collisions), (10, 0, 0))
        self.assertLess(max(trip["arrival"] for trip in result.trips.values()), 200)

    @unittest.skipUnless(SHARED.exists(), "no shared data")
    def test_S54_one_lane_for_movements_of_two_phases(self):
        """Left turners stand before those who go straight on, and have a green of their own."""
        phases = [(20, 5, 30, "GGrrrrGGrrrr"), (10, 5, 15, "rrGrrrrrGrrr"), (20, 5, 30, "rrrGGGrrrGGG")]
        logic = "".join(f'<phase duration="{duration}" minDur="{least}" maxDur="{most}" state="{state}"/>'
                        f'<phase duration="3" state="{state.replace("G", "y")}"/>'
                        for duration, least, most, state in phases)
        flows = [("left", "nc ce", 8), ("straight", "nc cs", 8), ("side", "ec cw", 15)]
        routes = f'<vType id="t" {CALM}/>' + "".join(
            f'<flow id="{name}" type="t" begin="0" end="400" period="{period}"><route edges="{edges}"/></flow>'
            for name, edges, period in flows)
        scenario = Scenario(SHARED / "cases" / "S22" / "net.net.xml", routes, 1500,
                            options='<additional-files value="add.xml"/>')
        (scenario.folder / "add.xml").write_text(
            f'<additional><tlLogic id="c" type="actuated" programID="a" offset="0">{logic}</tlLogic></additional>')
        result = scenario.run(rows=False)
        self.assertEqual((len(result.trips), result.teleports, result.collisions), (127, 0, 0))
        with h5py.File(scenario.folder / "out.h5") as file:
            phase, seconds = file["signals/phase"][:-1], np.diff(file["signals/time"][:])
        np.testing.assert_array_equal(phase, np.arange(len(phase)) % 6)  # each cycle serves all
        for number, (_, least, most, _) in enumerate(phases):
            mine = seconds[phase == 2 * number]
            self.assertTrue(((mine >= least) & (mine <= most)).all(), mine)


if __name__ == "__main__":
    unittest.main()
