#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "data/planned_arms.hpp"
#include "data/planned_signals.hpp"
#include "data/planned_turns.hpp"
#include "data/right_of_way_table.hpp"
#include "data/road_plan.hpp"

namespace jamiton {

namespace {

float rounded(double value) { return static_cast<float>(std::round(100 * value) / 100); }

std::vector<Point> rounded(const LineStrip& strip) {
    std::vector<Point> points;
    for (const Position p : strip) points.push_back({rounded(p.x), rounded(p.y)});
    return points;
}

char link_state(JunctionType type, bool yields) {
    switch (type) {
        case JunctionType::traffic_light: return yields ? 'o' : 'O';
        case JunctionType::right_before_left: return '=';
        case JunctionType::allway_stop: return 'w';
        case JunctionType::priority_stop: return yields ? 's' : 'M';
        default: return yields ? 'm' : 'M';
    }
}

class NetworkGenerator {
  public:
    explicit NetworkGenerator(const RoadPlan& plan) : plan_(plan) {}

    NetworkDescription generate() {
        net_.sources = {"generated"};
        net_.has_internal_lanes = true;
        draw_roads();
        for (const PlannedJunction& planned : plan_.junctions) add_junction(planned);
        for (std::size_t junction = 0; junction < plan_.junctions.size(); ++junction)
            add_inside(static_cast<int>(junction));
        net_.junctions.insert(net_.junctions.end(), waiting_places_.begin(), waiting_places_.end());
        net_.connections.insert(net_.connections.end(), inner_.begin(), inner_.end());
        return std::move(net_);
    }

  private:
    // The internal lanes of a link while its junction is made: one, or two around a waiting place.
    struct Inside {
        int first = -1, second = -1;
        double waits_at = -1;
        int last() const { return second >= 0 ? second : first; }
    };

    void draw_roads();
    void add_road(std::size_t road, const LineStrip& middle);
    void add_junction(const PlannedJunction& planned);
    void add_inside(int junction);
    void add_signal(int junction, const std::vector<JunctionLink>& links, const RightOfWayTable& table);
    void add_inner_edges(int junction, const std::vector<JunctionLink>& links, const RightOfWayTable& table);
    void add_turn(int junction, const std::vector<JunctionLink>& links, const RightOfWayTable& table, int link);
    void add_met_lanes(const JunctionLink& turn, double waits_at, const JunctionLink& other, const Inside& inside,
                       std::vector<int>& lanes) const;
    void add_waiting_places(const std::vector<JunctionLink>& links, const RightOfWayTable& table);
    std::vector<Point> outline(int junction) const;

    int add_edge(const std::string& id, int from, int to, EdgeFunction function, int priority);
    int add_lane(const LineStrip& shape, double length, double speed);
    void set_length(double length);
    int lane_of(int road, int lane) const { return net_.edges[road].first_lane + lane; }

