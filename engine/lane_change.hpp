// The change phase: who moves to a neighbouring lane, on the positions after the move (model: SUMO's LC2013, Erdmann
// 2014). SUMO changes one vehicle after the other; here all decide at once, and of those who want the same gap one gets
// it.
#pragma once

#include "engine/core/parallel.hpp"
#include "engine/state.hpp"

namespace jamiton {

class LaneChange {
  public:
    // Sets the lane of those who change in world.now (the order is stale afterwards) and the speed advice of the next
    // step. Returns whether anybody changed.
    bool run(const Exec& exec, const World& world);
    std::size_t bytes() const { return wishes_.bytes() + claims_.bytes() + requests_.bytes() + taken_.bytes(); }

    struct Wish {      // 8 bytes
        int gap = -1;  // which gap, -1: none
        std::uint16_t advice = Memory::no_advice;
        std::int8_t direction : 2 = 0;      // -1 right, 1 left
        std::uint8_t to_be_faster : 1 = 0;  // for no other reason
        std::uint8_t wanted = 0;            // Attributes flags wants_left, wants_right, urgent
    };

  private:
    Array<Wish> wishes_;
    Array<std::uint64_t> claims_;    // per gap: who gets it
    Array<std::uint32_t> requests_;  // per vehicle: speed that others ask of it, 1/1024 m/s; odd: they go left
    Array<int> taken_;               // per vehicle: 1/1024 m taken by all before it in the state
    Array<int> changed_;             // one number
};

}  // namespace jamiton
