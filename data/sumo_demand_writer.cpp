#include "data/sumo_demand_writer.hpp"

#include <algorithm>
#include <numeric>

#include "data/text_file.hpp"
#include "engine/core/check.hpp"

namespace jamiton {

namespace {

struct NumberAttribute {
    std::string_view name;
    float VehicleType::*member;
};

constexpr NumberAttribute numbers[] = {{"length", &VehicleType::length},
                                       {"minGap", &VehicleType::min_gap},
                                       {"width", &VehicleType::width},
                                       {"accel", &VehicleType::accel},
                                       {"decel", &VehicleType::decel},
                                       {"emergencyDecel", &VehicleType::emergency_decel},
                                       {"apparentDecel", &VehicleType::apparent_decel},
                                       {"maxSpeed", &VehicleType::max_speed},
                                       {"sigma", &VehicleType::sigma},
                                       {"tau", &VehicleType::tau},
                                       {"delta", &VehicleType::delta}};

class DemandWriter {
  public:
    DemandWriter(const DemandDescription& demand, const NetworkDescription& network, const std::string& path)
        : demand_(demand), network_(network), file_(path) {}

    void write() {
        file_.print("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<routes>\n");
        for (const VehicleType& type : demand_.types) write_type(type);
        for (const RouteDescription& route : demand_.routes) {
            if (!route.id.empty())
                file_.print("    <route id=\"{}\" edges=\"{}\"/>\n", xml_escaped(route.id), edge_ids(route.edges));
        }
        // SUMO drops vehicles that are not in order.
        std::vector<std::size_t> order(demand_.vehicles.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return demand_.vehicles[i].depart; });
        for (const std::size_t i : order) write_vehicle(demand_.vehicles[i]);
        file_.print("</routes>\n");
        file_.close();
    }

  private:
    void write_type(const VehicleType& type);
    void write_vehicle(const VehicleDescription& vehicle);
    void write_departure(const VehicleDescription& vehicle);
    void write_way(const VehicleDescription& vehicle);
    std::string edge_ids(const std::vector<int>& edges) const;

    const DemandDescription& demand_;
    const NetworkDescription& network_;
    TextFile file_;
};

std::string DemandWriter::edge_ids(const std::vector<int>& edges) const {
    std::string ids;
    for (const int edge : edges) ids += (ids.empty() ? "" : " ") + xml_escaped(network_.edges[edge].id);
    return ids;
}

void DemandWriter::write_type(const VehicleType& type) {
    const VehicleType usual = default_vehicle_type(type.vehicle_class);
    file_.print("    <vType id=\"{}\" vClass=\"{}\"", xml_escaped(type.id), name_of(type.vehicle_class));
    for (const NumberAttribute& n : numbers) {
        if (type.*n.member != usual.*n.member) file_.print(" {}=\"{}\"", n.name, short_number(type.*n.member, 3));
    }
    const SpeedFactorDistribution& f = type.speed_factor;
    file_.print(" speedFactor=\"normc({},{},{},{})\"", short_number(f.mean, 3), short_number(f.deviation, 3),
                short_number(f.min, 3), short_number(f.max, 3));
    if (type.car_follow == CarFollowModel::idm) file_.print(" carFollowModel=\"IDM\"");
    if (!type.color.empty()) file_.print(" color=\"{}\"", xml_escaped(type.color));
    file_.print("/>\n");
}

void DemandWriter::write_departure(const VehicleDescription& v) {
    if (v.type >= 0) file_.print(" type=\"{}\"", xml_escaped(demand_.types[v.type].id));
    switch (v.depart_lane) {
        case DepartLane::index: file_.print(" departLane=\"{}\"", v.depart_lane_index); break;
        case DepartLane::best: file_.print(" departLane=\"best\""); break;
        case DepartLane::free: file_.print(" departLane=\"free\""); break;
        case DepartLane::random: file_.print(" departLane=\"random\""); break;
        case DepartLane::first: break;
        default: throw InternalError("a departLane that generators do not use");
    }
    if (v.depart_pos == DepartPos::position) file_.print(" departPos=\"{}\"", short_number(v.depart_pos_value));
    require(v.depart_pos == DepartPos::position || v.depart_pos == DepartPos::base, "departPos of generated demand");
    switch (v.depart_speed) {
        case DepartSpeed::max: file_.print(" departSpeed=\"max\""); break;
        case DepartSpeed::value: file_.print(" departSpeed=\"{}\"", short_number(v.depart_speed_value)); break;
        default: throw InternalError("a departSpeed that generators do not use");
    }
}

// Ends the element.
void DemandWriter::write_way(const VehicleDescription& v) {
    if (v.route < 0) {
        require(v.via.size() >= 2, "a trip names where it begins and ends");
        const std::vector<int> between(v.via.begin() + 1, v.via.end() - 1);
        file_.print(" from=\"{}\" to=\"{}\"", edge_ids({v.via.front()}), edge_ids({v.via.back()}));
        if (!between.empty()) file_.print(" via=\"{}\"", edge_ids(between));
        return file_.print("/>\n");
    }
    const RouteDescription& route = demand_.routes[v.route];
    if (!route.id.empty()) return file_.print(" route=\"{}\"/>\n", xml_escaped(route.id));
    file_.print("><route edges=\"{}\"/></vehicle>\n", edge_ids(route.edges));
}

void DemandWriter::write_vehicle(const VehicleDescription& v) {
    file_.print("    <{} id=\"{}\" depart=\"{}\"", v.route < 0 ? "trip" : "vehicle", xml_escaped(v.id),
                short_number(v.depart));
    write_departure(v);
    write_way(v);
}

}  // namespace

void write_sumo_demand(const DemandDescription& demand, const NetworkDescription& network, const std::string& path) {
    DemandWriter(demand, network, path).write();
}

}  // namespace jamiton
