#!/usr/bin/python3
"""The small town runs to its end as it should."""

import os
import subprocess
import tempfile
import unittest

import h5py
import numpy as np


class Oldtown(unittest.TestCase):
    def test_all_arrive_without_collision_and_teleport(self):
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/oldtown.h5"
            subprocess.run([os.environ["JAMITON_PROGRAM"], "run", "scenarios/oldtown", "--quiet", "--output", path],
                           timeout=300, check=True)
            with h5py.File(path) as file:
                last = {name: file["summary"][name][-1] for name in ["loaded", "arrived", "teleports", "collisions"]}
                self.assertEqual(last["arrived"], last["loaded"])
                self.assertGreater(last["loaded"], 2000)
                self.assertEqual(np.sum(file["summary/teleports"][:]), 0)
                self.assertEqual(np.sum(file["summary/collisions"][:]), 0)


if __name__ == "__main__":
    unittest.main()
