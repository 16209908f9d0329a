// Of all who want to change lanes in a step: who gets which gap, and what the others remember.
#pragma once

#include "agents/braking.hpp"
#include "engine/lane_change.hpp"

namespace jamiton {

constexpr std::uint32_t no_request = 0xFFFFFFFF;

struct ApplyClaims {
    World w;
    const LaneChange::Wish* wishes;
    std::uint64_t* claims;
    std::uint32_t* requests;
    int* changed;

    // Into one gap goes the first who claims it, and who comes behind on the same lane if that is safe. Who just wants
    // to be faster thinks again first, since the change of the one ahead makes its own lane the better one.
    HD bool may_go(int i, const Kinematics& k) const {
        const int gap = wishes[i].gap;
        if (gap < 0) return false;
        const std::uint32_t first = key_vehicle(claims[gap]);
        if (first == k.vehicle) return true;
        const int f = w.now.where[first];
        if (f > i || wishes[f].direction != wishes[i].direction) return false;
        if (wishes[i].to_be_faster) return false;
        int j = i - 1;
        while (wishes[j].gap != gap) --j;  // the next ahead who wants there: at the latest the first
        const Driver& d = w.driver(i);
        const Kinematics& ahead = w.now.kinematics[j];
        const float needed = secure_gap(d, k.speed, ahead.speed, w.driver(j).apparent_decel, w.method) / d.lc_assertive;
        return ahead.position - w.driver(j).length - k.position - d.min_gap >= needed;
    }

    HD void operator()(int i) const {
        Kinematics& k = w.now.kinematics[i];
        Attributes& a = w.now.attributes[i];
        Memory& m = w.now.memory[i];
        constexpr unsigned last_phase = Attributes::wants_left | Attributes::wants_right | Attributes::urgent |
                                        Attributes::asked_by_left | Attributes::asked_by_right;
        a.flags = static_cast<std::uint16_t>((a.flags & ~last_phase) | wishes[i].wanted);
        m.advice = wishes[i].advice;
        if (requests[i] != no_request) {
            m.advice = min(m.advice, static_cast<std::uint16_t>(requests[i] / 2));
            a.flags |= requests[i] % 2 != 0 ? Attributes::asked_by_right : Attributes::asked_by_left;
            requests[i] = no_request;
        }
        if (!may_go(i, k)) return;
        if (w.lane_moves.moves != nullptr)
            w.lane_moves.moves[atomic_add(w.lane_moves.count, 1)] = {k.vehicle, k.lane, k.lane + wishes[i].direction,
                                                                     a.type};
        k.lane += wishes[i].direction;
        if (!w.net.lanes[k.lane].is_internal()) a.came_over = -1;
        a.flags = static_cast<std::uint16_t>(
            (a.flags & ~(Attributes::wants_left | Attributes::wants_right | Attributes::urgent)) | Attributes::changed);
        m.forget_lanes();
        // Who has further to go may still meet others who come the other way.
        if (w.choice_at(k.lane, a.route_at).best_offset == 0) m.advice = Memory::no_advice;
        atomic_add(changed, 1);
    }
};

struct ClearClaims {
    std::uint64_t* claims;
    HD void operator()(int gap) const { claims[gap] = no_key; }
};

}  // namespace jamiton
