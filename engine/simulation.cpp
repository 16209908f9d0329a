#include "engine/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "agents/car_following.hpp"
#include "engine/car_following.hpp"
#include "engine/core/check.hpp"
#include "engine/core/float_mode.hpp"
#include "engine/core/log.hpp"
#include "engine/lane_keys.hpp"
#include "engine/motion.hpp"
#include "engine/reach.hpp"
#include "engine/right_of_way.hpp"

namespace jamiton {
namespace {

// Overlaps with the leader: value 0 counts those that begin, value 1 where even the order is broken. Each is counted
// once: the flag stays up until it is over.
struct CountOverlaps {
    World w;
    HD Sums operator()(int i) const {
        Sums s;
        Attributes& a = w.now.attributes[i];
        const bool led = i > 0 && w.now.kinematics[i].lane == w.now.kinematics[i - 1].lane;
        const bool overlaps = led && w.overlap(i) > 0.01f;
        if (overlaps && (a.flags & Attributes::overlaps) == 0) s.value[0] = 1;
        a.flags =
            static_cast<std::uint16_t>(overlaps ? a.flags | Attributes::overlaps : a.flags & ~Attributes::overlaps);
        s.value[1] = led && w.now.kinematics[i].position > w.now.kinematics[i - 1].position;
        return s;
    }
};

struct ClearKeys {
    std::uint64_t* keys;
    HD void operator()(int lane) const { keys[lane] = no_key; }
};

struct ClearPlaces {
    std::uint64_t* back;
    HD void operator()(int place) const { back[place] = no_key; }
};

struct ClearHeads {
    int* head;
    HD void operator()(int c) const { head[c] = -1; }
};

}  // namespace

Simulation::Simulation(const NetworkDescription& description, Network network, Demand demand,
                       const SimulationOptions& options)
    : options_(options),
      threads_(std::make_unique<ThreadPool>(options.threads)),
      held_network_(std::make_unique<Network>(std::move(network))),
      network_(*held_network_),
      demand_(std::move(demand)),
      signals_(description, network_, demand_.trips.size()),
      speed_signs_(demand_, network_),
      drivers_(drivers_of(demand_.types, options.step)),
      where_(demand_.trips.size()),
      tail_(network_.lanes.size()),
      incoming_(network_.lanes.size()),
      place_back_{Array<std::uint64_t>(demand_.place_count), Array<std::uint64_t>(demand_.place_count)},
      approach_head_(network_.connections.size()),
      approach_count_(1),
      results_(demand_.trips.size()),
      stop_progress_(demand_.stops.size()),
      regroup_(static_cast<int>(network_.lanes.size()), 0),
      insertion_(demand_),
      parking_(demand_),
      order_(1),
      error_(1),
      taken_off_(1) {
    exec_.threads = threads_.get();
    exec_.kind = options.device == Device::cuda ? Exec::cuda : Exec::host;
    speed_signs_.raise(network_);
    set_reach(network_, demand_.types, options.step);
    speed_signs_.own(network_);
    for (const EntryRule& rule : demand_.entry_rules) mark_lanes(rule.edge, Lane::has_entry_rules);
    for (const Rerouter& rerouter : demand_.rerouters)
        for (const int edge : rerouter.edges) mark_lanes(edge, Lane::has_rerouter);
    for (const Calibration& c : demand_.calibrations) {
        if (c.lane < 0)
            mark_lanes(c.edge, Lane::has_calibrator);
        else
            network_.lanes[c.lane].flags |= Lane::has_calibrator;
    }
    where_.fill(-1);
    tail_.fill(no_key);
    incoming_.fill(no_key);
    for (Array<std::uint64_t>& places : place_back_) places.fill(no_key);
    error_[0] = ErrorWord::none;
    results_.fill(TripResult{});
    stop_progress_.fill(StopProgress{});
    if (std::any_of(drivers_.begin(), drivers_.end(), remembers)) {
        driver_states_.resize(demand_.trips.size());
        next_driver_states_.resize(demand_.trips.size());
        driver_states_.fill(DriverState{});
    }
    state_.lane_begin.resize(network_.lanes.size() + 1);
    spare_.lane_begin.resize(network_.lanes.size() + 1);
    if (!demand_.open_routes.trips.empty() || !demand_.rerouters.empty() || !demand_.lane_closures.empty())
        rerouting_ = std::make_unique<Rerouting>(description, network_, demand_, options.begin, options.step);
    if (!demand_.calibrations.empty()) calibrators_ = std::make_unique<Calibrators>(demand_, options.step);
    const MeasureDescription& measures = options.measures;
    if (plain_meters() > 0 || !measures.detectors.empty() || !measures.mean_data.empty())
        measures_ =
            std::make_unique<Measures>(measures, static_cast<int>(plain_meters()), network_, demand_, options.begin);
    label_ = options.begin - options.step;
}

void Simulation::mark_lanes(int edge, Lane::Flag flag) {
    const Edge& e = network_.edges[edge];
    for (int k = 0; k < e.lane_count; ++k) network_.lanes[e.first_lane + k].flags |= flag;
}

World Simulation::world(VehicleState& state) {
    World w;
    w.net = network_.view();
    w.net.link_state = signals_.link_state();
    w.net.link_since = signals_.link_since();
    w.demand = {static_cast<int>(demand_.trips.size()),
                demand_.trips.data(),
                demand_.route_pool.data(),
                demand_.choices.data(),
                demand_.stops.data(),
                demand_.late.data(),
                demand_.areas.data(),
                demand_.entry_rules.data(),
                static_cast<int>(demand_.entry_rules.size()),
                demand_.lot_end.data(),
                drivers_.data(),
                results_.data(),
                stop_progress_.data(),
                demand_.waiting_limit};
    w.now = state.view(where_.data());
    w.keys = {tail_.data(),
              incoming_.data(),
              approach_head_.data(),
              approaches_.data(),
              approach_count_.data(),
              static_cast<int>(approaches_.size()),
              place_back_[steps_ % 2].data(),
              place_back_[(steps_ + 1) % 2].data()};
    w.parking = parking_.view(state.count);
    if (measures_) w.lane_moves = measures_->lane_moves(state.count);
    w.taken_off = taken_off_.data();
    if (rerouting_) w.at_rerouters = rerouting_->met(state.capacity());
    if (calibrators_) w.at_calibrators = calibrators_->met(state.capacity());
    w.driver_states = driver_states_.data();
    w.next_driver_states = next_driver_states_.data();
    w.error = {error_.data()};
    w.method = {static_cast<float>(options_.step), options_.ballistic};
    w.seed = options_.seed;
    w.step = static_cast<std::uint32_t>(steps_);
    w.time_to_impatience = static_cast<float>(options_.time_to_impatience);
    w.time_to_teleport = static_cast<float>(options_.time_to_teleport);
    return w;
}

void Simulation::step() {
    set_float_mode();
    if (steps_ == std::numeric_limits<std::int32_t>::max())
        throw InputError("more than 2147483647 steps: expected a run with an end or longer steps");
    label_ = options_.begin + static_cast<double>(steps_) * options_.step;
    constexpr std::size_t seen_by_others = sizeof(Kinematics) + sizeof(Attributes),
                          record = seen_by_others + sizeof(Memory);
    timed("signals", 0, [&] {
        signals_.advance(exec_, std::llround(label_ * 1000), world(state_));
        speed_signs_.advance(static_cast<std::int32_t>(steps_), network_);
    });
    if (rerouting_)
        timed("route", 0, [&] {
            rerouting_->close_lanes(exec_, world(state_), demand_, network_);
            rerouting_->route_under_way(exec_, world(state_), demand_);
        });
    timed("plan", seen_by_others + 3 * sizeof(Plan), [&] { plan_and_decide(); });
    timed("move", 2 * record + sizeof(Plan), [&] {
        const int taken_off_before = taken_off_[0];
        if (measures_) measures_->note_places(exec_, world(state_));
        move(exec_, world(state_), plans_.data());
        synchronize(exec_);
        if (rerouting_) rerouting_->divert(exec_, world(state_), demand_, Met::under_way);
        if (measures_) measures_->follow(exec_, world(state_), label_);
        arrived_ -= taken_off_[0] - taken_off_before;
        arrived_ -= parking_.take(world(state_));  // regroup counts all who have left the road
        arrived_ -= teleport_.take(exec_, world(state_));
    });
    timed("regroup", 2 * record + seen_by_others, [&] { regroup(0); });
    timed("change", 2 * record + 2 * sizeof(LaneChange::Wish), [&] {
        find_incoming();
        if (!lane_change_.run(exec_, world(state_))) return;
        if (measures_) measures_->add_changes(exec_);
        regroup(0);
        push_incoming_of_changed(exec_, world(state_));
        incoming_is_known_ = true;
    });
    timed("insert", 0, [&] { enter(); });
    timed("observe", sizeof(Kinematics), [&] { observe(); });
    check_error();
    ++steps_;
}

// What a kernel has found wrong in this step ends the run.
void Simulation::check_error() const {
    if (error_[0] == ErrorWord::none) return;
    const auto vehicle = static_cast<std::uint32_t>(error_[0]);
    const bool finite =
        static_cast<std::uint32_t>(error_[0] >> 32) != static_cast<std::uint32_t>(KernelError::not_finite);
    require(false, finite ? "no room for " : "no finite position or speed of ", "vehicle \"", demand_.ids[vehicle],
            "\" at ", label_, " s");
}

// Those back from a teleport, then departures; each on the state that the others have left.
void Simulation::enter() {
    const int called = calibrators_ ? calibrators_->called() : 0;
    const int most = insertion_.most_waiting(static_cast<std::int32_t>(steps_), static_cast<int>(inserted_) - called) +
                     teleport_.away() + parking_.most_leaving(static_cast<std::uint32_t>(steps_));
    if (state_.count + most > state_.capacity()) state_.reserve((state_.count + most) * 9 / 8 + 64);
    if (teleport_.away() > 0) {
        find_incoming();
        const int back = teleport_.put_back(world(state_), state_);
        if (back > 0) regroup(back);
    }
    if (parking_.parked() > 0) {
        find_incoming();
        const int back = parking_.put_back(world(state_), state_);
        if (back > 0) regroup(back);
    }
    if (rerouting_) rerouting_->route_departures(exec_, world(state_), demand_);
    if (most > 0) find_incoming();
    const int entered = insertion_.run(exec_, world(state_), state_);
    inserted_ += entered;
    if (entered > 0) regroup(entered);
    if (!demand_.roaming.empty()) find_incoming();
    if (const int more = insertion_.run_roaming(exec_, world(state_), state_, demand_); more > 0) {
        inserted_ += more;
        regroup(more);
    }
    if (calibrators_) calibrate();
    if (rerouting_) rerouting_->divert(exec_, world(state_), demand_, Met::on_entry);
}

// After all others have come.
void Simulation::calibrate() {
    synchronize(exec_);
    if (const int taken = calibrators_->take_off(world(state_)); taken > 0) {
        arrived_ -= taken;
        regroup(0);
    }
    for (std::size_t n = 0; n < calibrators_->count(); ++n) {
        const int missing = calibrators_->missing(n, static_cast<std::int32_t>(steps_));
        if (missing == 0) continue;
        if (state_.count + missing > state_.capacity()) state_.reserve((state_.count + missing) * 9 / 8 + 64);
        find_incoming();
        const std::uint32_t first = calibrators_->next(n);
        const int entered = insertion_.call(exec_, world(state_), state_, first, missing);
        for (int k = 0; k < entered; ++k) demand_.planned[first + static_cast<std::uint32_t>(k)] = label_;
        calibrators_->add(n, entered);
        inserted_ += entered;
        if (entered > 0) regroup(entered);
    }
}

void Simulation::plan_and_decide() {
    if (static_cast<int>(plans_.size()) < state_.count) plans_.resize(state_.capacity());
    if (static_cast<int>(approaches_.size()) < state_.count / 2) approaches_.resize(state_.count * 3 / 4 + 64);
    for (;;) {
        reset_keys();
        const World w = world(state_);
        plan(exec_, w, plans_.data());
        synchronize(exec_);
        if (approach_count_[0] <= static_cast<int>(approaches_.size())) break;
        approaches_.resize(approach_count_[0] * 5 / 4);  // too many approaches: `now` is intact, so plan again
    }
    decide(exec_, world(state_), plans_.data());
}

void Simulation::reset_keys() {
    approach_count_[0] = 0;
    parallel_for(exec_, static_cast<int>(approach_head_.size()), ClearHeads{approach_head_.data()}, 8192);
    parallel_for(exec_, demand_.place_count, ClearPlaces{place_back_[(steps_ + 1) % 2].data()}, 8192);
}

// Lane order again; `newcomers` are appended behind state_.count. What lanes know of others follows the new positions.
void Simulation::regroup(int newcomers) {
    const int total = state_.count + newcomers;
    if (spare_.capacity() < total) spare_.reserve(state_.capacity());
    const int before = state_.count;
    if (regroup_.run(exec_, state_, total, spare_, where_.data())) {
        std::swap(state_, spare_);
        arrived_ += before + newcomers - state_.count;
    }
    check_order();
    parallel_for(exec_, static_cast<int>(tail_.size()), ClearKeys{tail_.data()}, 8192);
    push_tails(exec_, world(state_));
    incoming_is_known_ = false;
}

// For those who ask who comes onto a lane: only changes of lane and entries do.
void Simulation::find_incoming() {
    if (incoming_is_known_) return;
    parallel_for(exec_, static_cast<int>(incoming_.size()), ClearKeys{incoming_.data()}, 8192);
    push_incoming(exec_, world(state_));
    incoming_is_known_ = true;
}

// A vehicle that overlaps its leader is a counted collision; where even the order is broken the lane is sorted anew.
void Simulation::check_order() {
    sum_over(exec_, state_.count, CountOverlaps{world(state_)}, order_.data());
    synchronize(exec_);
    collisions_ += order_[0].value[0];
    if (order_[0].value[0] > 0) report_collisions();
    if (order_[0].value[1] > 0) sort_lanes(state_, where_.data());
}

// Names the first ones; all are counted.
void Simulation::report_collisions() {
    constexpr int most_reports = 10;
    const World w = world(state_);
    for (int i = 1; i < state_.count && collision_reports_ < most_reports; ++i) {
        if ((state_.attributes[i].flags & Attributes::overlaps) == 0) continue;
        ++collision_reports_;
        log_warning("collision at ", label_, " s: vehicle \"", demand_.ids[state_.kinematics[i].vehicle],
                    "\" overlaps \"", demand_.ids[state_.kinematics[i - 1].vehicle], "\" by ", w.overlap(i), " m");
    }
}

void Simulation::observe() {
    const World w = world(state_);
    if (rerouting_) rerouting_->observe(exec_, w);
    const StateSums sums = statistics_.run(exec_, w);
    vehicle_steps_ += static_cast<std::uint64_t>(state_.count);
    StepSummary& s = summary_;
    s.time = label_;
    const int called = calibrators_ ? calibrators_->called() : 0;
    const std::int64_t due = insertion_.due() + called;
    s.loaded = static_cast<std::int64_t>(demand_.trips.size()) - (calibrators_ ? calibrators_->uncalled() : 0);
    s.running = state_.count + teleport_.away() + parking_.parked();
    s.inserted = inserted_;
    s.arrived = arrived_;
    s.removed = insertion_.dropped() + teleport_.removed() + taken_off_[0];
    s.not_due = s.loaded - due;
    s.waiting = due - inserted_ - insertion_.dropped();
    s.teleports = teleport_.total();
    s.collisions = collisions_;
    s.halted = sums.halted;
    s.mean_speed = state_.count > 0 ? static_cast<double>(sums.speed) / 1024 / state_.count
                                    : std::numeric_limits<double>::quiet_NaN();
    s.state_hash = sums.hash;
}

EdgeInterval Simulation::take_means(std::size_t meter, bool of_lanes, double begin, double end) {
    return measures_->meter(meter).take(exec_, world(state_), of_lanes, begin, end, steps_ - 1);
}

bool Simulation::everybody_left() const {
    return steps_ > 0 && summary_.running == 0 && summary_.waiting == 0 && summary_.not_due == 0;
}

void Simulation::check_conservation() const {
    std::int64_t count[5] = {};
    for (const TripResult& r : results_) ++count[r.status];
    const auto at = [&](TripStatus s) { return count[static_cast<int>(s)]; };
    require(at(TripStatus::running) == summary_.running, "running: ", at(TripStatus::running), " by trip, ",
            summary_.running, " on the road");
    require(at(TripStatus::arrived) == summary_.arrived, "arrived: ", at(TripStatus::arrived), " by trip, ",
            summary_.arrived, " counted");
    require(at(TripStatus::removed) == summary_.removed, "removed: ", at(TripStatus::removed), " by trip, ",
            summary_.removed, " counted");
    const std::int64_t outside =
        at(TripStatus::not_due) + at(TripStatus::waiting) - (calibrators_ ? calibrators_->uncalled() : 0);
    require(outside == summary_.not_due + summary_.waiting, "waiting or not due: ", outside, " by trip, ",
            summary_.not_due + summary_.waiting, " counted");
}

TrajectoryRows Simulation::trajectories() const {
    TrajectoryRows rows;
    rows.time = label_;
    rows.vehicle.reserve(static_cast<std::size_t>(state_.count));
    for (std::size_t v = 0; v < where_.size(); ++v)
        if (where_[v] >= 0) rows.vehicle.push_back(static_cast<std::uint32_t>(v));
    const std::size_t n = rows.vehicle.size();
    rows.lane.resize(n);
    rows.position.resize(n);
    rows.speed.resize(n);
    for (std::size_t r = 0; r < n; ++r) {
        const Kinematics& k = state_.kinematics[where_[rows.vehicle[r]]];
        rows.lane[r] = static_cast<std::uint32_t>(k.lane);
        rows.position[r] = k.position;
        rows.speed[r] = k.speed;
    }
    return rows;
}

std::size_t Simulation::running_bytes() const {
    return state_.bytes() + spare_.bytes() - 2 * state_.lane_begin.bytes() + approaches_.bytes() + plans_.bytes() +
           regroup_.vehicle_bytes() + lane_change_.bytes();
}

std::size_t Simulation::loaded_bytes() const {
    return where_.bytes() + results_.bytes() + stop_progress_.bytes() + insertion_.bytes() + demand_.trips.bytes() +
           demand_.route_pool.bytes() + demand_.choices.bytes() + demand_.stops.bytes();
}

template <class F>
void Simulation::timed(const char* phase, std::size_t bytes_per_vehicle, F&& work) {
    const auto vehicles = static_cast<std::uint64_t>(state_.count);
    const auto start = std::chrono::steady_clock::now();
    work();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const auto same =
        std::find_if(performance_.begin(), performance_.end(), [phase](const PhaseCost& c) { return c.name == phase; });
    PhaseCost& cost = same != performance_.end() ? *same : performance_.emplace_back(PhaseCost{phase, 0, 0, 0});
    cost.seconds += seconds;
    cost.bytes += vehicles * bytes_per_vehicle;
    cost.launches += exec_.launches - launches_before_;
    launches_before_ = exec_.launches;
}

}  // namespace jamiton
