// The vehicles on the road: three 16-byte parts per vehicle, ordered by lane, front first, ties by vehicle number.
// The leader is the record before, the follower the one after. A step reads one copy and writes another.
#pragma once

#include <cstdint>

#include "agents/driver_state.hpp"
#include "engine/core/array.hpp"
#include "engine/core/atomic.hpp"
#include "engine/core/error_word.hpp"
#include "engine/core/random.hpp"
#include "engine/demand.hpp"
#include "engine/network.hpp"

namespace jamiton {

constexpr int gone = -1;  // lane of a vehicle that has left the road

struct Kinematics {
    float position = 0;         // m, front, from lane start
    float speed = 0;            // m/s
    std::uint32_t vehicle = 0;  // global number: row of /trips, tie-break and random key
    int lane = gone;
};

struct Attributes {
    std::uint32_t route_at =
        0;  // position in the route pool of the edge it is on (on an internal lane: of the edge it left)
    std::uint16_t type = 0;
    std::uint16_t speed_factor = 0;  // 1/16384
    std::uint16_t flags = 0;
    std::uint16_t waiting = 0;  // steps in a row at 0.1 m/s or less, saturating
    // On a normal lane: the last internal lane it came over, -1 none. On an internal lane: the step of entry.
    int came_over = -1;

    enum Flag : std::uint16_t {
        wants_left = 1,
        wants_right = 2,
        urgent = 4,
        changed = 8,          // changed lane in this step
        overlaps = 16,        // stands in its leader: counted once
        asked_by_right = 32,  // someone on the right lane needs its room
        has_stops = 64,       // planned stops lie ahead, or it is at one
        on_last_edge = 128,   // of its route
        asked_by_left = 256,  // someone on the left lane needs its room
        accelerates = 512,    // in this step
        waits = 1024,         // counts on standing before a connection on its way
        caught = 2048         // right before left: waited in a ring in the last step
    };
};

struct Memory {
    std::int16_t speed_gain = 0, keep_right = 0;  // lane-change motives, 1/4096
    std::uint16_t look_ahead = 0;                 // slowly following speed, 1/256 m/s
    std::uint16_t advice = no_advice;             // speed bound for the next step from lane changing, 1/512 m/s
    std::uint32_t time_loss = 0;                  // 1/65536 s, two's complement
    std::uint32_t odometer = 0;                   // 1/1024 m from depart to the start of the present lane, modulo 2^32

    static constexpr float time_unit = 65536, way_unit = 1024;
    HD static std::uint32_t time(float seconds) {
        return static_cast<std::uint32_t>(
            static_cast<std::int32_t>(seconds * time_unit + (seconds < 0 ? -0.5f : 0.5f)));
    }
    HD static std::uint32_t way(float metres) {
        return static_cast<std::uint32_t>(static_cast<std::int32_t>(metres * way_unit + (metres < 0 ? -0.5f : 0.5f)));
    }

    static constexpr std::uint16_t no_advice = 0xFFFF;

    // After a change, and on roads of one lane, nobody remembers why it wanted another lane.
    HD void forget_lanes() { speed_gain = 0, keep_right = 0, look_ahead = 0; }
};

// What is kept of each vehicle beside the road: written on entry, waiting and arrival. 40 bytes.
struct TripResult {
    std::int32_t depart_step = -1, arrival_step = -1;
    float depart_pos = 0, depart_speed = 0, arrival_speed = 0;
    std::uint32_t waiting_steps = 0;
    std::uint32_t time_loss = 0, odometer = 0;  // units of Memory, final
    std::uint16_t waiting_count = 0;
    std::uint8_t depart_lane = 0, arrival_lane = 0;  // indices on the first and last edge
    std::uint8_t teleports = 0;
    std::uint8_t status = 0, reason = 0;  // TripStatus, RemovalReason
    std::uint8_t reroutes = 0;            // saturating
};

// Progress of a vehicle that has planned stops, kept at the place of its first stop.
struct StopProgress {
    std::int32_t left = 0;    // steps that the present stop still lasts, 0 not at a stop
    std::uint32_t steps = 0;  // at stops so far
    std::uint32_t done = 0;   // stops
    std::int32_t lot = -1;    // that it holds on the road
};

struct StateView {
    int count = 0;
    Kinematics* kinematics = nullptr;
    Attributes* attributes = nullptr;
    Memory* memory = nullptr;
    const int* lane_begin = nullptr;  // vehicles of a lane: [lane], [lane + 1]
    int* where = nullptr;             // index of each vehicle number, -1 when not on the road
};

struct VehicleState {
    Array<Kinematics> kinematics;
    Array<Attributes> attributes;
    Array<Memory> memory;
    Array<int> lane_begin;
    int count = 0;

