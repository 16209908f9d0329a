// A vehicle on its way over what a detector watches, as found by the step.
#pragma once

#include <cstdint>

namespace jamiton {

// A watched stretch of a lane.
struct DetectorLink {
    int detector = -1;
    float begin = 0, end = 0;  // m from lane start
    float offset = 0;          // m of the area before this stretch
    float length = 0;          // m of the area over all its stretches
    bool exit = false;
};

// Positions are m from the begin of the detector (of an area, over all its lanes).
struct Sighting {
    int link = -1;
    std::uint32_t vehicle = 0;
    float front_before = 0, front = 0;           // m
    float length = 0, speed = 0, time_loss = 0;  // m, m/s through the step, s in the step
    float on_area = 0;                           // s of the step on the area

    float back_before() const { return front_before - length; }
    float back() const { return front - length; }
    // s from the begin of the step until the front passes a point ahead of it.
    double time_to(float point) const { return speed > 0 ? static_cast<double>((point - front_before) / speed) : 0; }
};

}  // namespace jamiton
