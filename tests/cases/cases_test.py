#!/usr/bin/python3
"""Public problem reports as small inputs, with what must happen: ../shared/cases/*/expected.md, whose tables hold what
SUMO 1.15 does. Vehicle by vehicle the columns must be the same, unless the case says what else is right."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

try:
    import h5py
    import numpy as np
except ImportError:
    print("SKIPPED: h5py is not installed")
    sys.exit(77)

CASES = pathlib.Path(__file__).resolve().parents[2].parent / "shared" / "cases"
COLUMNS = {"depart": "depart", "departDelay": "depart_delay", "departLane": "depart_lane", "departPos": "depart_pos",
           "departSpeed": "depart_speed", "arrival": "arrival", "arrivalPos": "arrival_pos", "duration": "duration",
           "routeLength": "route_length", "waitingTime": "waiting_time", "timeLoss": "time_loss"}
TOLERANCE = 0.0101  # the tables have two digits
STATUS = ["not_due", "waiting", "running", "arrived", "removed", "unrecorded"]


def expected(case, scenario):
    """The table of one scenario: {vehicle: {column: text}}."""
    text = (CASES / case / "expected.md").read_text()
    block = re.split(r"^### ", text, flags=re.MULTILINE)
    (rows,) = [part for part in block if part.startswith(scenario + "\n")]
    lines = [line.strip("|") for line in rows.splitlines() if line.startswith("|")]
    table = [[cell.strip() for cell in line.split("|")] for line in lines]
    return {row[0]: dict(zip(table[0][1:], row[1:])) for row in table[2:]}


class Run:
    """A run with its messages and its trips: {vehicle: {column: value}}, columns by SUMO's names."""

    def __init__(self, case, scenario, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "out.h5"
            done = subprocess.run([os.environ["JAMITON_PROGRAM"], "run", CASES / case / scenario, "--output", path,
                                   *arguments], text=True, capture_output=True, timeout=30, check=False)
            self.code, self.messages, self.written = done.returncode, done.stderr, path.exists()
            self.summary = done.stdout
            self.trips = {}
            if self.written:
                with h5py.File(path) as file:
                    self.read(file)

    def read(self, file):
        self.teleports = int(file["summary/teleports"][-1]) if len(file["summary/teleports"]) else 0
        self.collisions = int(file.attrs["collisions"])
        lanes = file["network/lanes/id"].asstr()[:]
        columns = {name: file[f"trips/{ours}"][:] for name, ours in COLUMNS.items()}
        status = file["trips/status"][:]
        for row, vehicle in enumerate(file["trips/id"].asstr()[:]):
            trip = {name: values[row] for name, values in columns.items()}
            trip["departLane"] = lanes[trip["departLane"]] if trip["departLane"] >= 0 else None
            trip["status"] = STATUS[status[row]]
            self.trips[vehicle] = trip
        self.phases = list(zip(file["signals/phase"][:], np.diff(file["signals/time"][:])))

    def arrived(self):
        """Vehicles in the order of their arrival."""
        return sorted((v for v, trip in self.trips.items() if trip["status"] == "arrived"),
                      key=lambda v: self.trips[v]["arrival"])


class Case(unittest.TestCase):
    def good_run(self, case, scenario, *arguments):
        run = Run(case, scenario, *arguments)
        self.assertEqual(run.code, 0, run.messages)
        self.assertEqual(run.collisions, 0)
        return run

    def check_like_table(self, case, scenario, columns=tuple(COLUMNS)):
        """The vehicles of the table, and no others, arrive, with the table's values."""
        run, table = self.good_run(case, scenario), expected(case, scenario)
        self.assertEqual(set(run.arrived()), set(table))
        for vehicle, row in table.items():
            for column in columns:
                with self.subTest(scenario=scenario, vehicle=vehicle, column=column):
                    ours = run.trips[vehicle][column]
                    if column == "departLane":
                        self.assertEqual(ours, row[column])
                    else:
                        self.assertAlmostEqual(float(ours), float(row[column]), delta=TOLERANCE)
        return run

    def check_error(self, case, scenario, *words):
        run = Run(case, scenario)
        self.assertEqual(run.code, 1, run.messages)
        self.assertFalse(run.written)
        for word in words:
            self.assertIn(word, run.messages)

    def test_S01_departure_positions(self):
        self.check_like_table("S01", "run.sumocfg")
        run = self.check_like_table("S01", "toolong.sumocfg")
        self.assertRegex(run.messages, "warning: .*toolong.*500")
        self.check_error("S01", "badword.sumocfg", "departPos", '"bad"', "base", "last", "random", "free")

    def test_S03_departure_speeds(self):
        self.check_like_table("S03", "run.sumocfg")
        for scenario in ["fast", "over", "neg"]:
            self.check_error("S03", f"{scenario}.sumocfg", f'"{scenario}"')

    def test_S04_flows(self):
        self.check_like_table("S04", "run.sumocfg")
        self.check_error("S04", "both.sumocfg", '"x"', "period", "vehsPerHour")
        self.check_error("S04", "neg.sumocfg", '"x"', "before")

    def test_S08_clock_times(self):
        self.check_like_table("S08", "run.sumocfg")
        run = self.check_like_table("S08", "late.sumocfg")
        running = [v for v, trip in run.trips.items() if trip["status"] == "running"]
        self.assertEqual(running, ["hms2"])
        self.assertTrue(np.isnan(run.trips["hms2"]["arrival"]))
        self.check_error("S08", "bad.sumocfg", "1:30")

    def test_S09_vehicles_in_any_order(self):
        for scenario in ["asadd.sumocfg", "two.sumocfg"]:
            self.check_like_table("S09", scenario)
        run = self.good_run("S09", "run.sumocfg")  # better than SUMO: nobody is left out
        self.assertEqual(run.arrived(), ["v0", "early", "late", "mid"])

    def test_S11_unknown_edges(self):
        for scenario in ["run.sumocfg", "ignore.sumocfg"]:
            self.check_error("S11", scenario, '"ghost"', '"nowhere"')
        self.check_error("S11", "empty.sumocfg", '"none"', "no edges")
        self.check_error("S11", "noroute.sumocfg", '"nr"', '"missing"')

    def test_S12_teleport_from_the_wrong_lane(self):
        self.assertEqual(self.check_like_table("S12", "run.sumocfg").teleports, 1)
        run = self.check_like_table("S12", "never.sumocfg")
        self.assertEqual(run.teleports, 0)
        self.assertEqual([run.trips[v]["status"] for v in ["stuck", "behind"]], ["running", "running"])

    def test_S13_right_before_left(self):
        run, table = self.good_run("S13", "run.sumocfg"), expected("S13", "run.sumocfg")
        order = run.arrived()
        self.assertEqual(set(order), set(table))
        times = sorted(float(row["arrival"]) for row in table.values())
        self.assertAlmostEqual(run.trips[order[0]]["arrival"], times[0], delta=2)
        self.assertAlmostEqual(run.trips[order[-1]]["arrival"], times[-1], delta=5)
        self.assertEqual(run.teleports, 0)
        self.assertEqual(self.good_run("S13", "run.sumocfg").arrived(), order)
        self.assertEqual(self.good_run("S13", "two.sumocfg").arrived(), ["ve", "vs"])
        self.assertEqual(self.good_run("S13", "left.sumocfg").arrived(), ["vs", "vn"])

    def test_S15_minor_road_and_left_turn_give_way(self):
        for scenario in ["run.sumocfg", "left.sumocfg"]:
            run, table = self.good_run("S15", scenario), expected("S15", scenario)
            self.assertEqual(set(run.arrived()), set(table))
            for vehicle, row in table.items():
                with self.subTest(scenario=scenario, vehicle=vehicle):
                    trip = run.trips[vehicle]
                    self.assertAlmostEqual(trip["arrival"], float(row["arrival"]), delta=4)
                    if vehicle.startswith("m."):
                        self.assertLess(trip["timeLoss"], 0.5)
                        self.assertEqual(trip["duration"], 43)

    def test_S16_zipper(self):
        for scenario in ["run.sumocfg", "dense.sumocfg"]:
            run, table = self.good_run("S16", scenario), expected("S16", scenario)
            order = run.arrived()
            self.assertEqual(set(order), set(table))
            self.assertEqual([vehicle.split(".")[0] for vehicle in order], ["l0", "l1"] * (len(order) // 2))

    def test_S18_turning_back(self):
        self.check_like_table("S18", "run.sumocfg")
        self.check_error("S18", "noturn.sumocfg", '"end"', '"bc"', '"cb"')
        self.check_error("S18", "line.sumocfg", '"middle"', '"ab"', '"ba"')

    def test_S22_actuated_signal(self):
        run = self.good_run("S22", "empty.sumocfg")
        self.assertEqual(run.arrived(), ["one"])
        self.assertEqual([seconds for phase, seconds in run.phases if phase == 0], [10] * 8 + [11])
        run = self.good_run("S22", "busy.sumocfg")
        self.assertEqual(len(run.arrived()), 115)
        self.assertEqual([seconds for phase, seconds in run.phases if phase == 0][:6], [10] + [40] * 5)
        self.assertEqual([seconds for phase, seconds in run.phases if phase == 2], [10, 10, 14, 14, 14, 10])

    def test_S24_rerouter(self):
        for scenario in ["run", "close", "dest", "route", "onclosed"]:
            self.check_like_table("S24", f"{scenario}.sumocfg", ("depart", "arrival", "duration", "routeLength"))
        self.check_error("S24", "bad.sumocfg", "closingReroute", '"nosuch"')

    def test_S26_files_from_several_places(self):
        for scenario in ["run.sumocfg", "spaces.sumocfg", "short.sumocfg", "sub/run.sumocfg"]:
            self.check_like_table("S26", scenario)
        for scenario, word in [("order", '"car"'), ("nofile", "gone.add.xml"), ("dupid", '"a"'),
                               ("opt", "nosuchoption")]:
            self.check_error("S26", f"{scenario}.sumocfg", word)

    def test_S29_going_round(self):
        self.check_like_table("S29", "run.sumocfg")
        self.check_error("S29", "open.sumocfg", '"o"', '"bc"', '"ab"')
        self.check_error("S29", "twice.sumocfg", '"t"', '"ab"')

    def test_S31_taken_out_and_waiting_outside(self):
        run, table = self.good_run("S31", "vap.sumocfg"), expected("S31", "vap.sumocfg")
        for vehicle, row in table.items():
            gone = row["vaporized"] == "vaporizer"
            self.assertEqual(run.trips[vehicle]["status"], "removed" if gone else "arrived", vehicle)
            if not gone:
                self.assertEqual(run.trips[vehicle]["arrival"], float(row["arrival"]))
        self.check_like_table("S31", "wait.sumocfg")
        run = self.check_like_table("S31", "delay.sumocfg")
        self.assertIn("6 removed", run.summary)


if __name__ == "__main__":
    if not CASES.exists():
        print("skipped: no shared data")
        sys.exit(77)
    unittest.main()
