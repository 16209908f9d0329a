// Vehicles that have stood too long are taken off the road and put on the next edge of their route that has room
// (SUMO's teleport).
#pragma once

#include <vector>

#include "engine/core/parallel.hpp"
#include "engine/state.hpp"

namespace jamiton {

class Teleport {
  public:
    // Takes those off who are first on their lane, not at a planned stop, and have waited longer than the limit: their
    // lane becomes gone. Returns how many.
    int take(const Exec& exec, const World& world);

    // Appends those who find room behind state.count and returns how many. They drive on unseen from edge to edge
    // meanwhile. `state` must be in lane order with room for away() more.
    int put_back(const World& world, VehicleState& state);

    int away() const { return static_cast<int>(pending_.size()); }
    std::int64_t total() const { return total_; }      // taken off so far
    std::int64_t removed() const { return removed_; }  // whose route ended meanwhile

    struct Pending {
        std::uint32_t vehicle = 0;
        Attributes attributes;
        Memory memory;
        std::uint32_t next_edge_step = 0;  // when it goes on to the next edge if there is still no room
    };

  private:
    bool advance(const World& world, Pending& pending);
    static void miss_stop(const World& world, Pending& pending);
    bool put(const World& world, VehicleState& state, int slot, Pending& pending);

    std::vector<Pending> pending_;  // by vehicle number
    Array<int> found_;              // count, then indices
    std::int64_t total_ = 0, removed_ = 0;
};

}  // namespace jamiton
