#include "engine/demand.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/demand_builder.hpp"

namespace jamiton {
namespace {

constexpr float factor_unit = Trip::factor_unit;
constexpr std::size_t most_known_routes = 1u << 16;
constexpr float speed_tolerance = 0.1f;    // m/s, of given departure speeds, which files hold rounded
constexpr std::uint32_t draws_a_try = 64;  // counters of one normal number, far more than it ever takes

// Follows nested distributions to a member.
int pick(const std::vector<Distribution>& all, int distribution, DrawKey key, Purpose purpose) {
    for (;; ++key.first) {
        const Distribution& d = all[static_cast<std::size_t>(distribution)];
        double sum = 0;
        for (double weight : d.weights) sum += weight;
        double left = uniform_double(draw(key, purpose).word[0]) * sum;
        std::size_t chosen = 0, last = 0;
        for (std::size_t i = 0; i < d.members.size(); ++i) last = d.weights[i] > 0 ? i : last;
        while (chosen < last && left >= d.weights[chosen]) left -= d.weights[chosen++];
        const int member = d.members[chosen];
        if (member >= 0) return member;
        distribution = -1 - member;
    }
}

// Normal, drawn again until it lies between the bounds.
float draw_speed_factor(const SpeedFactorDistribution& d, DrawKey key) {
    if (d.deviation <= 0) return d.mean;
    for (int attempt = 0; attempt < 500; ++attempt, key.first += draws_a_try) {
        const double factor =
            static_cast<double>(d.mean) + static_cast<double>(d.deviation) * normal(key, Purpose::speed_factor);
        if (factor >= static_cast<double>(d.min) && factor <= static_cast<double>(d.max))
            return static_cast<float>(factor);
    }
    return std::clamp(d.mean, d.min, d.max);  // bounds that are hardly ever met
}

}  // namespace

Demand DemandBuilder::build() {
    const std::vector<Departure> departures = make_departures(description_, options_, warnings_);
    std::vector<Trip> trips;
    trips.reserve(departures.size());
    known_ids_.reserve(departures.size());
    demand_.ids.reserve(departures.size());
    demand_.planned.reserve(departures.size());
    for (const Departure& departure : departures) {
        Draft draft{.departure = departure, .vehicle = *departure.vehicle, .trip = {}};
        if (!complete(draft)) continue;
        if (is_open(draft)) add_open_route(draft, static_cast<std::uint32_t>(trips.size()));
        trips.push_back(draft.trip);
        name_trip(draft);
    }
    add_calibrations(trips);
    if (options_.max_depart_delay >= 0) {
        demand_.waiting_limit =
            static_cast<std::int32_t>(std::min(std::floor(options_.max_depart_delay / options_.step + 1e-6), 2e9));
    }
    if (options_.extrapolate_depart_pos) {
        demand_.late.resize(trips.size());
        for (std::size_t t = 0; t < trips.size(); ++t) {
            if (trips[t].depart_step == Trip::on_call) continue;
            demand_.late[t] =
                static_cast<float>(options_.begin + trips[t].depart_step * options_.step - demand_.planned[t]);
        }
    }
    demand_.trips = Array<Trip>(trips);
    demand_.stops = Array<Stop>(stops_);
    demand_.place_count = static_cast<int>(description_.places.size());
    set_areas();
    set_roadside();
    set_rerouters();
    demand_.open_routes.options = options_.routing;
    demand_.zones = description_.zones;
    pool_.move_into(demand_);
    demand_.warnings = warnings_.lines();
    return std::move(demand_);
}

void DemandBuilder::name_trip(const Draft& draft) {
    const Departure& departure = draft.departure;
    std::string id = id_of(departure, options_);
    // A copy takes the next number that is free.
    for (Departure copy = departure; copy.copy > 0 && known_ids_.contains(id); id = id_of(copy, options_)) ++copy.copy;
    if (!known_ids_.insert(id).second) fail(draft, "has the id \"", id, "\", which another vehicle has too");
    demand_.ids.push_back(std::move(id));
    demand_.planned.push_back(departure.planned);
    demand_.recorded.push_back(is_recorded(draft));
}

// False: it does not drive, with a warning.
bool DemandBuilder::complete(Draft& draft) {
    Trip& trip = draft.trip;
    trip.depart_step = due_step(draft.departure, options_);
    set_type(draft);
    if (!set_route(draft)) return false;
    find_stops(draft);
    set_departure(draft);
    const StretchPool::Range range =
        pool_.intern(edges_, class_of(draft), set_arrival(draft), stops_of(draft), stop_edges_);
    trip.route_begin = range.begin;
    if (range.end - range.begin > 0xFFFF)
        fail(draft, "has a route of ", range.end - range.begin, " edges; at most 65535 are simulated");
    trip.route_length = static_cast<std::uint16_t>(range.end - range.begin);
    trip.speed_factor = static_cast<std::uint16_t>(std::lround(std::min(draft.speed_factor * factor_unit, 65535.0f)));
    return true;
}

std::string DemandBuilder::place(const Draft& draft) const {
    std::string where = place_of(description_, draft.departure);
    const std::string id = id_of(draft.departure, options_);
    if (id != draft.vehicle.id) where += text(" vehicle \"", id, "\"");
    return where;
}

// --- Type and speed factor -----------------------------------------------------------------------------------------

// Of a type of the description in demand_.types, -1: the default one.
int DemandBuilder::number_of_type(int type) {
    int& number = type < 0 ? default_type_ : number_of_type_[static_cast<std::size_t>(type)];
    if (number < 0) {
        number = static_cast<int>(demand_.types.size());
        if (number > 0xFFFF) throw InputError("more than 65536 vehicle types");
        demand_.types.push_back(type < 0 ? default_vehicle_type(VehicleClass::passenger)
                                         : description_.types[static_cast<std::size_t>(type)]);
        if (type < 0) {
            demand_.types.back().id = "DEFAULT_VEHTYPE";
            if (options_.default_speed_deviation >= 0)
                demand_.types.back().speed_factor.deviation = static_cast<float>(options_.default_speed_deviation);
        }
    }
    return number;
}

void DemandBuilder::set_type(Draft& draft) {
    const DrawKey key = key_of(draft.departure, options_.seed);
    int type = draft.vehicle.type;
    if (type <= -2) type = pick(description_.type_distributions, -2 - type, key, Purpose::type);
    const int number = number_of_type(type);
    draft.trip.type = static_cast<std::uint16_t>(number);
    draft.speed_factor = draft.vehicle.speed_factor > 0 ? draft.vehicle.speed_factor
                                                        : draw_speed_factor(type_of(draft).speed_factor, key);
    // The unit in which vehicles carry it, before anything is derived from it.
    const float quantised = std::round(draft.speed_factor * factor_unit) / factor_unit;
    draft.speed_factor = std::clamp(quantised, 1 / factor_unit, 65535 / factor_unit);
    if (draft.vehicle.speed_factor > draft.speed_factor + 0.001f) {
        warnings_.add("speed factors lowered", text(place(draft), " has a speed factor of ", draft.vehicle.speed_factor,
                                                    ": lowered to ", draft.speed_factor));
    }
}

// --- Route ---------------------------------------------------------------------------------------------------------

bool DemandBuilder::set_route(Draft& draft) {
    if (!find_route(draft) || !cut_route(draft)) return false;
    return check_edges(draft);
}

bool DemandBuilder::find_route(Draft& draft) {
    const VehicleDescription& vehicle = draft.vehicle;
    given_route_ = -1;
    if (vehicle.route != -1) {
        int route = vehicle.route;
        if (route <= -2)
            route = pick(description_.route_distributions, -2 - route, key_of(draft.departure, options_.seed),
                         Purpose::route);
        given_route_ = route;
        edges_ = description_.routes[static_cast<std::size_t>(route)].edges;
        if (edges_.empty()) fail(draft, "has a route without edges");
        return true;
    }
    if (vehicle.via.empty()) fail(draft, "has neither a route nor edges from and to");
    set_waypoints(draft);
    edges_ = fastest_route(draft);
    if (!edges_.empty()) return true;
    const auto leg = static_cast<std::size_t>(router_.broken_leg());
    route_error(draft, "left out", "finds no way from ", edge_name(waypoints_[leg]), " to ",
                edge_name(waypoints_[leg + 1]), " for class ", name_of(class_of(draft)));
    return false;
}

// The edges given; where these are but the ends, those of its stops lie between.
void DemandBuilder::set_waypoints(const Draft& draft) {
    waypoints_ = draft.vehicle.via;
    if (waypoints_.size() != 2) return;
    for (const StopDescription& stop : draft.vehicle.stops)
        waypoints_.insert(waypoints_.end() - 1, network_.lanes[stop.lane].edge);
}

bool DemandBuilder::has_device(const Draft& draft) const {
    const RoutingOptions& routing = options_.routing;
    for (const int said : {draft.vehicle.rerouting.present, type_of(draft).rerouting.present})
        if (said >= 0) return said == 1;
    if (!routing.vehicles.empty() && routing.vehicles.contains(id_of(draft.departure, options_))) return true;
    return routing.probability > 0 &&
           uniform_double(draw(key_of(draft.departure, options_.seed), Purpose::device).word[0]) < routing.probability;
}

bool DemandBuilder::is_recorded(const Draft& draft) const {
    const RecordOptions& record = options_.record;
    for (const int said : {draft.vehicle.recorded, type_of(draft).recorded})
        if (said >= 0) return said == 1;
    const auto& named = record.vehicles;
    if (!named.empty() && std::ranges::find(named, id_of(draft.departure, options_)) != named.end()) return true;
    if (record.probability < 0) return named.empty();
    DrawKey key = key_of(draft.departure, options_.seed);
    key.first += 1;
    return uniform_double(draw(key, Purpose::device).word[0]) < record.probability;
}

double DemandBuilder::rerouting_period(const Draft& draft) const {
    for (const double said : {draft.vehicle.rerouting.period, type_of(draft).rerouting.period})
        if (said >= 0) return said;
    return options_.routing.period;
}

// The route is found again in the run.
bool DemandBuilder::is_open(const Draft& draft) const {
    if (given_route_ >= 0) return has_device(draft);
    const bool plain = draft.vehicle.depart_edge == 0 && draft.vehicle.arrival_edge == -1;
    return plain && (options_.routing.measures() || rerouting_period(draft) > 0);
}

void DemandBuilder::add_open_route(const Draft& draft, std::uint32_t trip) {
    if (given_route_ >= 0) {
        waypoints_ = {edges_.front(), edges_.back()};
        for (const std::size_t place : stop_edges_) waypoints_.insert(waypoints_.end() - 1, edges_[place]);
    }
    OpenRoutes& open = demand_.open_routes;
    open.trips.push_back(trip);
    open.via.insert(open.via.end(), waypoints_.begin(), waypoints_.end());
    open.via_begin.push_back(static_cast<std::uint32_t>(open.via.size()));
    if (waypoints_.front() >= network_edges()) demand_.roaming.push_back(trip);
    open.period.push_back(step_at(options_.begin + rerouting_period(draft)));
}

// In free flow.
const std::vector<int>& DemandBuilder::fastest_route(const Draft& draft) {
    const Driving driving = driving_of(type_of(draft), is_open(draft) ? 1 : draft.speed_factor);
    std::vector<std::uint32_t> query{static_cast<std::uint32_t>(driving.vehicle_class),
                                     std::bit_cast<std::uint32_t>(driving.speed_factor),
                                     std::bit_cast<std::uint32_t>(driving.max_speed)};
    query.insert(query.end(), waypoints_.begin(), waypoints_.end());
    const auto known = known_routes_.find(query);
    if (known != known_routes_.end()) return known->second;
    const std::vector<int>& found = router_.route(graphs_.of(driving.vehicle_class), waypoints_, driving);
    if (found.empty()) return found;
    if (known_routes_.size() >= most_known_routes) known_routes_.clear();
    return known_routes_.emplace(std::move(query), found).first->second;
}

// To the edges where the vehicle enters and leaves.
bool DemandBuilder::cut_route(const Draft& draft) {
    const int count = static_cast<int>(edges_.size());
    int first = draft.vehicle.depart_edge, last = draft.vehicle.arrival_edge;
    if (const int edge = draft.vehicle.depart_on; edge >= 0) {
        first = static_cast<int>(std::find(edges_.begin(), edges_.end(), edge) - edges_.begin());
        if (first == count) fail(draft, "has a route that does not lead over ", edge_name(edge));
    }
    if (first == random_edge) first = draw_edge(draft, 3, 0);
    if (last == random_edge) last = draw_edge(draft, 4, std::min(first, count - 1));
    if (last < 0) last = count - 1;
    if (first >= count) fail(draft, "has departEdge ", first, ", but its route has ", count, " edges");
    if (last >= count) fail(draft, "has arrivalEdge ", last, ", but its route has ", count, " edges");
    if (last < first) fail(draft, "has its arrivalEdge ", last, " before its departEdge ", first);
    edges_.erase(edges_.begin() + last + 1, edges_.end());
    edges_.erase(edges_.begin(), edges_.begin() + first);
    return true;
}

// A place in the route from the given one on. counter: of the vehicle's draws for its departure.
int DemandBuilder::draw_edge(const Draft& draft, std::uint32_t counter, int from) const {
    DrawKey key = key_of(draft.departure, options_.seed);
    key.first += counter;
    const double u = uniform_double(draw(key, Purpose::depart).word[0]);
    return from + static_cast<int>(u * static_cast<double>(static_cast<int>(edges_.size()) - from));
}

bool DemandBuilder::check_edges(const Draft& draft) {
    const VehicleClass c = class_of(draft);
    if (first_usable_lane(draft, edges_[0]) < 0) {
        route_error(draft, "left out", "may not use any lane of ", edge_name(edges_[0]),
                    ", where it departs: its class is ", name_of(c));
        return false;
    }
    const ClassGraph& graph = graphs_.of(c);
    for (std::size_t i = 0; i + 1 < edges_.size(); ++i) {
        if (graph.connects(edges_[i], edges_[i + 1])) continue;
        route_error(draft, "goes as far as the first of them", "route is not connected between ", edge_name(edges_[i]),
                    " and ", edge_name(edges_[i + 1]), " for class ", name_of(c));
        edges_.resize(i + 1);
    }
    return true;
}

int DemandBuilder::first_usable_lane(const Draft& draft, int edge) const {
    const Edge& e = network_.edges[edge];
    for (int k = 0; k < e.lane_count; ++k) {
        if (may_use(draft, e.first_lane + k)) return e.first_lane + k;
    }
    return -1;
}

// --- Departure -----------------------------------------------------------------------------------------------------

void DemandBuilder::set_departure(Draft& draft) {
    const VehicleDescription& vehicle = draft.vehicle;
    Trip& trip = draft.trip;
    const Edge& edge = network_.edges[edges_[0]];
    int lane = first_usable_lane(draft, edges_[0]);
    trip.depart_lane = vehicle.depart_lane;
    if (vehicle.depart_lane == DepartLane::index) {
        const int index = vehicle.depart_lane_index;
        if (index < 0 || index >= edge.lane_count)
            fail(draft, "has departLane ", index, ", but ", edge_name(edges_[0]), " has ", edge.lane_count, " lanes");
        lane = edge.first_lane + index;
        if (!may_use(draft, lane))
            fail(draft, "has departLane ", index, " of ", edge_name(edges_[0]), ", which its class ",
                 name_of(class_of(draft)), " may not use");
        trip.depart_lane_index = static_cast<std::uint8_t>(index);
    }
    trip.depart_pos_kind = vehicle.depart_pos;
    if (vehicle.depart_pos == DepartPos::position) {
        const float length = network_.lanes[lane].length, given = vehicle.depart_pos_value;
        const float wanted = given < 0 ? given + length : given;
        trip.depart_pos = std::clamp(wanted, 0.0f, length);
        if (trip.depart_pos != wanted) {
            warnings_.add("departure positions off their lane moved",
                          text(place(draft), " has departPos ", given, ", but its lane is ", length,
                               " m long: it departs at ", trip.depart_pos, " m"));
        }
    }
    set_departure_speed(draft);
}

// A driver who departs faster than the limit allows drives faster altogether, as far as the type's spread goes.
void DemandBuilder::set_departure_speed(Draft& draft) {
    const VehicleDescription& vehicle = draft.vehicle;
    draft.trip.depart_speed_kind = vehicle.depart_speed;
    if (vehicle.depart_speed != DepartSpeed::value) return;
    const float speed = vehicle.depart_speed_value;
    const VehicleType& type = type_of(draft);
    if (speed < 0) fail(draft, "has departSpeed ", speed, ", expected a number that is not negative");
    if (speed > type.max_speed + speed_tolerance)
        fail(draft, "has departSpeed ", speed, " m/s, more than its type \"", type.id, "\" reaches (", type.max_speed,
             " m/s)");
    const Edge& edge = network_.edges[edges_[0]];
    float limit = 0;
    for (int k = 0; k < edge.lane_count; ++k) {
        const bool possible = vehicle.depart_lane == DepartLane::index ? k == vehicle.depart_lane_index
                                                                       : may_use(draft, edge.first_lane + k);
        if (possible) limit = std::max(limit, speed_limit(draft, edge.first_lane + k));
    }
    if (speed > limit * draft.speed_factor + speed_tolerance) {
        const float needed = std::ceil(speed / limit * factor_unit) / factor_unit;
        if (type.speed_factor.deviation <= 0 || needed > type.speed_factor.max) {
            fail(draft, "has departSpeed ", speed, " m/s, more than ", edge_name(edges_[0]), " allows (", limit,
                 " m/s times speed factor ", draft.speed_factor, ")");
        }
        draft.speed_factor = needed;
    }
    draft.trip.depart_speed = speed;
}

// --- Arrival -------------------------------------------------------------------------------------------------------

ArrivalPlace DemandBuilder::set_arrival(Draft& draft) {
    const VehicleDescription& vehicle = draft.vehicle;
    Trip& trip = draft.trip;
    if (first_usable_lane(draft, edges_.back()) < 0)
        fail(draft, "may not use any lane of ", edge_name(edges_.back()), ", where it arrives");
    const int lane = arrival_lane(draft);
    trip.arrival_lane = static_cast<std::int8_t>(lane);
    const Edge& edge = network_.edges[edges_.back()];
    const float length =
        network_.lanes[lane >= 0 ? edge.first_lane + lane : first_usable_lane(draft, edges_.back())].length;
    trip.arrival_pos = arrival_position(draft, length);
    if (vehicle.arrival_speed == ArrivalSpeed::value) trip.arrival_speed = vehicle.arrival_speed_value;
    return {.lane = lane, .position = trip.arrival_pos < length ? trip.arrival_pos : -1};
}

float DemandBuilder::arrival_position(const Draft& draft, float length) {
    const VehicleDescription& vehicle = draft.vehicle;
    switch (vehicle.arrival_pos) {
        case ArrivalPos::max: return length;
        case ArrivalPos::center: return length / 2;
        case ArrivalPos::random: {
            DrawKey key = key_of(draft.departure, options_.seed);
            ++key.first;  // the first counter is that of the departure time
            return static_cast<float>(uniform_double(draw(key, Purpose::depart).word[0])) * length;
        }
        case ArrivalPos::position: break;
    }
    const float given = vehicle.arrival_pos_value, wanted = given < 0 ? given + length : given;
    const float position = std::clamp(wanted, 0.0f, length);
    if (position != wanted) {
        warnings_.add("arrival positions off their lane moved",
                      text(place(draft), " has arrivalPos ", given, ", but its lane is ", length,
                           " m long: it arrives at ", position, " m"));
    }
    return position;
}

// Index on the last edge, -1 any.
int DemandBuilder::arrival_lane(const Draft& draft) const {
    const VehicleDescription& vehicle = draft.vehicle;
    const Edge& edge = network_.edges[edges_.back()];
    std::vector<int> usable;
    for (int k = 0; k < edge.lane_count; ++k) {
        if (may_use(draft, edge.first_lane + k)) usable.push_back(k);
    }
    switch (vehicle.arrival_lane) {
        case ArrivalLane::current: return -1;
        case ArrivalLane::first: return usable.front();
        case ArrivalLane::random: {
            DrawKey key = key_of(draft.departure, options_.seed);
            key.first += 2;
            const double u = uniform_double(draw(key, Purpose::depart).word[0]);
            return usable[static_cast<std::size_t>(u * static_cast<double>(usable.size()))];
        }
        case ArrivalLane::index: break;
    }
    const int index = vehicle.arrival_lane_index;
    if (index < 0 || index >= edge.lane_count)
        fail(draft, "has arrivalLane ", index, ", but ", edge_name(edges_.back()), " has ", edge.lane_count, " lanes");
    if (std::find(usable.begin(), usable.end(), index) == usable.end()) {
        fail(draft, "has arrivalLane ", index, " of ", edge_name(edges_.back()), ", which its class ",
             name_of(class_of(draft)), " may not use");
    }
    return index;
}

Demand build_demand(const DemandDescription& description, const NetworkDescription& names, const Network& network,
                    const DemandOptions& options) {
    return DemandBuilder(description, names, network, options).build();
}

}  // namespace jamiton
