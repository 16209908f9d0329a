"""The files of a small scenario: two edges in a row, a third apart, and six vehicles."""

NET = """<net version="1.9">
    <location netOffset="0.00,0.00" convBoundary="0,0,400,0" origBoundary="0,0,400,0" projParameter="!"/>
    <edge id=":b_0" function="internal"><lane id=":b_0_0" index="0" speed="13.89" length="0.10" shape="200,-1.6 200,-1.6"/></edge>
    <edge id="ab" from="a" to="b" priority="-1">
        <lane id="ab_0" index="0" disallow="bus" speed="13.89" length="200.00" shape="0,-1.6 200,-1.6"/>
    </edge>
    <edge id="bc" from="b" to="c" priority="-1"><lane id="bc_0" index="0" speed="13.89" length="200.00" shape="200,-1.6 400,-1.6"/></edge>
    <edge id="de" from="d" to="e" priority="-1"><lane id="de_0" index="0" speed="13.89" length="200.00" shape="0,50 200,50"/></edge>
    <junction id="a" type="dead_end" x="0" y="0" incLanes="" intLanes="" shape="0,0 0,-3.2"/>
    <junction id="b" type="priority" x="200" y="0" incLanes="ab_0" intLanes=":b_0_0" shape="200,0 200,-3.2">
        <request index="0" response="0" foes="0" cont="0"/>
    </junction>
    <junction id="c" type="dead_end" x="400" y="0" incLanes="bc_0" intLanes="" shape="400,0 400,-3.2"/>
    <junction id="d" type="dead_end" x="0" y="50" incLanes="" intLanes="" shape="0,50 0,47"/>
    <junction id="e" type="dead_end" x="200" y="50" incLanes="de_0" intLanes="" shape="200,50 200,47"/>
    <connection from="ab" to="bc" fromLane="0" toLane="0" via=":b_0_0" dir="s" state="M"/>
    <connection from=":b_0" to="bc" fromLane="0" toLane="0" dir="s" state="M"/>
</net>
"""
ROUTES = """<routes>
    <vType id="car" sigma="0"/>
    <route id="r" edges="ab bc"/>
    <vehicle id="v" type="car" route="r" depart="0"/>
    <flow id="f" type="car" route="r" begin="0" end="100" number="5"/>
</routes>
"""
CONFIG = """<configuration>
    <net-file value="net.xml"/>
    <route-files value="routes.xml"/>
    <end value="200"/>
</configuration>
"""
TOML = """[network]
file = "net.xml"
[demand]
files = ["routes.xml"]
[time]
end = 200
"""


def write_small_scenario(folder):
    for name, content in [("net.xml", NET), ("routes.xml", ROUTES), ("run.sumocfg", CONFIG), ("run.toml", TOML)]:
        (folder / name).write_text(content)
