#!/usr/bin/python3
"""Wrong input to `jamiton run`: one error line that names the place, the right exit code, no result half-written."""

import gzip
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile
import unittest

from small_scenario import CONFIG, NET, ROUTES, write_small_scenario

VEHICLE = '<vehicle id="v" type="car" route="r" depart="0"/>'
LANE_AB = 'disallow="bus" speed="13.89" length="200.00"'
NOBODY = 65534


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="jamiton-bad-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        write_small_scenario(self.folder)

    def change(self, name, old, new):
        text = (self.folder / name).read_text()
        self.assertIn(old, text)
        (self.folder / name).write_text(text.replace(old, new, 1))

    def run_program(self, *arguments, scenario="run.sumocfg", output="out.h5", **options):
        return subprocess.run([os.environ["JAMITON_PROGRAM"], "run", scenario, "--output", output, *arguments],
                              cwd=self.folder, text=True, capture_output=True, timeout=20, check=False, **options)

    def as_nobody(self):
        """How to run the program as a user that permissions hold for."""
        if os.geteuid() != 0:
            return {}
        self.folder.chmod(0o755)
        return {"user": NOBODY}

    def expect(self, *words, arguments=(), code=1, left=(), **options):
        """One error line with all these words, this exit code and nothing new in the folder but `left`."""
        before = set(os.listdir(self.folder))
        result = self.run_program(*arguments, **options)
        errors = [line for line in result.stderr.splitlines() if not line.startswith("jamiton: warning: ")]
        self.assertEqual((result.returncode, result.stdout), (code, ""), result.stderr)
        self.assertEqual(len(errors), 2 if code == 2 and errors[-1].startswith("See ") else 1, result.stderr)
        self.assertTrue(errors[0].startswith("jamiton: error: "), result.stderr)
        for word in words:
            self.assertIn(word, errors[0])
        self.assertEqual(set(os.listdir(self.folder)) - before, set(left))


class Start(Folder):
    def test_the_files_that_the_others_are_made_of_are_right(self):
        for scenario in ["run.sumocfg", "run.toml"]:
            result = self.run_program(scenario=scenario)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn("6 arrived", result.stdout)


class Measures(Folder):
    def expect_of(self, element, *words):
        (self.folder / "add.xml").write_text(f"<additional>\n{element}\n</additional>\n")
        (self.folder / "run.sumocfg").write_text(CONFIG.replace("<end", '<additional-files value="add.xml"/><end'))
        self.expect(*words)

    def test_unknown_lane(self):
        self.expect_of('<inductionLoop id="d" lane="xy_0" pos="1"/>',
                       'add.xml:2: <inductionLoop id="d"> attribute "lane" names the unknown lane "xy_0"')
        self.expect_of('<laneAreaDetector id="d" lanes="ab_0 xy_0"/>', '"lanes" names the unknown lane "xy_0"')

    def test_lanes_that_are_not_connected(self):
        self.expect_of('<laneAreaDetector id="d" lanes="ab_0 de_0"/>', 'no connection leads from "ab_0" to "de_0"')

    def test_position_outside_the_lane(self):
        for pos in ["200.5", "-201"]:
            self.expect_of(f'<inductionLoop id="d" lane="ab_0" pos="{pos}"/>',
                           f'attribute "pos" is "{pos}", expected a position on the lane, which is 200.00 m long')
        self.expect_of('<laneAreaDetector id="d" lane="ab_0" pos="150" length="60"/>', 'attribute "length"')
        self.expect_of('<laneAreaDetector id="d" lane="ab_0" pos="150" endPos="50"/>', "ends before it begins")

    def test_no_position(self):
        self.expect_of('<inductionLoop id="d" lane="ab_0"/>', '"pos"')

    def test_period(self):
        for period in ["0", "-5", "often"]:
            self.expect_of(f'<inductionLoop id="d" lane="ab_0" pos="1" period="{period}"/>', 'attribute "period" is')
        self.expect_of('<edgeData id="d" freq="0"/>', 'attribute "freq" is "0", expected a time above 0')

    def test_the_same_id_twice(self):
        loop = '<inductionLoop id="d" lane="ab_0" pos="1"/>'
        self.expect_of(loop + loop, '<inductionLoop id="d"> is there twice')
        self.expect_of('<edgeData id="d"/><edgeData id="d"/>', '<edgeData id="d"> is there twice')

    def test_gates_without_an_exit(self):
        self.expect_of('<entryExitDetector id="d"><detEntry lane="ab_0" pos="1"/></entryExitDetector>',
                       '<entryExitDetector id="d"> needs a <detEntry> and a <detExit>')
        self.expect_of('<detExit lane="ab_0" pos="1"/>', "expected an <entryExitDetector>")

    def test_vehicles_cannot_be_tracked(self):
        self.expect_of('<edgeData id="d" trackVehicles="true"/>', 'attribute "trackVehicles"', "not simulated")

    def test_unknown_edge(self):
        self.expect_of('<laneData id="d" edges="ab xy"/>', 'attribute "edges" names the unknown edge "xy"')


