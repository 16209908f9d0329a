#!/usr/bin/python3
"""The program's command line: what it prints and how it ends."""

import os
import subprocess
import unittest


def jamiton(*arguments, **options):
    return subprocess.run([os.environ["JAMITON_PROGRAM"], *arguments], text=True, capture_output=True, timeout=60,
                          check=False, **options)


class Program(unittest.TestCase):
    def test_help_lists_the_subcommands_and_test(self):
        result = jamiton("--help")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for word in ["doctor", "jamiton test"]:
            self.assertIn(word, result.stdout)

    def test_version(self):
        result = jamiton("--version")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"^jamiton \d+\.\d+\.\d+\n$")

    def test_doctor_names_what_is_there(self):
        result = jamiton("doctor")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        found = {line[:10].strip(): line[11:] for line in result.stdout.splitlines()}
        self.assertLessEqual({"CPU", "memory", "GPU", "MPI", "NCCL", "HDF5", "Vulkan", "SUMO"}, set(found))
        self.assertTrue(all(found.values()), found)

    def test_doctor_without_a_path(self):
        result = jamiton("doctor", env={})
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, "SUMO +not found")

    def test_wrong_command_lines_end_with_2(self):
        for arguments, words in [
            ([], "subcommand is required"),
            (["drive"], "not expected: drive"),
            (["--no-such-option"], "--no-such-option"),
            (["doctor", "--no-such-option"], "--no-such-option"),
            (["doctor", "surplus"], "surplus"),
        ]:
            result = jamiton(*arguments)
            self.assertEqual((result.returncode, result.stdout), (2, ""), arguments)
            self.assertTrue(result.stderr.startswith("jamiton: error: "), result.stderr)
            self.assertIn(words, result.stderr)

    def test_a_full_disk_under_the_output_is_an_error(self):
        with open("/dev/full", "w") as full:
            result = subprocess.run([os.environ["JAMITON_PROGRAM"], "doctor"], stdout=full, stderr=subprocess.PIPE,
                                    text=True, timeout=60, check=False)
        self.assertEqual((result.returncode, result.stderr), (1, "jamiton: error: cannot write to standard output\n"))


if __name__ == "__main__":
    unittest.main()
