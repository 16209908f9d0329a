#include "scenarios/info_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "data/sumo_network.hpp"
#include "data/sumo_network_writer.hpp"
#include "data/text_file.hpp"
#include "data/xml_reader.hpp"
#include "scenarios/scenario.hpp"

namespace jamiton {
namespace {

void line(const std::string& name, const std::string& value) { fmt::print("{:16} {}\n", name, value); }

// "3 car, 2 bus"
template <class Counts>
std::string list_of_counts(const Counts& counts) {
    std::string list;
    for (const auto& [name, count] : counts) list += fmt::format("{}{} {}", list.empty() ? "" : ", ", count, name);
    return list.empty() ? "none" : list;
}

void print_lanes(const NetworkDescription& net) {
    int edges = 0, lanes = 0, internal_lanes = 0;
    double edge_length = 0, lane_length = 0;
    float slowest = 1e9f, fastest = 0;
    for (const EdgeDescription& edge : net.edges) {
        if (edge.function == EdgeFunction::internal) internal_lanes += edge.lane_count;
        if (edge.function != EdgeFunction::normal) continue;
        ++edges;
        lanes += edge.lane_count;
        for (int i = edge.first_lane; i < edge.first_lane + edge.lane_count; ++i) {
            const LaneDescription& lane = net.lanes[i];
            lane_length += static_cast<double>(lane.length);
            slowest = std::min(slowest, lane.speed);
            fastest = std::max(fastest, lane.speed);
        }
        edge_length += static_cast<double>(net.lanes[edge.first_lane].length);
    }
    line("edges", fmt::format("{}, {:.2f} km", edges, edge_length / 1000));
    line("lanes",
         fmt::format("{}, {:.2f} lane-km, and {} inside junctions", lanes, lane_length / 1000, internal_lanes));
    if (lanes > 0) line("speed limits", fmt::format("{} to {} m/s", short_number(slowest), short_number(fastest)));
}

void print_junctions(const NetworkDescription& net) {
    std::map<std::string_view, int> types;
    int junctions = 0;
    for (const JunctionDescription& junction : net.junctions) {
        if (junction.type == JunctionType::internal) continue;
        ++junctions;
        ++types[name_of(junction.type)];
    }
    line("junctions", fmt::format("{}: {}", junctions, list_of_counts(types)));
    std::size_t programs = 0;
    for (const SignalDescription& signal : net.signals) programs += signal.programs.size();
    line("signals", fmt::format("{}, {} programs", net.signals.size(), programs));
    const auto from_edges = std::ranges::count_if(net.connections, [&](const ConnectionDescription& c) {
        return net.edges[net.lanes[c.from_lane].edge].function == EdgeFunction::normal;
    });
    line("connections", fmt::format("{}", from_edges));
}

// Counts elements and times only.
class DemandCounter : public XmlHandler {
  public:
    void start(const Element& element) override {
        const std::string_view name = element.name();
        for (const std::string_view counted : {"vType", "vTypeDistribution", "route", "routeDistribution", "vehicle",
                                               "trip", "flow", "person", "personFlow", "stop", "tlLogic"}) {
            if (name == counted) ++counts_[std::string(name)];
        }
        if (name == "vehicle" || name == "trip") {
            see(element.find("depart"));
            ++vehicles_of_type_[std::string(element.text_or("type", "DEFAULT_VEHTYPE"))];
        } else if (name == "flow") {
            see(element.find("begin"));
            see(element.find("end"));
            if (element.find("number")) numbered_ += element.integer("number", 0, 2000000000);
            ++(element.find("number") ? flows_with_number_ : flows_with_rate_);
        }
    }

    void print() const {
        line("elements", list_of_counts(counts_));
        if (!vehicles_of_type_.empty()) line("by type", list_of_counts(vehicles_of_type_));
        if (flows_with_number_ > 0)
            line("flows", fmt::format("{} with {} vehicles in all", flows_with_number_, numbered_));
        if (flows_with_rate_ > 0) line("flows by rate", fmt::format("{}", flows_with_rate_));
        if (first_ <= last_) line("time span", fmt::format("{} to {} s", short_number(first_), short_number(last_)));
    }

  private:
    void see(std::optional<std::string_view> text) {
        const auto time = text ? parse_time(*text) : std::nullopt;  // "triggered" is none
        if (!time) return;
        first_ = std::min(first_, *time);
        last_ = std::max(last_, *time);
    }

    std::map<std::string, std::int64_t> counts_, vehicles_of_type_;
    std::int64_t flows_with_number_ = 0, flows_with_rate_ = 0, numbered_ = 0;
    double first_ = 1e300, last_ = -1e300;  // s
};

void print_times(const Scenario& s) {
    line("time", fmt::format("{} s to {}, step {} s", short_number(s.begin),
                             s.end < 0 ? "until nobody is left" : short_number(s.end) + " s", short_number(s.step, 3)));
    line("seed", fmt::format("{}", s.seed));
    line("device",
         fmt::format("{}, threads {}", s.device, s.threads == 0 ? "as the machine has" : std::to_string(s.threads)));
}

void print_model(const Scenario& s) {
    const auto after = [](double time) { return time > 0 ? fmt::format("after {} s", short_number(time)) : "never"; };
    line("update", s.ballistic ? "ballistic" : "Euler");
    line("teleports", after(s.time_to_teleport));
    line("impatience", after(s.time_to_impatience));
    if (s.scale != 1) line("demand scale", short_number(s.scale, 3));
    if (s.max_depart_delay >= 0) line("depart delay", fmt::format("at most {} s", short_number(s.max_depart_delay)));
}

void print_output(const ScenarioOutput& output) {
    if (output.file.empty()) return line("output", "none");
    const auto every = [](double time) { return time > 0 ? fmt::format("every {} s", short_number(time)) : "no"; };
    line("output",
         fmt::format("{}: trips {}, summary {}, signals {}, trajectories {}, edges {}, lanes {}", output.file,
                     output.trips ? "yes" : "no", output.summary ? "yes" : "no", output.signals ? "yes" : "no",
                     every(output.trajectories_every), every(output.edges_every), every(output.lanes_every)));
}

}  // namespace

void print_network_info(const std::string& path, UnsupportedReport& report) {
    const NetworkDescription net = read_sumo_network(path, report);
    line("network", path);
    print_lanes(net);
    print_junctions(net);
    const Bounds b = bounds_of(net);
    line("bounding box", fmt::format("{:.2f} {:.2f} to {:.2f} {:.2f}, {:.0f} x {:.0f} m", b.min_x, b.min_y, b.max_x,
                                     b.max_y, b.max_x - b.min_x, b.max_y - b.min_y));
    line("projection", net.projection == "!" ? "none" : net.projection);
}

void print_demand_info(const std::string& path) {
    DemandCounter counter;
    read_xml(path, counter);
    line("demand", path);
    counter.print();
}

void print_scenario_info(const std::string& path, UnsupportedReport& report) {
    const Scenario scenario = load_scenario(path, {}, report);
    line("scenario", scenario.path);
    print_times(scenario);
    print_model(scenario);
    print_output(scenario.output);
    for (const auto& [option, file] : scenario.sumo_outputs) line("not written", fmt::format("{} ({})", file, option));
    fmt::print("\n");
    print_network_info(scenario.network, report);
    for (const auto* files : {&scenario.additional, &scenario.routes}) {
        for (const std::string& file : *files) {
            fmt::print("\n");
            print_demand_info(file);
        }
    }
}

}  // namespace jamiton
