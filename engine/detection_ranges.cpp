#include "engine/detection_ranges.hpp"

namespace jamiton {
namespace {

struct ReadRanges {
    World w;
    const DetectionRange* ranges;
    const RangePiece* pieces;
    RangeState* states;
    SeenVehicle* seen;

    HD void operator()(int r) const {
        const DetectionRange& range = ranges[r];
        RangeState state;
        float to_line = 0;  // m from the end of the piece
        for (int p = range.piece_begin; p < range.piece_begin + range.piece_count; ++p) {
            const RangePiece& piece = pieces[p];
            const Lane& lane = w.net.lanes[piece.lane];
            for (int i = w.now.lane_begin[piece.lane]; i < w.now.lane_begin[piece.lane + 1]; ++i) {
                const float position = w.now.kinematics[i].position;
                if (position <= piece.begin) break;
                ++state.vehicles;
                const float free_speed = w.desired_when_dry(i, lane), distance = to_line + lane.length - position;
                if (add_loss(i, piece, r, free_speed) > range.least_loss)
                    state.soonest = min(state.soonest, distance / free_speed);
            }
            to_line += lane.length;
        }
        states[r] = state;
    }

    // s that vehicle i has lost in the range. Of the step in which it drove into it only the part within counts.
    HD float add_loss(int i, const RangePiece& piece, int range, float free_speed) const {
        const Kinematics& k = w.now.kinematics[i];
        const int last = static_cast<int>(w.step) - 1;
        SeenVehicle& s = seen[k.vehicle];
        float time = w.method.dt;
        if (s.step != last - 1 || s.range != range) {
            s.loss = 0;
            const float inside = k.position - piece.begin;
            const bool came_along = (w.now.attributes[i].flags & Attributes::changed) == 0 &&
                                    w.demand.results[k.vehicle].depart_step != last && inside < k.speed * w.method.dt;
            time = came_along ? inside / k.speed : 0;
        }
        s.loss += time * max(0.f, 1 - k.speed / free_speed);
        s.step = last;
        s.range = range;
        return s.loss;
    }
};

}  // namespace

void read_ranges(const Exec& exec, const World& world, const SignalPlan& plan, Array<RangeState>& states,
                 Array<SeenVehicle>& seen) {
    parallel_for(exec, static_cast<int>(plan.ranges.size()),
                 ReadRanges{world, plan.ranges.data(), plan.range_pieces.data(), states.data(), seen.data()});
}

}  // namespace jamiton
