#!/usr/bin/python3
"""The gallery's script makes its three pictures, and they are small."""

import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest

if not all(importlib.util.find_spec(name) for name in ["h5py", "matplotlib", "PIL"]):
    print("SKIPPED: h5py or matplotlib is not installed")
    sys.exit(77)


class Gallery(unittest.TestCase):
    def test_three_small_pictures(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, "scenarios/gallery.py", folder, "--program", os.environ["JAMITON_PROGRAM"]],
                           timeout=120, check=True)
            self.assertEqual(sorted(os.listdir(folder)), ["discharge.png", "fundamental_diagram.png", "ring.png"])
            self.assertEqual(sorted(os.listdir("scenarios/gallery")), sorted(os.listdir(folder)))
            for name in os.listdir(folder):
                self.assertTrue(5e3 < os.path.getsize(f"{folder}/{name}") < 150e3, name)


if __name__ == "__main__":
    unittest.main()