class Scenarios(Folder):
    def test_no_such_scenario(self):
        self.expect("gone.toml: there is no such file", scenario="gone.toml")

    def test_folder_without_scenario(self):
        self.expect(": the folder holds no scenario.toml", scenario=".")

    def test_empty_scenario(self):
        (self.folder / "run.toml").write_text("")
        self.expect("run.toml: the file is empty", scenario="run.toml")

    def test_not_toml(self):
        self.change("run.toml", "[demand]", "[demand")
        self.expect("run.toml:3: not well-formed TOML", scenario="run.toml")

    def test_unknown_key(self):
        self.change("run.toml", "end =", "ende =")
        self.expect('run.toml:6: there is no key "time.ende", did you mean "time.end"?', scenario="run.toml")

    def test_unknown_section(self):
        self.change("run.toml", "[time]", "[times]")
        self.expect('run.toml:5: there is no key "times', scenario="run.toml")

    def test_key_twice(self):
        self.change("run.toml", "end = 200", "end = 200\nend = 300")
        self.expect("run.toml:7: not well-formed TOML", scenario="run.toml")

    def test_wrong_kind_of_value(self):
        self.change("run.toml", "end = 200", "end = [200]")
        self.expect("run.toml:6: time.end is", "expected a time", scenario="run.toml")

    def test_not_a_number(self):
        self.change("run.toml", "end = 200", "end = nan")
        self.expect("run.toml:6: time.end is nan", scenario="run.toml")

    def test_end_before_begin(self):
        self.change("run.toml", "end = 200", "end = 200\nbegin = 300")
        self.expect("run.toml with the options given: ends at 200 s before it begins at 300 s", scenario="run.toml")

    def test_trajectories_between_steps(self):
        self.change("run.toml", "[time]", "[output]\ntrajectories.every = 1.5\n[time]")
        self.expect("output.trajectories.every is 1.5 s, expected a multiple of the step, 1 s", scenario="run.toml")

    def test_binary_scenario(self):
        (self.folder / "run.toml").write_bytes(bytes(range(256)))
        self.expect("run.toml:1: not well-formed TOML", scenario="run.toml")

    def test_configuration_in_utf16(self):
        for encoding in ["utf-16", "utf-16-be", "utf-8-sig"]:
            mark = "\ufeff" if encoding == "utf-16-be" else ""
            (self.folder / "run.sumocfg").write_text(mark + CONFIG.replace("<end", "<edn"), encoding=encoding)
            self.expect("run.sumocfg:4: <edn> is no SUMO option")

    def test_cut_configuration(self):
        (self.folder / "run.sumocfg").write_text(CONFIG[:60])
        self.expect("run.sumocfg:3:")

    def test_network_as_configuration(self):
        self.expect("net.xml:1: <net> is the root of this file, expected <configuration>", scenario="net.xml")

    def test_unknown_option(self):
        self.change("run.sumocfg", "<end ", "<edn ")
        self.expect("run.sumocfg:4: <edn> is no SUMO option")

    def test_wrong_end(self):
        self.change("run.sumocfg", '"200"', '"1:30"')
        self.expect('run.sumocfg:4: <end> is "1:30", expected a time')

    def test_wrong_step(self):
        for step in ["0", "-1", "1e9", "nan", "x"]:
            option = f'<step-length value="{step}"/>'
            (self.folder / "run.sumocfg").write_text(CONFIG.replace('<end value="200"/>', option))
            self.expect(f'run.sumocfg:4: <step-length> is "{step}", expected a time')

    def test_unsupported_option(self):
        self.change("run.sumocfg", "<end ", '<lateral-resolution value="0.8"/>\n<end ')
        self.expect("run.sumocfg:4: <lateral-resolution>", "--lenient")

    def test_no_network(self):
        self.change("run.sumocfg", '<net-file value="net.xml"/>', "")
        self.expect("run.sumocfg: names no network")


