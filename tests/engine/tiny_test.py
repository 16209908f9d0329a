#!/usr/bin/python3
"""The tiny scenarios of ../shared/tiny, second by second against SUMO: those that agree stay in agreement.

A scenario that newly agrees is added to AGREE; none is taken out without a word in the commit."""

import os
import pathlib
import re
import subprocess
import sys

AGREE = """
    allway arrive arrive_lane ballistic bus_lane class_limit cooperative cross_gaps depart_between depart_lane
    depart_lanes depart_pos depart_speed discharge flows free_run green_start half_step hard_red idm_slow_leader
    idm_standing impatience keep_clear keep_right lane_drop late_begin left_inside limits merge_gaps minor_alone
    minor_left on_ramp overtake queue_max queue_rest rbl_alone rbl_four rbl_tie rbl_two red_stop restart right_on_red
    roll_gap roundabout route_left route_right short_edges slow_leader standing_leader stop stop_sign sudden_stop tail
    teleport truck_mix turn_limit yellow zipper
""".split()

SKIPPED = 77


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    tool = root.parent / "shared" / "tools" / "tiny.py"
    if not tool.exists():
        print("SKIPPED: no shared data")
        return SKIPPED
    try:
        import h5py  # noqa: F401
        import numpy  # noqa: F401
    except ImportError:
        print("SKIPPED: no h5py or numpy")
        return SKIPPED
    program = os.environ.get("JAMITON_PROGRAM", str(root / "jamiton"))
    run = subprocess.run([sys.executable, str(tool), "--jamiton", program, "--root", str(tool.parent.parent / "tiny")],
                         capture_output=True, text=True)
    result = {m[2]: m[1] for m in re.finditer(r"^(ok|no) +(\w+)", run.stdout, re.MULTILINE)}
    if not result:
        print(run.stdout, run.stderr)
        return 1
    lost = [name for name in AGREE if result.get(name) != "ok"]
    new = [name for name, word in result.items() if word == "ok" and name not in AGREE]
    print(f"{sum(word == 'ok' for word in result.values())} of {len(result)} agree, {len(AGREE)} have to")
    if new:
        print("add to AGREE:", *new)
    for name in lost:
        line = re.search(rf"^no +{name}\b.*", run.stdout, re.MULTILINE)
        print(line[0] if line else f"{name}: not there")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
