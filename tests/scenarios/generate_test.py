#!/usr/bin/python3
"""jamiton generate: its options, its files, and that SUMO runs them too."""

import os
import re
import resource
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

PROGRAM = os.path.abspath(os.environ["JAMITON_PROGRAM"])
SUMO = shutil.which("sumo")

KINDS = [
    ("grid", ["--size", "3", "--lanes", "2", "--signals", "--demand", "1500"]),
    ("grid", ["--size", "3", "--lanes", "1", "--demand", "600"]),
    ("grid", ["--size", "3", "--lanes", "3", "--demand", "900"]),
    ("corridor", ["--size", "3", "--signals", "--demand", "1500"]),
    ("corridor", ["--size", "3", "--lanes", "1", "--demand", "900"]),
    ("ring", []),
    ("ring", ["--length", "600", "--lanes", "2", "--vehicles", "40"]),
]


def jamiton(*arguments, cwd=None):
    return subprocess.run([PROGRAM, *arguments], text=True, capture_output=True, timeout=120, check=False, cwd=cwd)


def content(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Generate(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name
        self.addCleanup(self.temporary.cleanup)

    def generate(self, kind, *options, folder=None):
        return jamiton("generate", kind, *options, "--output", folder or self.folder)

    def test_files(self):
        result = self.generate("grid", "--size", "2", "--demand", "100", "--seed", "5", "--end", "600")
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)),
                         ["grid.sumocfg", "net.net.xml", "routes.rou.xml", "scenario.toml"])
        self.assertIn("jamiton generate grid --end 600 --seed 5 --size 2 --demand 100",
                      content(self.folder + "/scenario.toml"))
        departs = [float(v.get("depart")) for v in ElementTree.parse(self.folder + "/routes.rou.xml").iter("vehicle")]
        self.assertEqual(len(departs), 17)
        self.assertEqual(departs, sorted(departs))
        self.assertLess(departs[-1], 600)

    def test_nothing_is_replaced_unasked(self):
        self.assertEqual(self.generate("ring").returncode, 0)
        before = content(self.folder + "/routes.rou.xml")
        result = self.generate("ring", "--vehicles", "10")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("--force", result.stderr)
        self.assertEqual(content(self.folder + "/routes.rou.xml"), before)
        self.assertEqual(self.generate("ring", "--vehicles", "10", "--force").returncode, 0)
        self.assertNotEqual(content(self.folder + "/routes.rou.xml"), before)

    def test_folders_that_cannot_be_made(self):
        path = self.folder + "/file"
        with open(path, "w", encoding="utf-8"):
            pass
        result = self.generate("ring", folder=path + "/below")
        self.assertEqual(result.returncode, 1)
        self.assertIn(path, result.stderr)

    def test_a_full_disk_and_no_name_leave_nothing(self):
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

        # The net fits, the routes do not.
        arguments = [PROGRAM, "generate", "ring", "--vehicles", "2000", "--length", "50000", "--output"]
        for name, words in [(self.folder + "/a", "routes.rou.xml: cannot be written: File too large"), ("", "expected a folder")]:
            result = subprocess.run([*arguments, name], text=True, capture_output=True, timeout=60, check=False,
                                    preexec_fn=small_files, cwd=self.folder)
            self.assertEqual((result.returncode, len(result.stderr.splitlines())), (1, 1), result.stderr)
            self.assertIn(words, result.stderr)
        self.assertEqual(os.listdir(self.folder + "/a"), [])

    def test_wrong_options_end_with_2(self):
        for arguments, word in [
            ([], "subcommand"),
            (["square", "--output", "x"], "subcommand"),
            (["grid"], "--output"),
            (["grid", "--output", "x", "--size", "0"], "--size"),
            (["grid", "--output", "x", "--size", "2.5"], "--size"),
            (["grid", "--output", "x", "--lanes", "nan"], "--lanes"),
            (["grid", "--output", "x", "--demand", "-1"], "--demand"),
            (["grid", "--output", "x", "--end", "0"], "--end"),
            (["grid", "--output", "x", "--seed", "-3"], "--seed"),
            (["corridor", "--output", "x", "--spacing", "5"], "--spacing"),
            (["ring", "--output", "x", "--vehicles", "40"], "--vehicles"),
            (["ring", "--output", "x", "--size", "4"], "--size"),
        ]:
            result = jamiton("generate", *arguments, cwd=self.folder)
            self.assertEqual((result.returncode, result.stdout), (2, ""), arguments)
            self.assertIn(word, result.stderr)
            self.assertEqual(os.listdir(self.folder), [])

    def test_the_examples_are_what_their_options_make(self):
        for name in ["grid", "corridor", "ring"]:
            toml = content(f"scenarios/{name}/scenario.toml")
            options = re.search(r"Made by: jamiton generate (.*)", toml)[1].split()
            folder = f"{self.folder}/{name}"
            self.assertEqual(self.generate(*options, folder=folder).returncode, 0)
            for file in os.listdir(folder):
                self.assertEqual(content(f"{folder}/{file}"), content(f"scenarios/{name}/{file}"), f"{name}/{file}")

    def test_every_kind_runs(self):
        for number, (kind, options) in enumerate(KINDS):
            folder = f"{self.folder}/{number}"
            self.assertEqual(self.generate(kind, *options, "--end", "600", folder=folder).returncode, 0)
            result = jamiton("run", folder, "--output", "none")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("0 teleports, 0 collisions", result.stdout, (kind, options))

    @unittest.skipUnless(SUMO, "SUMO is not installed")
    def test_every_kind_runs_in_sumo(self):
        for number, (kind, options) in enumerate(KINDS):
            folder = f"{self.folder}/{number}"
            self.assertEqual(self.generate(kind, *options, "--end", "600", folder=folder).returncode, 0)
            self.run_sumo(f"{folder}/{kind}.sumocfg")
            converted = self.quiet(["netconvert", "-s", f"{folder}/net.net.xml", "-o", f"{folder}/again.net.xml"])
            self.assertIn("Success", converted)

    @unittest.skipUnless(SUMO, "SUMO is not installed")
    def test_the_examples_run_in_sumo(self):
        for name in ["oldtown", "grid", "corridor", "ring"]:
            self.run_sumo(f"scenarios/{name}/{name}.sumocfg")

    def run_sumo(self, config):
        """Without a warning, and with all vehicles of the file."""
        statistics = self.folder + "/statistics.xml"
        self.quiet([SUMO, "-c", config, "--no-step-log", "--xml-validation", "never", "--xml-validation.net", "never",
                    "--statistic-output", statistics])
        vehicles = ElementTree.parse(statistics).find("vehicles")
        self.assertEqual(vehicles.get("loaded"), vehicles.get("inserted"), config)

    def quiet(self, command):
        result = subprocess.run(command, text=True, capture_output=True, timeout=300, check=False,
                                env={**os.environ, "SUMO_HOME": os.environ.get("SUMO_HOME", "/usr/share/sumo")})
        self.assertEqual((result.returncode, result.stderr), (0, ""), command)
        return result.stdout


if __name__ == "__main__":
    if not SUMO:
        print("SUMO is not installed: generated scenarios are not run in it")
    unittest.main()
