#!/usr/bin/python3
"""One driver alone, and one behind another: starts second by second, free travel times, gaps at equal speed.
Figures of SUMO were measured with SUMO 1.15."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from traffic import CALM, Scenario, np, road  # noqa: E402

LIMIT = 13.89


def alone(vehicle_type, step=1, options="", end=30, depart_speed="0", length=2000):
    routes = (f'<vType id="t" {vehicle_type}/><route id="r" edges="e0"/>'
              f'<vehicle id="v" type="t" route="r" depart="0" departSpeed="{depart_speed}"/>')
    return Scenario(road([(length, 1, LIMIT)]), routes, end, step, options)


class Start(unittest.TestCase):
    def check_speeds(self, scenario, expected, tolerance=0.006):
        speed = scenario.run().of("v")[2]
        np.testing.assert_allclose(speed[1:len(expected) + 1], expected, atol=tolerance)

    def test_krauss(self):
        self.check_speeds(alone(CALM), [2.6, 5.2, 7.8, 10.4, 13.0, 13.89, 13.89])
        self.check_speeds(alone(CALM, step=0.5), [1.3, 2.6, 3.9, 5.2])

    def test_ballistic_positions(self):
        scenario = alone(CALM, options='<step-method.ballistic value="true"/>')
        np.testing.assert_allclose(scenario.run().of("v")[1][:4], [5.1, 6.4, 10.3, 16.8], atol=0.01)

    def test_other_models(self):
        for model, speeds in [("IDM", [2.60, 5.19, 7.68, 9.89, 11.61, 12.72, 13.33]),
                              ("W99", [2, 4, 6, 8, 10, 12, 13.89]),
                              ("PWagner2009", [2.6, 5.2, 7.8, 10.4, 13.0, 13.89]),
                              ("Wiedemann", [2.6, 5.2, 7.8, 10.4, 13.0, 13.89])]:
            with self.subTest(model=model):
                self.check_speeds(alone(f'carFollowModel="{model}" {CALM}'), speeds)

    def test_dawdling_scales_with_the_step(self):
        """First speeds from rest are uniform in [a (1 - sigma) dt, a dt] at 1 s, and in steps of half a second in
        [0.975, 1.3]: below the acceleration of a whole second the loss is part of the speed."""
        for step, low, high in [(1, 1.3, 2.6), (0.5, 0.975, 1.3)]:
            first = first_speeds(step)[:, 0]
            self.assertGreaterEqual(first.min(), low - 1e-4)
            self.assertLessEqual(first.max(), high + 1e-4)
            self.assertAlmostEqual(first.mean(), (low + high) / 2, delta=0.06 * (high - low))

    def test_dawdling_in_the_second_step(self):
        self.assertAlmostEqual(first_speeds(1)[:, 1].mean(), 2 * 1.95, delta=0.1)

    def test_dawdling_lowers_the_cruising_speed(self):
        for step, lost in [(1, 0.65), (0.5, 0.325)]:
            time, _, speed = alone('speedDev="0"', step, end=2000, length=30000).run().of("v")
            self.assertAlmostEqual(LIMIT - speed[time > 20].mean(), lost, delta=0.03)


def first_speeds(step):
    """Of 300 drivers that enter a short road one after another: their speeds in the first steps."""
    routes = ('<vType id="t" speedDev="0"/><route id="r" edges="e0"/>'
              '<flow id="f" type="t" route="r" begin="0" period="20" number="300"/>')
    result = Scenario(road([(100, 1, LIMIT)]), routes, 6000, step).run()
    return np.array([result.of(vehicle)[2][1:3] for vehicle in result.trips])


class FreeTravel(unittest.TestCase):
    def test_time_is_exact_to_a_step(self):
        for step in [1, 0.5, 0.1]:
            for depart_speed, speed in [("0", 0.0), ("max", LIMIT)]:
                with self.subTest(step=step, depart_speed=depart_speed):
                    position, steps = 5.1, 0
                    while position < 2000:
                        speed = min(LIMIT, speed + 2.6 * step)
                        position, steps = position + speed * step, steps + 1
                    trip = alone(CALM, step, end=400, depart_speed=depart_speed).run(rows=False).trips["v"]
                    self.assertAlmostEqual(trip["duration"], steps * step, delta=1.001 * step)


class Gap(unittest.TestCase):
    """Mean gap beyond minGap behind a leader of constant speed: what SUMO keeps behind 4, 8 and 12 m/s."""

    def gap(self, model, speed):
        routes = (f'<vType id="slow" maxSpeed="{speed}" {CALM}/><vType id="t" carFollowModel="{model}" {CALM}/>'
                  '<route id="r" edges="e0"/>'
                  '<vehicle id="leader" type="slow" route="r" depart="0" departPos="60" departSpeed="max"/>'
                  f'<vehicle id="v" type="t" route="r" depart="0" departSpeed="{speed}"/>')
        result = Scenario(road([(8000, 1, LIMIT)]), routes, 550).run()
        return (result.of("leader")[1] - 5 - result.of("v")[1] - 2.5)[-200:].mean()

    def test_behind_a_leader_of_constant_speed(self):
        for model, gaps in [("Krauss", [4, 8, 12]), ("KraussOrig1", [4, 8, 12]), ("PWagner2009", [4, 8, 12]),
                            ("IDM", [4.02, 8.63, 19.29]), ("ACC", [11, 15, 18.25]), ("CACC", [9.41, 14.07, 18.25]),
                            ("W99", [8.25, 13.33, 18.84])]:
            for speed, expected in zip([4, 8, 12], gaps):
                with self.subTest(model=model, speed=speed):
                    self.assertAlmostEqual(self.gap(model, speed), expected, delta=0.01 * expected)

    def test_idm_keeps_the_gap_of_its_formula(self):
        for speed in [4, 8, 12]:
            formula = (2.5 + speed) / (1 - (speed / LIMIT) ** 4) ** 0.5 - 2.5
            self.assertAlmostEqual(self.gap("IDM", speed), formula, delta=0.01 * formula)

    def test_wiedemann_swings_around_its_gap(self):
        self.assertAlmostEqual(self.gap("Wiedemann", 8), 15.35, delta=0.05 * 15.35)


if __name__ == "__main__":
    unittest.main()
