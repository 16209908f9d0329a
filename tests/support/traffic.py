"""Small scenarios for tests of traffic: roads written from numbers, nets made by netconvert, and what drives on them
as tables, in the program and, where it is installed, in SUMO."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import weakref
import xml.etree.ElementTree as ElementTree

try:
    import h5py
    import numpy as np
except ImportError:
    print("SKIPPED: h5py or numpy is not installed")
    sys.exit(77)

PROGRAM = os.path.abspath(os.environ["JAMITON_PROGRAM"])
SUMO = shutil.which("sumo")
NETCONVERT = shutil.which("netconvert")
SHARED = pathlib.Path(__file__).resolve().parents[3] / "shared"
CALM = 'sigma="0" speedFactor="1" speedDev="0"'  # of a vType: nothing is random
TRIP = {"depart": "depart", "departDelay": "depart_delay", "arrival": "arrival", "timeLoss": "time_loss",
        "waitingTime": "waiting_time", "duration": "duration"}


def road(pieces, phases=()):
    """A net: edges e0, e1, ... in a row along x, each given by length, lanes and limit. phases: (duration, state) of
    a signal between e0 and e1."""
    edges, internal, junctions, links = [], [], [], []
    x, before = 0, None
    for number, (length, lanes, limit) in enumerate(pieces):
        arriving = [] if before is None else range(min(before, lanes))
        junctions.append(junction(number, x, number and before, len(arriving), phases and number == 1))
        if arriving:
            internal.append(lane_list(f":n{number}_0", "internal", x, 0.1, len(arriving), limit))
        links += [link(number, lane, phases and number == 1) for lane in arriving]
        edges.append(lane_list(f"e{number}", number, x, length, lanes, limit))
        x, before = x + length, lanes
    junctions.append(junction(len(pieces), x, before, 0, False))
    logic = "".join(f'<phase duration="{d}" state="{s}"/>' for d, s in phases)
    logic = logic and f'<tlLogic id="n1" type="static" programID="0" offset="0">{logic}</tlLogic>'
    box = f"0,-50,{x},50"
    return "\n".join([f'<net version="1.9"><location netOffset="0,0" convBoundary="{box}" origBoundary="{box}" '
                      'projParameter="!"/>', *internal, *edges, logic, *junctions, *links, "</net>"])


def convert(nodes, edges, connections="", kinds=None, speed=13.89, options=()):
    """The net that netconvert makes of nodes {name: (x, y)} of type priority or that in kinds {name: type}, and of edges
    (name, from, to, priority) or (name, from, to, priority, lanes)."""
    points = "".join(f'<node id="{name}" x="{x}" y="{y}" type="{(kinds or {}).get(name, "priority")}"/>'
                     for name, (x, y) in nodes.items())
    roads = "".join(f'<edge id="{e}" from="{f}" to="{t}" numLanes="{lanes[0] if lanes else 1}" speed="{speed}" priority="{p}"/>'
                    for e, f, t, p, *lanes in edges)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "nod.xml").write_text(f"<nodes>{points}</nodes>")
        (folder / "edg.xml").write_text(f"<edges>{roads}</edges>")
        (folder / "con.xml").write_text(f"<connections>{connections}</connections>")
        subprocess.run([NETCONVERT, "-n", folder / "nod.xml", "-e", folder / "edg.xml", "-x", folder / "con.xml", "-o",
                        folder / "net.xml", "--xml-validation", "never", *options], check=True, capture_output=True,
                       timeout=60)
        return (folder / "net.xml").read_text()


def lane_list(name, number, x, length, lanes, limit):
    ends = 'function="internal"' if number == "internal" else f'from="n{number}" to="n{number + 1}" priority="1"'
    inside = "".join(f'<lane id="{name}_{i}" index="{i}" speed="{limit}" length="{length}" '
                     f'shape="{x},{-3.2 * (lanes - i)} {x + length},{-3.2 * (lanes - i)}"/>' for i in range(lanes))
    return f'<edge id="{name}" {ends}>{inside}</edge>'


def junction(number, x, arriving, links, signal):
    kind = "traffic_light" if signal else "priority" if links else "dead_end"
    incoming = " ".join(f"e{number - 1}_{i}" for i in range(arriving))
    inside = " ".join(f":n{number}_0_{i}" for i in range(links))
    none = "0" * links
    requests = "".join(f'<request index="{i}" response="{none}" foes="{none}" cont="0"/>' for i in range(links))
    return (f'<junction id="n{number}" type="{kind}" x="{x}" y="0" incLanes="{incoming}" intLanes="{inside}" '
            f'shape="{x},0 {x},-9.6">{requests}</junction>')


def link(number, lane, signal):
    state = f'tl="n1" linkIndex="{lane}" state="O"' if signal else 'state="M"'
    lanes = f'fromLane="{lane}" toLane="{lane}" dir="s"'
    return (f'<connection from="e{number - 1}" to="e{number}" {lanes} via=":n{number}_0_{lane}" {state}/>'
            f'<connection from=":n{number}_0" to="e{number}" {lanes} state="M"/>')


class Result:
    """What happened: rows (time, vehicle, lane, position, speed) as arrays, trips {vehicle: {name: value}}."""

    def __init__(self, rows, trips, collisions=0, teleports=0):
        self.time, self.vehicle, self.lane, self.position, self.speed = rows
        self.trips, self.collisions, self.teleports = trips, collisions, teleports

    def of(self, vehicle):
        """Times, positions and speeds of one vehicle."""
        chosen = self.vehicle == vehicle
        return self.time[chosen], self.position[chosen], self.speed[chosen]


class Scenario:
    """A folder with a net, routes and SUMO's configuration, for both programs. It goes with this object."""

    def __init__(self, net, routes, end, step=1, options=""):
        self.folder, self.step = pathlib.Path(tempfile.mkdtemp()), step
        weakref.finalize(self, shutil.rmtree, self.folder)
        if isinstance(net, pathlib.Path):
            shutil.copy(net, self.folder / "net.xml")
        else:
            (self.folder / "net.xml").write_text(net)
        (self.folder / "rou.xml").write_text(f"<routes>{routes}</routes>")
        (self.folder / "run.sumocfg").write_text(
            '<configuration><net-file value="net.xml"/><route-files value="rou.xml"/>'
            f'<end value="{end}"/><step-length value="{step}"/>{options}</configuration>')

    def try_run(self, *arguments, environment=None):
        return subprocess.run([PROGRAM, "run", self.folder / "run.sumocfg", *arguments], text=True, timeout=120,
                              capture_output=True, check=False, env={**os.environ, **(environment or {})})

    def run(self, seed=1, rows=True):
        path = self.folder / "out.h5"
        every = ["--set", f"output.trajectories.every={self.step}"] if rows else []
        done = self.try_run("--output", path, "--quiet", "--seed", str(seed), *every)
        if done.returncode:
            raise AssertionError(done.stderr)
        with h5py.File(path) as file:
            return read_results(file, rows)

    def run_sumo(self, seed=1, rows=True):
        fcd, trips = self.folder / "fcd.xml", self.folder / "trips.xml"
        subprocess.run([SUMO, "-c", self.folder / "run.sumocfg", "--no-step-log", "--no-warnings", "--seed", str(seed),
                        "--precision", "4", "--xml-validation", "never", "--xml-validation.net", "never",
                        *(["--fcd-output", fcd] if rows else []), "--tripinfo-output", trips],
                       capture_output=True, timeout=120, check=True,
                       env={**os.environ, "SUMO_HOME": os.environ.get("SUMO_HOME", "/usr/share/sumo")})
        table = {trip.get("id"): {name: float(trip.get(name)) for name in TRIP}
                 for trip in ElementTree.parse(trips).iter("tripinfo") if not trip.get("vaporized")}
        return Result(read_fcd(fcd.read_text()) if rows else [None] * 5, table)


