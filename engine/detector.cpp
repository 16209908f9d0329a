#include "engine/detector.hpp"

#include <algorithm>
#include <cmath>

namespace jamiton {
namespace {

constexpr double micro = 1e6;

std::int64_t rounded(double value) { return std::llround(value); }

double mean(double sum, std::int64_t count) { return count > 0 ? sum / static_cast<double>(count) : -1; }

template <class Visitor>
auto find(std::vector<Visitor>& visitors, std::uint32_t vehicle) {
    return std::find_if(visitors.begin(), visitors.end(), [&](const Visitor& v) { return v.vehicle == vehicle; });
}

}  // namespace

// --- E1 ------------------------------------------------------------------------------------------------------------

void LoopDetector::add_step(const DetectorStep& step) {
    for (Visitor& v : over_) v.seen = false;
    const double end = step.time + step.dt;
    for (const Sighting& s : step.seen) {
        if (s.back_before() >= 0 || s.front < 0) continue;
        auto visitor = find(over_, s.vehicle);
        if (visitor == over_.end()) {
            const bool crossing = s.front_before < 0;
            visitor = over_.insert(over_.end(), {s.vehicle, step.time + (crossing ? s.time_to(0) : 0), crossing, true});
            ++entered_;
        }
        const bool leaves = s.back() >= 0;
        const double until = leaves ? step.time + s.time_to(s.length) : end;
        occupied_ += rounded((until - std::max(visitor->since, step.time)) * micro);
        visitor->seen = !leaves;
        if (leaves && visitor->crossing) leave(s, *visitor, until);
    }
    std::erase_if(over_, [](const Visitor& v) { return !v.seen; });
}

void LoopDetector::leave(const Sighting& s, const Visitor& visitor, double time) {
    const double length = static_cast<double>(s.length), speed = length / std::max(time - visitor.since, 1e-6);
    ++contributed_;
    length_ += rounded(length * micro);
    speed_ += rounded(speed * micro);
    inverse_speed_ += rounded(1e9 / speed);
}

void LoopDetector::add_to(DetectorRows& rows, int detector, double begin, double end) {
    LoopRow r{.detector = detector, .begin = begin, .end = end, .contributed = contributed_, .entered = entered_};
    r.flow = static_cast<double>(contributed_) * 3600 / (end - begin);
    r.occupancy = static_cast<double>(occupied_) / micro / (end - begin) * 100;
    if (contributed_ > 0) {
        r.speed = mean(static_cast<double>(speed_) / micro, contributed_);
        r.harmonic_mean_speed = static_cast<double>(contributed_) * 1e9 / static_cast<double>(inverse_speed_);
        r.length = mean(static_cast<double>(length_) / micro, contributed_);
    }
    rows.loops.push_back(r);
    contributed_ = entered_ = occupied_ = speed_ = inverse_speed_ = length_ = 0;
}

// --- E2 ------------------------------------------------------------------------------------------------------------

// A vehicle on two lanes of the area is seen twice, at the same place of the area.
void AreaDetector::add_step(const DetectorStep& step) {
    for (Visitor& v : visitors_) v.seen = false;
    const float end = static_cast<float>(length_);
    for (std::size_t n = 0; n < step.seen.size(); ++n) {
        const Sighting& s = step.seen[n];
        if ((n > 0 && step.seen[n - 1].vehicle == s.vehicle) || s.front < 0 || s.back_before() >= end) continue;
        Visitor& v = visitor_of(s);
        sampled_ += rounded(static_cast<double>(s.on_area) * micro);
        way_ += rounded(static_cast<double>(s.on_area * s.speed) * micro);
        time_loss_ += rounded(static_cast<double>(s.time_loss) * micro);
        update_halt(v, step.dt);
        v.seen = s.back() < end;
    }
    ++steps_;
    vehicle_steps_ += static_cast<std::int64_t>(visitors_.size());  // those who leave in this step too
    max_vehicles_ = std::max(max_vehicles_, static_cast<std::int64_t>(visitors_.size()));
    remove_gone();
    double occupancy = 0;
    for (const Visitor& v : visitors_) occupancy += covered(v) / length_ * 100;
    occupancy_ += occupancy;
    max_occupancy_ = std::max(max_occupancy_, occupancy);
    add_jams();
}

AreaDetector::Visitor& AreaDetector::visitor_of(const Sighting& s) {
    auto known = find(visitors_, s.vehicle);
    if (known == visitors_.end()) {
        ++entered_;
        known = visitors_.insert(known, Visitor{.vehicle = s.vehicle});
    }
    known->front = s.front;
    known->length = s.length;
    known->speed = s.speed;
    return *known;
}

void AreaDetector::update_halt(Visitor& v, double dt) {
    if (static_cast<double>(v.speed) >= settings_.speed_threshold) return end_halt(v);
    v.slow += dt;
    if (v.slow < settings_.time_threshold) return;
    if (v.halt == 0) {
        ++started_halts_;
        ++halts_;
    }
    v.halt += dt;
    v.interval_halt += dt;
}

void AreaDetector::end_halt(Visitor& v) {
    if (v.halt > 0) {
        halt_sum_ += v.halt;
        max_halt_ = std::max(max_halt_, v.halt);
        interval_halt_sum_ += v.interval_halt;
        max_interval_halt_ = std::max(max_interval_halt_, v.interval_halt);
    }
    v.slow = v.halt = v.interval_halt = 0;
}

void AreaDetector::remove_gone() {
    for (Visitor& v : visitors_) {
        if (v.seen) continue;
        ++left_;
        end_halt(v);
    }
    std::erase_if(visitors_, [](const Visitor& v) { return !v.seen; });
}

double AreaDetector::covered(const Visitor& v) const {
    const double front = static_cast<double>(v.front), back = front - static_cast<double>(v.length);
    return std::max(0.0, std::min(front, length_) - std::max(back, 0.0));
}

// Halting vehicles that stand close one behind the other are a jam.
void AreaDetector::add_jams() {
    std::sort(visitors_.begin(), visitors_.end(), [](const Visitor& a, const Visitor& b) {
        return a.front != b.front ? a.front > b.front : a.vehicle < b.vehicle;
    });
    step_max_vehicles_ = 0;
    step_max_meters_ = 0;
    int vehicles = 0;
    double head = 0, tail = 0;
    for (const Visitor& v : visitors_) {
        if (v.slow <= settings_.time_threshold) continue;
        const double front = std::min(static_cast<double>(v.front), length_);
        if (vehicles > 0 && tail - front > settings_.jam_threshold) {
            add_jam(vehicles, head - tail);
            vehicles = 0;
        }
        if (vehicles++ == 0) head = front;
        tail = std::max(0.0, static_cast<double>(v.front - v.length));
    }
    if (vehicles > 0) add_jam(vehicles, head - tail);
    max_jam_vehicles_sum_ += step_max_vehicles_;
    max_jam_meters_sum_ += step_max_meters_;
    max_jam_vehicles_ = std::max(max_jam_vehicles_, step_max_vehicles_);
    max_jam_meters_ = std::max(max_jam_meters_, step_max_meters_);
}

void AreaDetector::add_jam(int vehicles, double meters) {
    jam_vehicles_sum_ += vehicles;
    jam_meters_sum_ += meters;
    step_max_vehicles_ = std::max(step_max_vehicles_, vehicles);
    step_max_meters_ = std::max(step_max_meters_, meters);
}

void AreaDetector::add_to(DetectorRows& rows, int detector, double begin, double end) {
    const double steps = static_cast<double>(std::max<std::int64_t>(steps_, 1));
    AreaRow r{.detector = detector, .begin = begin, .end = end};
    r.sampled_seconds = static_cast<double>(sampled_) / micro;
    r.entered = entered_;
    r.left = left_;
    r.seen = at_begin_ + entered_;
    if (sampled_ > 0) r.mean_speed = static_cast<double>(way_) / static_cast<double>(sampled_);
    r.mean_time_loss = mean(static_cast<double>(time_loss_) / micro, r.seen);
    r.mean_occupancy = occupancy_ / steps;
    r.max_occupancy = max_occupancy_;
    r.mean_max_jam_vehicles = static_cast<double>(max_jam_vehicles_sum_) / steps;
    r.mean_max_jam_meters = max_jam_meters_sum_ / steps;
    r.max_jam_vehicles = max_jam_vehicles_;
    r.max_jam_meters = max_jam_meters_;
    r.jam_vehicles_sum = jam_vehicles_sum_;
    r.jam_meters_sum = jam_meters_sum_;
    r.halt_sum = halt_sum_;
    r.max_halt = max_halt_;
    r.interval_halt_sum = interval_halt_sum_;
    r.max_interval_halt = max_interval_halt_;
    for (const Visitor& v : visitors_) {
        r.halt_sum += v.halt;
        r.max_halt = std::max(r.max_halt, v.halt);
        r.interval_halt_sum += v.interval_halt;
        r.max_interval_halt = std::max(r.max_interval_halt, v.interval_halt);
    }
    r.mean_halt = halts_ > 0 ? mean(r.halt_sum, halts_) : 0;
    r.mean_interval_halt = halts_ > 0 ? mean(r.interval_halt_sum, halts_) : 0;
    r.started_halts = started_halts_;
    r.mean_vehicles = static_cast<double>(vehicle_steps_) / steps;
    r.max_vehicles = max_vehicles_;
    rows.areas.push_back(r);

    AreaDetector next(settings_, length_);
    next.visitors_ = std::move(visitors_);
    next.at_begin_ = static_cast<std::int64_t>(next.visitors_.size());
    for (Visitor& v : next.visitors_) {
        v.interval_halt = 0;
        next.halts_ += v.halt > 0;
    }
    *this = std::move(next);
}

// --- E3 ------------------------------------------------------------------------------------------------------------

void GatesDetector::put(const Visitor& visitor) {
    const auto known = find(inside_, visitor.vehicle);
    if (known == inside_.end()) {
        inside_.push_back(visitor);
    } else {
        *known = visitor;
    }
}

void GatesDetector::drive(Visitor& v, const VehicleNow& now, double dt) {
    const double inside = dt - v.outside;  // s of this step
    v.outside = 0;
    v.speed = now.speed;
    if (!now.on_road && v.front_left < 0) v.gone = true;
    v.loss = std::max(v.loss, now.time_loss);
    v.speed_sum += now.speed * inside;
    v.interval_speed_sum += now.speed * inside;
    v.time += inside;
    v.interval_time += inside;
    if (now.speed >= settings_.speed_threshold) {
        v.slow = 0;
        return;
    }
    const bool halted = v.slow > settings_.time_threshold;
    v.slow += dt;
    if (halted || v.slow <= settings_.time_threshold) return;
    ++v.halts;
    ++v.interval_halts;
}

void GatesDetector::exit(const DetectorStep& step) {
    for (const Sighting& s : step.seen) {
        if (!step.link(s).exit) continue;
        const auto known = find(inside_, s.vehicle);
        if (known == inside_.end()) continue;
        if (s.front_before < 0 && s.front >= 0) known->front_left = step.begin() + s.time_to(0);
        if (s.back_before() >= 0 || s.back() < 0) continue;
        const double back_left = step.begin() + s.time_to(s.length), outside = step.time - back_left;
        known->speed_sum -= known->speed * outside;
        known->time -= outside;
        if (known->front_left < 0) known->front_left = back_left;
        leave(*known, back_left);
        known->gone = true;
    }
}

void GatesDetector::leave(const Visitor& v, double back_left) {
    ++vehicles_;
    travel_time_ += v.front_left - v.entered;
    overlap_ += back_left - v.entered;
    speed_ += v.time > 0 ? v.speed_sum / v.time : 0;
    halts_ += v.halts;
    time_loss_ += v.loss - v.loss_at_entry;
}

void GatesDetector::add_to(DetectorRows& rows, int detector, double begin, double end) {
    GatesRow r{.detector = detector, .begin = begin, .end = end, .vehicles = vehicles_};
    r.travel_time = mean(travel_time_, vehicles_);
    r.overlap_travel_time = mean(overlap_, vehicles_);
    r.speed = mean(speed_, vehicles_);
    r.halts = mean(static_cast<double>(halts_), vehicles_);
    r.time_loss = mean(time_loss_, vehicles_);
    double speed = 0, interval_speed = 0, halts = 0, interval_halts = 0, duration = 0, interval_duration = 0, loss = 0;
    for (Visitor& v : inside_) {
        speed += v.speed_sum / v.time;
        interval_speed += v.interval_time > 0 ? v.interval_speed_sum / v.interval_time : 0;
        halts += v.halts;
        interval_halts += v.interval_halts;
        duration += end - v.entered;
        interval_duration += end - std::max(v.entered, begin);
        loss += v.loss - v.interval_loss;
        v.interval_speed_sum = v.interval_time = 0;
        v.interval_halts = 0;
        v.interval_loss = v.loss;
    }
    const auto within = static_cast<std::int64_t>(inside_.size());
    r.vehicles_within = within;
    r.speed_within = mean(speed, within);
    r.halts_within = mean(halts, within);
    r.duration_within = mean(duration, within);
    r.interval_speed_within = mean(interval_speed, within);
    r.interval_halts_within = mean(interval_halts, within);
    r.interval_duration_within = mean(interval_duration, within);
    r.time_loss_within = mean(loss, within);
    rows.gates.push_back(r);
    vehicles_ = halts_ = 0;
    travel_time_ = overlap_ = speed_ = time_loss_ = 0;
}

}  // namespace jamiton
