#include "data/sumo_demand.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/sumo_additional.hpp"
#include "data/sumo_vehicle.hpp"
#include "engine/core/check.hpp"

namespace jamiton {

SumoDemandReader::SumoDemandReader(NetworkDescription& network, DemandDescription& demand, UnsupportedReport& report,
                                   DemandReadOptions options)
    : network_(network),
      demand_(demand),
      report_(report),
      options_(std::move(options)),
      signals_(network, signal_ids_, report),
      timetables_(network, signal_ids_, report),
      stops_(network, demand, report),
      roadside_(network, demand, report),
      rerouters_(network, demand, report),
      zones_(network, demand, edge_ids_, report),
      measures_(network, demand, report),
      last_link_of_signal_(network.signals.size(), -1) {
    for (const EdgeDescription& edge : network.edges) edge_ids_.insert(edge.id);
    for (const SignalDescription& signal : network.signals) signal_ids_.insert(signal.id);
    for (const ConnectionDescription& c : network.connections) {
        if (c.signal >= 0) last_link_of_signal_[c.signal] = std::max(last_link_of_signal_[c.signal], c.link_index);
    }
}

void SumoDemandReader::read(const std::string& path) {
    path_ = path;
    file_ = static_cast<std::uint32_t>(demand_.sources.size());
    demand_.sources.push_back(path);
    network_file_ = static_cast<std::uint32_t>(network_.sources.size());
    network_.sources.push_back(path);
    depth_ = 0;
    skipped_ = -1;
    vehicle_element_.clear();
    type_open_ = types_open_ = routes_open_ = dropped_ = false;
    read_xml(path, *this);
}

void SumoDemandReader::check_root(const Element& element) {
    for (std::string_view root :
         {"routes", "additional", "additionals", "add", "tlLogics", "vehicles", "trips", "flows", "tazs"}) {
        if (element.name() == root) return;
    }
    element.fail("is the root of this file, expected <routes> or <additional> (SUMO routes or additions)");
}

bool SumoDemandReader::in_vehicle(const Element& element) const {
    return !vehicle_element_.empty() && (element.parent() == vehicle_element_ || routes_open_);
}

void SumoDemandReader::start(const Element& element) {
    const int depth = depth_++;
    const std::string_view name = element.name(), parent = element.parent();
    if (depth > 1 && !may_stand_in(name, parent))
        element.fail(fmt::format("stands inside <{}>, expected directly inside the root of the file", parent));
    if (skipped_ >= 0 || name == "tazs") return;
    if (depth == 0) return check_root(element);
    if (start_roadside(element) || measures_.start(element) || zones_.start(element)) return;
    if (name == "vehicle" || name == "trip" || name == "flow") return start_vehicle(element);
    if (name == "route") return start_route(element);
    if (name == "stop") return add_stop(element);
    if (SumoStopReader::is_place(name)) return skip(element), stops_.add_place(element);
    if (name == "parkingArea") return stops_.add_parking_area(element);
    if (name == "space") return stops_.add_space(element);
    if (name == "param") return read_parameter(element);
    if (name == "vType") return start_type(element);
    if (name == "vTypeDistribution") return start_type_distribution(element);
    if (name == "routeDistribution") return start_route_distribution(element);
    if (name == "tlLogic") return start_signal(element);
    if (name == "WAUT") return timetables_.start_timetable(element, network_file_);
    if (name == "wautSwitch" && parent == "WAUT") return timetables_.add_switch(element);
    if (name == "wautJunction") return timetables_.add_signal(element);
    if (name == "phase" && parent == "tlLogic") return signals_.add_phase(element);
    if (parent == "vType" && name.starts_with("carFollowing-")) {
        return read_nested_model(element, demand_.types.back(), report_);
    }
    skip_other(element);
}

bool SumoDemandReader::start_roadside(const Element& element) {
    const std::string_view name = element.name(), parent = element.parent();
    if (name == "variableSpeedSign") {
        roadside_.start_speed_sign(element);
    } else if (name == "step" && parent == "variableSpeedSign") {
        roadside_.add_speed_step(element);
    } else if (name == "vaporizer") {
        roadside_.add_vaporizer(element);
    } else if (name == "calibrator") {
        roadside_.start_calibrator(element);
    } else if (name == "flow" && parent == "calibrator") {
        start_calibrator_flow(element);
    } else if (name == "routeProbReroute" && parent == "interval") {
        rerouters_.add_route(element, routes_.find(element.not_empty("id")));
    } else {
        return rerouters_.start(element);
    }
    return true;
}

void SumoDemandReader::start_calibrator_flow(const Element& element) {
    const auto type = element.find("type"), route = element.find("route");
    const int route_number = route ? route_named(element, *route) : -1;
    roadside_.add_calibrator_flow(element, type ? type_named(element, *type) : -1, route_number,
                                  {file_, element.line()});
}

void SumoDemandReader::skip_other(const Element& element) {
    const std::string kind = fmt::format("<{}>", element.name());
    if (const std::string_view parent = parent_of(element.name()); !parent.empty())
        element.fail(fmt::format("stands inside <{}>, expected inside a <{}>", element.parent(), parent));
    switch (meaning_of_element(element.name())) {
        case ElementMeaning::unsupported: report_.unsupported(element, kind); break;
        case ElementMeaning::output: report_.ignored(element, kind); break;
        case ElementMeaning::unknown: report_.unknown(element, kind); break;
        default: break;
    }
    skip(element);
}

void SumoDemandReader::end(std::string_view name) {
    --depth_;
    if (skipped_ >= 0) {
        if (skipped_ == depth_) skipped_ = -1;
        return;
    }
    if (name == vehicle_element_ && !routes_open_) return finish_vehicle();
    measures_.end(name);
    if (name == "tlLogic") {
        signals_.finish_program();
        check_link_index(network_, signals_.signal(), last_link_of_signal_[signals_.signal()]);
    } else if (name == "vType") {
        type_open_ = false;
    } else if (name == "vTypeDistribution") {
        types_open_ = false;
        finish_distribution(demand_.type_distributions, name);
    } else if (name == "routeDistribution") {
        routes_open_ = false;
        finish_distribution(demand_.route_distributions, name);
    }
}

// --- Types ---------------------------------------------------------------------------------------------------------

void SumoDemandReader::start_type(const Element& element) {
    VehicleType type = read_vehicle_type(element, options_.types, report_);
    const int index = static_cast<int>(demand_.types.size());
    if (!types_.add(type.id, index)) element.fail("is there twice");
    if (types_open_) {
        demand_.type_distributions.back().members.push_back(index);
        demand_.type_distributions.back().weights.push_back(type.probability);
    }
    demand_.types.push_back(std::move(type));
    type_open_ = true;
}

void SumoDemandReader::start_type_distribution(const Element& element) {
    const std::string_view id = element.not_empty("id");
    const int number = static_cast<int>(demand_.type_distributions.size());
    Distribution distribution{std::string(id), {}, {}};
    read_members(element, "vTypes", types_, distribution);
    if (!types_.add(id, -2 - number)) element.fail("is there twice");
    demand_.type_distributions.push_back(std::move(distribution));
    types_open_ = true;
    distribution_source_ = {file_, element.line()};
}

// Members listed in an attribute, with their weights in "probabilities" or their own.
void SumoDemandReader::read_members(const Element& element, std::string_view attribute, const Names& names,
                                    Distribution& distribution) {
    for_each_word(element.text_or(attribute, ""), ", \t\r\n", [&](std::string_view id) {
        const int reference = names.find(id);
        if (reference == -1) element.fail(fmt::format("attribute \"{}\" names the unknown {}", attribute, quoted(id)));
        distribution.members.push_back(reference >= 0 ? reference : reference + 1);
        const bool own = &names == &types_ && reference >= 0;
        distribution.weights.push_back(own ? demand_.types[reference].probability : 1);
    });
    std::size_t count = 0;
    for_each_word(element.text_or("probabilities", ""), ", \t\r\n", [&](std::string_view word) {
        const auto weight = parse_number(word);
        if (!weight || *weight < 0) element.fail_value("probabilities", "numbers that are not negative");
        if (count < distribution.weights.size()) distribution.weights[count] = *weight;
        ++count;
    });
    if (count != 0 && count != distribution.members.size()) {
        element.fail(fmt::format("attribute \"probabilities\" has {} numbers, but \"{}\" {} ids", count, attribute,
                                 distribution.members.size()));
    }
}

void SumoDemandReader::finish_distribution(const std::vector<Distribution>& all, std::string_view name) {
    double sum = 0;
    for (double weight : all.back().weights) sum += weight;
    if (sum > 0) return;
    fail_at(demand_.sources[distribution_source_.file], distribution_source_.line, name, all.back().id,
            "is empty: no member has a probability above 0");
}

// Types that SUMO has without any definition.
int SumoDemandReader::default_type(std::string_view id, VehicleClass c) {
    const int index = static_cast<int>(demand_.types.size());
    demand_.types.push_back(default_vehicle_type(c, options_.types));
    demand_.types.back().id = id;
    types_.add(id, index);
    return index;
}

int SumoDemandReader::type_named(const Element& element, std::string_view id) {
    const int known = types_.find(id);
    if (known != -1) return known;
    if (id == "DEFAULT_VEHTYPE") return default_type(id, VehicleClass::passenger);
    if (id == "DEFAULT_BIKETYPE") return default_type(id, VehicleClass::bicycle);
    if (id == "DEFAULT_TAXITYPE") return default_type(id, VehicleClass::taxi);
    element.fail(
        fmt::format("attribute \"type\" names the unknown vehicle type {}: a type must be defined before its "
                    "use, additional files are read first",
                    quoted(id)));
}

int SumoDemandReader::route_named(const Element& element, std::string_view id) const {
    const int known = routes_.find(id);
    if (known != -1) return known;
    element.fail(
        fmt::format("attribute \"route\" names the unknown route {}: a route must be defined before its use, "
                    "additional files are read first",
                    quoted(id)));
}

// --- Routes --------------------------------------------------------------------------------------------------------

int SumoDemandReader::edge_named(const Element& element, std::string_view id) const {
    const int edge = edge_ids_.find(id);
    if (edge >= 0) return edge;
    if (vehicle_element_.empty()) element.fail(fmt::format("names the unknown edge {}", quoted(id)));
    fail_vehicle(
        fmt::format("{} the unknown edge {}", element.name() == "route" ? "its route names" : "names", quoted(id)));
}

std::vector<int> SumoDemandReader::read_edges(const Element& element, std::string_view attribute) const {
    std::vector<int> edges;
    for_each_word(element.text_or(attribute, ""), blanks, [&](std::string_view id) {
        const int edge = edge_named(element, id);
        const EdgeFunction function = network_.edges[edge].function;
        if (function == EdgeFunction::normal || function == EdgeFunction::connector) edges.push_back(edge);
    });
    return edges;
}

void SumoDemandReader::start_route(const Element& element) {
    if (const auto id = element.find("refId"); id && routes_open_) {
        const int reference = routes_.find(*id);
        if (reference == -1) element.fail(fmt::format("attribute \"refId\" names the unknown route {}", quoted(*id)));
        demand_.route_distributions.back().members.push_back(reference >= 0 ? reference : reference + 1);
        demand_.route_distributions.back().weights.push_back(element.number_or("probability", 1, Range::not_negative));
        return;
    }
    RouteDescription route;
    route.source = {file_, element.line()};
    const bool inside = in_vehicle(element);
    if (!inside && !routes_open_) element.not_empty("id");
    route.id = element.text_or("id", "");
    element.required("edges");
    const std::vector<int> lap = read_edges(element, "edges");
    if (lap.empty() && inside) fail_vehicle("its route has no edges");
    if (lap.empty()) element.fail("attribute \"edges\" is empty");
    const int repeat = element.integer_or("repeat", 0, 0, 100000);
    if (lap.size() * (repeat + 1.0) > 1e7) element.fail("is longer than 10 million edges");
    for (int i = 0; i <= repeat; ++i) route.edges.insert(route.edges.end(), lap.begin(), lap.end());

    const int index = static_cast<int>(demand_.routes.size());
    if (!route.id.empty() && !routes_.add(route.id, index)) element.fail("is there twice");
    if (routes_open_) {
        demand_.route_distributions.back().members.push_back(index);
        demand_.route_distributions.back().weights.push_back(element.number_or("probability", 1, Range::not_negative));
    } else if (inside) {
        flow_.vehicle.route = index;
    }
    demand_.routes.push_back(std::move(route));
}

// Belongs to the route or vehicle around it.
void SumoDemandReader::add_stop(const Element& element) {
    has_stop_ = true;
    skip(element);
    std::optional<StopDescription> stop = stops_.read(element);
    if (!stop) return;
    stop->source = {file_, element.line()};
    if (element.parent() == "route") {
        demand_.routes.back().stops.push_back(std::move(*stop));
    } else if (!vehicle_element_.empty()) {
        flow_.vehicle.stops.push_back(std::move(*stop));
    } else {
        element.fail(fmt::format("stands inside <{}>, expected a <route> or vehicle", element.parent()));
    }
}

void SumoDemandReader::start_route_distribution(const Element& element) {
    const int number = static_cast<int>(demand_.route_distributions.size());
    const bool inside = in_vehicle(element);
    const std::string_view id = inside ? element.text_or("id", "") : element.not_empty("id");
    Distribution distribution{std::string(id), {}, {}};
    read_members(element, "routes", routes_, distribution);
    if (!id.empty() && !routes_.add(id, -2 - number)) element.fail("is there twice");
    demand_.route_distributions.push_back(std::move(distribution));
    if (inside) flow_.vehicle.route = -2 - number;
    routes_open_ = true;
    distribution_source_ = {file_, element.line()};
}

// --- Vehicles ------------------------------------------------------------------------------------------------------

void SumoDemandReader::fail_vehicle(std::string_view problem) const {
    fail_at(path_, flow_.vehicle.source.line, vehicle_element_, flow_.vehicle.id, problem);
}

void SumoDemandReader::start_vehicle(const Element& element) {
    flow_ = {};
    VehicleDescription& vehicle = flow_.vehicle;
    vehicle.id = element.not_empty("id");
    vehicle.source = {file_, element.line()};
    vehicle_element_ = element.name();
    IdMap& ids = vehicle_element_ == "flow" ? flow_ids_ : vehicle_ids_;
    if (!ids.insert(vehicle.id).second) element.fail("is there twice");
    read_departure_and_arrival(element, vehicle, report_);
    if (vehicle_element_ == "flow") read_flow_rate(element, options_.begin, flow_);
    if (const auto type = element.find("type")) {
        vehicle.type = type_named(element, *type);
    } else if (types_.find("DEFAULT_VEHTYPE") != -1 || options_.types != TypeDefaults()) {
        vehicle.type = type_named(element, "DEFAULT_VEHTYPE");
    }
    read_way(element, vehicle);
}

// The edge named, else the zone; -1 neither.
int SumoDemandReader::read_end(const Element& element, std::string_view attribute, int zone) const {
    return element.find(attribute) ? edge_named(element, trim(element.not_empty(attribute))) : zone;
}

void SumoDemandReader::read_way(const Element& element, VehicleDescription& vehicle) {
    dropped_ = without_end_ = has_stop_ = false;
    for (std::string_view place : {"fromXY", "fromLonLat", "toXY", "toLonLat"}) {
        dropped_ = dropped_ || element.find(place);
    }
    for (std::string_view word : {"triggered", "containerTriggered", "split", "now", "begin"}) {
        dropped_ = dropped_ || (vehicle_element_ != "flow" && element.text_or("depart", "") == word);
    }
    if (const auto route = element.find("route")) {
        vehicle.route = route_named(element, *route);
        return;
    }
    const int begin = read_end(element, "from", zones_.begin_of(element)),
              end = read_end(element, "to", zones_.end_of(element));
    const bool named = begin >= 0 || end >= 0;
    if (dropped_ || (!named && vehicle_element_ != "trip")) return;
    // A vehicle that begins or ends at a stop needs no edge there, but stops are not simulated.
    without_end_ = begin < 0 || end < 0;
    if (without_end_) return;
    vehicle.via = read_edges(element, "via");
    vehicle.via.insert(vehicle.via.begin(), begin);
    vehicle.via.push_back(end);
}

void SumoDemandReader::finish_vehicle() {
    VehicleDescription& vehicle = flow_.vehicle;
    const bool routed = vehicle.route != -1 || !vehicle.via.empty();
    dropped_ = dropped_ || (without_end_ && has_stop_ && !routed);
    if (without_end_ && !dropped_ && !routed) fail_vehicle("needs both \"from\" and \"to\"");
    if (!routed && !dropped_)
        fail_vehicle("has no route: expected \"route\", \"from\" and \"to\", or a <route> inside");
    if (vehicle.route >= 0) {
        vehicle.via.clear();
        const int edges = static_cast<int>(demand_.routes[vehicle.route].edges.size());
        for (const auto& [name, position] :
             {std::pair{"departEdge", vehicle.depart_edge}, {"arrivalEdge", vehicle.arrival_edge}}) {
            if (position >= edges)
                fail_vehicle(fmt::format("has {}=\"{}\", but its route has {} edges", name, position, edges));
        }
    }
    const bool nobody = vehicle_element_ == "flow" && flow_.number == 0;
    if (nobody)
        report_.warn(
            fmt::format("{}:{}: <flow id={}> has number=\"0\"", path_, vehicle.source.line, quoted(vehicle.id)));
    if (!dropped_ && !nobody) {
        if (vehicle_element_ == "flow") {
            demand_.flows.push_back(std::move(flow_));
        } else {
            demand_.vehicles.push_back(std::move(vehicle));
        }
    }
    vehicle_element_.clear();
}

// --- Others --------------------------------------------------------------------------------------------------------

void SumoDemandReader::start_signal(const Element& element) {
    const std::string_view id = element.not_empty("id");
    if (signal_ids_.find(id) < 0) element.fail("is no signal of the network");
    signals_.start_program(element, network_file_);
}

static bool read_presence(const Element& element) {
    const auto present = parse_flag(element.required("value"));
    if (!present) element.fail_value("value", "true or false");
    return *present;
}

void SumoDemandReader::read_rerouting(const Element& element, std::string_view key) {
    ReroutingDevice& device = type_open_ ? demand_.types.back().rerouting : flow_.vehicle.rerouting;
    if (key == "device.rerouting.period") {
        device.period = element.time_or("value", -1);
        if (device.period < 0) element.fail_value("value", "a time that is not negative");
        return;
    }
    device.present = read_presence(element);
}

void SumoDemandReader::read_recorded(const Element& element) {
    (type_open_ ? demand_.types.back().recorded : flow_.vehicle.recorded) = read_presence(element);
}

// Parameters matter only where they give a vehicle a device or a model that changes how it drives.
void SumoDemandReader::read_parameter(const Element& element) {
    if (element.parent() == "tlLogic") return signals_.add_parameter(element);
    if (!type_open_ && vehicle_element_.empty()) return;
    const std::string_view key = element.text_or("key", "");
    if (key == "has.tripinfo.device") return read_recorded(element);
    if (key == "has.rerouting.device" || key == "device.rerouting.period") return read_rerouting(element, key);
    bool matters = key == "carFollowModel.ignoreIDs" || key == "carFollowModel.ignoreTypes" ||
                   key == "junctionModel.ignoreIDs" || key == "junctionModel.ignoreTypes";
    for (std::string_view device : {"glosa", "bluelight", "toc", "driverstate", "taxi", "stationfinder"}) {
        matters = matters ||
                  (key == fmt::format("has.{}.device", device) && parse_flag(element.text_or("value", "")) != false);
    }
    if (key == "has.friction.device" && parse_flag(element.text_or("value", "")) != false) {
        if (type_open_) {
            demand_.types.back().friction_device = true;
        } else {
            matters = true;
        }
    }
    if (matters) report_.unsupported(element, fmt::format("parameter {}", quoted(key)));
}

}  // namespace jamiton
