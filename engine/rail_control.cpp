#include "engine/rail_control.hpp"

#include "engine/core/atomic.hpp"

namespace jamiton {
namespace {

constexpr float notice = 10;  // s and 50 m beyond its way to brake: from there on a train asks for its block
constexpr float notice_way = 50;

// What both kernels ask about a link.
struct Block {
    const World& w;
    const RailView& rail;
    const char* link_state;
    int connection, link;
    int train = -1;
    std::uint32_t route_at = no_route;
    std::uint64_t key = no_key;

    HD Block(const World& world, const RailView& view, const char* states, const RailLink& l)
        : w(world), rail(view), link_state(states), connection(l.connection), link(l.link) {
        train = next_train(w, connection);
        if (train < 0) return;
        const Kinematics& k = w.now.kinematics[train];
        const float way = way_to(w, train), braking = brake_gap(k.speed, w.driver(train).decel, 0, w.method);
        if (way > braking + k.speed * notice + notice_way) {
            train = -1;
            return;
        }
        route_at = w.now.attributes[train].route_at;
        const bool committed = way < braking && is_green(link_state[link]);
        key = reservation(w.step, committed ? 0 : way, k.vehicle);
    }

    // Tracks that cross or join a lane of the block. Roads do not count: a level crossing closes them.
    template <class Visit>
    HD bool all_conflicts(int lane, Visit&& holds) const {
        const Lane& l = w.net.lanes[lane];
        for (int n = l.conflict_begin; n < l.conflict_begin + l.conflict_count; ++n)
            if (!is_closed_road(w.net.conflicts[n].lane) && !holds(w.net.conflicts[n].lane)) return false;
        return true;
    }

    HD bool is_closed_road(int lane) const {
        const Connection& c = w.net.connections[w.net.lanes[lane].entry];
        return c.signal >= 0 && !c.has(Connection::ends_block);
    }

    HD bool is_free() const {
        bool free = true;
        walk_block(w, rail, connection, route_at, [&](int lane) {
            const int opposite = rail.opposite[lane];
            free = !is_occupied(w, lane) && (opposite < 0 || !is_occupied(w, opposite)) &&
                   all_conflicts(lane, [&](int other) { return !is_occupied(w, other); });
            return free;
        });
        return free;
    }

    HD void reserve_lane(int lane, std::uint64_t claim) const {
        atomic_min(&rail.reserved[lane], claim);
        if (rail.opposite[lane] >= 0) atomic_min(&rail.reserved[rail.opposite[lane]], claim);
        all_conflicts(lane, [&](int other) { return atomic_min(&rail.reserved[other], claim), true; });
    }
    HD void reserve() const {
        walk_block(w, rail, connection, route_at, [&](int lane) { return reserve_lane(lane, key), true; });
    }
    // The train that has passed the link keeps what lies before it in the block.
    HD void reserve_for(std::uint32_t holder) const {
        const int i = holder == no_train ? -1 : w.now.where[holder];
        if (i < 0) return;
        const std::uint64_t claim = reservation(w.step, 0, holder);
        walk_on(w, rail, i, [&](int lane) { return reserve_lane(lane, claim), true; });
    }

    HD bool is_reserved() const {
        bool own = true;
        walk_block(w, rail, connection, route_at, [&](int lane) { return own = rail.reserved[lane] == key; });
        return own;
    }
};

struct Reserve {
    World w;
    RailView rail;
    const char* link_state;
    HD void operator()(int n) const {
        const Block block(w, rail, link_state, rail.links[n]);
        block.reserve_for(rail.holders[n]);
        if (block.train >= 0 && block.is_free()) block.reserve();
    }
};

// Shows green where the block is free and nobody else is about to use a part of it.
struct Show {
    World w;
    RailView rail;
    char* link_state;
    SignalChanges changes;
    HD void operator()(int n) const {
        const RailSignal& signal = rail.signals[n];
        bool changed = false;
        for (int k = signal.link_begin; k < signal.link_begin + signal.link_count; ++k) {
            const Block block(w, rail, link_state, rail.links[k]);
            const bool go = block.is_free() && (block.train < 0 || block.is_reserved());
            if (go && block.train >= 0) rail.holders[k] = w.now.kinematics[block.train].vehicle;
            char& state = link_state[rail.links[k].link];
            changed = changed || is_green(state) != go;
            state = go ? 'G' : 'r';
        }
        if (changed) changes.add(signal.signal);
    }
};

}  // namespace

void advance_rail_signals(const Exec& exec, const World& world, const RailView& rail, const RailPlan& plan,
                          char* link_state, const SignalChanges& changes) {
    parallel_for(exec, static_cast<int>(plan.links.size()), Reserve{world, rail, link_state});
    parallel_for(exec, static_cast<int>(plan.signals.size()), Show{world, rail, link_state, changes});
}

}  // namespace jamiton
