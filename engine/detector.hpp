// One detector: takes what it sees step by step, in an order that does not depend on threads, and gives a row per
// interval.
#pragma once

#include <span>
#include <vector>

#include "engine/detector_link.hpp"
#include "engine/measure_description.hpp"
#include "engine/observation.hpp"

namespace jamiton {

// The vehicles seen by one detector in one step, ordered by vehicle, and where they are seen.
struct DetectorStep {
    double time = 0, dt = 1;  // s: label of the step, and its length
    std::span<const Sighting> seen;
    const DetectorLink* links = nullptr;
    double begin() const { return time - dt; }  // s, of the step; intervals count it from its label on
    const DetectorLink& link(const Sighting& s) const { return links[s.link]; }
};

// E1: a cross-section of a lane.
class LoopDetector {
  public:
    void add_step(const DetectorStep& step);
    void add_to(DetectorRows& rows, int detector, double begin, double end);

  private:
    struct Visitor {
        std::uint32_t vehicle = 0;
        double since = 0;      // s
        bool crossing = true;  // its front has passed the loop; else it came from the side
        bool seen = false;
    };
    void leave(const Sighting& s, const Visitor& visitor, double time);

    std::vector<Visitor> over_;  // vehicles on the loop
    std::int64_t contributed_ = 0, entered_ = 0;
    std::int64_t occupied_ = 0;                                // us
    std::int64_t speed_ = 0, inverse_speed_ = 0, length_ = 0;  // 1e-6 m/s, 1e-9 s/m, 1e-6 m
};

// E2: a stretch of one or more lanes.
class AreaDetector {
  public:
    AreaDetector(const DetectorDescription& description, double length) : settings_(description), length_(length) {}
    void add_step(const DetectorStep& step);
    void add_to(DetectorRows& rows, int detector, double begin, double end);

  private:
    struct Visitor {
        std::uint32_t vehicle = 0;
        float front = 0, length = 0, speed = 0;  // m on the area, m, m/s
        double slow = 0;                         // s below the threshold of speed so far
        double halt = 0, interval_halt = 0;      // s, of the present halt
        bool seen = true;
    };
    Visitor& visitor_of(const Sighting& s);
    void update_halt(Visitor& visitor, double dt);
    void end_halt(Visitor& visitor);
    void remove_gone();
    void add_jams();
    void add_jam(int vehicles, double meters);
    double covered(const Visitor& v) const;

    DetectorDescription settings_;
    double length_;                                                   // m
    std::vector<Visitor> visitors_;                                   // on the area, the first ahead
    std::int64_t steps_ = 0, sampled_ = 0, way_ = 0, time_loss_ = 0;  // 1, us, um, us
    std::int64_t entered_ = 0, left_ = 0, at_begin_ = 0, vehicle_steps_ = 0, max_vehicles_ = 0;
    double occupancy_ = 0, max_occupancy_ = 0;  // percent, summed over steps
    int step_max_vehicles_ = 0, max_jam_vehicles_ = 0;
    double step_max_meters_ = 0, max_jam_meters_ = 0;
    std::int64_t max_jam_vehicles_sum_ = 0, jam_vehicles_sum_ = 0, started_halts_ = 0, halts_ = 0;
    double max_jam_meters_sum_ = 0, jam_meters_sum_ = 0;
    double halt_sum_ = 0, max_halt_ = 0, interval_halt_sum_ = 0, max_interval_halt_ = 0;
};

// What a detector with gates asks of a vehicle inside.
struct VehicleNow {
    bool on_road = true;
    double speed = 0, time_loss = 0;  // m/s, s since departure
};

// E3: gates that vehicles enter by and gates that they leave by.
class GatesDetector {
  public:
    explicit GatesDetector(const DetectorDescription& description) : settings_(description) {}
    template <class Ask>  // VehicleNow(std::uint32_t vehicle)
    void add_step(const DetectorStep& step, Ask&& ask) {
        enter(step, ask);
        for (Visitor& v : inside_) drive(v, ask(v.vehicle), step.dt);
        exit(step);
        std::erase_if(inside_, [](const Visitor& v) { return v.gone; });
    }
    void add_to(DetectorRows& rows, int detector, double begin, double end);

  private:
    struct Visitor {
        std::uint32_t vehicle = 0;
        double entered = 0, front_left = -1;           // s
        double speed_sum = 0, interval_speed_sum = 0;  // m
        double outside = 0, speed = 0;                 // s of the present step before it entered; m/s
        double time = 0, interval_time = 0;            // s
        double slow = 0, loss_at_entry = 0, loss = 0;  // s
        double interval_loss = 0;
        int halts = 0, interval_halts = 0;
        bool gone = false;
    };
    template <class Ask>
    void enter(const DetectorStep& step, Ask& ask) {
        for (const Sighting& s : step.seen) {
            if (step.link(s).exit || s.front_before >= 0 || s.front < 0) continue;
            Visitor v;
            v.vehicle = s.vehicle;
            v.entered = step.begin() + s.time_to(0);
            v.outside = s.time_to(0);
            v.loss_at_entry = v.loss = v.interval_loss = ask(s.vehicle).time_loss;
            put(v);
        }
    }
    void put(const Visitor& visitor);
    void drive(Visitor& visitor, const VehicleNow& now, double dt);
    void exit(const DetectorStep& step);
    void leave(const Visitor& visitor, double back_left);

    DetectorDescription settings_;
    std::vector<Visitor> inside_;  // by vehicle
    std::int64_t vehicles_ = 0, halts_ = 0;
    double travel_time_ = 0, overlap_ = 0, speed_ = 0, time_loss_ = 0;
};

}  // namespace jamiton
