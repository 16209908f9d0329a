// <stop> inside a route or a vehicle, and the places that it may name.
#pragma once

#include <map>
#include <string>

#include "data/id_map.hpp"
#include "data/unsupported.hpp"
#include "engine/demand_description.hpp"
#include "engine/network_description.hpp"

namespace jamiton {

class SumoStopReader {
  public:
    SumoStopReader(const NetworkDescription& network, DemandDescription& demand, UnsupportedReport& report)
        : network_(network), demand_(demand), report_(report) {}

    static bool is_place(std::string_view element_name);
    void add_place(const Element& element);
    void add_parking_area(const Element& element);
    void add_space(const Element& element);  // of the last area

    // With its positions from the lane start. Nothing where it names what is not simulated (an edge, persons to wait
    // for), which is reported.
    std::optional<StopDescription> read(const Element& element);

  private:
    struct Stretch {
        int lane = -1;
        float start = 0, end = 0;  // m
    };

    int lane_named(std::string_view id, bool of_edge);
    Stretch read_stretch(const Element& element, double default_start);
    static void check_one_place(const Element& element);
    void check_lane(const Element& element, int lane) const;
    bool read_place(const Element& element, StopDescription& stop) const;

    const NetworkDescription& network_;
    DemandDescription& demand_;
    UnsupportedReport& report_;
    IdMap lane_ids_;                                  // filled for the first stop
    std::map<std::string, int, std::less<>> places_;  // "busStop x" to its index
    IdMap areas_;
};

}  // namespace jamiton
