#include "data/sumo_roadside.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/sumo_vehicle.hpp"
#include "data/sumo_words.hpp"

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
    calibrator_ = {};
    calibrator_.vehicle.id = element.not_empty("id");
    if (!calibrator_ids_.insert(calibrator_.vehicle.id).second) element.fail("is there twice");
    if (!element.text_or("vTypes", "").empty()) report_.unsupported(element, "<calibrator> with \"vTypes\"");
    if (element.find("routeProbe")) report_.unsupported(element, "<calibrator> with \"routeProbe\"");
    const std::string_view period = element.find("period") ? "period" : "freq";
    calibrator_.period = element.time_or(period, 0);
    if (calibrator_.period < 0) element.fail_value(period, "a time that is not negative");
    if (element.find("edge")) {
        calibrator_.edge = edge_named(element, "edge");
    } else {
        calibrator_.lane = lane_named(element, "lane", element.not_empty("lane"));
        calibrator_.edge = network_.lanes[calibrator_.lane].edge;
    }
    const int lane = calibrator_.lane >= 0 ? calibrator_.lane : network_.edges[calibrator_.edge].first_lane;
    read_position(element, "pos", 0, network_.lanes[lane].length, element.flag_or("friendlyPos", false));
}

// What a calibrator aims at; -1, as SUMO has it, nothing.
static double read_aim(const Element& element, std::string_view attribute) {
    const double aim = element.number_or(attribute, -1, Range::any);
    if (aim < 0 && aim != -1) element.fail_value(attribute, "a number that is not negative");
    return aim;
}

// Where vehicles are counted none becomes of another type, as in SUMO.
void SumoRoadsideReader::add_calibrator_flow(const Element& element, int type, int route, SourceRef source) {
    CalibrationDescription flow = calibrator_;
    flow.begin = element.time_or("begin", -1), flow.end = element.time_or("end", -1);
    if (flow.begin < 0 || flow.end < flow.begin) element.fail("needs \"begin\" and an \"end\" that is not before it");
    if (flow.begin < calibrator_.end)
        element.fail(
            fmt::format("begins at {} s, but the one before it ends at {} s: expected them in order, one "
                        "at a time",
                        flow.begin, calibrator_.end));
    calibrator_.end = flow.end;
    const float speed = static_cast<float>(read_aim(element, "speed"));
    flow.rate = read_aim(element, "vehsPerHour") / 3600;
    const bool counted = flow.rate >= 0;
    if (!counted && speed < 0 && type == -1) element.fail("needs one of \"vehsPerHour\", \"speed\" and \"type\"");
    if (speed >= 0) calibrate_speed(flow.begin, flow.end, speed);
    if (counted) {
        flow.vehicle = added_vehicle(element);
        flow.vehicle.type = type;
        flow.vehicle.route = route;
        flow.vehicle.source = source;
        if (route == -1 && flow.rate > 0)
            report_.unsupported(element, "<flow> of a calibrator without \"route\"");
        else
            demand_.calibrations.push_back(std::move(flow));
    } else if (type < -1) {
        report_.unsupported(element, "<flow> of a calibrator with a type distribution and without \"vehsPerHour\"");
    } else if (type >= 0) {
        demand_.entry_rules.push_back({flow.edge, flow.begin, flow.end, type});
    }
}

// Its id is that of the calibrator and the begin; it enters on a free lane as fast as it may where nothing is said.
VehicleDescription SumoRoadsideReader::added_vehicle(const Element& element) const {
    VehicleDescription vehicle;
    vehicle.id = fmt::format("{}.{}", calibrator_.vehicle.id, element.time_or("begin", 0));
    vehicle.depart_lane = DepartLane::free;
    vehicle.depart_speed = DepartSpeed::max;
    read_departure_and_arrival(element, vehicle, report_);
    vehicle.depart_on = calibrator_.edge;
    if (calibrator_.lane >= 0) {
        vehicle.depart_lane = DepartLane::index;
        vehicle.depart_lane_index = calibrator_.lane - network_.edges[calibrator_.edge].first_lane;
    }
    return vehicle;
}

// It holds for all lanes of the edge, as in SUMO.
void SumoRoadsideReader::calibrate_speed(double begin, double end, float speed) {
    for (std::size_t lane = 0; lane < network_.lanes.size(); ++lane) {
        if (network_.lanes[lane].edge != calibrator_.edge) continue;
        demand_.speed_changes.push_back({begin, static_cast<int>(lane), speed});
        demand_.speed_changes.push_back({end, static_cast<int>(lane), -1});
    }
}

}  // namespace jamiton
