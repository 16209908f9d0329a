#!/usr/bin/python3
"""Includes point one way:

engine/core <- agents <- engine <- data <- {learning, render} <- scenarios, and tests see all.

agents sees of the engine nothing but core/hd.hpp, and file formats and the command line stay out of the engine."""

import pathlib
import re
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = {".cpp", ".hpp", ".cu", ".cuh", ".h"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)

# What a folder may include of our own, besides itself; a name that ends in .hpp is that one file.
SEES = {
    "engine/core": [],
    "agents": ["engine/core/hd.hpp"],
    "engine": ["engine/core", "agents"],
    "data": ["engine/core", "agents", "engine"],
    "learning": ["engine/core", "agents", "engine", "data"],
    "render": ["engine/core", "agents", "engine", "data"],
    "scenarios": ["engine/core", "agents", "engine", "data", "learning", "render"],
    "tests": ["engine/core", "agents", "engine", "data", "learning", "render", "scenarios"],
}
TOP = {name.split("/")[0] for name in SEES}

# Libraries of the outer folders.
FORMATS = re.compile(r"^(expat|zlib|libdeflate|hdf5|H5\w*|toml\+\+/.*|CLI/.*|vulkan/.*)(\.h|\.hpp)?$")
NO_FORMATS = {"engine/core", "agents", "engine"}


def folder_of(path):
    """The folder of SEES that a path belongs to, or None."""
    if path.startswith("engine/core/"):
        return "engine/core"
    top = path.split("/")[0]
    return top if "/" in path and top in TOP else None


def wrong_includes(path, text):
    """The complaints about the file at `path`, a path from the root, with this text."""
    folder = folder_of(path)
    for match in INCLUDE.finditer(text):
        bracket, name = match.groups()
        where = f"{path}:{text.count(chr(10), 0, match.start(2)) + 1}"
        target = folder_of(name)
        if target is None:
            if bracket == '"':
                yield f'{where}: "{name}" is no path from the root of the checkout'
            elif folder in NO_FORMATS and FORMATS.match(name):
                yield f"{where}: {folder} must not know <{name}>"
        elif target != folder and target not in SEES[folder] and name not in SEES[folder]:
            yield f"{where}: {folder} must not include {name}"


def check_tree(root):
    """The complaints about all sources under `root`, and how many files were read."""
    complaints, files = [], 0
    for top in sorted(TOP):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in SOURCES:
                files += 1
                complaints += wrong_includes(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8"))
    return complaints, files


class IncludeArrows(unittest.TestCase):
    def test_the_tree(self):
        complaints, files = check_tree(ROOT)
        self.assertGreater(files, 10)
        self.assertEqual(complaints, [])

    def test_allowed(self):
        for path, include in [
            ("engine/core/log.cpp", '"engine/core/log.hpp"'),
            ("agents/idm.hpp", '"engine/core/hd.hpp"'),
            ("agents/idm.hpp", '"agents/krauss.hpp"'),
            ("engine/motion.cpp", '"agents/idm.hpp"'),
            ("data/results.cpp", "<hdf5.h>"),
            ("scenarios/train.cpp", '"learning/ppo.hpp"'),
            ("tests/core/log_test.cpp", '"scenarios/commands.hpp"'),
            ("engine/motion.cpp", "<cub/device/device_scan.cuh>"),
        ]:
            self.assertEqual(list(wrong_includes(path, f"#include {include}\n")), [], (path, include))

    def test_forbidden(self):
        for path, include in [
            ("engine/core/log.cpp", '"engine/network.hpp"'),
            ("engine/core/log.cpp", "<agents/idm.hpp>"),
            ("agents/idm.hpp", '"engine/core/array.hpp"'),
            ("agents/idm.hpp", '"engine/network.hpp"'),
            ("engine/motion.cpp", '"data/results.hpp"'),
            ("engine/motion.cpp", "<H5public.h>"),
            ("engine/motion.cpp", "<expat.h>"),
            ("engine/motion.cpp", "<toml++/toml.h>"),
            ("data/results.cpp", '"scenarios/commands.hpp"'),
            ("learning/ppo.cpp", '"render/viewer.hpp"'),
            ("render/viewer.cpp", '"learning/ppo.hpp"'),
            ("scenarios/run.cpp", '"tests/support/catch.hpp"'),
            ("engine/motion.cpp", '"motion.hpp"'),
            ("engine/motion.cpp", '"../data/results.hpp"'),
        ]:
            self.assertEqual(len(list(wrong_includes(path, f"// why\n  # include {include}\n"))), 1, (path, include))

    def test_a_bad_tree_is_seen(self):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            (root / "engine" / "core").mkdir(parents=True)
            (root / "engine" / "core" / "log.cpp").write_text('#include <vector>\n#include "data/results.hpp"\n')
            complaints, files = check_tree(root)
            self.assertEqual(files, 1)
            self.assertEqual(complaints, ["engine/core/log.cpp:2: engine/core must not include data/results.hpp"])


if __name__ == "__main__":
    unittest.main()
