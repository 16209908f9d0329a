// What additional files ask to be measured: detectors (E1, E2, E3) and means over edges and lanes.
#pragma once

#include <string>
#include <string_view>

#include "data/id_map.hpp"
#include "data/unsupported.hpp"
#include "engine/demand_description.hpp"
#include "engine/network_description.hpp"

namespace jamiton {

class SumoMeasureReader {
  public:
    SumoMeasureReader(const NetworkDescription& network, DemandDescription& demand, UnsupportedReport& report)
        : network_(network), demand_(demand), report_(report) {}

    bool start(const Element& element);  // false: measures nothing
    void end(std::string_view element);

  private:
    DetectorDescription read_detector(const Element& element, DetectorKind kind, IdMap& ids);
    void add_loop(const Element& element);
    void add_area(const Element& element);
    void start_gates(const Element& element);
    void add_gate(const Element& element);
    void add_mean_data(const Element& element);
    void read_lane_parts(const Element& element, std::vector<DetectorPart>& parts);
    void read_stretch(const Element& element, std::vector<DetectorPart>& parts);
    void add_way(const Element& element, int lane, std::vector<DetectorPart>& parts);
    int lane_named(const Element& element, std::string_view attribute, std::string_view id);
    float length(int lane) const { return network_.lanes[static_cast<std::size_t>(lane)].length; }
    void warn_of(const Element& element, std::initializer_list<std::string_view> attributes);

    const NetworkDescription& network_;
    DemandDescription& demand_;
    UnsupportedReport& report_;
    IdMap lane_ids_, edge_ids_;  // filled at first use
    IdMap loop_ids_, area_ids_, gates_ids_, edge_data_ids_, lane_data_ids_;
    std::string gates_file_;  // where the gates that are open began, for messages
    std::uint32_t gates_line_ = 0;
    bool gates_open_ = false;
};

}  // namespace jamiton