class Networks(Folder):
    def test_missing(self):
        (self.folder / "net.xml").unlink()
        self.expect("net.xml: there is no such file")

    def test_empty(self):
        (self.folder / "net.xml").write_text("")
        self.expect("net.xml: the file is empty")

    def test_a_folder(self):
        (self.folder / "net.xml").unlink()
        (self.folder / "net.xml").mkdir()
        self.expect("net.xml: is a folder")

    def test_cut(self):
        (self.folder / "net.xml").write_text(NET[: NET.index("<junction")])
        self.expect("net.xml:9:")

    def test_wrong_root(self):
        (self.folder / "net.xml").write_text(ROUTES)
        self.expect("net.xml:1: <routes>", "expected <net>")

    def test_no_edges(self):
        (self.folder / "net.xml").write_text('<net version="1.9"></net>')
        self.expect("net.xml: has no edges")

    def test_negative_length(self):
        self.change("net.xml", LANE_AB, LANE_AB.replace("200.00", "-200"))
        self.expect('net.xml:5: <lane id="ab_0"> attribute "length" is "-200"')

    def test_numbers_that_are_none(self):
        for value in ["nan", "inf", "1e999", "13,89", ""]:
            (self.folder / "net.xml").write_text(NET.replace(LANE_AB, LANE_AB.replace("13.89", value)))
            self.expect('net.xml:5: <lane id="ab_0"> attribute "speed"')

    def test_lane_twice(self):
        self.change("net.xml", '<lane id="bc_0"', '<lane id="ab_0"')
        self.expect("net.xml:7:", "ab_0")

    def test_edge_twice(self):
        self.change("net.xml", '<edge id="de"', '<edge id="bc"')
        self.expect("net.xml:8:", '<edge id="bc"> is there twice')

    def test_unknown_class(self):
        self.change("net.xml", 'disallow="bus"', 'disallow="buzz"')
        self.expect('net.xml:5: <lane id="ab_0"> attribute "disallow"', "buzz")

    def test_connection_to_an_unknown_edge(self):
        self.change("net.xml", 'from="ab" to="bc"', 'from="ab" to="nowhere"')
        self.expect("net.xml:16: <connection", "nowhere")

    def test_connection_of_a_lane_that_is_not_there(self):
        self.change("net.xml", 'fromLane="0" toLane="0" via', 'fromLane="7" toLane="0" via')
        self.expect("net.xml:16: <connection", "7")

    def test_unknown_junction_of_an_edge(self):
        self.change("net.xml", 'to="b" priority', 'to="x" priority')
        self.expect("net.xml", '"ab"', "x")

    def test_wrong_requests(self):
        self.change("net.xml", 'response="0"', 'response="012"')
        self.expect("net.xml:11: <request", "012")

    def test_wrong_connection_state(self):
        self.change("net.xml", 'dir="s" state="M"', 'dir="s" state="?"')
        self.expect("net.xml:16: <connection", "state")

    def test_missing_attribute(self):
        self.change("net.xml", 'index="0" disallow', "disallow")
        self.expect("net.xml:5: <lane", "index")

    def test_gzip_that_is_cut(self):
        (self.folder / "net.xml").write_bytes(gzip.compress(NET.encode())[:-40])
        self.expect("net.xml", "cut off")

    def test_gzip_that_is_damaged(self):
        data = bytearray(gzip.compress(NET.encode()))
        data[len(data) // 2] ^= 0xFF
        (self.folder / "net.xml").write_bytes(data)
        self.expect("net.xml")

    def test_gz_that_is_none(self):
        (self.folder / "net.xml.gz").write_bytes(b"\x1f\x8bno gzip data follow")
        self.change("run.sumocfg", "net.xml", "net.xml.gz")
        self.expect("net.xml.gz", "gzip")

    def test_entities(self):
        (self.folder / "net.xml").write_text('<!DOCTYPE net [<!ENTITY a "aaaa">]>' + NET)
        self.expect("net.xml:1:")

    def test_no_permission(self):
        (self.folder / "net.xml").chmod(0)
        self.expect("net.xml: cannot be read: Permission denied", output="none", **self.as_nobody())


class Demands(Folder):
    def vehicle(self, text, *words, line=4):
        (self.folder / "routes.xml").write_text(ROUTES.replace(VEHICLE, text))
        self.expect(f"routes.xml:{line}: <", *words)

    def test_wrong_vehicles(self):
        for text, *words in [
            ('<vehicle id="v" type="car" route="q" depart="0"/>', '<vehicle id="v">', "q"),
            ('<vehicle id="v" type="cat" route="r" depart="0"/>', '<vehicle id="v">', "cat"),
            ('<vehicle id="v" type="car" depart="0"/>', '<vehicle id="v">', "route"),
            ('<vehicle type="car" route="r" depart="0"/>', "<vehicle", "id"),
            ('<vehicle id="v" type="car" route="r"/>', '<vehicle id="v">', "depart"),
            ('<vehicle id="v" type="car" route="r" depart="nan"/>', '<vehicle id="v">', "depart", "nan"),
            ('<vehicle id="v" type="car" route="r" depart="-5"/>', '<vehicle id="v">', "depart", "-5"),
            ('<vehicle id="v" type="car" route="r" depart="0" departLane="left"/>', "departLane", "left"),
            ('<vehicle id="v" type="car" route="r" depart="0" departLane="9"/>', '<vehicle id="v">', "departLane", "9"),
            ('<vehicle id="v" type="car" route="r" depart="0" departPos="front"/>', "departPos", "front"),
            ('<vehicle id="v" type="car" route="r" depart="0" departSpeed="-3"/>', "departSpeed", "-3"),
            ('<vehicle id="v" type="car" depart="0"><route edges="ab nowhere"/></vehicle>',
             '<vehicle id="v">', "nowhere"),
            ('<vehicle id="v" type="car" depart="0"><route edges=""/></vehicle>', '<vehicle id="v">', "edges"),
            ('<trip id="t" type="car" from="ab" to="nowhere" depart="0"/>', '<trip id="t">', "nowhere"),
            ('<trip id="t" type="car" to="bc" depart="0"/>', '<trip id="t">', "from"),
            ('<flow id="g" type="car" route="r" begin="9" end="3" number="2"/>', '<flow id="g">', "9"),
            ('<flow id="g" type="car" route="r" begin="0" end="9"/>', '<flow id="g">'),
            ('<flow id="g" type="car" route="r" begin="0" end="9" period="1" number="-3"/>', '<flow id="g">'),
            ('<flow id="g" type="car" route="r" begin="0" end="9" period="0"/>', '<flow id="g">', "period"),
            ('<flow id="g" type="car" route="r" begin="0" end="9" probability="2"/>', '<flow id="g">', "probability"),
            ('<route id="r" edges="ab"/>', '<route id="r">', "twice"),
            ('<vType id="car"/>', '<vType id="car">', "twice"),
            ('<vType id="w" length="-3"/>', '<vType id="w">', "length", "-3"),
            ('<vType id="w" vClass="spaceship"/>', '<vType id="w">', "vClass", "spaceship"),
            ('<vType id="w" carFollowModel="Magic"/>', '<vType id="w">', "car following model", "Magic"),
            ('<vType id="w" tau="nan"/>', '<vType id="w">', "tau", "nan"),
            ('<person id="p" depart="0"/>', "<person", "--lenient"),
        ]:
            with self.subTest(text):
                self.vehicle(text, *words)

    def test_vehicle_twice(self):
        (self.folder / "routes.xml").write_text(ROUTES.replace(VEHICLE, VEHICLE + "\n" + VEHICLE))
        self.expect('routes.xml:5: <vehicle id="v"> is there twice')

    def test_flow_without_an_end_in_a_run_without_one(self):
        self.change("routes.xml", 'end="100" number="5"', 'period="5"')
        self.change("run.sumocfg", '<end value="200"/>', "")
        self.expect("f")

    def test_route_not_connected(self):
        self.change("routes.xml", "ab bc", "ab de")
        self.expect("routes.xml", '"v"', '"ab"', '"de"')

    def test_no_lane_for_the_class(self):
        self.change("routes.xml", 'sigma="0"', 'vClass="bus"')
        self.expect("routes.xml", '"v"', '"ab"', "bus")

    def test_no_way_for_a_trip(self):
        (self.folder / "routes.xml").write_text('<routes>\n<trip id="t" from="ab" to="de" depart="0"/>\n</routes>')
        self.expect("routes.xml:2:", '"t"', '"ab"', '"de"')

    def test_no_way_between_junctions(self):
        (self.folder / "routes.xml").write_text(
            '<routes>\n<trip id="t" fromJunction="a" toJunction="e" depart="0"/>\n</routes>')
        self.expect('routes.xml:2: <trip id="t"> finds no way from junction "a" to junction "e"')

    def test_zones_over_edges_inside_junctions(self):
        for zone in ['<taz id="z" edges="ab :b_0"/>', '<taz id="z"><tazSource id=":b_0"/></taz>',
                     '<taz id="z"><tazSink id=":b_0"/></taz>']:
            self.vehicle(zone, "over an edge inside a junction is not simulated", "--lenient")

    def test_cut(self):
        (self.folder / "routes.xml").write_text(ROUTES[:100])
        self.expect("routes.xml:4:")

    def test_wrong_root(self):
        (self.folder / "routes.xml").write_text(NET)
        self.expect("routes.xml:1: <net>")

    def test_text_that_is_no_utf8(self):
        (self.folder / "routes.xml").write_bytes(ROUTES.encode().replace(b'"v"', b'"\xff\xfe"'))
        self.expect("routes.xml:4")

    def test_missing_additional_file(self):
        self.change("run.sumocfg", "<end ", '<additional-files value="gone.xml"/>\n<end ')
        self.expect("gone.xml: there is no such file")

    def test_signal_program_for_an_unknown_signal(self):
        (self.folder / "more.xml").write_text(
            '<additional>\n<tlLogic id="x" programID="1" type="static" offset="0"><phase duration="9" state="G"/></tlLogic>'
            '\n</additional>')
        self.change("run.sumocfg", "<end ", '<additional-files value="more.xml"/>\n<end ')
        self.expect('more.xml:2: <tlLogic id="x">')


class CommandLines(Folder):
    def test_wrong_values(self):
        for arguments in [
            ["--end", "soon"], ["--end", "-5"], ["--end", "nan"], ["--begin", "-1"], ["--begin", "1:30"],
            ["--step-length", "0"], ["--step-length", "-1"], ["--step-length", "1e9"], ["--threads", "-1"],
            ["--threads", "two"], ["--threads", "1.5"], ["--seed", "abc"], ["--seed", "-1"],
            ["--seed", "99999999999999999999"], ["--device", "tpu"], ["--ranks", "0"], ["--set", "time.end"],
            ["--set", "=3"], ["--set", "time.ende=3"], ["--set", "time=3"], ["--set", "output.compression=10"],
            ["--set", "output.trips=perhaps"], ["--sumo-outputs", ""], ["--no-such-option"], ["surplus"], ["--end"],
        ]:
            with self.subTest(arguments):
                self.expect(arguments=arguments, code=2)

    def test_end_before_begin(self):
        self.expect("ends at 10 s before it begins at 20 s", arguments=["--begin", "20", "--end", "10"])

    def test_more_steps_than_can_be_counted(self):
        self.expect("0 to 10000000000 s are more than 2147483647 steps of 0.001 s",
                    arguments=["--end", "1e10", "--step-length", "0.001"])

    def test_no_name(self):
        self.expect("the scenario needs a name", scenario="")

    def test_help_that_cannot_be_written(self):
        for arguments in [["--help"], ["run", "--help"], ["--version"]]:
            with open("/dev/full", "w", encoding="utf-8") as full:
                result = subprocess.run([os.environ["JAMITON_PROGRAM"], *arguments], stdout=full, text=True,
                                        stderr=subprocess.PIPE, timeout=20, check=False)
            self.assertEqual((result.returncode, result.stderr), (1, "jamiton: error: cannot write to standard output\n"))

    def test_more_ranks(self):
        self.expect("this version runs on one rank", arguments=["--ranks", "2"])

    def test_a_device_that_is_not_there(self):
        self.expect("device cuda", arguments=["--device", "cuda"], env={**os.environ, "CUDA_VISIBLE_DEVICES": ""})


def small_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))


