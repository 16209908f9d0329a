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
    """Mean gap beyond minGap behind a leader of 8 m/s: what SUMO keeps, and how far off it may be."""

    def check(self, model, low, high):
        routes = (f'<vType id="slow" maxSpeed="8" {CALM}/><vType id="t" carFollowModel="{model}" {CALM}/>'
                  '<route id="r" edges="e0"/>'
                  '<vehicle id="leader" type="slow" route="r" depart="0" departPos="60" departSpeed="max"/>'
                  '<vehicle id="v" type="t" route="r" depart="0" departSpeed="8"/>')
        result = Scenario(road([(4000, 1, LIMIT)]), routes, 450).run()
        ahead, behind = result.of("leader"), result.of("v")
        gap = (ahead[1] - 5 - behind[1] - 2.5)[-200:].mean()
        self.assertTrue(low <= gap <= high, f"{model}: {gap:.2f} m")

    def test_exact_models(self):
        for model, gap in [("Krauss", 8.0), ("IDM", 8.63), ("ACC", 15.0), ("CACC", 14.07)]:
            with self.subTest(model=model):
                self.check(model, 0.99 * gap, 1.01 * gap)

    def test_models_with_thresholds(self):
        for model, low, high in [("W99", 12, 14), ("Wiedemann", 0.95 * 15, 1.05 * 15)]:
            with self.subTest(model=model):
                self.check(model, low, high)


if __name__ == "__main__":
    unittest.main()
