#include "data/sumo_network_writer.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "data/line_strip.hpp"
#include "data/text_file.hpp"

namespace jamiton {

namespace {

std::string_view name_of(EdgeFunction function) {
    switch (function) {
        case EdgeFunction::internal: return "internal";
        case EdgeFunction::connector: return "connector";
        case EdgeFunction::crossing: return "crossing";
        case EdgeFunction::walking_area: return "walkingarea";
        default: return "normal";
    }
}

std::string_view name_of(SignalType type) {
    switch (type) {
        case SignalType::actuated: return "actuated";
        case SignalType::delay_based: return "delay_based";
        case SignalType::rail_signal: return "rail_signal";
        case SignalType::rail_crossing: return "rail_crossing";
        default: return "static";
    }
}

// The words, with blanks between.
std::string joined(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
    return line;
}

std::string class_names(Permissions classes) {
    std::vector<std::string> names;
    for (int i = 0; i < static_cast<int>(VehicleClass::ignoring); ++i) {
        const auto c = static_cast<VehicleClass>(i);
        if ((classes & permission(c)) != 0) names.emplace_back(jamiton::name_of(c));
    }
    return joined(names);
}

// "" or with a blank in front, as all attributes that may be left out.
std::string permissions(Permissions allowed) {
    const Permissions known = all_classes & ~permission(VehicleClass::ignoring);
    if ((allowed & known) == known) return "";
    const std::string open = class_names(allowed), closed = class_names(known & ~allowed);
    if (open.empty()) return " disallow=\"all\"";
    return open.size() <= closed.size() ? fmt::format(" allow=\"{}\"", open) : fmt::format(" disallow=\"{}\"", closed);
}

std::string change_permissions(std::string_view attribute, Permissions classes) {
    return classes == all_classes ? "" : fmt::format(" {}=\"{}\"", attribute, class_names(classes));
}

std::string number(std::string_view attribute, double value, double fallback) {
    return value == fallback ? "" : fmt::format(" {}=\"{}\"", attribute, short_number(value));
}

std::string words(const char* attribute, const std::string& value) {
    return value.empty() ? "" : fmt::format(" {}=\"{}\"", attribute, xml_escaped(value));
}

std::string shape_of(const std::vector<Point>& points) {
    std::string text;
    for (const Point p : points) fmt::format_to(std::back_inserter(text), "{:.2f},{:.2f} ", p.x, p.y);
    if (!text.empty()) text.pop_back();
    return text;
}

class NetworkWriter {
  public:
    NetworkWriter(const NetworkDescription& network, const std::string& path) : net_(network), file_(path) {}

    void write() {
        file_.print("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<net version=\"1.9\"{}>\n",
                    net_.left_hand ? " lefthand=\"1\"" : "");
        write_location();
        for (const EdgeTypeDescription& type : net_.types) write_type(type);
        for (const EdgeDescription& edge : net_.edges) write_edge(edge);
        for (const SignalDescription& signal : net_.signals) write_signal(signal);
        for (const JunctionDescription& junction : net_.junctions) write_junction(junction);
        for (const ConnectionDescription& connection : net_.connections) write_connection(connection);
        write_roundabouts();
        file_.print("</net>\n");
        file_.close();
    }

  private:
    void write_location();
    void write_type(const EdgeTypeDescription& type);
    std::string edge_shape(const EdgeDescription& edge) const;
    void write_edge(const EdgeDescription& edge);
    void write_lane(const LaneDescription& lane, int index);
    void write_signal(const SignalDescription& signal);
    void write_phase(const PhaseDescription& phase);
    void write_junction(const JunctionDescription& junction);
    void write_connection(const ConnectionDescription& connection);
    void write_roundabouts();
    std::string lane_ids(const std::vector<int>& lanes) const;