    const RoadPlan& plan_;
    NetworkDescription net_;  // its first edges are the roads of the plan
    std::vector<std::vector<PlannedArm>> arms_;
    std::vector<std::vector<LineStrip>> lanes_;  // drawings of the lanes of each road
    std::vector<Inside> inside_;
    std::vector<ConnectionDescription> inner_;  // those that begin inside junctions
    std::vector<JunctionDescription> waiting_places_;
};

int NetworkGenerator::add_edge(const std::string& id, int from, int to, EdgeFunction function, int priority) {
    EdgeDescription edge;
    edge.id = id;
    edge.from = from;
    edge.to = to;
    edge.function = function;
    edge.priority = priority;
    edge.first_lane = static_cast<int>(net_.lanes.size());
    net_.edges.push_back(std::move(edge));
    return static_cast<int>(net_.edges.size()) - 1;
}

// To the edge added last.
int NetworkGenerator::add_lane(const LineStrip& shape, double length, double speed) {
    EdgeDescription& edge = net_.edges.back();
    LaneDescription lane;
    lane.id = edge.id + "_" + std::to_string(edge.lane_count++);
    lane.edge = static_cast<int>(net_.edges.size()) - 1;
    lane.length = std::max(rounded(length), 0.1f);
    lane.speed = rounded(speed);
    lane.width = static_cast<float>(plan_.lane_width);
    lane.shape = rounded(shape);
    net_.lanes.push_back(std::move(lane));
    return static_cast<int>(net_.lanes.size()) - 1;
}

// Of all lanes of the edge added last: vehicles beside each other stay so.
void NetworkGenerator::set_length(double length) {
    for (int i = 0; i < net_.edges.back().lane_count; ++i)
        net_.lanes[net_.edges.back().first_lane + i].length = std::max(rounded(length), 0.1f);
}

void NetworkGenerator::draw_roads() {
    std::vector<LineStrip> drawings;
    for (const PlannedRoad& road : plan_.roads) {
        LineStrip& line = drawings.emplace_back(road.bends);
        line.insert(line.begin(), plan_.junctions[road.from].at);
        line.push_back(plan_.junctions[road.to].at);
    }
    arms_ = find_arms(plan_, drawings);
    std::vector<double> begin(drawings.size()), end(drawings.size());
    for (const auto& arms : arms_) {
        for (const PlannedArm& arm : arms) {
            if (arm.out >= 0) begin[arm.out] = arm.setback;
            if (arm.in >= 0) end[arm.in] = arm.setback;
        }
    }
    for (std::size_t road = 0; road < drawings.size(); ++road)
        add_road(road, part(drawings[road], begin[road], length(drawings[road]) - end[road]));
}

void NetworkGenerator::add_road(std::size_t number, const LineStrip& middle) {
    const PlannedRoad& road = plan_.roads[number];
    const double width = plan_.lane_width;
    const double size = length(beside(middle, 0.5 * road.lanes * width));
    add_edge(road.id, road.from, road.to, EdgeFunction::normal, road.priority);
    auto& lanes = lanes_.emplace_back();
    for (int i = 0; i < road.lanes; ++i) {
        lanes.push_back(beside(middle, (road.lanes - i - 0.5) * width));
        add_lane(lanes.back(), size, road.speed);
    }
}

void NetworkGenerator::add_junction(const PlannedJunction& planned) {
    JunctionDescription junction;
    junction.id = planned.id;
    junction.x = rounded(planned.at.x);
    junction.y = rounded(planned.at.y);
    junction.type = planned.type;
    net_.junctions.push_back(std::move(junction));
}

void NetworkGenerator::add_inside(int number) {
    const std::vector<JunctionLink> links = plan_turns(plan_, arms_[number], lanes_);
    JunctionDescription& junction = net_.junctions[number];
    if (links.empty()) junction.type = JunctionType::dead_end;
    const JunctionType type = junction.type;
    const RightOfWayTable table(links, type);
    for (const PlannedArm& arm : arms_[number]) {
        for (int lane = 0; arm.in >= 0 && lane < plan_.roads[arm.in].lanes; ++lane)
            junction.incoming_lanes.push_back(lane_of(arm.in, lane));
    }
    junction.shape = outline(number);
    if (type == JunctionType::traffic_light) add_signal(number, links, table);

    inside_.assign(links.size(), {});
    for (int link = 0; link < table.size(); ++link)
        inside_[link].waits_at = waiting_place(links, table, link, type, plan_.lane_width).value_or(-1);
    add_inner_edges(number, links, table);
    for (int link = 0; link < table.size(); ++link) add_turn(number, links, table, link);
    add_waiting_places(links, table);
}

// Between lanes of one internal edge vehicles may change, for which they need room (SUMO 1.15 fails where they have
// none).
bool side_by_side(const JunctionLink& a, const JunctionLink& b) {
    constexpr double room = 15;  // m
    return a.from_road == b.from_road && a.to_road == b.to_road && length(a.path) > room && length(b.path) > room;
}

// The lanes from one road to another are one edge; what lies behind a waiting place is one of its own.
void NetworkGenerator::add_inner_edges(int junction, const std::vector<JunctionLink>& links,
                                       const RightOfWayTable& table) {
    const std::string prefix = ":" + plan_.junctions[junction].id + "_";
    const auto speed_of = [&](const JunctionLink& link) {
        constexpr double sideways = 4;  // m/s^2 that drivers accept in a turn; slight bends are none
        const double limit = std::min(plan_.roads[link.from_road].speed, plan_.roads[link.to_road].speed);
        const LineStrip& path = link.path;
        const double angle = std::abs(turn_angle(path[1] - path[0], path[path.size() - 1] - path[path.size() - 2]));
        return angle < 0.4 ? limit : std::min(limit, std::sqrt(sideways * length(path) / angle));
    };
    for (int link = 0; link < table.size(); ++link) {
        if (inside_[link].first >= 0) continue;
        add_edge(prefix + std::to_string(link), junction, junction, EdgeFunction::internal, -1);
        double sum = 0;
        for (int other = link; other < table.size(); ++other) {
            const JunctionLink& turn = links[other];
            if (other != link && !side_by_side(turn, links[link])) continue;
            const double end = inside_[other].waits_at < 0 ? length(turn.path) : inside_[other].waits_at;
            inside_[other].first = add_lane(part(turn.path, 0, end), end, speed_of(turn));
            sum += end;
        }
        set_length(sum / net_.edges.back().lane_count);
    }
    int number = table.size();
    for (int link = 0; link < table.size(); ++link) {
        if (inside_[link].waits_at < 0) continue;
        const double begin = inside_[link].waits_at, end = length(links[link].path);
        add_edge(prefix + std::to_string(number++), junction, junction, EdgeFunction::internal, -1);
        inside_[link].second = add_lane(part(links[link].path, begin, end), end - begin, speed_of(links[link]));
    }
}

// Row `link` of the request table, and the connections that lead over its internal lanes.
void NetworkGenerator::add_turn(int number, const std::vector<JunctionLink>& links, const RightOfWayTable& table,
                                int link) {
    JunctionDescription& junction = net_.junctions[number];
    const Inside& inside = inside_[link];
    junction.internal_lanes.push_back(inside.last());
    RequestDescription request;
    for (int other = table.size() - 1; other >= 0; --other) {
        request.response += table.yields(link, other) ? '1' : '0';
        request.foes += table.foes(link, other) ? '1' : '0';
    }
    request.cont = inside.second >= 0;
    junction.requests.push_back(std::move(request));

    ConnectionDescription onto;
    onto.from_lane = lane_of(links[link].from_road, links[link].from_lane);
    onto.to_lane = lane_of(links[link].to_road, links[link].to_lane);
    onto.via_lane = inside.first;
    onto.direction = links[link].direction;
    onto.state = link_state(junction.type, table.yields(link));
    if (junction.type == JunctionType::traffic_light) {
        onto.signal = static_cast<int>(net_.signals.size()) - 1;
        onto.link_index = link;
    }
    net_.connections.push_back(onto);

    ConnectionDescription off;
    off.from_lane = inside.first;
    off.to_lane = onto.to_lane;
    off.via_lane = inside.second;
    off.direction = onto.direction;
    off.state = inside.second < 0 ? 'M' : 'm';
    inner_.push_back(off);
    if (inside.second < 0) return;
    off.from_lane = inside.second;
    off.via_lane = -1;
    off.state = 'M';
    inner_.push_back(off);
}

// The internal lanes of `other` that the turn crosses or joins beyond its waiting place.
void NetworkGenerator::add_met_lanes(const JunctionLink& turn, double waits_at, const JunctionLink& other,
                                     const Inside& inside, std::vector<int>& lanes) const {
    const LineStrip rest = part(turn.path, waits_at, length(turn.path));
    const double size = length(other.path), end_of_first = inside.second < 0 ? size : inside.waits_at;
    const bool merge = turn.to_road == other.to_road && turn.to_lane == other.to_lane;
    const auto met = [&](double from, double to) {
        return first_meeting(rest, part(other.path, from, to)).has_value();
    };
    if (met(0, end_of_first) || (merge && inside.second < 0)) lanes.push_back(inside.first);
    if (inside.second >= 0 && (merge || met(end_of_first, size))) lanes.push_back(inside.second);
}

// An internal junction names the lanes that traffic comes from for which the turn waits, and what it then crosses.
void NetworkGenerator::add_waiting_places(const std::vector<JunctionLink>& links, const RightOfWayTable& table) {
    for (int link = 0; link < table.size(); ++link) {
        const Inside& inside = inside_[link];
        if (inside.second < 0) continue;
        const LaneDescription& lane = net_.lanes[inside.second];
        JunctionDescription place;
        place.id = lane.id;
        place.type = JunctionType::internal;
        place.x = lane.shape[0].x;
        place.y = lane.shape[0].y;
        auto& incoming = place.incoming_lanes;
        incoming.push_back(inside.first);
        for (int other = 0; other < table.size(); ++other) {
            if (!table.foes(link, other)) continue;
            add_met_lanes(links[link], inside.waits_at, links[other], inside_[other], place.internal_lanes);
            const int from = lane_of(links[other].from_road, links[other].from_lane);
            if (table.yields(link, other) && oncoming(links[link], links[other]) &&
                std::ranges::find(incoming, from) == incoming.end())
                incoming.push_back(from);
        }
        waiting_places_.push_back(std::move(place));
    }
}

void NetworkGenerator::add_signal(int number, const std::vector<JunctionLink>& links, const RightOfWayTable& table) {
    SignalTiming timing;
    timing.cycle = plan_.signal_cycle;
    timing.offset = plan_.junctions[number].signal_offset;
    net_.signals.push_back({plan_.junctions[number].id, {make_program(links, table, timing)}});
}

// From stop line to stop line, clockwise.
std::vector<Point> NetworkGenerator::outline(int number) const {
    LineStrip corners;
    for (const PlannedArm& arm : arms_[number]) {
        const Position middle = plan_.junctions[number].at + arm.setback * arm.outward;
        const Position right = plan_.lane_width * to_the_right(arm.outward);
        corners.push_back(middle - (arm.in < 0 ? 0 : plan_.roads[arm.in].lanes) * right);
        corners.push_back(middle + (arm.out < 0 ? 0 : plan_.roads[arm.out].lanes) * right);
    }
    return rounded(corners);
}

}  // namespace

NetworkDescription generate_network(const RoadPlan& plan) { return NetworkGenerator(plan).generate(); }

}  // namespace jamiton