    void reserve(int capacity) {
        kinematics.resize(capacity);
        attributes.resize(capacity);
        memory.resize(capacity);
    }
    int capacity() const { return static_cast<int>(kinematics.size()); }
    std::size_t bytes() const { return kinematics.bytes() + attributes.bytes() + memory.bytes() + lane_begin.bytes(); }
    StateView view(int* where) {
        return {count, kinematics.data(), attributes.data(), memory.data(), lane_begin.data(), where};
    }
};

struct DemandView {
    int trip_count = 0;
    const Trip* trips = nullptr;
    const std::uint32_t* route_pool = nullptr;
    const LaneChoice* choices = nullptr;
    const Stop* stops = nullptr;
    const float* late = nullptr;  // as in Demand, nullptr when empty
    const ParkingArea* areas = nullptr;
    const EntryRule* entry_rules = nullptr;
    int entry_rule_count = 0;
    const float* lot_end = nullptr;
    const Driver* drivers = nullptr;
    TripResult* results = nullptr;
    StopProgress* stop_progress = nullptr;  // index: Trip::stop_begin
    std::int32_t waiting_limit = -1;        // as in Demand

    // What its lanes have in common.
    HD const LaneChoice& stretch(std::uint32_t route_at) const { return choices[route_pool[route_at]]; }
    HD const LaneChoice& choice(std::uint32_t route_at, int lane_index) const {
        return (&stretch(route_at))[lane_index];
    }
};

// Keys that vehicles push for others: the smaller wins. Position or distance (m, at least 0) above, vehicle number
// below.
constexpr std::uint64_t no_key = ~std::uint64_t{0};

HD inline std::uint64_t make_key(float value, std::uint32_t vehicle) {
    const float v = max(0.f, value) + 0.f;
    std::uint32_t bits = 0;
    static_assert(sizeof bits == sizeof v);
    __builtin_memcpy(&bits, &v, sizeof bits);  // order of non-negative floats is the order of their bits
    return (std::uint64_t{bits} << 32) | vehicle;
}
HD inline float key_value(std::uint64_t key) {
    const std::uint32_t bits = static_cast<std::uint32_t>(key >> 32);
    float v = 0;
    __builtin_memcpy(&v, &bits, sizeof v);
    return v;
}
HD inline std::uint32_t key_vehicle(std::uint64_t key) { return static_cast<std::uint32_t>(key); }

// What a vehicle tells a connection it is about to drive over. One record of a linked list per connection; the lists
// are only searched for "does any ...", so their order means nothing.
struct Approach {  // 48 bytes, not initialised
    int connection;
    int next;                          // of the same connection
    int index;                         // of the vehicle in the state
    float distance;                    // m to the lane end
    float wait_speed;                  // m/s that keeps a stop before the connection possible
    float pass_speed;                  // m/s, bound of all that lies before the connection
    float arrival, leave;              // s from now
    float arrival_speed, leave_speed;  // m/s
    std::uint16_t flags, waiting;
    float arrival_speed_braking;  // m/s, when it brakes from now on; 0 when it can stop

    enum Flag : std::uint16_t {
        request = 1,
        ignores_signal = 2,
        slows_for_view = 4,
        gives_way = 8,
        can_stop = 16,
        far = 32
    };
};

struct Plan {                // 16 bytes
    float speed = 0;         // m/s, bound of all that lies ahead
    int first_approach = 0;  // its approaches, nearest first
    std::uint8_t approach_count = 0;
    std::uint8_t waits : 1 = 0;   // counts on standing before a connection
    std::uint8_t barred : 1 = 0;  // may not pass one: counts on standing if it brakes for it
    std::uint8_t caught : 1 = 0;  // right before left: waits in a ring
    std::uint16_t least = 0;      // 1/512 m/s: who passes a minor connection does not dawdle before it
    int stop_connection = -1;     // it must not pass this one in this step (red), or lane_ends

