#!/usr/bin/python3
"""22 vehicles on a ring of 230 m jam out of nothing, and the jam runs backward (Sugiyama et al., New Journal of Physics
10, 2008). Krauss drivers do so by dawdling. IDM knows no such noise: what disturbs it is that every driver wants
another speed, and the default accel 2.6 and decel 4.5 of a car are too brisk to jam (deviation 0.2 m/s, as in SUMO);
here it has those of a town in Treiber, Kesting: Traffic Flow Dynamics, 2013, table 11.2."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from traffic import PROGRAM, SUMO, Scenario, np  # noqa: E402

LENGTH, JOINT = 230, 0.31  # m: the ring; the inside of each of its four joints
BEGIN, END = 200, 600
KRAUSS = 'sigma="0.5" speedDev="0.1"'
IDM = 'carFollowModel="IDM" accel="1" decel="1.5" speedDev="0.1"'
SEEDS, SUMO_SEEDS = range(1, 22), range(1, 6)


def ring(vehicle_type):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([PROGRAM, "generate", "ring", "--end", str(END), "--output", folder], check=True,
                       capture_output=True)
        text = (pathlib.Path(folder) / "routes.rou.xml").read_text()
        routes = re.search("<routes>(.*)</routes>", text, re.DOTALL)[1]
        routes = re.sub("<vType [^>]*>", f'<vType id="car" {vehicle_type}/>', routes)
        return Scenario(pathlib.Path(folder) / "net.net.xml", routes, END)


def speed_field(result):
    """Speed at each second and metre of the ring, between the vehicles as between points."""
    quarter = np.array([int(re.search(r"\d", lane)[0]) for lane in result.lane])
    inside = np.char.startswith(result.lane.astype(str), ":")
    place = (quarter * LENGTH / 4 - np.where(inside, JOINT, 0) + result.position) % LENGTH
    rows = []
    for time in range(BEGIN, END):
        now = np.flatnonzero(result.time == time)
        order = now[np.argsort(place[now])]
        rows.append(np.interp(np.arange(LENGTH), place[order], result.speed[order], period=LENGTH))
    return np.array(rows)


def wave_speed(field, lag=6):
    """km/h: by how far the speeds of `lag` s later are shifted when they look most alike."""
    waves = np.fft.rfft(field - field.mean(), axis=1)
    likeness = np.fft.irfft((np.conj(waves[:-lag]) * waves[lag:]).sum(axis=0), n=LENGTH)
    best = int(np.argmax(likeness))
    before, top, after = likeness[best - 1], likeness[best], likeness[(best + 1) % LENGTH]
    shift = best + 0.5 * (before - after) / (before - 2 * top + after)
    return 3.6 * (shift - LENGTH if shift > LENGTH / 2 else shift) / lag


def deviations_and_waves(runs):
    """Of each run: standard deviation of speed over the vehicles, mean over time, in m/s; wave speed in km/h."""
    figures = []
    for result in runs:
        spread = [result.speed[result.time == time].std() for time in range(BEGIN, END)]
        figures.append((np.mean(spread), wave_speed(speed_field(result))))
    return np.array(figures).T


class Ring(unittest.TestCase):
    def check_jams(self, vehicle_type, fastest, slowest):
        made = ring(vehicle_type)
        results = [made.run(seed) for seed in SEEDS]
        self.assertEqual(sum(result.collisions + result.teleports for result in results), 0)
        deviation, wave = deviations_and_waves(results)
        self.assertGreater(deviation.min(), 0.5, deviation)
        self.assertTrue(((wave > fastest) & (wave < slowest)).all(), wave)
        return made, deviation, wave

    def test_idm_jams(self):
        self.check_jams(IDM, -25, -10)

    def test_krauss_jams_like_sumo(self):
        made, deviation, wave = self.check_jams(KRAUSS, -29, -24)
        if not SUMO:
            self.skipTest("SUMO is not installed: not compared with it")
        theirs = deviations_and_waves([made.run_sumo(seed) for seed in SUMO_SEEDS])
        for ours, sumo in zip([deviation, wave], theirs):
            self.assertAlmostEqual(ours.mean(), sumo.mean(), delta=0.15 * abs(sumo.mean()))


if __name__ == "__main__":
    unittest.main()
