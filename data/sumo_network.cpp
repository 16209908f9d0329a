#include "data/sumo_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "data/id_map.hpp"
#include "data/sumo_signals.hpp"
#include "data/sumo_words.hpp"

namespace jamiton {

namespace {

constexpr Word<EdgeFunction> edge_functions[] = {{"normal", EdgeFunction::normal},
                                                 {"internal", EdgeFunction::internal},
                                                 {"connector", EdgeFunction::connector},
                                                 {"crossing", EdgeFunction::crossing},
                                                 {"walkingarea", EdgeFunction::walking_area}};

constexpr Word<JunctionType> junction_types[] = {
    {"priority", JunctionType::priority},
    {"traffic_light", JunctionType::traffic_light},
    {"right_before_left", JunctionType::right_before_left},
    {"left_before_right", JunctionType::left_before_right},
    {"dead_end", JunctionType::dead_end},
    {"DEAD_END", JunctionType::dead_end},
    {"internal", JunctionType::internal},
    {"unregulated", JunctionType::unregulated},
    {"traffic_light_unregulated", JunctionType::traffic_light_unregulated},
    {"traffic_light_right_on_red", JunctionType::traffic_light_right_on_red},
    {"priority_stop", JunctionType::priority_stop},
    {"allway_stop", JunctionType::allway_stop},
    {"zipper", JunctionType::zipper},
    {"rail_signal", JunctionType::rail_signal},
    {"rail_crossing", JunctionType::rail_crossing},
    {"district", JunctionType::district},
    {"unknown", JunctionType::unknown}};

// Elements of a net that say nothing about how vehicles drive.
constexpr std::string_view harmless[] = {"param", "prohibition", "district", "taz", "laneType", "tazSource", "tazSink"};

class NetworkReader : public XmlHandler {
  public:
    explicit NetworkReader(UnsupportedReport& report) : report_(report), signals_(network_, signal_ids_, report) {}

    NetworkDescription read(const std::string& path);
    void start(const Element& element) override;
    void end(std::string_view name) override;

  private:
    using Action = void (NetworkReader::*)(const Element&);
    struct Row {
        std::string_view name, parent;
        Action action;
    };
    static const std::array<Row, 16> rows;

    void start_net(const Element& element);
    void set_location(const Element& element);
    void add_type(const Element& element);
    void add_restriction(const Element& element);
    void start_edge(const Element& element);
    void add_lane(const Element& element);
    void add_stop_offset(const Element& element);
    void add_neighbor(const Element& element) {
        report_.unsupported(element, "<neigh> (overtaking on the opposite lane)");
    }
    void start_junction(const Element& element);
    void add_request(const Element& element);
    void start_signal(const Element& element) { signals_.start_program(element, 0); }
    void add_phase(const Element& element) { signals_.add_phase(element); }
    void add_parameter(const Element& element) { signals_.add_parameter(element); }
    void add_connection(const Element& element);
    void check_via(const Element& element, const ConnectionDescription& connection);
    void add_roundabout(const Element& element);

    SourceRef here(const Element& element) const { return {0, element.line()}; }
    int junction(std::string_view id) { return junction_ids_.insert(id).first; }
    int lane_of(const Element& element, std::string_view edge_attribute, std::string_view index_attribute);
    int signal_of(const Element& element);
    void read_lanes(const Element& element, std::string_view attribute, std::vector<int>& lanes);
    void read_shape(const Element& element, std::vector<Point>& shape);
    void finish();
    void check_edge(const EdgeDescription& edge) const;
    void check_junction(const JunctionDescription& junction) const;
    void check_ways() const;
    [[noreturn]] void fail(SourceRef source, std::string_view element, std::string_view id,
                           std::string_view problem) const {
        fail_at(network_.sources[source.file], source.line, element, id, problem);
    }