class Outputs(Folder):
    def test_no_folder(self):
        self.expect("no/out.h5: cannot write the result: there is no folder", output="no/out.h5")

    def test_a_folder(self):
        (self.folder / "out.h5").mkdir()
        self.expect("out.h5: cannot write the result: it is a folder")

    def test_a_file_that_is_no_result(self):
        self.expect("net.xml: cannot write the result: it exists and is not a result", output="net.xml")
        self.assertEqual((self.folder / "net.xml").read_text(), NET)

    def test_a_device(self):
        self.expect("/dev/full: cannot write the result", output="/dev/full")

    def test_a_file_as_folder(self):
        self.expect("net.xml/out.h5: cannot write the result", output="net.xml/out.h5")

    def test_no_permission(self):
        user = self.as_nobody()
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        self.expect("out.h5: cannot write the result", "Permission denied", **user)

    def test_an_error_leaves_an_older_result(self):
        self.assertEqual(self.run_program().returncode, 0)
        before = (self.folder / "out.h5").read_bytes()
        self.change("routes.xml", "ab bc", "ab de")
        self.expect("routes.xml")
        self.assertEqual((self.folder / "out.h5").read_bytes(), before)

    def test_sumo_outputs_that_would_replace_other_files(self):
        for name, words in [("net.xml", "replace an input"), ("routes.xml", "replace an input"),
                            ("run.sumocfg", "replace an input"), ("out.h5", "replace the results")]:
            (self.folder / "run.sumocfg").write_text(CONFIG.replace("<end", f'<summary-output value="{name}"/>\n<end'))
            before = (self.folder / "net.xml").read_text()
            self.expect(f"./{name}: this output would {words}", arguments=["--sumo-outputs", "."])
            self.assertEqual((self.folder / "net.xml").read_text(), before)

    def test_sumo_outputs_on_a_full_disk(self):
        self.change("run.sumocfg", "200", "2000")
        self.change("run.sumocfg", "<end", '<summary-output value="s.xml"/><end')
        (self.folder / "s.xml").write_text("older")
        self.expect("./s.xml: cannot write: File too large", left=["out.h5"], preexec_fn=small_files,
                    arguments=["--sumo-outputs", ".", "--set", "output.signals=false"])
        self.assertEqual((self.folder / "s.xml").read_text(), "older")

    def test_a_disk_that_gets_full(self):
        self.change("run.sumocfg", "200", "20000")
        self.expect("out.h5: ", "the file holds the run up to", left=["out.h5"], preexec_fn=small_files,
                    arguments=["--set", "output.trajectories.every=1", "--set", "output.compression=0",
                               "--set", "output.flush_interval=0.01"])


if __name__ == "__main__":
    unittest.main()
