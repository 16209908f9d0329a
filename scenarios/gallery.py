#!/usr/bin/python3
"""Makes the pictures of GALLERY.md: generates small scenarios, runs them and draws their results files.

usage: gallery.py [FOLDER] [--program PROGRAM]

Needs h5py, numpy and matplotlib (Debian: python3-h5py python3-matplotlib, with the system's python3)."""

import argparse
import pathlib
import re
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree

import h5py
import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.collections import LineCollection  # noqa: E402
from PIL import Image  # noqa: E402  (matplotlib needs it too)

ROOT = pathlib.Path(__file__).resolve().parents[1]


class Rows:
    """The trajectories of a results file: time, vehicle, lane (its id), position and speed of each row."""

    def __init__(self, path):
        with h5py.File(path) as file:
            table = file["trajectories"]
            self.time = np.repeat(table["step_time"][:], np.diff(table["step_begin"][:]))
            self.vehicle, self.position, self.speed = (table[name][:] for name in ["vehicle", "position", "speed"])
            self.lane = file["network/lanes/id"].asstr()[:][table["lane"][:]]
            self.lengths = dict(zip(file["network/lanes/id"].asstr()[:], file["network/lanes/length"][:]))
            self.switches = list(zip(file["signals/time"][:], file["signals/state"].asstr()[:]))


class Maker:
    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)

    def results(self, *arguments, routes=None):
        """Generates a scenario (kind and options), with other routes where they are given, and runs it."""
        generate = [self.program, "generate", *map(str, arguments), "--force", "--output", self.folder]
        subprocess.run(generate, check=True, capture_output=True)
        if routes:
            (self.folder / "routes.rou.xml").write_text(routes)
        path = self.folder / "results.h5"
        subprocess.run([self.program, "run", self.folder, "--quiet", "--output", path,
                        "--set", "output.trajectories.every=1"], check=True, capture_output=True)
        return Rows(path)


def around(rows, length):
    """Place on a ring in m."""
    number = np.array([int(re.search(r"\d", lane)[0]) for lane in rows.lane])
    inside = np.char.startswith(rows.lane.astype(str), ":")
    joint = rows.lengths[":joint0_0_0"]
    return (number * length / 4 - np.where(inside, joint, 0) + rows.position) % length


def draw_fundamental_diagram(maker, axes):
    """A quarter of a ring, each minute, after ten minutes."""
    length, begin, end = 1000, 600, 1500
    local, whole = [], []
    for vehicles in [5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 70, 80, 90, 100, 110, 120, 128]:
        rows = maker.results("ring", "--length", length, "--vehicles", vehicles, "--end", end)
        late = (rows.time >= begin) & (rows.time < end)
        whole.append((1000 * vehicles / length, 3.6 * rows.speed[late].mean() * 1000 * vehicles / length))
        quarter = late & (rows.lane == "quarter0_0")
        kilometres = rows.lengths["quarter0_0"] / 1000
        for time in range(begin, end, 60):
            minute = quarter & (rows.time >= time) & (rows.time < time + 60)
            density = np.count_nonzero(minute) / 60 / kilometres
            local.append((density, 3.6 * rows.speed[minute].sum() / 60 / kilometres))
    axes.plot(*np.array(local).T, ".", color="tab:orange", markersize=4, alpha=0.6, label="250 m for a minute")
    axes.plot(*np.array(whole).T, "o-", color="tab:blue", markersize=4, linewidth=1, label="the whole ring")
    axes.set(xlabel="density in veh/km", ylabel="flow in veh/h", xlim=(0, 140), ylim=(0, None))
    axes.legend(frameon=False)


def draw_ring(maker, axes):
    length, end = 230, 300
    rows = maker.results("ring", "--length", length, "--end", end)
    place, lines, speeds = around(rows, length), [], []
    for vehicle in np.unique(rows.vehicle):
        mine = rows.vehicle == vehicle
        time, where, speed = rows.time[mine], place[mine], rows.speed[mine]
        for k in np.flatnonzero(np.diff(where) > -length / 2):
            lines.append([(time[k], where[k]), (time[k + 1], where[k + 1])])
            speeds.append(3.6 * speed[k + 1])
    drawn = LineCollection(lines, cmap="turbo_r", linewidths=1.2)
    drawn.set_array(np.array(speeds))
    drawn.set_clim(0, 25)
    axes.add_collection(drawn)
    axes.figure.colorbar(drawn, ax=axes, label="speed in km/h")
    axes.set(xlabel="time in s", ylabel="place on the ring in m", xlim=(0, end), ylim=(0, length))


