#include "engine/regroup.hpp"

#include <utility>

namespace jamiton {
namespace {

// A vehicle stays when its lane is the one that its place in the old order stands for.
struct MarkStayers {
    const Kinematics* kinematics;
    const int* old_begin;
    int old_count;
    int* stay;
    int* arrivals;  // per lane, zeroed
    int* moved;     // how many do not stay

    HD void operator()(int i) const {
        const int lane = kinematics[i].lane;
        const bool stays = lane >= 0 && i < old_count && i >= old_begin[lane] && i < old_begin[lane + 1];
        stay[i] = stays;
        if (stays) return;
        atomic_add(moved, 1);
        if (lane >= 0) atomic_add(&arrivals[lane], 1);
    }
};

// Vehicles per lane: stayers and arrivals.
struct CountLanes {
    const int* old_begin;
    const int* stay_rank;
    const int* bucket_begin;
    int* count;
    HD void operator()(int lane) const {
        count[lane] =
            stay_rank[old_begin[lane + 1]] - stay_rank[old_begin[lane]] + bucket_begin[lane + 1] - bucket_begin[lane];
    }
};

HD bool ahead(const Kinematics& a, const Kinematics& b) {
    return a.position != b.position ? a.position > b.position : a.vehicle < b.vehicle;
}

// How many of those who stay on its lane are ahead of a vehicle that comes onto it.
HD int stayers_ahead(const Kinematics* kinematics, const int* old_begin, const int* stay, const Kinematics& k) {
    int count = 0;
    for (int s = old_begin[k.lane]; s < old_begin[k.lane + 1]; ++s)
        if (stay[s] && ahead(kinematics[s], k)) ++count;
    return count;
}

// Those who come onto a lane, in any order, and how many stayers are ahead of each.
struct FillBuckets {
    const Kinematics* kinematics;
    const int* old_begin;
    const int* stay;
    int* cursor;
    int* bucket;
    int* bucket_rank;
    HD void operator()(int i) const {
        const Kinematics& k = kinematics[i];
        if (stay[i] || k.lane < 0) return;
        const int b = atomic_add(&cursor[k.lane], 1);
        bucket[b] = i;
        bucket_rank[b] = stayers_ahead(kinematics, old_begin, stay, k);
    }
};

// Copies each vehicle to its place. Stayers keep their order, movers go between them; even where stayers have overtaken
// each other (a collision) each place is taken once.
struct Place {
    StateView from, to;
    const int* new_begin;
    const int* stay;
    const int* stay_rank;
    const int* bucket_begin;
    const int* bucket;
    const int* bucket_rank;

    HD void operator()(int i) const {
        const Kinematics& k = from.kinematics[i];
        if (k.lane < 0) {
            from.where[k.vehicle] = -1;
            return;
        }
        const int rank = stay[i] ? stay_rank[i] - stay_rank[from.lane_begin[k.lane]]
                                 : stayers_ahead(from.kinematics, from.lane_begin, stay, k);
        int place = new_begin[k.lane] + rank;
        for (int b = bucket_begin[k.lane]; b < bucket_begin[k.lane + 1]; ++b) {
            const bool same = bucket_rank[b] == rank;
            if (bucket[b] == i || bucket_rank[b] > rank) continue;
            if (!same || stay[i] || ahead(from.kinematics[bucket[b]], k)) ++place;
        }
        to.kinematics[place] = k;
        to.attributes[place] = from.attributes[i];
        to.memory[place] = from.memory[i];
        from.where[k.vehicle] = place;
    }
};

}  // namespace

Regroup::Regroup(int lane_count, int vehicle_count)
    : stay_(vehicle_count),
      stay_rank_(vehicle_count + 1),
      bucket_begin_(lane_count + 1),
      cursor_(lane_count + 1),
      bucket_(vehicle_count),
      bucket_rank_(vehicle_count),
      moved_(1) {}

bool Regroup::run(const Exec& exec, VehicleState& from, int total, VehicleState& to, int* where) {
    const int lanes = static_cast<int>(from.lane_begin.size()) - 1;
    if (total > static_cast<int>(stay_.size())) {
        stay_.resize(total);
        stay_rank_.resize(total + 1);
        bucket_.resize(total);
        bucket_rank_.resize(total);
    }
    moved_[0] = 0;
    for (int& n : bucket_begin_) n = 0;
    parallel_for(exec, total,
                 MarkStayers{from.kinematics.data(), from.lane_begin.data(), from.count, stay_.data(),
                             bucket_begin_.data(), moved_.data()});
    synchronize(exec);
    if (moved_[0] == 0) return false;
    exclusive_scan(exec, lanes, bucket_begin_.data(), bucket_begin_.data());
    exclusive_scan(exec, total, stay_.data(), stay_rank_.data());
    for (int lane = 0; lane < lanes; ++lane) cursor_[lane] = bucket_begin_[lane];
    parallel_for(exec, total,
                 FillBuckets{from.kinematics.data(), from.lane_begin.data(), stay_.data(), cursor_.data(),
                             bucket_.data(), bucket_rank_.data()});
    parallel_for(exec, lanes,
                 CountLanes{from.lane_begin.data(), stay_rank_.data(), bucket_begin_.data(), to.lane_begin.data()});
    exclusive_scan(exec, lanes, to.lane_begin.data(), to.lane_begin.data());
    StateView source = from.view(where), target = to.view(where);
    parallel_for(exec, total,
                 Place{source, target, to.lane_begin.data(), stay_.data(), stay_rank_.data(), bucket_begin_.data(),
                       bucket_.data(), bucket_rank_.data()});
    synchronize(exec);
    to.count = to.lane_begin[lanes];
    return true;
}

void sort_lanes(VehicleState& state, int* where) {
    for (int i = 1; i < state.count; ++i) {
        for (int j = i; j > 0 && state.kinematics[j].lane == state.kinematics[j - 1].lane &&
                        ahead(state.kinematics[j], state.kinematics[j - 1]);
             --j) {
            std::swap(state.kinematics[j], state.kinematics[j - 1]);
            std::swap(state.attributes[j], state.attributes[j - 1]);
            std::swap(state.memory[j], state.memory[j - 1]);
            where[state.kinematics[j].vehicle] = j;
            where[state.kinematics[j - 1].vehicle] = j - 1;
        }
    }
}

}  // namespace jamiton