    static constexpr int lane_ends = -2;
};

// A lane change of this step.
struct LaneMove {
    std::uint32_t vehicle = 0;
    int from = -1, to = -1;
    std::uint32_t type = 0;
};

// Where lane changes are written down; moves is nullptr where nobody wants to know.
struct LaneMovesView {
    int* count = nullptr;
    LaneMove* moves = nullptr;
};

struct ParkingView {
    int* holder = nullptr;  // per lot: the vehicle, -1 free
    int* found = nullptr;   // count, then indices of those who have come to stand at a parking stop
};

struct KeysView {
    std::uint64_t* tail = nullptr;      // per lane: rearmost body whose front is on another lane: position of its back
    std::uint64_t* incoming = nullptr;  // per lane: nearest vehicle whose way enters it: distance to the lane's start
    int* approach_head = nullptr;       // per connection
    Approach* approaches = nullptr;
    int* approach_count = nullptr;
    int approach_capacity = 0;
    // Per stopping place: the rearmost body of those who stop there, as position of its back. Read and next step's.
    const std::uint64_t* place_back = nullptr;
    std::uint64_t* place_back_next = nullptr;
};

// Everything a kernel of the step may read.
struct World {
    NetworkView net;
    DemandView demand;
    StateView now;
    KeysView keys;
    ParkingView parking;
    LaneMovesView lane_moves;
    int* taken_off = nullptr;                   // count of vehicles that entry rules took off the road so far
    int* at_rerouters = nullptr;                // count, then vehicles that have entered the edge of one just now
    int* at_calibrators = nullptr;              // the same of calibrators
    DriverState* driver_states = nullptr;       // by vehicle number; nullptr where no driver remembers anything
    DriverState* next_driver_states = nullptr;  // what plan makes of them, for move
    ErrorWord error;
    StepMethod method;
    std::uint64_t seed = 0;
    std::uint32_t step = 0;          // number of the step that is being made: its label is begin + step dt
    float time_to_impatience = 180;  // s, 0 or less: never
    float time_to_teleport = 300;    // s, 0 or less: never

