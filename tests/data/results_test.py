#!/usr/bin/python3
"""Results files as others see them: h5py reads schema and values, while a run writes, after a kill and when the disk is
full."""

import importlib.util
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

try:
    import h5py
    import numpy as np
except ImportError:
    print("SKIPPED: h5py is not installed")
    sys.exit(77)

PROGRAM = pathlib.Path(os.environ["JAMITON_PROGRAM"])
WRITER = PROGRAM.parent / "test_data"
SIZES = {"STEPS": "70", "VEHICLES": "60", "EDGES": "7"}


def start(what, path, before=None, **sizes):
    """A process that writes the file: a hidden case of the test program."""
    environment = {**os.environ, "RESULT": str(path), **sizes}
    return subprocess.Popen([WRITER, f"tool {what}*"], env=environment, stdout=subprocess.PIPE, text=True,
                            preexec_fn=before)


def jamiton(*arguments):
    return subprocess.run([PROGRAM, *arguments], text=True, capture_output=True, timeout=60, check=False)


def text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


class Results(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="jamiton-results-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.path = self.folder / "r.h5"

    def sample(self):
        process = start("sample", self.path, **SIZES)
        output = process.communicate(timeout=60)[0]
        self.assertEqual(process.returncode, 0, output)
        return h5py.File(self.path, "r")

    def endless(self, lines, **options):
        """A writer that has printed so many lines, 50 steps and at least 0.2 s each."""
        process = start("endless", self.path, **options)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        found = 0
        while found < lines:
            line = process.stdout.readline()
            self.assertTrue(line, "the writer ended")
            found += line.startswith("step")
        return process

    def check_rows(self, file):
        """Every step that is there is whole and right; returns how many there are."""
        rows = file["trajectories"]
        times, begin = rows["step_time"][:], rows["step_begin"][:]
        self.assertGreaterEqual(len(begin), len(times) + 1)
        for k in range(len(times)):
            part = slice(int(begin[k]), int(begin[k + 1]))
            vehicle = np.arange(part.stop - part.start)
            np.testing.assert_array_equal(rows["vehicle"][part], vehicle)
            np.testing.assert_array_equal(rows["lane"][part], (vehicle * 7 + k // 10) % 7)
        return len(times)


class Schema(Results):
    def test_every_dataset_has_unit_and_description(self):
        with self.sample() as file:
            seen = []

            def visit(name, item):
                if isinstance(item, h5py.Dataset):
                    seen.append(name)
                    self.assertIsInstance(item.attrs["unit"], str, name)
                    self.assertTrue(item.attrs["unit"] and item.attrs["description"], name)

            file.visititems(visit)
            self.assertGreater(len(seen), 60)
            self.assertEqual(set(file), {"network", "trips", "trajectories", "edges", "lanes", "mean_data", "summary", "signals",
                                         "detectors", "performance"})
            self.assertEqual(file["summary/mean_speed"].attrs["unit"], "m/s")
            self.assertEqual(file["edges/density"].attrs["unit"], "1/km")

    def test_attributes(self):
        with self.sample() as file:
            attributes = dict(file.attrs)
        self.assertEqual(attributes["format"], "jamiton-results")
        self.assertEqual(attributes["scenario"], "[time]\nend = 10  # für alle\n")
        self.assertEqual(attributes["state_hash"], f"{0xfedcba9876543210 + 69:016x}")
        numbers = {name: attributes[name] for name in ["version", "seed", "step", "begin", "end", "collisions", "finished"]}
        self.assertEqual(numbers, {"version": 1, "seed": 42, "step": 1, "begin": 0, "end": 69, "collisions": 0,
                                   "finished": 1})

    def test_ids_are_utf8_and_columns_join(self):
        with self.sample() as file:
            for name in ["network/edges/id", "network/lanes/id", "trips/id"]:
                self.assertEqual(h5py.check_string_dtype(file[name].dtype).encoding, "utf-8")
            self.assertEqual(text(file["network/edges/id"][2]), "Straße_2")
            lanes = file["network/lanes"]
            self.assertEqual(text(file["network/edges/id"][lanes["edge"][2]]), "Straße_2")
            begin = lanes["shape_begin"][2:4]
            np.testing.assert_array_equal(lanes["shape"][begin[0]:begin[1]], [[200, 0], [250, 1], [300, 0]])
            self.assertEqual([text(file["trips/type_names"][t]) for t in file["trips/type"][:2]], ["car", "bus"])

    def test_trips(self):
        with self.sample() as file:
            trips = file["trips"]
            names = h5py.check_enum_dtype(trips["status"].dtype)
            self.assertEqual(names, {"not_due": 0, "waiting": 1, "running": 2, "arrived": 3, "removed": 4, "unrecorded": 5})
            self.assertIn("max_depart_delay", h5py.check_enum_dtype(trips["reason"].dtype))
            self.assertEqual(trips["status"][0], names["arrived"])
            self.assertEqual(trips["status"][59], names["running"])
            self.assertEqual(trips["arrival"][3], 53)
            self.assertTrue(np.isnan(trips["arrival"][59]))
            self.assertEqual(trips["arrival_lane"][59], -1)
            self.assertEqual(len({len(trips[c]) for c in trips if c != "type_names"}), 1)

    def test_tables(self):
        with self.sample() as file:
            self.assertEqual(self.check_rows(file), 70)
            self.assertEqual(file["edges/mean_speed"].shape, (7, 7))
            self.assertEqual(file["edges/mean_speed"][3, 4], 5.5)
            np.testing.assert_array_equal(file["edges/interval_end"][:], np.arange(10, 80, 10))
            self.assertEqual([text(x) for x in file["signals/state"][:]], ["GGrr", "rrGG", "GGrr"])
            self.assertEqual(text(file["signals/program"][0]), "day")
            self.assertEqual(int(file["summary/state_hash"][5]), 0xfedcba9876543215)
            self.assertEqual([text(x) for x in file["performance/phase"][:]], ["plan", "move"])
            self.assertIn("writer_waits", file["performance"].attrs)

    def test_h5dump_reads_it(self):
        self.sample().close()
        if shutil.which("h5dump"):
            result = subprocess.run(["h5dump", "-d", "/trajectories/speed", self.path], capture_output=True, check=False)
            self.assertEqual(result.returncode, 0, result.stderr)


class Running(Results):
    def test_a_reader_follows_a_running_writer(self):
        self.endless(6)
        with h5py.File(self.path, "r", libver="latest", swmr=True) as file:
            self.assertEqual(file.attrs["finished"], 0)
            first = self.check_rows(file)
            self.assertGreater(first, 0)
            time.sleep(1)
            for name in file["trajectories"]:
                file[f"trajectories/{name}"].refresh()
            self.assertGreater(self.check_rows(file), first)

    def test_after_kill_9_everything_flushed_is_there(self):
        process = self.endless(10)
        process.send_signal(signal.SIGKILL)
        process.wait()
        with self.assertRaises(OSError):
            h5py.File(self.path, "r")
        with h5py.File(self.path, "r", libver="latest", swmr=True) as file:
            steps = self.check_rows(file)
            self.assertGreater(steps, 250)
            self.assertGreater(file.attrs["end"], 250)
            trips = file["trips/status"][:]
            self.assertEqual(trips[0], 3)
            self.assertEqual(trips[-1], 0)
        self.assertEqual(jamiton("compare", self.path, self.path).returncode, 0)
        result = jamiton("repair", self.path)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("repaired; it holds", result.stdout)
        with h5py.File(self.path, "r") as file:
            self.assertEqual(self.check_rows(file), steps)
            self.assertEqual(len(file["trajectories/step_begin"]), steps + 1)
        self.assertIn("nothing to do", jamiton("repair", self.path).stdout)

    def test_repair_leaves_a_running_file_alone(self):
        self.endless(2)
        result = jamiton("repair", self.path)
        self.assertEqual(result.returncode, 1)
        self.assertIn("a running program is writing it", result.stderr)

    def test_disk_full(self):
        limit = 3_000_000

        def before():
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        process = start("endless", self.path, before)
        output = process.communicate(timeout=120)[0]
        self.assertEqual(process.returncode, 0, output)
        message = output[output.index("error: "):].splitlines()[0]
        self.assertRegex(message, f"^error: {self.path}: cannot write .*: File too large; the file holds the run up to [0-9]+ s$")
        end = int(message.split()[-2])
        with h5py.File(self.path, "r") as file:
            self.assertGreaterEqual(self.check_rows(file), end)
            self.assertGreaterEqual(file.attrs["end"], end)
            self.assertEqual(file.attrs["finished"], 0)

    def test_disk_full_at_the_start_keeps_the_old_result(self):
        self.sample().close()
        before = self.path.read_bytes()

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

        process = start("endless", self.path, limit)
        output = process.communicate(timeout=60)[0]
        self.assertIn("File too large", output)
        self.assertEqual(self.path.read_bytes(), before)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["r.h5"])


class Permissions(Results):
    """Root may write anywhere, so the writer runs as somebody else."""

    def refused(self, path):
        for folder in [self.folder, WRITER.parent]:
            if not os.access(WRITER, os.X_OK) or (os.getuid() == 0 and not self.others_reach(folder)):
                self.skipTest("another user cannot run the test program")
        user = {"user": 65534, "group": 65534} if os.getuid() == 0 else {}
        result = subprocess.run([WRITER, "tool endless*"], env={**os.environ, "RESULT": str(path)}, text=True,
                                capture_output=True, timeout=60, check=False, **user)
        return next(line for line in result.stdout.splitlines() if line.startswith("error: "))

    @staticmethod
    def others_reach(folder):
        return all(os.stat(f).st_mode & 1 for f in [folder, *folder.parents])

    def test_a_folder_without_permission(self):
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        self.assertRegex(self.refused(self.path), "cannot write the result: folder .*: Permission denied$")

    def test_a_file_without_permission(self):
        self.sample().close()
        self.folder.chmod(0o777)
        self.path.chmod(0o444)
        before = self.path.read_bytes()
        self.assertRegex(self.refused(self.path), "r.h5: cannot write the result: Permission denied$")
        self.assertEqual(self.path.read_bytes(), before)


class Commands(Results):
    def test_compare(self):
        self.sample().close()
        other = self.folder / "other.h5"
        shutil.copy(self.path, other)
        result = jamiton("compare", self.path, other)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout, "equal: 60 vehicles, 70 steps, 4200 rows of trajectories\n")
        with h5py.File(other, "r+") as file:
            file["trips/time_loss"][4] = 77
            file["trajectories/speed"][12 * 60 + 3] = 5
            file["performance/seconds"][0] = 5
            file.attrs["command"] = "other"
        result = jamiton("compare", self.path, other)
        self.assertEqual((result.returncode, result.stderr), (1, ""))
        self.assertIn("/trips/time_loss, vehicle vehicle-4", result.stdout)
        self.assertIn("/trajectories, time 12, vehicle vehicle-3", result.stdout)
        self.assertIn("time_loss in s", result.stdout)
        self.assertNotIn("command", result.stdout)

    def test_the_plot_script_draws_a_sample(self):
        if importlib.util.find_spec("matplotlib") is None:
            self.skipTest("matplotlib is not installed")
        self.sample().close()
        picture = self.folder / "r.png"
        subprocess.run([sys.executable, "scenarios/plot_results.py", self.path, picture], check=True, timeout=60)
        self.assertGreater(picture.stat().st_size, 1000)

    def test_wrong_files(self):
        self.sample().close()
        none = self.folder / "none.h5"
        none.write_text("no HDF5")
        for wrong in [self.folder, none, self.folder / "missing.h5"]:
            for command in [["compare", self.path, wrong], ["repair", wrong]]:
                result = jamiton(*command)
                self.assertEqual(result.returncode, 1, command)
                self.assertIn(str(wrong), result.stderr)
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)


if __name__ == "__main__":
    unittest.main()
