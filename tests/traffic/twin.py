"""Finds where the program and SUMO part: runs a configuration of SUMO's in both with all chance taken out, and lists
the vehicles that differ, the first to do so first.

usage: JAMITON_PROGRAM=build/ci/jamiton python3 tests/traffic/twin.py CONFIG SECONDS [--count 20] [--keep FOLDER]

Types lose what is drawn (imperfection, spread of desired speeds). SECONDS count from the begin of the configuration.
--keep leaves the changed scenario there, with SUMO's trajectories fcd.xml and the results out.h5."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from traffic import CALM, PROGRAM, SUMO, h5py, read_fcd, read_results  # noqa: E402

DISTRIBUTION = re.compile(r"<vTypeDistribution.*?</vTypeDistribution>", re.DOTALL)
DRAWN = re.compile(r'\s(?:sigma|speedDev|speedFactor)="[^"]*"')


def calm(text):
    """Types without chance; of a distribution the first one counts."""
    text = DISTRIBUTION.sub(first_only, text)
    return re.sub(r"<vType\b[^>]*", lambda found: DRAWN.sub("", found[0]).replace("<vType", f"<vType {CALM}", 1), text)


def with_default_type(text):
    if 'id="DEFAULT_VEHTYPE"' in text:
        return text
    return re.sub(r"<routes\b[^>]*[^/]>", lambda found: f'{found[0]}<vType id="DEFAULT_VEHTYPE"/>', text, count=1)


def first_only(distribution):
    share = iter(["1"])
    return re.sub(r'probability="[^"]*"', lambda _: f'probability="{next(share, "0")}"', distribution[0])


def make(config, folder):
    """The changed scenario; returns its configuration and its begin."""
    shutil.copytree(config.parent, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("reference"))
    begin = re.search(r'<begin value="([^"]*)"', config.read_text())
    routes = re.search(r'<route-files value="([^",]*)', config.read_text())
    for path in folder.rglob("*.xml"):
        text = path.read_text()
        if routes and path.name == routes[1].strip():
            text = with_default_type(text)
        if "<vType" in text:
            path.write_text(calm(text))
    return folder / config.name, float(begin[1]) if begin else 0.0


def run(config, end):
    folder = config.parent
    subprocess.run([SUMO, "-c", config, "--no-step-log", "--no-warnings", "--ignore-route-errors", "--end", str(end),
                    "--precision", "4", "--default.speeddev", "0", "--xml-validation", "never",
                    "--xml-validation.net", "never", "--fcd-output", folder / "fcd.xml"], check=True,
                   capture_output=True, env={"SUMO_HOME": "/usr/share/sumo", **os.environ})
    subprocess.run([PROGRAM, "run", config, "--quiet", "--lenient", "--end", str(end), "--output", folder / "out.h5",
                    "--set", "output.trajectories.every=1"], check=True)
    with h5py.File(folder / "out.h5") as file:
        ours = read_results(file, True)
    return rows_of(read_fcd((folder / "fcd.xml").read_text())), rows_of(
        [ours.time, ours.vehicle, ours.lane, ours.position, ours.speed])


def rows_of(columns):
    return {(time, vehicle): (lane, position, speed) for time, vehicle, lane, position, speed in zip(*columns)}


def partings(sumo, ours):
    """Per vehicle that differs: the first time, SUMO's row and ours, None where it is not on the road."""
    found = {}
    for key in sorted(sumo.keys() | ours.keys()):
        time, vehicle = key
        if vehicle in found:
            continue
        a, b = sumo.get(key), ours.get(key)
        if a is None or b is None or a[0] != b[0] or abs(a[1] - b[1]) > 0.02 or abs(a[2] - b[2]) > 0.02:
            found[vehicle] = (time, a, b)
    return found


def show(row):
    return "-" if row is None else f"{row[0]} {row[1]:.2f} m {row[2]:.2f} m/s"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", type=pathlib.Path)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    folder = arguments.keep or pathlib.Path(tempfile.mkdtemp())
    try:
        config, begin = make(arguments.config.resolve(), folder)
        sumo, ours = run(config, begin + arguments.seconds)
        found = partings(sumo, ours)
        vehicles = len({vehicle for _, vehicle in sumo})
        print(f"{len(found)} of {vehicles} vehicles differ")
        for vehicle, (time, a, b) in sorted(found.items(), key=lambda item: (item[1][0], item[0]))[: arguments.count]:
            print(f"{time:8.1f} {vehicle:24} SUMO {show(a):40} ours {show(b)}")
    finally:
        if not arguments.keep:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
