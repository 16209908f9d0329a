#!/usr/bin/python3
"""jamiton convert and run --sumo-outputs: elements, attributes and figures are those that SUMO writes."""

import csv
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from small_scenario import CONFIG, write_small_scenario

PROGRAM = os.path.abspath(os.environ["JAMITON_PROGRAM"])
SUMO = shutil.which("sumo")
SUMO_HOME = os.environ.get("SUMO_HOME", "/usr/share/sumo")
XML2CSV = pathlib.Path(SUMO_HOME, "tools/xml/xml2csv.py")
NO_SUMO = "skipped: sumo is not installed"

ADDITIONAL = """<additional>
    <inductionLoop id="loop" lane="ab_0" pos="100" period="50" file="e1.xml"/>
    <e1Detector id="loop at the end" lane="bc_0" pos="-10" freq="50" file="e1.xml"/>
    <laneAreaDetector id="area" lane="ab_0" pos="50" endPos="150" period="50" file="e2.xml"/>
    <e2Detector id="long" lanes="ab_0 bc_0" pos="150" endPos="50" period="50" file="e2.xml"/>
    <entryExitDetector id="gates" period="50" file="e3.xml">
        <detEntry lane="ab_0" pos="50"/><detExit lane="bc_0" pos="50"/>
    </entryExitDetector>
    <edgeData id="edges" period="50" file="edges.xml"/>
    <edgeData id="inside" begin="0" end="100" withInternal="true" excludeEmpty="true" file="inside.xml"/>
    <laneData id="lanes" period="100" file="lanes.xml" edges="ab bc"/>
</additional>
"""
OUTPUTS = {"tripinfo-output": "tripinfo.xml", "summary-output": "summary.xml", "fcd-output": "fcd.xml"}
DETECTORS = ["e1.xml", "e2.xml", "e3.xml"]
MEANS = ["edges.xml", "inside.xml", "lanes.xml"]
FILES = [*OUTPUTS.values(), *DETECTORS, *MEANS]
# What no run here knows: `jamiton convert --help` says so.
LEFT_OUT = {"summary/step": {"stopped", "meanSpeedRelative", "duration"}, "fcd-export/timestep/vehicle": {"slope"}}


def attributes(path):
    """Attribute names in order by element, the longest list of each."""
    found = {}

    def walk(element, name):
        if len(element.attrib) >= len(found.get(name, ())):
            found[name] = list(element.attrib)
        for child in element:
            walk(child, f"{name}/{child.tag}")

    root = ElementTree.parse(path).getroot()
    walk(root, root.tag)
    return found