def straight_on(net, edge):
    """Index of the signal's link that leads straight on from an edge."""
    (index,) = [int(link.get("linkIndex")) for link in ElementTree.parse(net).iter("connection")
                if link.get("from") == edge and link.get("tl") and link.get("dir") == "s"]
    return index


def greens(switches, link):
    """(begin, end) of each whole green of a link. The step to t drives by the signals of t: green begins before it."""
    times = [(time, state[link] in "Gg") for time, state in switches]
    changes = [times[k] for k in range(1, len(times)) if times[k][1] != times[k - 1][1]]
    return [(a[0] - 1, b[0] - 1) for a, b in zip(changes, changes[1:]) if a[1]]


def crossings(rows, edge):
    """When each vehicle crosses the line at the end of an edge, between the steps by its speed; and its number."""
    found = []
    length = rows.lengths[edge + "_0"]
    for vehicle in np.unique(rows.vehicle[rows.lane == edge + "_0"]):
        mine = rows.vehicle == vehicle
        last = np.flatnonzero(mine & (rows.lane == edge + "_0"))[-1]
        after = np.flatnonzero(mine & (rows.time > rows.time[last]))
        if len(after):
            found.append((rows.time[last] + (length - rows.position[last]) / max(rows.speed[after[0]], 0.1), vehicle))
    return sorted(found)


def draw_discharge(maker, left, right):
    edge, end = "west-crossing1", 3600
    routes = f"""<routes><flow id="f" begin="0" end="{end}" vehsPerHour="900" departSpeed="max">
        <route edges="{edge} crossing1-east"/></flow></routes>"""
    rows = maker.results("corridor", "--size", 1, "--lanes", 1, "--signals", "--end", end, routes=routes)
    greens_of_line = greens(rows.switches, straight_on(maker.folder / "net.net.xml", edge))
    crossed = crossings(rows, edge)
    queues = [[time - begin for time, _ in crossed if begin <= time < end] for begin, end in greens_of_line]
    begin, end = greens_of_line[len(greens_of_line) // 2]
    draw_queue(left, rows, edge, begin, end)
    depth = int(np.median([len(queue) for queue in queues]))
    full = np.array([queue[:depth] for queue in queues if len(queue) >= depth])
    number = np.arange(1, depth + 1)
    right.plot(full.T, number, color="tab:gray", linewidth=0.5, alpha=0.5)
    mean = full.mean(axis=0)
    right.plot(mean, number, "o-", color="tab:blue", markersize=4)
    headway = (mean[-1] - mean[3]) / (depth - 4)
    right.set(xlabel="time since green in s", ylabel="vehicles over the line", xlim=(0, None), ylim=(0, None),
              title=f"headway after the fourth: {headway:.2f} s")


def draw_queue(axes, rows, edge, begin, end):
    """Ways of who is on the edge around one green."""
    near = (rows.time > begin - 40) & (rows.time < end + 10) & (rows.lane == edge + "_0")
    line = rows.lengths[edge + "_0"]
    for vehicle in np.unique(rows.vehicle[near]):
        mine = near & (rows.vehicle == vehicle)
        axes.plot(rows.time[mine] - begin, rows.position[mine] - line, color="tab:blue", linewidth=0.8)
    axes.plot([-40, 0], [1, 1], color="tab:red", linewidth=3)
    axes.plot([0, end - begin], [1, 1], color="tab:green", linewidth=3)
    axes.set(xlabel="time since green in s", ylabel="distance to the line in m", ylim=(-150, 4),
             xlim=(-40, end - begin + 10))


def save(figure, path):
    """With a palette: a small file."""
    figure.savefig(path, dpi=90)
    Image.open(path).convert("RGB").quantize(256).save(path, optimize=True)


def main():
    parser = argparse.ArgumentParser(description="Makes the pictures of GALLERY.md.")
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "scenarios" / "gallery")
    parser.add_argument("--program", default=ROOT / "jamiton")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for name, draw, columns in [("fundamental_diagram", draw_fundamental_diagram, 1), ("ring", draw_ring, 1),
                                ("discharge", draw_discharge, 2)]:
        figure, axes = plt.subplots(1, columns, figsize=(9, 4), layout="constrained")
        with tempfile.TemporaryDirectory() as folder:
            draw(Maker(options.program, folder), *np.atleast_1d(axes))
        save(figure, options.folder / f"{name}.png")


if __name__ == "__main__":
    main()
