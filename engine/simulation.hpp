// One simulation: a network, its demand, and the step that moves the vehicles. Start reading at Simulation::step().
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/calibrators.hpp"
#include "engine/core/parallel.hpp"
#include "engine/demand.hpp"
#include "engine/insertion.hpp"
#include "engine/lane_change.hpp"
#include "engine/measures.hpp"
#include "engine/network.hpp"
#include "engine/observation.hpp"
#include "engine/parking.hpp"
#include "engine/regroup.hpp"
#include "engine/rerouting.hpp"
#include "engine/signals.hpp"
#include "engine/speed_signs.hpp"
#include "engine/state.hpp"
#include "engine/statistics.hpp"
#include "engine/teleport.hpp"

namespace jamiton {

enum class Device { host, cuda };

struct SimulationOptions {
    double begin = 0, step = 1;  // s
    bool ballistic = false;
    std::uint64_t seed = 42;
    int threads = 0;  // 0: one per core
    Device device = Device::host;
    double time_to_teleport = 300;                         // s, 0 or less: never
    double time_to_impatience = 180;                       // s, 0 or less: never
    bool edge_statistics = true, lane_statistics = false;  // of all vehicles
    MeasureDescription measures = {};
};

class Simulation {
  public:
    Simulation(const NetworkDescription& description, Network network, Demand demand, const SimulationOptions& options);

    // Makes the next step. The first one, labelled `begin`, only lets vehicles in.
    void step();

    double time() const { return label_; }         // s, label of the last step
    std::int64_t steps() const { return steps_; }  // made so far
    bool everybody_left() const;                   // nobody on the road, waiting or due later

    // Of the last step.
    const StepSummary& summary() const { return summary_; }
    TrajectoryRows trajectories() const;
    std::vector<SignalSwitch> signal_switches() const { return signals_.switches(label_); }
    TripTable trips() const;
    // The interval that ends now, over all edges or lanes, of all vehicles or of one of the mean data. A new one
    // begins.
    EdgeInterval take_edges(double begin, double end) { return take_means(0, false, begin, end); }
    EdgeInterval take_lanes(double begin, double end) {
        return take_means(options_.edge_statistics ? 1 : 0, true, begin, end);
    }
    EdgeInterval take_mean_data(std::size_t number, double begin, double end) {
        return take_means(plain_meters() + number, options_.measures.mean_data[number].of_lanes, begin, end);
    }
    // Of the detectors whose interval ends at `end` (s), or of all of them.
    bool measures_detectors() const { return measures_ && !measures_->detectors().empty(); }
    const MeasureDescription& measures() const { return options_.measures; }
    DetectorRows take_detectors(double end, bool all) { return measures_->detectors().take(end, all); }
    // Every loaded vehicle is in exactly one state; throws InternalError otherwise.
    void check_conservation() const;

    std::vector<PhaseCost> performance() const { return performance_; }
    std::uint64_t vehicle_steps() const { return vehicle_steps_; }
    // Bytes of the arrays that grow with the vehicles on the road, with all that are loaded, and with the network.
    std::size_t running_bytes() const;
    std::size_t loaded_bytes() const;
    std::size_t network_bytes() const {
        return network_.bytes() + signals_.bytes() + (rerouting_ ? rerouting_->bytes() : 0);
    }

    const Demand& demand() const { return demand_; }
    const Network& network() const { return network_; }

  private:
    void mark_lanes(int edge, Lane::Flag flag);
    World world(VehicleState& state);
    void plan_and_decide();
    void reset_keys();
    void regroup(int newcomers);
    void find_incoming();
    void enter();
    void calibrate();
    void check_order();
    void report_collisions();
    void observe();
    std::size_t plain_meters() const {
        return static_cast<std::size_t>(options_.edge_statistics) + static_cast<std::size_t>(options_.lane_statistics);
    }
    EdgeInterval take_means(std::size_t meter, bool of_lanes, double begin, double end);
    void check_error() const;
    // Runs a phase and adds to its costs; bytes_per_vehicle: of the vehicle arrays that it reads and writes.
    template <class F>
    void timed(const char* phase, std::size_t bytes_per_vehicle, F&& work);

    SimulationOptions options_;
    std::unique_ptr<ThreadPool> threads_;
    Exec exec_;
    std::unique_ptr<Network> held_network_;  // on the heap: what refers to it stays valid when the simulation moves
    Network& network_;
    Demand demand_;
    Signals signals_;
    SpeedSigns speed_signs_;
    Array<Driver> drivers_;
    VehicleState state_, spare_;
    Array<int> where_;
    Array<std::uint64_t> tail_, incoming_;
    bool incoming_is_known_ = false;      // incoming_ is of the present state
    Array<std::uint64_t> place_back_[2];  // per stopping place, by turns those of this step and of the next
    Array<int> approach_head_, approach_count_;
    Array<Approach> approaches_;
    Array<Plan> plans_;
    Array<TripResult> results_;
    Array<StopProgress> stop_progress_;
    Array<DriverState> driver_states_,
        next_driver_states_;  // of each vehicle number, where a type of the run needs them
    Regroup regroup_;
    LaneChange lane_change_;
    Insertion insertion_;
    Teleport teleport_;
    Parking parking_;
    std::unique_ptr<Rerouting> rerouting_;      // where routes are found in the run
    std::unique_ptr<Calibrators> calibrators_;  // nullptr: there are none
    StepStatistics statistics_;
    std::unique_ptr<Measures> measures_;  // nullptr: nobody wants any
    Array<Sums> order_;
    Array<std::uint64_t> error_;
    Array<int> taken_off_;
    std::int64_t steps_ = 0, inserted_ = 0, arrived_ = 0, collisions_ = 0;
    std::uint64_t vehicle_steps_ = 0;
    double label_ = 0;
    int collision_reports_ = 0;
    StepSummary summary_;
    std::vector<PhaseCost> performance_;
    std::uint64_t launches_before_ = 0;
};

// The table of driver parameters that kernels read. step: s.
std::vector<Driver> drivers_of(const std::vector<VehicleType>& types, double step);

}  // namespace jamiton
