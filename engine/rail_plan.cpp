#include "engine/rail_plan.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace jamiton {
namespace {

constexpr float horizon = 30;  // s at the lane limits: farther trains are no concern of a crossing

int junction_of(const NetworkDescription& d, int signal) {
    for (const ConnectionDescription& c : d.connections)
        if (c.signal == signal) return d.edges[d.lanes[c.from_lane].edge].to;
    return -1;
}

class Builder {
  public:
    Builder(const NetworkDescription& description, const Network& network) : d_(description), network_(network) {}
    RailPlan build();

  private:
    struct Ahead {
        int lane, watch;
        float distance, time;  // m and s from the lane end to the crossing
    };
    void add_crossing(int signal, int junction);
    void watch_lanes_before(int connection);
    void add_signal(int signal);
    std::vector<int> opposite_lanes() const;

    const NetworkDescription& d_;
    const Network& network_;
    std::vector<RailCrossing> crossings_;
    std::vector<RailWatch> watches_;
    std::vector<int> inside_;
    std::vector<RailSignal> signals_;
    std::vector<RailLink> links_;
};

// All lanes from which a train can come over this connection soon. Each is reached by one way: where tracks join.
void Builder::watch_lanes_before(int connection) {
    std::vector<Ahead> open;
    const auto watch = [&](int c, int beyond, float distance, float time) {
        const int lane = network_.connections[c].from_lane;
        watches_.push_back({c, beyond, distance});
        open.push_back({lane, static_cast<int>(watches_.size()) - 1, distance, time});
    };
    watch(connection, -1, 0, 0);
    while (!open.empty()) {
        const Ahead at = open.back();
        open.pop_back();
        const Lane& lane = network_.lanes[at.lane];
        const float distance = at.distance + lane.length;
        const float time = at.time + lane.length / std::max(0.1f, lane.speed_limit);
        if (time > horizon) continue;
        if (lane.is_internal()) {
            watch(lane.entry, at.watch, distance, time);
            continue;
        }
        for (int n = network_.incoming_begin[at.lane]; n < network_.incoming_begin[at.lane + 1]; ++n) {
            int last = network_.incoming[n];
            while (network_.connections[last].next_lane != at.lane)
                last = network_.lanes[network_.connections[last].next_lane].exit;
            watch(last, at.watch, distance, time);
        }
    }
}

// The tracks are the connections that the signal leaves alone.
void Builder::add_crossing(int signal, int junction) {
    RailCrossing crossing{.signal = signal};
    crossing.watch_begin = static_cast<int>(watches_.size());
    crossing.inside_begin = static_cast<int>(inside_.size());
    for (std::size_t k = 0; k < network_.connections.size(); ++k) {
        const Connection& c = network_.connections[k];
        if (c.junction != junction || c.signal >= 0 || c.has(Connection::from_internal)) continue;
        if (d_.edges[network_.lanes[c.from_lane].edge].function != EdgeFunction::normal) continue;
        watch_lanes_before(static_cast<int>(k));
        for (int lane = c.next_lane; network_.lanes[lane].is_internal();
             lane = network_.connections[network_.lanes[lane].exit].next_lane)
            inside_.push_back(lane);
    }
    crossing.watch_count = static_cast<int>(watches_.size()) - crossing.watch_begin;
    crossing.inside_count = static_cast<int>(inside_.size()) - crossing.inside_begin;
    crossings_.push_back(crossing);
}

void Builder::add_signal(int signal) {
    RailSignal s{.signal = signal, .link_begin = static_cast<int>(links_.size())};
    for (std::size_t k = 0; k < network_.connections.size(); ++k)
        if (network_.connections[k].signal == signal)
            links_.push_back({static_cast<int>(k), network_.connections[k].signal_link});
    s.link_count = static_cast<int>(links_.size()) - s.link_begin;
    signals_.push_back(s);
}

// Two lanes with the same points in opposite order are one track.
std::vector<int> Builder::opposite_lanes() const {
    using Ends = std::array<float, 4>;
    std::map<Ends, int> by_ends;
    std::vector<int> opposite(d_.lanes.size(), -1);
    const auto ends = [](const std::vector<Point>& s) {
        return Ends{s.front().x, s.front().y, s.back().x, s.back().y};
    };
    for (std::size_t i = 0; i < d_.lanes.size(); ++i) {
        const std::vector<Point>& shape = d_.lanes[i].shape;
        if (shape.size() < 2 || d_.edges[d_.lanes[i].edge].function != EdgeFunction::normal) continue;
        by_ends[ends(shape)] = static_cast<int>(i);
    }
    for (const auto& [key, lane] : by_ends) {
        const auto other = by_ends.find(Ends{key[2], key[3], key[0], key[1]});
        if (other == by_ends.end() || other->second == lane) continue;
        const std::vector<Point>&a = d_.lanes[lane].shape, &b = d_.lanes[other->second].shape;
        const auto same = [](Point p, Point q) { return p.x == q.x && p.y == q.y; };
        if (std::equal(a.begin(), a.end(), b.rbegin(), b.rend(), same)) opposite[lane] = other->second;
    }
    return opposite;
}

RailPlan Builder::build() {
    std::vector<int> crossing_of_signal(d_.signals.size(), -1);
    for (std::size_t s = 0; s < d_.signals.size(); ++s) {
        const int signal = static_cast<int>(s);
        const SignalType type = railway_type(d_, signal);
        if (type == SignalType::rail_signal) add_signal(signal);
        if (type != SignalType::rail_crossing) continue;
        crossing_of_signal[s] = static_cast<int>(crossings_.size());
        add_crossing(signal, junction_of(d_, signal));
    }
    RailPlan plan;
    plan.crossings = Array<RailCrossing>(crossings_);
    plan.watches = Array<RailWatch>(watches_);
    plan.inside = Array<int>(inside_);
    plan.signals = Array<RailSignal>(signals_);
    plan.links = Array<RailLink>(links_);
    plan.crossing_of_signal = Array<int>(crossing_of_signal);
    if (!signals_.empty()) plan.opposite = Array<int>(opposite_lanes());
    return plan;
}

}  // namespace

SignalType railway_type(const NetworkDescription& description, int signal) {
    if (!description.signals[signal].programs.empty()) return SignalType::other;
    const int junction = junction_of(description, signal);
    if (junction < 0) return SignalType::other;
    const JunctionType type = description.junctions[junction].type;
    if (type == JunctionType::rail_crossing) return SignalType::rail_crossing;
    return type == JunctionType::rail_signal ? SignalType::rail_signal : SignalType::other;
}

RailPlan build_rail_plan(const NetworkDescription& description, const Network& network) {
    return Builder(description, network).build();
}

}  // namespace jamiton