    UnsupportedReport& report_;
    NetworkDescription network_;
    IdMap edge_ids_, lane_ids_, type_ids_, signal_ids_;
    IdMap junction_ids_;  // edges name them before they are read
    SumoSignalReader signals_;
    std::unordered_map<int, std::uint32_t> connection_over_;  // a lane inside a junction; its line
    int current_junction_ = -1;
    int depth_ = 0;
    int skipped_ = -1;  // depth of an element that is passed over with all it holds
};

const std::array<NetworkReader::Row, 16> NetworkReader::rows = {{
    {"lane", "edge", &NetworkReader::add_lane},
    {"connection", "net", &NetworkReader::add_connection},
    {"edge", "net", &NetworkReader::start_edge},
    {"request", "junction", &NetworkReader::add_request},
    {"junction", "net", &NetworkReader::start_junction},
    {"phase", "tlLogic", &NetworkReader::add_phase},
    {"tlLogic", "net", &NetworkReader::start_signal},
    {"param", "tlLogic", &NetworkReader::add_parameter},
    {"type", "net", &NetworkReader::add_type},
    {"restriction", "type", &NetworkReader::add_restriction},
    {"stopOffset", "lane", &NetworkReader::add_stop_offset},
    {"stopOffset", "edge", &NetworkReader::add_stop_offset},
    {"neigh", "lane", &NetworkReader::add_neighbor},
    {"roundabout", "net", &NetworkReader::add_roundabout},
    {"location", "net", &NetworkReader::set_location},
    {"net", "", &NetworkReader::start_net},
}};

void NetworkReader::start(const Element& element) {
    const int depth = depth_++;
    if (skipped_ >= 0) return;
    if (depth == 0 && element.name() != "net") {
        element.fail("is the root of this file, expected <net> (a SUMO network)");
    }
    for (const Row& row : rows) {
        if (element.name() == row.name && element.parent() == row.parent) return (this->*row.action)(element);
    }
    skipped_ = depth;
    if (std::ranges::find(harmless, element.name()) != std::end(harmless)) return;
    report_.unknown(element, fmt::format("<{}> in <{}>", element.name(), element.parent()));
}

void NetworkReader::end(std::string_view name) {
    --depth_;
    if (skipped_ >= 0) {
        if (skipped_ == depth_) skipped_ = -1;
    } else if (name == "tlLogic") {
        signals_.finish_program();
    }
}

void NetworkReader::start_net(const Element& element) { network_.left_hand = element.flag_or("lefthand", false); }

void NetworkReader::set_location(const Element& element) {
    const std::string_view offset = element.text_or("netOffset", "0,0");
    const std::size_t comma = offset.find(',');
    const auto x = parse_number(offset.substr(0, comma));
    const auto y = comma == std::string_view::npos ? std::nullopt : parse_number(offset.substr(comma + 1));
    if (!x || !y) element.fail_value("netOffset", "x,y");
    network_.offset_x = *x;
    network_.offset_y = *y;
    network_.projection = element.text_or("projParameter", "!");
}

void NetworkReader::add_type(const Element& element) {
    const std::string_view id = element.not_empty("id");
    if (!type_ids_.insert(id).second) element.fail("is there twice");
    network_.types.push_back({std::string(id), {}});
}

void NetworkReader::add_restriction(const Element& element) {
    const VehicleClass c = read_vehicle_class(element, "vClass");
    network_.types.back().speed_of_class.emplace_back(c, element.number("speed", Range::positive));
}

// ":J_3" and ":J_w0" lie in junction J.
std::string_view junction_of_internal(std::string_view id) {
    const std::size_t end = id.rfind('_');
    return id.size() < 2 || id[0] != ':' || end == std::string_view::npos ? std::string_view() : id.substr(1, end - 1);
}

void NetworkReader::start_edge(const Element& element) {
    EdgeDescription edge;
    const std::string_view id = element.not_empty("id");
    if (!edge_ids_.insert(id).second) element.fail("is there twice");
    edge.id = id;
    edge.name = element.text_or("name", "");
    edge.function = element.word_or("function", edge_functions, EdgeFunction::normal);
    edge.source = here(element);
    if (edge.function == EdgeFunction::normal || edge.function == EdgeFunction::connector) {
        edge.from = junction(element.not_empty("from"));
        edge.to = junction(element.not_empty("to"));
    } else {
        const std::string_view inside = junction_of_internal(id);
        if (inside.empty()) element.fail_value("id", "\":junction_number\" for an edge inside a junction");
        edge.from = edge.to = junction(inside);
        network_.has_internal_lanes |= edge.function == EdgeFunction::internal;
    }
    edge.type = type_ids_.find(element.text_or("type", ""));
    edge.priority = element.integer_or("priority", -1, -1000000, 1000000);
    edge.first_lane = static_cast<int>(network_.lanes.size());
    network_.edges.push_back(std::move(edge));
}

void NetworkReader::add_lane(const Element& element) {
    EdgeDescription& edge = network_.edges.back();
    LaneDescription lane;
    const std::string_view id = element.not_empty("id");
    if (!lane_ids_.insert(id).second) element.fail("is there twice");
    lane.id = id;
    lane.edge = static_cast<int>(network_.edges.size()) - 1;
    const int index = element.integer("index", 0, 1000);
    if (index != edge.lane_count && edge.function == EdgeFunction::normal) {
        element.fail_value("index", fmt::format("{}, lanes of an edge are numbered from the right", edge.lane_count));
    }
    ++edge.lane_count;
    lane.length = static_cast<float>(element.number("length", Range::positive));
    lane.speed = static_cast<float>(element.number("speed", Range::not_negative));
    lane.width = static_cast<float>(element.number_or("width", 3.2, Range::any));
    if (lane.width <= 0) lane.width = 3.2f;  // -1 is SUMO's "default"
    lane.allowed = read_permissions(element, "allow", "disallow");
    lane.change_left = read_classes(element, "changeLeft");
    lane.change_right = read_classes(element, "changeRight");
    lane.acceleration = element.flag_or("acceleration", false);
    lane.friction = static_cast<float>(element.number_or("friction", 1, Range::not_negative));
    read_shape(element, lane.shape);
    network_.lanes.push_back(std::move(lane));
}

void NetworkReader::add_stop_offset(const Element& element) {
    const EdgeDescription& edge = network_.edges.back();
    const int lane_count = static_cast<int>(network_.lanes.size());
    const float value = static_cast<float>(element.number("value", Range::not_negative));
    const Permissions classes = element.find("exceptions") ? all_classes & ~read_classes(element, "exceptions")
                                                           : read_classes(element, "vClasses");
    for (int i = element.parent() == "lane" ? lane_count - 1 : edge.first_lane; i < lane_count; ++i) {
        if (value > network_.lanes[i].length) element.fail_value("value", "less than the length of the lane");
        network_.lanes[i].stop_offset = value;
        network_.lanes[i].stop_offset_classes = classes;
    }
}

// Points "x,y" or "x,y,z" with blanks between.
void NetworkReader::read_shape(const Element& element, std::vector<Point>& shape) {
    const std::string_view text = element.text_or("shape", "");
    shape.reserve(static_cast<std::size_t>(std::count(text.begin(), text.end(), ',')));
    for_each_word(text, blanks, [&](std::string_view point) {
        const std::size_t comma = point.find(',');
        const auto x = parse_number(point.substr(0, comma));
        const std::string_view rest = comma == std::string_view::npos ? std::string_view() : point.substr(comma + 1);
        const auto y = parse_number(rest.substr(0, rest.find(',')));
        if (!x || !y) element.fail_value("shape", "points x,y with blanks between");
        shape.push_back({static_cast<float>(*x), static_cast<float>(*y)});
    });
    shape.shrink_to_fit();
}

void NetworkReader::read_lanes(const Element& element, std::string_view attribute, std::vector<int>& lanes) {
    for_each_word(element.text_or(attribute, ""), blanks, [&](std::string_view id) {
        const int lane = lane_ids_.find(id);
        if (lane < 0) element.fail(fmt::format("attribute \"{}\" names the unknown lane {}", attribute, quoted(id)));
        lanes.push_back(lane);
    });
}

void NetworkReader::start_junction(const Element& element) {
    const std::string_view id = element.not_empty("id");
    const int number = junction(id);
    if (number >= static_cast<int>(network_.junctions.size())) network_.junctions.resize(number + 1);
    JunctionDescription& junction = network_.junctions[number];
    if (!junction.id.empty()) element.fail("is there twice");
    junction.id = id;
    junction.type = element.word("type", junction_types);
    junction.x = static_cast<float>(element.number("x"));
    junction.y = static_cast<float>(element.number("y"));
    junction.source = here(element);
    read_lanes(element, "incLanes", junction.incoming_lanes);
    read_lanes(element, "intLanes", junction.internal_lanes);
    read_shape(element, junction.shape);
    current_junction_ = number;
}

void NetworkReader::add_request(const Element& element) {
    auto& requests = network_.junctions[current_junction_].requests;
    const int index = element.integer("index", 0, 100000);
    if (index != static_cast<int>(requests.size())) {
        element.fail_value("index", fmt::format("{}: requests are numbered from 0", requests.size()));
    }
    RequestDescription request;
    request.response = element.required("response");
    request.foes = element.required("foes");
    for (std::string_view attribute : {"response", "foes"}) {
        if (element.required(attribute).find_first_not_of("01") != std::string_view::npos) {
            element.fail_value(attribute, "a row of 0 and 1");
        }
    }
    request.cont = element.flag_or("cont", false);
    requests.push_back(std::move(request));
}

int NetworkReader::lane_of(const Element& element, std::string_view edge_attribute, std::string_view index_attribute) {
    const std::string_view id = element.required(edge_attribute);
    const int edge = edge_ids_.find(id);
    if (edge < 0) element.fail(fmt::format("attribute \"{}\" names the unknown edge {}", edge_attribute, quoted(id)));
    const int index = element.integer(index_attribute, 0, 1000);
    if (index >= network_.edges[edge].lane_count) {
        element.fail(fmt::format("attribute \"{}\" is {}, but edge {} has {} lanes", index_attribute, index, quoted(id),
                                 network_.edges[edge].lane_count));
    }
    return network_.edges[edge].first_lane + index;
}

// Railway signals and crossings switch by themselves: their signal has no program.
int NetworkReader::signal_of(const Element& element) {
    const std::string_view id = element.text_or("tl", "");
    if (id.empty()) return -1;
    const int known = signal_ids_.find(id);
    if (known >= 0) return known;
    const int junction = junction_ids_.find(id);
    const bool rail = junction >= 0 && junction < static_cast<int>(network_.junctions.size()) &&
                      (network_.junctions[junction].type == JunctionType::rail_signal ||
                       network_.junctions[junction].type == JunctionType::rail_crossing);
    if (!rail) element.fail(fmt::format("attribute \"tl\" names the unknown signal {}", quoted(id)));
    network_.signals.push_back({std::string(id), {}});
    return signal_ids_.insert(id).first;
}

void NetworkReader::add_connection(const Element& element) {
    ConnectionDescription connection;
    connection.source = here(element);
    connection.from_lane = lane_of(element, "from", "fromLane");
    connection.to_lane = lane_of(element, "to", "toLane");
    if (const auto via = element.find("via")) {
        connection.via_lane = lane_ids_.find(*via);
        if (connection.via_lane < 0) element.fail_value("via", "the id of a lane");
        check_via(element, connection);
    }
    connection.link_index = element.integer_or("linkIndex", -1, -1, 100000);
    if (connection.link_index >= 0) connection.signal = signal_of(element);  // -1: the signal leaves it alone
    if (connection.signal >= 0) {
        check_link_index(network_, connection.signal, connection.link_index);
    }
    const std::string_view direction = element.required("dir"), state = element.required("state");
    if (direction.size() != 1 && direction != "invalid") element.fail_value("dir", "one of s t l r L R");
    if (std::string_view("stlrLRi").find(direction[0]) == std::string_view::npos) {
        element.fail_value("dir", "one of s t l r L R");
    }
    if (state.size() != 1 || std::string_view("MmswZ=oOGgyYruc-").find(state[0]) == std::string_view::npos) {
        element.fail_value("state", "one of M m s w Z = o O -");
    }
    connection.direction = direction[0];
    connection.state = state[0];
    connection.keep_clear = element.flag_or("keepClear", true);
    connection.pass = element.flag_or("pass", false);
    connection.uncontrolled = element.flag_or("uncontrolled", false);
    connection.cont_pos = static_cast<float>(element.number_or("contPos", -1));
    connection.visibility = static_cast<float>(element.number_or("visibility", 4.5, Range::not_negative));
    connection.speed = static_cast<float>(element.number_or("speed", -1));
    connection.length = static_cast<float>(element.number_or("length", -1));
    connection.allowed = read_permissions(element, "allow", "disallow");
    network_.connections.push_back(connection);
}

// Each connection has a way of its own through the junction.
void NetworkReader::check_via(const Element& element, const ConnectionDescription& connection) {
    const EdgeDescription& inside = network_.edges[network_.lanes[connection.via_lane].edge];
    if (inside.function != EdgeFunction::internal) element.fail_value("via", "the id of a lane inside a junction");
    const auto [known, is_new] = connection_over_.try_emplace(connection.via_lane, element.line());
    if (!is_new)
        element.fail_value("via", fmt::format("a lane of its own: the connection of line {} has it", known->second));
}

void NetworkReader::add_roundabout(const Element& element) {
    for_each_word(element.text_or("edges", ""), blanks, [&](std::string_view id) {
        const int edge = edge_ids_.find(id);
        if (edge < 0) element.fail(fmt::format("attribute \"edges\" names the unknown edge {}", quoted(id)));
        network_.edges[edge].roundabout = true;
    });
}

void NetworkReader::check_edge(const EdgeDescription& edge) const {
    if (edge.lane_count == 0) fail(edge.source, "edge", edge.id, "has no lane");
    for (int junction : {edge.from, edge.to}) {
        if (junction < static_cast<int>(network_.junctions.size()) && !network_.junctions[junction].id.empty())
            continue;
        const std::string_view attribute = edge.from == edge.to ? "id" : junction == edge.from ? "from" : "to";
        fail(edge.source, "edge", edge.id,
             fmt::format("attribute \"{}\" names the unknown junction {}", attribute,
                         quoted(junction_ids_.id(junction))));
    }
}

void NetworkReader::check_junction(const JunctionDescription& junction) const {
    for (const RequestDescription& request : junction.requests) {
        for (const std::string& row : {request.response, request.foes}) {
            if (row.size() == junction.requests.size()) continue;
            fail(junction.source, "junction", junction.id,
                 fmt::format("has {} requests, but one with a row of {} links", junction.requests.size(), row.size()));
        }
    }
}

// A way lies in the junction that its connection crosses, and where it goes on it leads to the same lane.
void NetworkReader::check_ways() const {
    std::vector<int> end_of(network_.lanes.size(), -1);
    const auto edge_of = [&](int lane) -> const EdgeDescription& { return network_.edges[network_.lanes[lane].edge]; };
    for (const ConnectionDescription& c : network_.connections) {
        if (edge_of(c.from_lane).function == EdgeFunction::internal) end_of[c.from_lane] = c.to_lane;
    }
    for (const ConnectionDescription& c : network_.connections) {
        if (c.via_lane < 0) continue;
        const int junction = edge_of(c.from_lane).to, end = end_of[c.via_lane];
        const std::string via = fmt::format("attribute \"via\" is {}", quoted(network_.lanes[c.via_lane].id));
        if (edge_of(c.via_lane).to != junction)
            fail(c.source, "connection", "",
                 fmt::format("{}, expected a lane inside junction {}", via, quoted(junction_ids_.id(junction))));
        if (end >= 0 && end != c.to_lane)
            fail(c.source, "connection", "",
                 fmt::format("{}, which leads to {}, expected a lane that leads to {}", via,
                             quoted(network_.lanes[end].id), quoted(network_.lanes[c.to_lane].id)));
    }
}

void NetworkReader::finish() {
    for (const EdgeDescription& edge : network_.edges) check_edge(edge);
    for (const JunctionDescription& junction : network_.junctions) check_junction(junction);
    check_ways();
    network_.edges.shrink_to_fit();
    network_.lanes.shrink_to_fit();
    network_.connections.shrink_to_fit();
}

NetworkDescription NetworkReader::read(const std::string& path) {
    network_.sources.push_back(path);
    read_xml(path, *this);
    finish();
    return std::move(network_);
}

}  // namespace

NetworkDescription read_sumo_network(const std::string& path, UnsupportedReport& report) {
    return NetworkReader(report).read(path);
}

}  // namespace jamiton
