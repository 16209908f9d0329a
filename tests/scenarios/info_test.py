#!/usr/bin/python3
"""jamiton info: what it says of each kind of file, told by content alone."""

import gzip
import os
import subprocess
import tempfile
import unittest

PROGRAM = os.path.abspath(os.environ["JAMITON_PROGRAM"])
OLDTOWN = os.path.abspath("scenarios/oldtown")


def jamiton(*arguments, cwd=None):
    return subprocess.run([PROGRAM, *arguments], text=True, capture_output=True, timeout=120, check=False, cwd=cwd)


class Info(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name
        self.addCleanup(self.temporary.cleanup)

    def write(self, name, content):
        path = f"{self.folder}/{name}"
        with open(path, "wb") as file:
            file.write(content)
        return path

    def info(self, path):
        """The lines as a dictionary."""
        result = jamiton("info", path)
        self.assertEqual((result.returncode, result.stderr), (0, ""), path)
        return {line[:16].strip(): line[17:] for line in result.stdout.splitlines()}

    def test_network(self):
        told = self.info(OLDTOWN + "/net.net.xml")
        self.assertTrue(told["edges"].startswith("106, "), told)
        self.assertIn("lane-km", told["lanes"])
        self.assertIn("5 traffic_light", told["junctions"])
        self.assertEqual(told["signals"], "5, 5 programs")
        self.assertIn("bounding box", told)

    def test_content_decides_not_the_name(self):
        with open(OLDTOWN + "/net.net.xml", "rb") as file:
            packed = gzip.compress(file.read())
        self.assertTrue(self.info(self.write("some.toml", packed))["edges"].startswith("106, "))

    def test_demand_needs_no_network(self):
        path = self.write("demand", b"""<!-- a > b --> <routes>
            <vType id="bus" vClass="bus"/><route id="r" edges="x y"/>
            <vehicle id="1" type="bus" depart="10" route="r"/><trip id="2" depart="0:01:00" from="x" to="y"/>
            <flow id="f" begin="20" end="100" number="7" from="x" to="y"/>
            <flow id="g" begin="20" end="400" vehsPerHour="30" from="x" to="y"/></routes>""")
        told = self.info(path)
        self.assertEqual(told["elements"], "2 flow, 1 route, 1 trip, 1 vType, 1 vehicle")
        self.assertEqual(told["by type"], "1 DEFAULT_VEHTYPE, 1 bus")
        self.assertEqual(told["flows"], "1 with 7 vehicles in all")
        self.assertEqual(told["flows by rate"], "1")
        self.assertEqual(told["time span"], "10 to 400 s")

    def test_scenarios(self):
        for path in [OLDTOWN, OLDTOWN + "/scenario.toml", OLDTOWN + "/oldtown.sumocfg"]:
            told = self.info(path)
            self.assertTrue(told["time"].startswith("0 s to 4500 s"), told)
            self.assertIn("edges", told)
            self.assertIn("elements", told)

    def test_results(self):
        path = self.folder + "/ring.h5"
        self.assertEqual(jamiton("run", "scenarios/ring", "--end", "60", "--output", path).returncode, 0)
        told = self.info(path)
        self.assertEqual(told["summary"], "60 steps")
        self.assertTrue(told["trips"].startswith("22 vehicles"), told)

    def test_what_is_no_such_file(self):
        for path, words in [
            (self.folder + "/none", "no such file"),
            (self.folder, "scenario.toml"),
            (self.write("empty", b""), "empty"),
            (self.write("cut.net.xml", b"<net><edge id='a'"), "cut.net.xml"),
            (self.write("cut.rou.xml", b"<routes><vehicle"), "cut.rou.xml"),
            (self.write("words", b"not a scenario"), "words"),
        ]:
            result = jamiton("info", path)
            self.assertEqual((result.returncode, result.stdout), (1, ""), path)
            self.assertTrue(result.stderr.startswith("jamiton: error: "), result.stderr)
            self.assertIn(words, result.stderr)
        self.assertEqual(jamiton("info").returncode, 2)


if __name__ == "__main__":
    unittest.main()
