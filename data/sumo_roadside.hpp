// What additional files put beside the road: variable speed signs, vaporizers, calibrators.
#pragma once

#include <string_view>

#include "data/id_map.hpp"
#include "data/unsupported.hpp"
#include "engine/demand_description.hpp"
#include "engine/network_description.hpp"

namespace jamiton {

class SumoRoadsideReader {
  public:
    SumoRoadsideReader(const NetworkDescription& network, DemandDescription& demand, UnsupportedReport& report)
        : network_(network), demand_(demand), report_(report) {}

    void start_speed_sign(const Element& element);
    void add_speed_step(const Element& element);
    void add_vaporizer(const Element& element);
    void start_calibrator(const Element& element);
    // type, route: those that the flow names, as in VehicleDescription; -1 none.
    void add_calibrator_flow(const Element& element, int type, int route, SourceRef source);

  private:
    int lane_named(const Element& element, std::string_view attribute, std::string_view id);
    int edge_named(const Element& element, std::string_view attribute);
    void calibrate_speed(double begin, double end, float speed);
    VehicleDescription added_vehicle(const Element& element) const;

    const NetworkDescription& network_;
    DemandDescription& demand_;
    UnsupportedReport& report_;
    IdMap lane_ids_, edge_ids_;    // filled at first use
    std::vector<int> sign_lanes_;  // of the open speed sign
    IdMap calibrator_ids_;
    CalibrationDescription calibrator_;  // the open one: what its flows share, end: of the last one
};

}  // namespace jamiton