    // Routes lie all over the pool: loops over vehicles ask early for what those some places further on will read.
    HD void prefetch_route(int i) const {
        constexpr int far = 16, near = 8, next = 4;
        if (i + far >= now.count) return;
        prefetch(&demand.route_pool[now.attributes[i + far].route_at]);
        const Attributes& a = now.attributes[i + near];
        const std::uint32_t further = a.route_at + ((a.flags & Attributes::on_last_edge) != 0 ? 0 : 1);
        prefetch(&demand.stretch(a.route_at));
        prefetch(&demand.stretch(further));
        const int connection =
            next_connection(net.lanes[now.kinematics[i + next].lane], now.attributes[i + next].route_at);
        if (connection >= 0) prefetch(&net.connections[connection]);
    }
    HD const Driver& driver(int i) const { return demand.drivers[now.attributes[i].type]; }
    HD float factor(int i) const { return static_cast<float>(now.attributes[i].speed_factor) * (1.f / 16384); }
    // Speed that vehicle i would like on a lane, m/s.
    HD float desired(int i, const Lane& lane) const {
        const Driver& d = driver(i);
        float limit = net.speed_limit(lane, d.vehicle_class) * factor(i);
        if (d.minds_friction) limit *= grip(i, lane);
        return min(limit, d.max_speed);
    }
    // Share of its speed that a driver keeps at the friction that it perceives, which varies from step to step (Weber,
    // Driesch, Schramm: Introducing road surface conditions into a microscopic traffic simulation, 2019).
    HD float grip(int i, const Lane& lane) const {
        const auto place = static_cast<std::uint32_t>(&lane - net.lanes);
        constexpr auto purpose = static_cast<std::uint32_t>(Purpose::friction);
        const RandomWords r = philox(seed, now.kinematics[i].vehicle, step, purpose, place);
        const float friction = net.friction_of(lane) + 0.1f * nearly_normal(r.word[0]);
        return clamp((-0.3491f * friction + 0.8922f) * friction + 0.4493f, 0.1f, 1.f);
    }
    // The same if no lane were slippery: what its time loss is measured by.
    HD float desired_when_dry(int i, const Lane& lane) const {
        const Driver& d = driver(i);
        return min(net.speed_limit(lane, d.vehicle_class) * factor(i), d.max_speed);
    }
    // What the driver of vehicle i remembers, and knows of its leader (index, -1: nobody).
    HD Situation situation(int i, int leader = -1) const {
        Situation s;
        if (driver_states == nullptr) return s;
        s.own = driver_states[now.kinematics[i].vehicle];
        s.luck = uniform(draw(seed, now.kinematics[i].vehicle, step, Purpose::action).word[0]);
        if (leader < 0) return s;
        s.leader_acceleration = driver_states[now.kinematics[leader].vehicle].acceleration;
        s.same_model = driver(leader).model == driver(i).model;
        return s;
    }
    // Uniform in [0, 1), of this step, for what vehicle i makes of another one.
    HD float chance(int i, std::uint32_t other) const {
        return uniform(
            philox(seed, now.kinematics[i].vehicle, step, static_cast<std::uint32_t>(Purpose::foe), other).word[0]);
    }
    // Whether the driver of vehicle i decides anew in this step; else it keeps its acceleration.
    HD bool decides(int i) const {
        const int every = driver(i).action_steps;
        if (every == 1) return true;
        const int since = static_cast<int>(step) - demand.results[now.kinematics[i].vehicle].depart_step;
        return (since - 1) % every == 0;
    }
    // m by which vehicle i reaches into its leader i - 1 on the same lane.
    HD float overlap(int i) const {
        return now.kinematics[i].position - (now.kinematics[i - 1].position - driver(i - 1).length);
    }
    // Adds the present wait of vehicle i to its trip.
    HD void end_waiting(int i) const {
        TripResult& r = demand.results[now.kinematics[i].vehicle];
        r.waiting_steps += now.attributes[i].waiting;
        if (r.waiting_count < 0xFFFF) ++r.waiting_count;
    }
    // The stop that vehicle i has to make next, nullptr without one. One that ends with this step is over.
    HD const Stop* next_stop(int i) const {
        if ((now.attributes[i].flags & Attributes::has_stops) == 0) return nullptr;
        const std::uint32_t vehicle = now.kinematics[i].vehicle;
        const Trip& trip = demand.trips[vehicle];
        const StopProgress& p = demand.stop_progress[trip.stop_begin];
        const std::uint32_t next = p.done + (p.left == 1 ? 1 : 0);
        return next < trip.stop_count ? &demand.stops[trip.stop_begin + next] : nullptr;
    }
    // m from lane start where vehicle i would stop: behind those who stop there already.
    HD float stop_end(int i, const Stop& stop) const {
        const std::uint64_t back = stop.place < 0 ? no_key : keys.place_back[stop.place];
        return back == no_key ? stop.end : min(stop.end, key_value(back) - driver(i).min_gap);
    }
    // Beside others at least half of the vehicle has to fit.
    HD bool fits_at_stop(int i, const Stop& stop) const {
        const float there = stop_end(i, stop);
        return there == stop.end || there - driver(i).length / 2 >= stop.start;
    }
    // Stands at a planned stop through this step.
    HD bool is_stopped(int i) const { return stop_left(i) > 1 && present_stop(i).speed <= 0; }
    // Of a vehicle that has one.
    HD const Stop& present_stop(int i) const {
        const Trip& trip = demand.trips[now.kinematics[i].vehicle];
        return demand.stops[trip.stop_begin + demand.stop_progress[trip.stop_begin].done];
    }
    // Steps, 0 when it is not at a stop.
    HD std::int32_t stop_left(int i) const {
        if ((now.attributes[i].flags & Attributes::has_stops) == 0) return 0;
        return demand.stop_progress[demand.trips[now.kinematics[i].vehicle].stop_begin].left;
    }
    // The rule for who enters an edge in this step, nullptr: none.
    HD const EntryRule* entry_rule(int edge) const {
        for (int n = 0; n < demand.entry_rule_count; ++n) {
            const EntryRule& rule = demand.entry_rules[n];
            const std::int32_t now_step = static_cast<std::int32_t>(step);
            if (rule.edge == edge && rule.begin <= now_step && now_step < rule.end) return &rule;
        }
        return nullptr;
    }
    // Every vehicle once between two calls of Rerouting::divert().
    HD void meet_rerouter(std::uint32_t vehicle) const {
        at_rerouters[1 + atomic_add(at_rerouters, 1)] = static_cast<int>(vehicle);
    }
    // Every vehicle once between two calls of Calibrators::take_off().
    HD void meet_calibrator(std::uint32_t vehicle) const {
        at_calibrators[1 + atomic_add(at_calibrators, 1)] = static_cast<int>(vehicle);
    }
    // What a route says about a lane. Inside a junction that is what it says about the lane to which that one leads; a
    // change there reaches no further than the lanes beside it.
    HD LaneChoice choice_at(int lane, std::uint32_t route_at) const {
        const Lane& l = net.lanes[lane];
        if (!l.is_internal()) return demand.choice(route_at, l.index);
        while (demand.stretch(route_at).to_stop) ++route_at;
        LaneChoice choice = demand.choice(route_at + 1, net.lanes[net.connections[l.exit].to_lane].index);
        const int left = net.edges[l.edge].lane_count - 1 - l.index, right = -static_cast<int>(l.index);
        choice.best_offset = static_cast<std::int8_t>(clamp(static_cast<int>(choice.best_offset), right, left));
        return choice;
    }
    // The connection by which a vehicle at this point of its route leaves the lane, -1: none.
    HD int next_connection(const Lane& lane, std::uint32_t route_at) const {
        return lane.is_internal() ? lane.exit : demand.choice(route_at, lane.index).connection;
    }
};

}  // namespace jamiton
