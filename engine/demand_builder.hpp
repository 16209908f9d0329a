// Makes the demand vehicle by vehicle: type, route, stops, departure, arrival (build_demand() in demand.hpp).
#pragma once

#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "engine/core/check.hpp"
#include "engine/demand.hpp"
#include "engine/departures.hpp"
#include "engine/routing.hpp"
#include "engine/stretches.hpp"

namespace jamiton {

class DemandBuilder {
  public:
    DemandBuilder(const DemandDescription& description, const NetworkDescription& names, const Network& network,
                  const DemandOptions& options)
        : description_(description),
          names_(names),
          network_(network),
          options_(options),
          permitted_(connection_permissions(names, network)),
          graphs_(network, permitted_, options.routing.minor_penalty, description.zones),
          pool_(network, permitted_),
          number_of_type_(description.types.size(), -1) {}

    Demand build();

  private:
    // One vehicle on its way into the demand.
    struct Draft {
        const Departure& departure;
        const VehicleDescription& vehicle;
        Trip trip;
        float speed_factor = 1;
    };

    bool complete(Draft& draft);
    void find_stops(Draft& draft);
    void set_areas();
    void set_roadside();
    void set_rerouters();
    void add_calibrations(std::vector<Trip>& trips);
    int add_spare_trips(const CalibrationDescription& c, int number, std::int64_t count, std::vector<Trip>& trips);
    void name_trip(const Draft& draft);
    int number_of_type(int type);
    std::int32_t step_at(double time) const;
    std::span<Stop> stops_of(const Draft& draft) { return std::span(stops_).subspan(draft.trip.stop_begin); }
    void add_stop(const Draft& draft, const StopDescription& stop, double shift);
    Stop stop_of(const StopDescription& stop, double shift) const;
    double later_than_flow(const Draft& draft) const;
    void set_type(Draft& draft);
    bool set_route(Draft& draft);
    bool find_route(Draft& draft);
    void set_waypoints(const Draft& draft);
    bool has_device(const Draft& draft) const;
    bool is_recorded(const Draft& draft) const;
    int lane_of_stop(const Draft& draft, const StopDescription& stop) const;
    double rerouting_period(const Draft& draft) const;
    bool is_open(const Draft& draft) const;
    const std::vector<int>& fastest_route(const Draft& draft);
    void add_open_route(const Draft& draft, std::uint32_t trip);
    bool cut_route(const Draft& draft);
    int draw_edge(const Draft& draft, std::uint32_t counter, int from) const;
    bool check_edges(const Draft& draft);
    void set_departure(Draft& draft);
    void set_departure_speed(Draft& draft);
    ArrivalPlace set_arrival(Draft& draft);
    float arrival_position(const Draft& draft, float length);
    int arrival_lane(const Draft& draft) const;

    const VehicleType& type_of(const Draft& draft) const { return demand_.types[draft.trip.type]; }
    VehicleClass class_of(const Draft& draft) const { return type_of(draft).vehicle_class; }
    bool may_use(const Draft& draft, int lane) const { return permits(network_.lanes[lane].allowed, class_of(draft)); }
    int first_usable_lane(const Draft& draft, int edge) const;
    float speed_limit(const Draft& draft, int lane) const {
        return network_.view().speed_limit(network_.lanes[lane], static_cast<int>(class_of(draft)));
    }
    std::string edge_name(int edge) const {
        if (edge >= network_edges()) {
            const Zone& zone = description_.zones[(static_cast<std::size_t>(edge) - names_.edges.size()) / 2];
            return text(zone.kind, " \"", zone.id, "\"");
        }
        return text("edge \"", names_.edges[static_cast<std::size_t>(edge)].id, "\"");
    }
    int network_edges() const { return static_cast<int>(network_.edges.size()); }
    std::string place(const Draft& draft) const;
    template <class... Parts>
    [[noreturn]] void fail(const Draft& draft, const Parts&... parts) const {
        throw InputError(text(place(draft), " ", parts...));
    }
    // An error of the route: the vehicle goes as far as it can, or not at all, where the user allows that.
    template <class... Parts>
    void route_error(const Draft& draft, const char* consequence, const Parts&... parts) {
        if (!options_.ignore_route_errors) fail(draft, parts...);
        warnings_.add(text("vehicles with route errors, ", consequence),
                      text(place(draft), " ", parts..., ": ", consequence));
    }

    const DemandDescription& description_;
    const NetworkDescription& names_;
    const Network& network_;
    const DemandOptions& options_;
    std::vector<Permissions> permitted_;
    ClassGraphs graphs_;
    Router router_;
    std::map<std::vector<std::uint32_t>, std::vector<int>> known_routes_;  // of equal queries
    StretchPool pool_;
    std::vector<int> number_of_type_;  // in demand_.types, -1 not used so far
    int default_type_ = -1;
    std::vector<int> edges_;      // of the vehicle at hand
    int given_route_ = -1;        // where they come from, -1 routed
    std::vector<int> waypoints_;  // where routed
    std::vector<Stop> stops_;
    std::vector<std::size_t> stop_edges_;  // of the vehicle at hand: places in edges_
    std::unordered_set<std::string> known_ids_;
    Warnings warnings_;
    Demand demand_;
};

}  // namespace jamiton