class Convert(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="jamiton-convert-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        write_small_scenario(cls.folder)
        types = '<vType id="car" sigma="0" speedDev="0"/>'
        routes = (cls.folder / "routes.xml").read_text().replace('<vType id="car" sigma="0"/>', types)
        (cls.folder / "routes.xml").write_text(routes)
        (cls.folder / "add.xml").write_text(ADDITIONAL)
        options = '<additional-files value="add.xml"/>' + "".join(
            f'<{option} value="{file}"/>' for option, file in OUTPUTS.items())
        (cls.folder / "run.sumocfg").write_text(CONFIG.replace("<end", options + "<end"))
        run = cls.jamiton("run", "run.sumocfg", "--output", "out.h5", "--sumo-outputs", "ours", "--quiet", "--set",
                          "output.lanes.every=100")
        assert (run.returncode, run.stderr) == (0, ""), run.stderr
        if SUMO:
            subprocess.run([SUMO, "-c", "run.sumocfg", "--no-step-log"], cwd=cls.folder, check=True, timeout=60,
                           capture_output=True, env={**os.environ, "SUMO_HOME": SUMO_HOME})

    @classmethod
    def jamiton(cls, *arguments):
        return subprocess.run([PROGRAM, *arguments], cwd=cls.folder, text=True, capture_output=True, timeout=60,
                              check=False)

    def expect_error(self, *arguments, words, code=1):
        result = self.jamiton("convert", *arguments)
        self.assertEqual((result.returncode, result.stdout), (code, ""))
        self.assertIn(words, result.stderr)

    def test_all_files_are_written_and_none_beside_the_inputs(self):
        self.assertEqual(sorted(os.listdir(self.folder / "ours")), sorted(FILES))

    @unittest.skipUnless(SUMO, NO_SUMO)
    def test_attributes_are_those_of_sumo(self):
        for file in FILES:
            with self.subTest(file=file):
                wanted = attributes(self.folder / file)
                for element, names in wanted.items():
                    wanted[element] = [name for name in names if name not in LEFT_OUT.get(element, ())]
                self.assertEqual(attributes(self.folder / "ours" / file), wanted)

    @unittest.skipUnless(SUMO, NO_SUMO)
    def test_figures_are_those_of_sumo(self):
        for file in [*DETECTORS, *MEANS, "tripinfo.xml"]:
            theirs = [e.attrib for e in ElementTree.parse(self.folder / file).iter() if "id" in e.attrib]
            ours = [e.attrib for e in ElementTree.parse(self.folder / "ours" / file).iter() if "id" in e.attrib]
            self.assertEqual(len(ours), len(theirs), file)
            for mine, other in zip(ours, theirs):
                # SUMO bounds the density of lanes that are shorter than a vehicle.
                for name in other.keys() - {"devices"} - ({"density", "laneDensity"} if other["id"][0] == ":" else set()):
                    with self.subTest(file=file, id=other["id"], begin=other.get("begin"), attribute=name):
                        if other[name].replace(".", "").replace("-", "").isdigit():
                            self.assertAlmostEqual(float(mine[name]), float(other[name]), delta=0.0201)
                        else:
                            self.assertEqual(mine[name], other[name])

    @unittest.skipUnless(SUMO and XML2CSV.exists(), NO_SUMO)
    def test_sumo_tools_read_them(self):
        for file in FILES:
            subprocess.run(["/usr/bin/python3", XML2CSV, self.folder / "ours" / file, "--output", self.folder / "x.csv"],
                           check=True, timeout=60, capture_output=True, env={**os.environ, "SUMO_HOME": SUMO_HOME})
            with open(self.folder / "x.csv", encoding="utf-8") as table:
                self.assertGreater(len(list(csv.reader(table, delimiter=";"))), 1, file)

    def test_convert_writes_what_the_run_wrote(self):
        for form, file, more in [("tripinfo", "tripinfo.xml", ()), ("e2", "e2.xml", ()), ("fcd", "fcd.xml", ()),
                                 ("edgedata", "inside.xml", ("--id", "inside"))]:
            result = self.jamiton("convert", "out.h5", "--to", form, *more)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertEqual(result.stdout, (self.folder / "ours" / file).read_text())

    def test_tables_without_definitions(self):
        result = self.jamiton("convert", "out.h5", "--to", "lanedata", "--output", "all.xml")
        self.assertEqual((result.returncode, result.stderr, result.stdout), (0, "", ""))
        intervals = ElementTree.parse(self.folder / "all.xml").getroot().findall("interval")
        self.assertEqual([i.get("begin") for i in intervals], ["0.00", "100.00"])

    def test_what_results_do_not_hold(self):
        run = self.jamiton("run", "run.toml", "--output", "plain.h5", "--quiet", "--set", "output.edges.every=0")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.expect_error("plain.h5", "--to", "fcd", words="plain.h5: holds no trajectories: run with --set output.tra")
        self.expect_error("plain.h5", "--to", "e1", words="holds no e1 detectors: the additional files of the run had no")
        self.expect_error("plain.h5", "--to", "edgedata", words="holds no intervals of edges: run with")
        self.expect_error("out.h5", "--to", "lanedata", "--id", "edges", words='no <laneData> "edges"; expected one of: lanes')

    def test_targets_that_cannot_be_written(self):
        self.expect_error("out.h5", "--to", "e1", "--output", "gone/e1.xml", words="gone/e1.xml: cannot write: No such")
        self.expect_error("out.h5", "--to", "e1", "--output", "out.h5", words="out.h5: is the results file itself")
        self.expect_error("out.h5", "--to", "fcd", "--output", "/dev/full", words="/dev/full: cannot write: No space")
        self.expect_error("out.h5", "--to", "fcd", "--output", "", words="an output needs a file name")
        self.expect_error("out.h5", "--to", "e4", words="--to", code=2)
        self.expect_error("add.xml", "--to", "e1", words="add.xml: is not a results file (not HDF5)")

    def test_a_disk_that_gets_full_leaves_an_older_file(self):
        (self.folder / "older.xml").write_text("older")
        before = sorted(os.listdir(self.folder))
        result = subprocess.run([PROGRAM, "convert", "out.h5", "--to", "fcd", "--output", "older.xml"], cwd=self.folder,
                                text=True, capture_output=True, timeout=60, check=False,
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000)))
        self.assertEqual((result.returncode, result.stderr), (1, "jamiton: error: older.xml: cannot write: File too large\n"))
        self.assertEqual((self.folder / "older.xml").read_text(), "older")
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_sumo_outputs_need_results_and_a_folder(self):
        result = self.jamiton("run", "run.sumocfg", "--output", "none", "--sumo-outputs", "ours", "--quiet")
        self.assertEqual(result.returncode, 1)
        self.assertIn("--sumo-outputs are made from the results file, but output.file is none", result.stderr)
        result = self.jamiton("run", "run.sumocfg", "--output", "b.h5", "--sumo-outputs", "net.xml/x", "--quiet")
        self.assertEqual(result.returncode, 1)
        self.assertIn("net.xml/x: cannot make the folder: ", result.stderr)


if __name__ == "__main__":
    unittest.main()
