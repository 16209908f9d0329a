#!/usr/bin/python3
"""The shell entry ./jamiton, in a small tree of its own with stand-ins for cmake, ctest and the package tools."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Every stand-in writes its name and arguments to the file $CALLS.
CALL = '#!/bin/bash\necho "$(basename "$0") $*" >> "$CALLS"\n'

# Builds a program that says who and where it is, with which arguments, then ends with 7 or waits for a signal.
CMAKE = CALL + r"""
if [[ $1 == --preset ]]; then
    mkdir -p "build/$2" && echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" > "build/$2/CMakeCache.txt"
else
    sleep "${BUILD_SECONDS-0}"
    [[ -z ${BUILD_FAILS-} ]] || { echo "error: this cannot compile"; exit 2; }
    cat > "$2/jamiton" <<'PROGRAM'
#!/bin/bash
echo "$$|$PWD|$*"
[[ $1 == wait ]] && exec sleep 20
exit 7
PROGRAM
    chmod +x "$2/jamiton"
fi
"""
# All packages are there but those in $MISSING.
DPKG_QUERY = r"""#!/bin/bash
for package in "${@:4}"; do
    [[ " ${MISSING-} " == *" $package "* ]] || echo "installed $package"
done
"""


class Entry(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.tree = self.folder / "a checkout"
        for name in ["engine", "scenarios/ring", "data"]:
            (self.tree / name).mkdir(parents=True)
        for name in ["CMakeLists.txt", "CMakePresets.json", "engine/motion.cpp", "scenarios/ring/scenario.toml"]:
            (self.tree / name).touch()
        shutil.copy(ROOT / "jamiton", self.tree)
        tools = self.folder / "tools"
        tools.mkdir()
        for name, text in [
            ("cmake", CMAKE), ("ctest", CALL), ("apt-get", CALL + 'exit "${APT_FAILS-0}"\n'),
            ("dpkg-query", DPKG_QUERY), ("id", "#!/bin/bash\necho ${USER_ID-0}\n"), ("sudo", CALL + "exit 1\n"),
        ]:
            (tools / name).write_text(text)
            (tools / name).chmod(0o755)
        self.calls_file = self.folder / "calls"
        self.environment = {"PATH": f"{tools}:/usr/bin:/bin", "CALLS": str(self.calls_file)}

    def start(self, *arguments, entry=None, **variables):
        return subprocess.Popen(
            [entry or self.tree / "jamiton", *arguments], cwd=self.folder, text=True,
            env={**self.environment, **variables}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def jamiton(self, *arguments, **options):
        """Exit code, standard output, standard error."""
        with self.start(*arguments, **options) as process:
            out, error = process.communicate(timeout=60)
            return process.returncode, out, error

    def calls(self):
        """What the stand-ins were called with since the last time."""
        lines = self.calls_file.read_text().splitlines() if self.calls_file.exists() else []
        self.calls_file.unlink(missing_ok=True)
        return lines

    def make_newer(self, path):
        """As an edit after the build does; the clock of a file system may stand still that long."""
        later = time.time() + 2
        os.utime(self.tree / path, (later, later))

    def test_builds_once_and_becomes_the_program(self):
        with self.start("run", "a b") as process:
            out, error = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (7, f"{process.pid}|{self.folder}|run a b\n"))
        self.assertIn("building preset release", error)
        self.assertEqual([line.split()[1] for line in self.calls()], ["--preset", "--build"])
        self.assertEqual(self.jamiton("run")[2], "")
        self.assertEqual(self.calls(), [])

    def test_builds_again_when_a_source_changed_or_went(self):
        self.jamiton("run")
        self.calls()
        self.make_newer("scenarios/ring/scenario.toml")
        (self.tree / "scenarios/ring/results.h5").touch()
        self.jamiton("run")
        self.assertEqual(self.calls(), [], "an example scenario is no source")
        self.make_newer("engine/motion.cpp")
        self.jamiton("run")
        self.assertEqual(len(self.calls()), 2)
        (self.tree / "engine/motion.cpp").unlink()
        self.make_newer("engine")
        self.jamiton("run")
        self.assertEqual(len(self.calls()), 2)

    def test_a_moved_checkout_builds_afresh(self):
        self.jamiton("run")
        self.calls()
        self.tree = self.tree.rename(self.folder / "moved")
        self.assertEqual(self.jamiton("run")[0], 7)
        self.assertEqual(self.calls()[0], "cmake --preset release --fresh")

    def test_another_preset(self):
        self.assertEqual(self.jamiton("run", JAMITON_PRESET="cuda")[0], 7)
        self.assertEqual(self.calls()[0], "cmake --preset cuda --fresh")
        self.assertTrue((self.tree / "build/cuda/jamiton").exists())

    def test_a_failed_build_ends_with_its_log(self):
        code, out, error = self.jamiton("run", BUILD_FAILS="yes")
        self.assertEqual((code, out), (1, ""))
        self.assertIn("error: this cannot compile", error)
        self.assertIn("the build failed", error.splitlines()[-1])
        self.assertEqual(self.jamiton("run")[0], 7, "and is tried again")

    def test_two_at_once_build_once(self):
        processes = [self.start("run", BUILD_SECONDS="1") for _ in range(2)]
        for process in processes:
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, 7)
        self.assertEqual(len(self.calls()), 2)

    def test_signals_reach_the_program(self):
        self.jamiton("run")
        with self.start("wait") as process:
            self.assertTrue(process.stdout.readline().startswith(f"{process.pid}|"))
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(timeout=10), -signal.SIGTERM)

    def test_through_a_link(self):
        link = self.folder / "link"
        link.symlink_to(self.tree / "jamiton")
        self.assertEqual(self.jamiton("run", entry=link)[0], 7)
        self.assertTrue((self.tree / "build/release/jamiton").exists())

    def test_lists_missing_packages_without_rights(self):
        code, out, error = self.jamiton("run", MISSING="cmake libhdf5-dev", USER_ID="1000")
        self.assertEqual((code, out), (1, ""))
        self.assertEqual(len(error.splitlines()), 1)
        self.assertTrue(error.endswith("apt-get install cmake libhdf5-dev\n"), error)
        self.assertEqual(self.calls(), ["sudo -n true"])

    def test_installs_missing_packages_as_root(self):
        self.assertEqual(self.jamiton("run", MISSING="cmake libhdf5-dev")[0], 7)
        update, install = self.calls()[:2]
        self.assertTrue(update.startswith("apt-get ") and update.endswith(" update"))
        self.assertTrue(install.endswith(" install --no-install-recommends cmake libhdf5-dev"), install)
        self.assertIn("DPkg::Lock::Timeout=300", install)

    def test_says_what_could_not_be_installed(self):
        code, _, error = self.jamiton("run", MISSING="cmake", APT_FAILS="100")
        self.assertEqual(code, 1)
        self.assertIn("could not install cmake", error)

    def test_tests_are_built_and_their_arguments_passed_on(self):
        self.assertEqual(self.jamiton("test", "-R", "core/", MISSING="catch2")[0], 0)
        calls = self.calls()
        self.assertTrue(calls[1].endswith(" catch2"))
        self.assertEqual(calls[2], "cmake --preset ci --fresh")
        self.assertIn("--output-on-failure", calls[-1])
        self.assertTrue(calls[-1].endswith(" -R core/"))

    def test_the_second_start_is_fast(self):
        for top in ["engine", "data"]:
            for i in range(500):
                (self.tree / top / f"file{i}.cpp").touch()
        self.jamiton("run")
        seconds = []
        for _ in range(5):
            begin = time.perf_counter()
            self.jamiton("run")
            seconds.append(time.perf_counter() - begin)
        self.assertLess(min(seconds), 0.3)


if __name__ == "__main__":
    unittest.main()