def read_results(file, rows):
    ids, status = file["trips/id"].asstr()[:], file["trips/status"][:]
    columns = {name: file[f"trips/{ours}"][:] for name, ours in TRIP.items()}
    trips = {vehicle: {name: float(values[k]) for name, values in columns.items()}
             for k, vehicle in enumerate(ids) if status[k] == 3}
    table = [None] * 5
    if rows:
        part = file["trajectories"]
        count = np.diff(part["step_begin"][:])
        table = [np.repeat(part["step_time"][:len(count)], count), ids[part["vehicle"][:]],
                 file["network/lanes/id"].asstr()[:][part["lane"][:]], part["position"][:].astype(float),
                 part["speed"][:].astype(float)]
    teleports = file["summary/teleports"]
    return Result(table, trips, int(file.attrs["collisions"]), int(teleports[-1]) if len(teleports) else 0)


def read_fcd(text):
    """SUMO's positions of vehicles, one line each between lines of time steps."""
    found = re.findall(r'<timestep time="([^"]*)"|<vehicle id="([^"]*)"[^>]* speed="([^"]*)" pos="([^"]*)" '
                       r'lane="([^"]*)"', text)
    rows, time = [], 0.0
    for step, vehicle, speed, position, lane in found:
        if step:
            time = float(step)
        else:
            rows.append((time, vehicle, lane, float(position), float(speed)))
    return [np.array(column) for column in zip(*rows)]
