#include "data/sumo_rerouter.hpp"

#include <fmt/format.h>

#include "data/sumo_words.hpp"

namespace jamiton {

bool SumoRerouterReader::start(const Element& element) {
    const std::string_view name = element.name();
    if (name == "rerouter") return start_rerouter(element), true;
    if (name == "interval" && element.parent() == "rerouter") return start_interval(element), true;
    if (element.parent() != "interval") return false;
    if (name == "closingReroute") return add_closed_edge(element), true;
    if (name == "closingLaneReroute") return add_closed_lane(element), true;
    if (name == "destProbReroute") return add_destination(element), true;
    return false;
}

int SumoRerouterReader::edge_named(const Element& element, std::string_view id) {
    if (edge_ids_.size() == 0) {
        for (const EdgeDescription& edge : network_.edges) edge_ids_.insert(edge.id);
    }
    const int edge = edge_ids_.find(id);
    if (edge < 0) element.fail(fmt::format("names the unknown edge {}", quoted(id)));
    if (network_.edges[static_cast<std::size_t>(edge)].function != EdgeFunction::normal &&
        network_.edges[static_cast<std::size_t>(edge)].function != EdgeFunction::connector)
        element.fail(fmt::format("names the edge {}, expected one outside junctions", quoted(id)));
    return edge;
}

// One that is switched off is only read.
void SumoRerouterReader::start_rerouter(const Element& element) {
    RerouterDescription rerouter;
    if (!ids_.insert(element.not_empty("id")).second) element.fail("is there twice");
    for_each_word(element.not_empty("edges"), ", \t\r\n",
                  [&](std::string_view id) { rerouter.edges.push_back(edge_named(element, id)); });
    rerouter.probability = element.number_or("probability", 1, Range::fraction);
    for_each_word(element.text_or("vTypes", ""), ", \t\r\n",
                  [&](std::string_view id) { rerouter.types.emplace_back(id); });
    if (element.find("file")) report_.unsupported(element, "<rerouter> with \"file\"");
    if (element.time_or("timeThreshold", 0) > 0) report_.unsupported(element, "<rerouter> with \"timeThreshold\"");
    is_off_ = element.flag_or("off", false);
    if (is_off_)
        off_ = std::move(rerouter);
    else
        demand_.rerouters.push_back(std::move(rerouter));
}

void SumoRerouterReader::start_interval(const Element& element) {
    const double begin = element.time_or("begin", 0), end = element.time_or("end", 1e12);
    if (begin < 0 || end < begin) element.fail("ends before it begins, or begins before 0");
    rerouter().intervals.push_back({.begin = begin, .end = end, .closed = {}, .destinations = {}, .routes = {}});
}

// All vehicles are sent round it, whatever their class; without classes given its lanes stay open.
void SumoRerouterReader::add_closed_edge(const Element& element) {
    const int edge = edge_named(element, element.not_empty("id"));
    interval().closed.push_back(edge);
    if (!element.find("allow") && !element.find("disallow")) return;
    const EdgeDescription& e = network_.edges[static_cast<std::size_t>(edge)];
    for (int lane = e.first_lane; lane < e.first_lane + e.lane_count; ++lane)
        close_lane(lane, ~read_permissions(element, "allow", "disallow") & all_classes);
}

// For all but the authorities where no class is given.
void SumoRerouterReader::add_closed_lane(const Element& element) {
    if (lane_ids_.size() == 0) {
        for (const LaneDescription& lane : network_.lanes) lane_ids_.insert(lane.id);
    }
    const int lane = lane_ids_.find(element.not_empty("id"));
    if (lane < 0) element.fail("is no lane of the network");
    const bool said = element.find("allow") || element.find("disallow");
    const Permissions open =
        said ? read_permissions(element, "allow", "disallow") : permission(VehicleClass::authority);
    close_lane(lane, ~open & all_classes);
}

void SumoRerouterReader::close_lane(int lane, Permissions closed) {
    if (!is_off_) demand_.lane_closures.push_back({lane, interval().begin, interval().end, closed});
}

void SumoRerouterReader::add_destination(const Element& element) {
    const std::string_view id = element.not_empty("id");
    const int edge = id == "keepDestination"  ? keep_destination
                     : id == "terminateRoute" ? end_trip_here
                                              : edge_named(element, id);
    interval().destinations.members.push_back(edge);
    interval().destinations.weights.push_back(element.number_or("probability", 1, Range::not_negative));
}

void SumoRerouterReader::add_route(const Element& element, int route) {
    if (route == -1)
        element.fail(fmt::format("names the unknown route {}: a route must be defined before its use",
                                 quoted(element.required("id"))));
    if (route < -1) return report_.unsupported(element, "<routeProbReroute> with a route distribution");
    interval().routes.members.push_back(route);
    interval().routes.weights.push_back(element.number_or("probability", 1, Range::not_negative));
}

}  // namespace jamiton
