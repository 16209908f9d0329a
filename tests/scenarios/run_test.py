#!/usr/bin/python3
"""`jamiton run` from its options to the end: what it prints, what it leaves, and how signals end it."""

import os
import pathlib
import pty
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time
import unittest

from small_scenario import ROUTES, write_small_scenario

try:
    import h5py
except ImportError:
    print("SKIPPED: h5py is not installed")
    sys.exit(77)

# One that never gets away, behind all others.
STUCK = ROUTES.replace("</routes>", """
    <vType id="slow" maxSpeed="0.00001"/>
    <vehicle id="stuck" type="slow" route="r" depart="150"/>
</routes>""")


class Run(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="jamiton-run-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        write_small_scenario(self.folder)

    def command(self, *arguments):
        return [os.environ["JAMITON_PROGRAM"], "run", *arguments]

    def jamiton(self, *arguments, **options):
        return subprocess.run(self.command(*arguments), cwd=self.folder, text=True, capture_output=True, timeout=20,
                              check=False, **options)

    def attributes(self, name="results.h5"):
        with h5py.File(self.folder / name) as file:
            return dict(file.attrs)


class Options(Run):
    def test_help_says_all(self):
        result = self.jamiton("--help")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for word in ["--output", "--begin", "--end", "--step-length", "--seed", "--device", "--threads", "--ranks",
                     "--set", "--lenient", "--quiet", "output.trajectories.every", "Exit codes", "(results.h5)"]:
            self.assertIn(word, result.stdout)

    def test_a_run_ends_with_a_summary(self):
        result = self.jamiton("run.sumocfg")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for line in ["simulated    200 s", "vehicles     6 loaded, 6 entered, 6 arrived", "results      results.h5"]:
            self.assertIn(line, result.stdout)

    def test_quiet(self):
        result = self.jamiton("run.sumocfg", "--quiet")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def test_no_output(self):
        before = set(os.listdir(self.folder))
        self.assertEqual(self.jamiton("run.sumocfg", "--output", "none").returncode, 0)
        self.assertEqual(set(os.listdir(self.folder)), before)

    def test_options_reach_the_results(self):
        result = self.jamiton("run.toml", "--output", "a b.h5", "--seed", "7", "--begin", "10", "--end", "0:01:00",
                              "--step-length", "0.5", "--threads", "2", "--device", "cpu",
                              "--set", "output.trajectories.every=2", "--set", "output.compression=0")
        self.assertEqual(result.returncode, 0, result.stderr)
        attributes = self.attributes("a b.h5")
        self.assertEqual([attributes[name] for name in ["seed", "begin", "end", "step"]], [7, 10, 60, 0.5])
        self.assertIn("run run.toml --output 'a b.h5' --seed 7", attributes["command"])
        with h5py.File(self.folder / "a b.h5") as file:
            self.assertEqual(list(file["trajectories/step_time"][:3]), [10, 12, 14])
            self.assertIsNone(file["trajectories/position"].compression)
            phases = list(file["performance/phase"].asstr())
        for phase in ["read the files", "plan", "record"]:
            self.assertIn(phase, phases)

    def test_what_is_not_simulated_is_told_once(self):
        config = self.folder / "run.sumocfg"
        config.write_text(config.read_text().replace(
            "<end ", '<tripinfo-output value="t.xml"/><lateral-resolution value="1"/>\n<end '))
        result = self.jamiton("run.sumocfg", "--lenient", "--output", "none")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 2, lines)
        self.assertIn("lateral-resolution", lines[0])
        self.assertIn("run.sumocfg: SUMO's output files are not written: tripinfo-output", lines[1])
        self.assertFalse((self.folder / "t.xml").exists())

    def test_a_terminal_gets_a_bar(self):
        main, terminal = pty.openpty()
        termios.tcsetwinsize(terminal, (24, 120))
        (self.folder / "routes.xml").write_text(STUCK)
        process = subprocess.Popen(self.command("run.sumocfg", "--end", "1e9", "--output", "none"), cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=terminal)
        os.close(terminal)
        self.addCleanup(process.kill)
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(20), 130)
        shown = os.read(main, 1 << 16)
        os.close(main)
        self.assertRegex(shown, rb"\r\x1b\[K\[\.{20}\]   0 %  \d+ s  running \d+  [\d.]+ x real time  \d+ s left")


class Signals(Run):
    def start(self, *arguments):
        """A run without an end that will have no end, some steps after its start."""
        (self.folder / "routes.xml").write_text(STUCK)
        command = self.command("run.sumocfg", "--end", "-1", "--set", "model.time_to_teleport=-1", *arguments)
        process = subprocess.Popen(command, cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        time.sleep(1)
        return process

    def test_a_run_without_end_says_each_hour_who_is_left(self):
        process = self.start("--output", "none")
        process.send_signal(signal.SIGINT)
        lines = process.stderr.read().splitlines()
        self.assertEqual(process.wait(20), 130)
        self.assertEqual(lines[0], "after 1 h of simulated time 1 of 7 vehicles are left: "
                                   "1 running, 0 waiting, 0 not due")

    def test_signals_close_the_results(self):
        for number, code in [(signal.SIGINT, 130), (signal.SIGTERM, 143)]:
            with self.subTest(number.name):
                process = self.start()
                process.send_signal(number)
                self.assertIn("(interrupted)", process.stdout.read())
                self.assertEqual(process.wait(20), code)
                attributes = self.attributes()
                self.assertEqual(attributes["finished"], 0)
                with h5py.File(self.folder / "results.h5") as file:
                    self.assertEqual(file["summary/time"][-1] + 1, attributes["end"])

    def test_a_reader_that_goes_away_does_not_end_the_run(self):
        process = self.start()
        process.stderr.close()
        process.stdout.close()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        self.assertIn(process.wait(20), [1, 130])
        self.assertEqual(self.attributes()["finished"], 0)


if __name__ == "__main__":
    unittest.main()