    const NetworkDescription& net_;
    TextFile file_;
};

void NetworkWriter::write_location() {
    const Bounds b = bounds_of(net_);
    const std::string box = fmt::format("{:.2f},{:.2f},{:.2f},{:.2f}", b.min_x, b.min_y, b.max_x, b.max_y);
    file_.print(
        "    <location netOffset=\"{:.2f},{:.2f}\" convBoundary=\"{}\" origBoundary=\"{}\" "
        "projParameter=\"{}\"/>\n",
        net_.offset_x, net_.offset_y, box, box, xml_escaped(net_.projection));
}

void NetworkWriter::write_type(const EdgeTypeDescription& type) {
    file_.print("    <type id=\"{}\">\n", xml_escaped(type.id));
    for (const auto& [c, speed] : type.speed_of_class)
        file_.print("        <restriction vClass=\"{}\" speed=\"{:.2f}\"/>\n", jamiton::name_of(c), speed);
    file_.print("    </type>\n");
}

// Where a road bends, netconvert wants its line: that between the two directions, the left border of the lanes.
std::string NetworkWriter::edge_shape(const EdgeDescription& edge) const {
    if (edge.function != EdgeFunction::normal || edge.lane_count == 0) return "";
    const LaneDescription& lane = net_.lanes[edge.first_lane + edge.lane_count - 1];
    if (lane.shape.size() < 3) return "";
    LineStrip line;
    for (const Point p : lane.shape) line.push_back({static_cast<double>(p.x), static_cast<double>(p.y)});
    std::vector<Point> border;
    for (const Position p : beside(line, (net_.left_hand ? 0.5 : -0.5) * static_cast<double>(lane.width)))
        border.push_back({static_cast<float>(p.x), static_cast<float>(p.y)});
    return shape_of(border);
}

void NetworkWriter::write_edge(const EdgeDescription& edge) {
    file_.print("    <edge id=\"{}\"", xml_escaped(edge.id));
    if (edge.function != EdgeFunction::normal) file_.print(" function=\"{}\"", name_of(edge.function));
    if (edge.function == EdgeFunction::normal || edge.function == EdgeFunction::connector) {
        file_.print(" from=\"{}\" to=\"{}\" priority=\"{}\"", xml_escaped(net_.junctions[edge.from].id),
                    xml_escaped(net_.junctions[edge.to].id), edge.priority);
    }
    file_.print("{}{}{}>\n", words("shape", edge_shape(edge)),
                words("type", edge.type < 0 ? "" : net_.types[edge.type].id), words("name", edge.name));
    for (int i = 0; i < edge.lane_count; ++i) write_lane(net_.lanes[edge.first_lane + i], i);
    file_.print("    </edge>\n");
}

void NetworkWriter::write_lane(const LaneDescription& lane, int index) {
    file_.print("        <lane id=\"{}\" index=\"{}\"{} speed=\"{:.2f}\" length=\"{:.2f}\"{}{}{}{} shape=\"{}\"",
                xml_escaped(lane.id), index, permissions(lane.allowed), lane.speed, lane.length,
                number("width", lane.width, 3.2f), change_permissions("changeLeft", lane.change_left),
                change_permissions("changeRight", lane.change_right), lane.acceleration ? " acceleration=\"1\"" : "",
                shape_of(lane.shape));
    if (lane.stop_offset <= 0) return file_.print("/>\n");
    file_.print(">\n            <stopOffset value=\"{:.2f}\" vClasses=\"{}\"/>\n        </lane>\n", lane.stop_offset,
                class_names(lane.stop_offset_classes));
}

void NetworkWriter::write_signal(const SignalDescription& signal) {
    for (const ProgramDescription& program : signal.programs) {
        file_.print("    <tlLogic id=\"{}\" type=\"{}\" programID=\"{}\" offset=\"{}\">\n", xml_escaped(signal.id),
                    name_of(program.type), xml_escaped(program.id), short_number(program.offset));
        for (const PhaseDescription& phase : program.phases) write_phase(phase);
        for (const auto& [key, value] : program.parameters)
            file_.print("        <param key=\"{}\" value=\"{}\"/>\n", xml_escaped(key), xml_escaped(value));
        file_.print("    </tlLogic>\n");
    }
}

void NetworkWriter::write_phase(const PhaseDescription& phase) {
    std::vector<std::string> next;
    for (const int n : phase.next) next.push_back(std::to_string(n));
    file_.print("        <phase duration=\"{}\"{}{}{}{} state=\"{}\"{}{}/>\n", short_number(phase.duration),
                number("minDur", phase.min_duration, -1), number("maxDur", phase.max_duration, -1),
                number("earliestEnd", phase.earliest_end, -1), number("latestEnd", phase.latest_end, -1), phase.state,
                words("next", joined(next)), words("name", phase.name));
}

std::string NetworkWriter::lane_ids(const std::vector<int>& lanes) const {
    std::vector<std::string> ids;
    for (const int lane : lanes) ids.push_back(net_.lanes[lane].id);
    return xml_escaped(joined(ids));
}

void NetworkWriter::write_junction(const JunctionDescription& junction) {
    file_.print("    <junction id=\"{}\" type=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\" incLanes=\"{}\" intLanes=\"{}\"",
                xml_escaped(junction.id), jamiton::name_of(junction.type), junction.x, junction.y,
                lane_ids(junction.incoming_lanes), lane_ids(junction.internal_lanes));
    if (junction.type != JunctionType::internal) file_.print(" shape=\"{}\"", shape_of(junction.shape));
    if (junction.requests.empty()) return file_.print("/>\n");
    file_.print(">\n");
    for (std::size_t i = 0; i < junction.requests.size(); ++i) {
        const RequestDescription& request = junction.requests[i];
        file_.print("        <request index=\"{}\" response=\"{}\" foes=\"{}\" cont=\"{}\"/>\n", i, request.response,
                    request.foes, request.cont ? 1 : 0);
    }
    file_.print("    </junction>\n");
}

void NetworkWriter::write_connection(const ConnectionDescription& c) {
    const LaneDescription &from = net_.lanes[c.from_lane], &to = net_.lanes[c.to_lane];
    const EdgeDescription &from_edge = net_.edges[from.edge], &to_edge = net_.edges[to.edge];
    file_.print("    <connection from=\"{}\" to=\"{}\" fromLane=\"{}\" toLane=\"{}\"", xml_escaped(from_edge.id),
                xml_escaped(to_edge.id), c.from_lane - from_edge.first_lane, c.to_lane - to_edge.first_lane);
    if (c.via_lane >= 0) file_.print(" via=\"{}\"", xml_escaped(net_.lanes[c.via_lane].id));
    if (c.signal >= 0) file_.print(" tl=\"{}\" linkIndex=\"{}\"", xml_escaped(net_.signals[c.signal].id), c.link_index);
    file_.print("{}{}{}{}{}{}{}{} dir=\"{}\" state=\"{}\"/>\n", c.pass ? " pass=\"1\"" : "",
                c.keep_clear ? "" : " keepClear=\"0\"", c.uncontrolled ? " uncontrolled=\"1\"" : "",
                number("contPos", c.cont_pos, -1), number("visibility", c.visibility, 4.5),
                number("speed", c.speed, -1), number("length", c.length, -1), permissions(c.allowed),
                c.direction == 'i' ? std::string("invalid") : std::string(1, c.direction), c.state);
}

// The description knows which edges lie in roundabouts, not in which: one element per run of edges that join.
void NetworkWriter::write_roundabouts() {
    std::vector<int> next(net_.junctions.size(), -1);  // the roundabout edge that leaves the junction
    std::vector<int> left;
    for (std::size_t i = 0; i < net_.edges.size(); ++i) {
        if (!net_.edges[i].roundabout) continue;
        next[net_.edges[i].from] = static_cast<int>(i);
        left.push_back(static_cast<int>(i));
    }
    std::vector<char> written(net_.edges.size(), 0);
    for (const int first : left) {
        std::vector<std::string> nodes, edges;
        for (int edge = first; edge >= 0 && written[edge] == 0; edge = next[net_.edges[edge].to]) {
            written[edge] = 1;
            nodes.push_back(xml_escaped(net_.junctions[net_.edges[edge].from].id));
            edges.push_back(xml_escaped(net_.edges[edge].id));
        }
        if (!edges.empty()) file_.print("    <roundabout nodes=\"{}\" edges=\"{}\"/>\n", joined(nodes), joined(edges));
    }
}

}  // namespace

std::string_view name_of(JunctionType type) {
    switch (type) {
        case JunctionType::traffic_light: return "traffic_light";
        case JunctionType::traffic_light_unregulated: return "traffic_light_unregulated";
        case JunctionType::traffic_light_right_on_red: return "traffic_light_right_on_red";
        case JunctionType::priority: return "priority";
        case JunctionType::priority_stop: return "priority_stop";
        case JunctionType::right_before_left: return "right_before_left";
        case JunctionType::left_before_right: return "left_before_right";
        case JunctionType::allway_stop: return "allway_stop";
        case JunctionType::zipper: return "zipper";
        case JunctionType::unregulated: return "unregulated";
        case JunctionType::dead_end: return "dead_end";
        case JunctionType::rail_signal: return "rail_signal";
        case JunctionType::rail_crossing: return "rail_crossing";
        case JunctionType::district: return "district";
        case JunctionType::internal: return "internal";
        default: return "unknown";
    }
}

Bounds bounds_of(const NetworkDescription& network) {
    Bounds b;
    bool first = true;
    const auto add = [&](const std::vector<Point>& points) {
        for (const Point p : points) {
            b = first ? Bounds{p.x, p.y, p.x, p.y}
                      : Bounds{std::min(b.min_x, p.x), std::min(b.min_y, p.y), std::max(b.max_x, p.x),
                               std::max(b.max_y, p.y)};
            first = false;
        }
    };
    for (const LaneDescription& lane : network.lanes) add(lane.shape);
    for (const JunctionDescription& junction : network.junctions) add(junction.shape);
    return b;
}

void write_sumo_network(const NetworkDescription& network, const std::string& path) {
    NetworkWriter(network, path).write();
}

}  // namespace jamiton
