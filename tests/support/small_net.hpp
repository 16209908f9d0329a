// A network file that holds each kind of element once or twice.
#pragma once

#include <string>

namespace jamiton {

inline const std::string small_net = R"(<?xml version="1.0" encoding="UTF-8"?>
<net version="1.9">
    <location netOffset="-5.00,0.00" convBoundary="0,0,400,0" projParameter="+proj=utm"/>
    <type id="road" priority="1"><restriction vClass="truck" speed="11.11"/></type>
    <edge id=":b_0" function="internal">
        <lane id=":b_0_0" index="0" speed="13.89" length="0.1" shape="200,-1.6 200,-1.6"/></edge>
    <edge id="ab" name="High Street" from="a" to="b" priority="-1" type="road">
        <lane id="ab_0" index="0" speed="13.89" length="200" disallow="bus" shape="0,-1.6 200,-1.6">
            <stopOffset value="3" vClasses="bus"/>
        </lane>
        <lane id="ab_1" index="1" speed="13.89" length="200" allow="bus" changeRight="bus" width="4" acceleration="1" shape="0,1 200,1"/>
    </edge>
    <edge id="bc" from="b" to="c" type="unlisted"><lane id="bc_0" index="0" speed="0" length="200" shape="200,-1.6,1 400,-1.6,2"/></edge>
    <tlLogic id="b" type="static" programID="0" offset="0">
        <phase duration="42" minDur="5" maxDur="50" state="G"/>
        <phase duration="3" state="y" next="0 1"/>
    </tlLogic>
    <tlLogic id="b" type="static" programID="night" offset="7.5"><phase duration="10" state="O"/><param key="k" value="v"/></tlLogic>
    <junction id="a" type="dead_end" x="0" y="0" incLanes="" intLanes="" shape="0,0"/>
    <junction id="b" type="traffic_light" x="200" y="0" incLanes="ab_0 ab_1" intLanes=":b_0_0" shape="200,0 200,-3">
        <request index="0" response="0" foes="0" cont="0"/>
    </junction>
    <junction id="c" type="dead_end" x="400" y="0" incLanes="bc_0" intLanes="" shape="400,0"/>
    <connection from="ab" to="bc" fromLane="0" toLane="0" via=":b_0_0" tl="b" linkIndex="0" dir="s" state="o" keepClear="0" visibility="9"/>
    <connection from=":b_0" to="bc" fromLane="0" toLane="0" dir="s" state="M"/>
    <roundabout nodes="b" edges="ab"/>
</net>
)";

}  // namespace jamiton
