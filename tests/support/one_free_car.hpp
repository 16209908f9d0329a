// The scene of what is measured: one car, alone on two edges.
#pragma once

#include "tests/support/net_builder.hpp"
#include "tests/support/scene.hpp"

namespace jamiton {

// A car of 5 m that drives at 13.89 m/s from 100 m on, over edges ab (0) and bc (1): its front is at 294.46 m at 14 s.
inline Scene one_free_car() {
    NetBuilder net;
    const int ab = net.edge("ab", "a", "b", 296), bc = net.edge("bc", "b", "c", 292.8f);
    net.connect(ab, 0, bc, 0, 'M', 11.78f);
    Scene scene;
    scene.network = net.description();
    scene.add_type(Scene::exact_car());
    scene.add_route({ab, bc});
    VehicleDescription& v = scene.add_vehicle(0);
    v.depart_speed = DepartSpeed::max;
    v.depart_pos = DepartPos::position;
    v.depart_pos_value = 100;
    return scene;
}

}  // namespace jamiton
