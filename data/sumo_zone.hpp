// Zones of additional files (taz), and junctions as zones: their edges that leave and arrive.
#pragma once

#include <string_view>

#include "data/id_map.hpp"
#include "data/unsupported.hpp"
#include "engine/demand_description.hpp"
#include "engine/network_description.hpp"

namespace jamiton {

class SumoZoneReader {
  public:
    SumoZoneReader(const NetworkDescription& network, DemandDescription& demand, const IdMap& edge_ids,
                   UnsupportedReport& report)
        : network_(network), demand_(demand), edge_ids_(edge_ids), report_(report) {}

    // False: not an element of zones.
    bool start(const Element& element);

    // The zone or junction that a vehicle names to begin or end in, as a place of a route (zone.hpp); -1 none.
    int begin_of(const Element& vehicle);
    int end_of(const Element& vehicle);

  private:
    void start_zone(const Element& element);
    void add_edge(const Element& element, std::string_view id, std::vector<int>& edges);
    int zone_named(const Element& vehicle, std::string_view end);
    int zone_of_junction(std::string_view id);
    int edge_count() const { return static_cast<int>(network_.edges.size()); }

    const NetworkDescription& network_;
    DemandDescription& demand_;
    const IdMap& edge_ids_;
    UnsupportedReport& report_;
    IdMap ids_;           // of zones, in their order
    IdMap junction_ids_;  // filled at first use
};

}  // namespace jamiton
