#include "data/sumo_roadside.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace jamiton {

int SumoRoadsideReader::lane_named(const Element& element, std::string_view attribute, std::string_view id) {
    if (lane_ids_.size() == 0) {
        for (const LaneDescription& lane : network_.lanes) lane_ids_.insert(lane.id);
    }
    const int lane = lane_ids_.find(id);
    if (lane < 0) element.fail(fmt::format("attribute \"{}\" names the unknown lane {}", attribute, quoted(id)));
    return lane;
}

int SumoRoadsideReader::edge_named(const Element& element, std::string_view attribute) {
    if (edge_ids_.size() == 0) {
        for (const EdgeDescription& edge : network_.edges) edge_ids_.insert(edge.id);
    }
    const int edge = edge_ids_.find(element.not_empty(attribute));
    if (edge < 0) {
        element.fail(
            fmt::format("attribute \"{}\" names the unknown edge {}", attribute, quoted(element.required(attribute))));
    }
    return edge;
}

void SumoRoadsideReader::start_speed_sign(const Element& element) {
    element.not_empty("id");
    if (element.find("file")) report_.unsupported(element, "<variableSpeedSign> with \"file\"");
    sign_lanes_.clear();
    for_each_word(element.not_empty("lanes"), ", \t\r\n",
                  [&](std::string_view id) { sign_lanes_.push_back(lane_named(element, "lanes", id)); });
}

// A negative speed is the lane's own.
void SumoRoadsideReader::add_speed_step(const Element& element) {
    const double time = element.time_or("time", -1);
    if (time < 0) element.fail("attribute \"time\" is missing or negative, expected a time");
    const float speed = static_cast<float>(element.number_or("speed", -1, Range::any));
    for (int lane : sign_lanes_) demand_.speed_changes.push_back({time, lane, speed});
}

// Its id is that of an edge.
void SumoRoadsideReader::add_vaporizer(const Element& element) {
    const int edge = edge_named(element, "id");
    const double begin = element.time_or("begin", 0), end = element.time_or("end", 1e12);
    if (end < begin) element.fail("ends before it begins");
    demand_.entry_rules.push_back({.edge = edge, .begin = begin, .end = end});
}

void SumoRoadsideReader::start_calibrator(const Element& element) {
    element.not_empty("id");
    if (!element.text_or("vTypes", "").empty()) report_.unsupported(element, "<calibrator> with \"vTypes\"");
    if (element.find("edge")) {
        calibrated_edge_ = edge_named(element, "edge");
    } else {
        calibrated_edge_ = network_.lanes[lane_named(element, "lane", element.not_empty("lane"))].edge;
    }
}

// Speed and type hold for all lanes of the edge, as in SUMO.
void SumoRoadsideReader::add_calibrator_flow(const Element& element, int type) {
    const double begin = element.time_or("begin", -1), end = element.time_or("end", -1);
    if (begin < 0 || end < begin) element.fail("needs \"begin\" and an \"end\" that is not before it");
    const float speed = static_cast<float>(element.number_or("speed", -1, Range::any));
    const bool counted = element.find("vehsPerHour").has_value();
    if (counted) report_.unsupported(element, "<flow> of a calibrator with \"vehsPerHour\"");
    if (!counted && speed < 0 && type < 0) element.fail("needs one of \"vehsPerHour\", \"speed\" and \"type\"");
    if (type >= 0) demand_.entry_rules.push_back({calibrated_edge_, begin, end, type});
    if (speed < 0) return;
    for (std::size_t lane = 0; lane < network_.lanes.size(); ++lane) {
        if (network_.lanes[lane].edge != calibrated_edge_) continue;
        demand_.speed_changes.push_back({begin, static_cast<int>(lane), speed});
        demand_.speed_changes.push_back({end, static_cast<int>(lane), -1});
    }
}

}  // namespace jamiton
