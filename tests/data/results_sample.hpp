// A made-up network and made-up vehicles for tests of the results file: the values follow from step and number, so
// that a reader can know them.
#pragma once

#include <cmath>

#include "data/results.hpp"

namespace jamiton::sample {

inline NetworkDescription network(int edge_count) {
    NetworkDescription net;
    net.projection = "+proj=utm +zone=33";
    for (int e = 0; e < edge_count; ++e) {
        const float x = 100.0f * static_cast<float>(e);
        EdgeDescription edge;
        edge.id = text("Straße_", e);
        edge.from = edge.first_lane = e;
        edge.to = e + 1;
        edge.lane_count = 1;
        edge.function = e % 3 == 2 ? EdgeFunction::internal : EdgeFunction::normal;
        LaneDescription lane;
        lane.id = text(edge.id, "_0");
        lane.edge = e;
        lane.length = 100;
        lane.speed = 13.89f;
        lane.shape = {{x, 0}, {x + 50, 1}, {x + 100, 0}};
        net.edges.push_back(edge);
        net.lanes.push_back(lane);
    }
    for (int j = 0; j <= edge_count; ++j) {
        JunctionDescription& junction = net.junctions.emplace_back();
        junction.id = text("J", j);
        junction.x = 100.0f * static_cast<float>(j);
    }
    ProgramDescription& program = net.signals.emplace_back(SignalDescription{"S0", {}}).programs.emplace_back();
    program.id = "day";
    for (const char* state : {"GGrr", "rrGG"}) program.phases.emplace_back().state = state;
    return net;
}

inline VehicleList vehicles(int count) {
    VehicleList list;
    list.type_names = {"car", "bus"};
    for (int v = 0; v < count; ++v) {
        list.id.push_back(text("vehicle-", v));
        list.type.push_back(static_cast<std::uint32_t>(v % 2));
    }
    return list;
}

inline RunInfo run_info() {
    return {.program_version = "0.0-test",
            .command = "results_tool",
            .scenario = "[time]\nend = 10  # für alle\n",
            .seed = 42};
}

inline TrajectoryRows rows(int step, int vehicles, int lanes) {
    TrajectoryRows rows;
    rows.time = step;
    for (int v = 0; v < vehicles; ++v) {
        rows.vehicle.push_back(static_cast<std::uint32_t>(v));
        rows.lane.push_back(static_cast<std::uint32_t>((v * 7 + step / 10) % lanes));
        rows.position.push_back(static_cast<float>(step % 10) * 9.87f + static_cast<float>(v % 100) * 0.123f);
        rows.speed.push_back(13.0f + 0.01f * static_cast<float>((v * 31 + step) % 100));
    }
    return rows;
}

inline StepSummary summary(int step, int vehicles) {
    StepSummary summary;
    summary.time = step;
    summary.loaded = summary.running = summary.inserted = vehicles;
    summary.mean_speed = 13.5;
    summary.state_hash = 0xfedcba9876543210u + static_cast<std::uint64_t>(step);
    return summary;
}

inline EdgeInterval interval(int number, int edges) {
    EdgeInterval interval;
    interval.begin = 10.0 * number;
    interval.end = 10.0 * (number + 1);
    const auto count = static_cast<std::size_t>(edges);
    for (auto* column : {&interval.entered, &interval.left, &interval.departed, &interval.arrived,
                         &interval.lane_changed_from, &interval.lane_changed_to})
        column->assign(count, static_cast<std::uint32_t>(number));
    for (auto* column : {&interval.sampled_seconds, &interval.mean_speed, &interval.speed_relative, &interval.density,
                         &interval.lane_density, &interval.occupancy, &interval.waiting_time, &interval.time_loss,
                         &interval.travel_time, &interval.overlap_travel_time}) {
        for (int e = 0; e < edges; ++e) column->push_back(static_cast<float>(e) + 0.5f * static_cast<float>(number));
    }
    return interval;
}

// Vehicle v departs at v and arrives 50 s later.
inline TripTable trips(int time, int count) {
    TripTable trips;
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    for (int v = 0; v < count; ++v) {
        const bool departed = v <= time, arrived = v + 50 <= time;
        trips.depart_planned.push_back(v);
        trips.depart.push_back(departed ? v : double{nan});
        trips.arrival.push_back(arrived ? v + 50 : double{nan});
        for (auto* column :
             {&trips.duration, &trips.route_length, &trips.time_loss, &trips.arrival_pos, &trips.arrival_speed}) {
            column->push_back(arrived ? 50 : nan);
        }
        for (auto* column : {&trips.waiting_time, &trips.stop_time, &trips.depart_delay, &trips.depart_pos,
                             &trips.depart_speed, &trips.speed_factor}) {
            column->push_back(departed ? 1.25f : nan);
        }
        for (auto* column : {&trips.waiting_count, &trips.reroutes, &trips.teleports}) column->push_back(0);
        trips.depart_lane.push_back(departed ? 0 : -1);
        trips.arrival_lane.push_back(arrived ? 1 : -1);
        trips.status.push_back(arrived ? TripStatus::arrived : departed ? TripStatus::running : TripStatus::not_due);
        trips.reason.push_back(RemovalReason::none);
    }
    return trips;
}

}  // namespace jamiton::sample
