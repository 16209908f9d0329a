#include "engine/induction_loops.hpp"

#include "engine/look_ahead.hpp"

namespace jamiton {
namespace {

struct ReadLoops {
    World w;
    const Loop* loops;
    LoopState* states;
    std::int64_t now;  // us

    HD void operator()(int n) const {
        const Loop& loop = loops[n];
        LoopState& state = states[n];
        // The nearest body whose front is beyond the loop; its back has passed as the last one or is still before it.
        const int place = place_on_lane(w, loop.lane, loop.position);
        Leader beyond = tail_on(w, loop.lane, -loop.position, no_vehicle);
        if (place > w.now.lane_begin[loop.lane]) {
            const int i = place - 1;
            beyond = {i, w.now.kinematics[i].position - w.driver(i).length - loop.position};
        }
        const bool occupied = beyond.index >= 0 && beyond.gap < 0;
        if (!occupied && beyond.index >= 0 && has_driven(beyond.index)) {
            const float speed = w.now.kinematics[beyond.index].speed;
            if (beyond.gap < speed * w.method.dt)
                state.left = now - static_cast<std::int64_t>(beyond.gap / speed * 1e6f);
        }
        if (!occupied && state.occupant >= 0 && now - state.left > static_cast<std::int64_t>(w.method.dt * 1e6f))
            state.left = now;  // it changed lane or arrived on the loop
        const std::int64_t occupant = occupied ? std::int64_t{w.now.kinematics[beyond.index].vehicle} : -1;
        if (occupant != state.occupant) state.since = now;
        state.occupant = occupant;
    }

    // On this lane through the step before: neither new on the road nor from another lane.
    HD bool has_driven(int i) const {
        const TripResult& trip = w.demand.results[w.now.kinematics[i].vehicle];
        return (w.now.attributes[i].flags & Attributes::changed) == 0 &&
               trip.depart_step + 1 != static_cast<std::int32_t>(w.step);
    }

    static constexpr std::uint32_t no_vehicle = 0xFFFFFFFF;
};

}  // namespace

void read_loops(const Exec& exec, const World& world, const Array<Loop>& loops, Array<LoopState>& states,
                std::int64_t now) {
    parallel_for(exec, static_cast<int>(loops.size()), ReadLoops{world, loops.data(), states.data(), now});
}

}  // namespace jamiton
