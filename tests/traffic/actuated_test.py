#!/usr/bin/python3
"""How long an actuated signal holds green for streams of equal headways: minDur 5 s, maxDur 50 s, gaps up to 3 s.
Net of ../shared/cases; SUMO's figures were measured with SUMO 1.15."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from traffic import CALM, SHARED, Scenario, h5py, np  # noqa: E402

NET = SHARED / "cases" / "S22" / "net.net.xml"


def actuated(headway):
    """A stream from north to south and a few from east to west, so that there is always somebody who asks."""
    logic = "".join(f'<phase duration="30" minDur="5" maxDur="50" state="{state}"/>'
                    f'<phase duration="3" state="{state.replace("G", "y")}"/>' for state in ["GGGrrr" * 2, "rrrGGG" * 2])
    stream = (f'<flow id="ns" type="t" begin="0" end="600" period="{headway}" departSpeed="max">'
              '<route edges="nc cs"/></flow>') if headway else ""
    routes = (f'<vType id="t" {CALM}/>{stream}<flow id="ew" type="t" begin="0" end="600" period="20">'
              '<route edges="ec cw"/></flow>')
    scenario = Scenario(NET, routes, 600, options='<additional-files value="add.xml"/>')
    (scenario.folder / "add.xml").write_text(
        f'<additional><tlLogic id="c" type="actuated" programID="a" offset="0">{logic}</tlLogic></additional>')
    return scenario


def greens(headway):
    """Lengths of the stream's greens, the first and the last left out."""
    scenario = actuated(headway)
    scenario.run(rows=False)
    with h5py.File(scenario.folder / "out.h5") as file:
        phase, seconds = file["signals/phase"][:-1], np.diff(file["signals/time"][:])
    return seconds[phase == 0][1:-1]


class Actuated(unittest.TestCase):
    def test_dense_streams_hold_it_to_the_end(self):
        for headway in [2, 3, 4]:
            np.testing.assert_array_equal(greens(headway), 50)

    def test_thin_stream_lets_it_go(self):
        np.testing.assert_array_equal(greens(5), [6, 5, 8, 5, 8, 5] + 11 * [10, 5] + [10])

    def test_nobody_has_the_shortest(self):
        np.testing.assert_array_equal(greens(None), 5)


if __name__ == "__main__":
    if not NET.exists():
        print("SKIPPED: no shared data")
        sys.exit(77)
    unittest.main()
