// The insert phase: vehicles that are due enter their first edge as soon as there is a safe place.
#pragma once

#include "engine/core/parallel.hpp"
#include "engine/state.hpp"

namespace jamiton {

class Insertion {
  public:
    explicit Insertion(const Demand& demand);

    // Appends those who enter behind state.count (which stays as it is) and returns how many. Queues are per edge, in
    // order of departure; a failed try on a lane bars later vehicles of this step from the same place. `state` must be
    // in lane order.
    int run(const Exec& exec, const World& world, VehicleState& state);

    // The same for `count` vehicles from number `first` on, who enter the same edge one after the other until one finds
    // no place: without a time of their own, and without waiting.
    int call(const Exec& exec, const World& world, VehicleState& state, std::uint32_t first, int count);

    // The same for the trips that are due of those whose first edge is known at departure only. After run().
    int run_roaming(const Exec& exec, const World& world, VehicleState& state, const Demand& demand);

    // At most this many could enter in the given step, when `inserted` have done so before.
    int most_waiting(std::int32_t step, int inserted);
    // Trips that are due at this step (numbers 0 to due - 1), those dropped for waiting too long included.
    int due() const { return due_; }
    int dropped() const { return dropped_[0]; }
    std::size_t bytes() const { return order_.bytes() + queues_.bytes(); }

    struct Queue {
        int edge = -1;
        int head = 0, end = 0;  // positions in the order
    };

  private:
    static void make_queues(const Demand& demand, std::vector<std::uint32_t> trips, Array<std::uint32_t>& order,
                            Array<Queue>& queues);
    int enter(const Exec& exec, const World& world, VehicleState& state, Array<std::uint32_t>& order,
              Array<Queue>& queues);

    Array<std::uint32_t> order_;          // trips by first edge, then departure
    Array<Queue> queues_;                 // one per edge where somebody enters
    Array<std::uint32_t> roaming_order_;  // the same of the roaming that wait in this step
    Array<Queue> roaming_queues_;
    std::vector<std::uint32_t> roaming_, waiting_;  // all of them; those that are due
    std::size_t next_roaming_ = 0;
    Array<int> entered_, dropped_;  // one number each
    const Trip* trips_ = nullptr;
    int trip_count_ = 0, due_ = 0;
};

}  // namespace jamiton
