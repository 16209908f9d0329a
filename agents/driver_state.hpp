// What a driver remembers from step to step, for the models that need it; and what it knows of the leader.
#pragma once

#include "agents/driver.hpp"

namespace jamiton {

struct DriverState {
    float acceleration = 0;  // m/s^2, of the last step
    // Of the model. ACC: above 0 while only its own speed counts; EIDM: s since it drove off; IDMM: level of service.
    float phase = 1;
    float drive_error = 0, gap_error = 0, leader_error = 0;  // EIDM, standard normal
    float startup = 0;                                       // s that it has waited although it could drive
};

// Beside speed and gap.
struct Situation {
    DriverState own;
    float leader_acceleration = 0;  // m/s^2
    bool same_model = false;        // the leader drives by the same model
    float luck = 0;                 // uniform in [0, 1), of this step
};

}  // namespace jamiton
