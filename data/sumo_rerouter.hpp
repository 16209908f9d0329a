// <rerouter> of additional files.
#pragma once

#include <string_view>

#include "data/id_map.hpp"
#include "data/unsupported.hpp"
#include "engine/demand_description.hpp"
#include "engine/network_description.hpp"

namespace jamiton {

class SumoRerouterReader {
  public:
    SumoRerouterReader(const NetworkDescription& network, DemandDescription& demand, UnsupportedReport& report)
        : network_(network), demand_(demand), report_(report) {}

    bool start(const Element& element);  // false: belongs to no rerouter
    // route: index of the route that a <routeProbReroute> names, -1 unknown, less: a distribution.
    void add_route(const Element& element, int route);

  private:
    void start_rerouter(const Element& element);
    void start_interval(const Element& element);
    void add_closed_edge(const Element& element);
    void add_closed_lane(const Element& element);
    void close_lane(int lane, Permissions closed);
    void add_destination(const Element& element);
    int edge_named(const Element& element, std::string_view id);
    RerouterInterval& interval() { return rerouter().intervals.back(); }
    RerouterDescription& rerouter() { return is_off_ ? off_ : demand_.rerouters.back(); }

    const NetworkDescription& network_;
    DemandDescription& demand_;
    UnsupportedReport& report_;
    IdMap ids_, edge_ids_, lane_ids_;  // those of edges and lanes filled at first use
    RerouterDescription off_;
    bool is_off_ = false;
};

}  // namespace jamiton
