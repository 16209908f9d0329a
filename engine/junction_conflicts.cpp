#include "engine/junction_conflicts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>

#include "engine/core/check.hpp"

namespace jamiton {
namespace {

// Where two line strips first meet, as lengths along each, and the sine of the angle there.
struct Crossing {
    float along_a, along_b, sine;
};

std::optional<Crossing> first_crossing(const std::vector<Point>& a, const std::vector<Point>& b) {
    float length_a = 0;
    for (std::size_t i = 1; i < a.size(); ++i) {
        const float ax = a[i].x - a[i - 1].x, ay = a[i].y - a[i - 1].y, la = std::sqrt(ax * ax + ay * ay);
        float length_b = 0;
        for (std::size_t j = 1; j < b.size(); ++j) {
            const float bx = b[j].x - b[j - 1].x, by = b[j].y - b[j - 1].y, lb = std::sqrt(bx * bx + by * by);
            const float cross = ax * by - ay * bx;
            if (cross != 0) {
                const float dx = b[j - 1].x - a[i - 1].x, dy = b[j - 1].y - a[i - 1].y;
                const float s = (dx * by - dy * bx) / cross, t = (dx * ay - dy * ax) / cross;
                if (s >= 0 && s <= 1 && t >= 0 && t <= 1)
                    return Crossing{length_a + s * la, length_b + t * lb, std::abs(cross) / (la * lb)};
            }
            length_b += lb;
        }
        length_a += la;
    }
    return std::nullopt;
}

float shape_length(const std::vector<Point>& p) {
    float sum = 0;
    for (std::size_t i = 1; i < p.size(); ++i)
        sum += std::sqrt((p[i].x - p[i - 1].x) * (p[i].x - p[i - 1].x) + (p[i].y - p[i - 1].y) * (p[i].y - p[i - 1].y));
    return sum;
}

float distance_to(Point p, const std::vector<Point>& line) {
    float best = std::numeric_limits<float>::max();
    for (std::size_t i = 1; i < line.size(); ++i) {
        const float dx = line[i].x - line[i - 1].x, dy = line[i].y - line[i - 1].y;
        const float px = p.x - line[i - 1].x, py = p.y - line[i - 1].y, square = dx * dx + dy * dy;
        const float u = square > 0 ? std::clamp((px * dx + py * dy) / square, 0.f, 1.f) : 0;
        best = std::min(best, std::hypot(px - u * dx, py - u * dy));
    }
    return best;
}

class Builder {
  public:
    Builder(const NetworkDescription& d, Network& n)
        : d_(d), n_(n), foes_(n.connections.size()), conflicts_(n.lanes.size()) {}

    void add_all() {
        for (const auto& junction : d_.junctions)
            if (junction.type != JunctionType::internal) add_junction(junction);
        for (const auto& junction : d_.junctions)
            if (junction.type == JunctionType::internal) add_internal_junction(junction);
        for (std::size_t lane = 0; lane < n_.lanes.size(); ++lane) add_partings(static_cast<int>(lane));
        store();
    }

  private:
    // Connections of a junction in the order of its request table: by incoming lane, then as in the file. Those of
    // pedestrians come last in the table and are left out.
    std::vector<int> links_of(const JunctionDescription& junction) const {
        std::vector<int> links;
        for (const int lane : junction.incoming_lanes)
            for (int c = n_.connection_begin[lane]; c < n_.connection_begin[lane + 1]; ++c)
                if (is_road(n_.connections[c].to_edge) && is_road(n_.lanes[lane].edge)) links.push_back(c);
        return links;
    }

    bool is_road(int edge) const {
        const EdgeFunction function = d_.edges[edge].function;
        return function != EdgeFunction::walking_area && function != EdgeFunction::crossing;
    }

    std::vector<int> internal_lanes_of(int connection) const {
        std::vector<int> lanes;
        int lane = n_.connections[connection].next_lane;
        while (n_.lanes[lane].is_internal() && lanes.size() < 8) {
            lanes.push_back(lane);
            lane = n_.connections[n_.lanes[lane].exit].next_lane;
        }
        return lanes;
    }

    void add_junction(const JunctionDescription& junction) {
        if (junction.requests.empty()) return;
        const std::vector<int> links = links_of(junction);
        const std::size_t n = junction.requests.size();
        if (links.size() > n)
            throw InputError(where(junction) + ": " + std::to_string(n) + " requests, but " +
                             std::to_string(links.size()) + " connections start at its incoming lanes");
        for (std::size_t r = 0; r < links.size(); ++r) {
            const auto& request = junction.requests[r];
            if (request.foes.size() != n || request.response.size() != n)
                throw InputError(where(junction) + ": request " + std::to_string(r) + " must have " +
                                 std::to_string(n) + " characters in response and foes");
            if (request.foes.find('1') != std::string::npos) n_.connections[links[r]].flags |= Connection::crossed;
            for (std::size_t k = 0; k < links.size(); ++k) {
                if (k == r || request.foes[n - 1 - k] != '1') continue;
                add_foe_and_its_stop(links[r], links[k], request.response[n - 1 - k] == '1');
                add_conflicts(links[r], links[k], request.response[n - 1 - k] == '1');
            }
        }
    }

    // A left turn that waits inside: its second part gives way to all that this junction names.
    void add_internal_junction(const JunctionDescription& junction) {
        const auto own = lane_by_id(junction.id);
        if (!own || n_.lanes[*own].entry < 0) return;
        const int connection = n_.lanes[*own].entry;
        for (const int lane : junction.internal_lanes) {
            int entry = lane;
            for (int hops = 0; n_.lanes[entry].is_internal() && hops < 8; ++hops)
                entry = n_.connections[n_.lanes[entry].entry].from_lane;
            if (std::find(junction.incoming_lanes.begin(), junction.incoming_lanes.end(), entry) !=
                junction.incoming_lanes.end()) {
                int first = lane;
                while (n_.connections[n_.lanes[first].entry].has(Connection::from_internal))
                    first = n_.connections[n_.lanes[first].entry].from_lane;
                add_foe(connection, n_.lanes[first].entry, true);
            }
            add_conflict(*own, lane, true);
        }
    }

    // A foe that may wait inside counts at its entry and where it waits.
    void add_foe_and_its_stop(int connection, int foe, bool yield) {
        add_foe(connection, foe, yield);
        if (n_.connections[foe].has(Connection::waits_inside))
            add_foe(connection, n_.lanes[n_.connections[foe].next_lane].exit, yield);
    }

    void add_foe(int connection, int foe, bool yield) {
        auto& list = foes_[connection];
        if (std::any_of(list.begin(), list.end(), [foe](const Foe& f) { return f.connection == foe; })) return;
        const bool same_target = n_.connections[connection].to_lane == n_.connections[foe].to_lane;
        list.push_back({foe, yield, same_target});
    }

    void add_conflicts(int connection, int foe, bool yield) {
        for (const int own : internal_lanes_of(connection))
            for (const int other : internal_lanes_of(foe)) add_conflict(own, other, yield);
    }

    void add_conflict(int own, int other, bool yield) {
        auto& list = conflicts_[own];
        const auto same =
            std::find_if(list.begin(), list.end(), [other](const Conflict& c) { return c.lane == other; });
        if (same != list.end()) {
            same->yield = static_cast<std::uint8_t>(same->yield | (yield ? 1 : 0));
            return;
        }
        if (const auto conflict = conflict_between(own, other)) {
            list.push_back(*conflict);
            list.back().yield = yield;
        }
    }

    std::optional<Conflict> conflict_between(int own, int other) const {
        const Lane& a = n_.lanes[own];
        const Lane& b = n_.lanes[other];
        Conflict c;
        c.lane = other;
        if (n_.connections[a.exit].next_lane == n_.connections[b.exit].next_lane) {
            c.merge = 1;
            c.own_begin = c.own_end = a.length;
            c.foe_begin = c.foe_end = b.length;
            return c;
        }
        const auto& shape_a = d_.lanes[own].shape;
        const auto& shape_b = d_.lanes[other].shape;
        const auto crossing = first_crossing(shape_a, shape_b);
        if (!crossing) return std::nullopt;
        const float on_a = crossing->along_a * a.length / shape_length(shape_a),
                    on_b = crossing->along_b * b.length / shape_length(shape_b);
        c.own_begin = std::max(0.f, on_a - b.width / 2);
        c.own_end = std::min(a.length, on_a + b.width / 2);
        c.foe_begin = std::max(0.f, on_b - a.width / 2);
        c.foe_end = std::min(b.length, on_b + a.width / 2);
        return c;
    }

    // Internal lanes that begin at the end of one lane are one way until they lie clearly apart.
    void add_partings(int lane) {
        if (n_.lanes[lane].is_internal()) return;
        for (int a = n_.connection_begin[lane]; a < n_.connection_begin[lane + 1]; ++a)
            for (int b = n_.connection_begin[lane]; b < n_.connection_begin[lane + 1]; ++b) {
                const int own = n_.connections[a].next_lane, other = n_.connections[b].next_lane;
                if (a == b || !n_.lanes[own].is_internal() || !n_.lanes[other].is_internal()) continue;
                Conflict c;
                c.lane = other;
                c.part = 1;
                c.own_end = c.foe_end = std::max(parted_after(own, other), parted_after(other, own));
                conflicts_[own].push_back(c);
            }
    }

    // m along lane a after which it is apart from lane b, between its points by interpolation. The 2.5 m are SUMO's:
    // measured with straight lanes that part at 20 to 90 degrees and with turns.
    float parted_after(int a, int b) const {
        constexpr float apart = 2.5f;
        const auto &shape = d_.lanes[a].shape, &other = d_.lanes[b].shape;
        float along = 0, gap = 0;
        for (std::size_t i = 1; i < shape.size(); ++i) {
            const float step = std::hypot(shape[i].x - shape[i - 1].x, shape[i].y - shape[i - 1].y);
            const float next = distance_to(shape[i], other);
            if (next > apart) return along + step * (apart - gap) / (next - gap);
            along += step;
            gap = next;
        }
        return along;
    }

    std::optional<int> lane_by_id(const std::string& id) {
        if (ids_.empty())
            for (std::size_t i = 0; i < d_.lanes.size(); ++i)
                if (n_.lanes[i].is_internal()) ids_.emplace(d_.lanes[i].id, static_cast<int>(i));
        const auto at = ids_.find(id);
        return at == ids_.end() ? std::nullopt : std::optional<int>(at->second);
    }

    std::string where(const JunctionDescription& junction) const {
        const std::string file =
            junction.source.file < d_.sources.size() ? d_.sources[junction.source.file] : "network";
        return file + ":" + std::to_string(junction.source.line) + ": <junction id=\"" + junction.id + "\">";
    }

    void store() {
        std::vector<Foe> foes;
        for (std::size_t c = 0; c < foes_.size(); ++c) {
            Connection& connection = n_.connections[c];
            connection.foe_begin = static_cast<int>(foes.size());
            connection.foe_count = static_cast<std::uint16_t>(foes_[c].size());
            for (const Foe& foe : foes_[c])
                if (foe.yield) {
                    connection.flags |= Connection::watched;
                    n_.connections[foe.connection].flags |= Connection::watched;
                }
            foes.insert(foes.end(), foes_[c].begin(), foes_[c].end());
        }
        n_.foes = Array<Foe>(foes);
        std::vector<Conflict> conflicts;
        for (std::size_t l = 0; l < conflicts_.size(); ++l) {
            n_.lanes[l].conflict_begin = static_cast<int>(conflicts.size());
            n_.lanes[l].conflict_count = static_cast<std::uint16_t>(conflicts_[l].size());
            conflicts.insert(conflicts.end(), conflicts_[l].begin(), conflicts_[l].end());
        }
        for (std::size_t l = 0; l < conflicts_.size(); ++l)
            for (int k = n_.lanes[l].conflict_begin; k < n_.lanes[l].conflict_begin + n_.lanes[l].conflict_count; ++k) {
                const auto& other = conflicts_[static_cast<std::size_t>(conflicts[static_cast<std::size_t>(k)].lane)];
                const auto back = std::find_if(other.begin(), other.end(),
                                               [l](const Conflict& c) { return c.lane == static_cast<int>(l); });
                conflicts[static_cast<std::size_t>(k)].foe_yields = back != other.end() && back->yield;
            }
        n_.conflicts = Array<Conflict>(conflicts);
    }

    const NetworkDescription& d_;
    Network& n_;
    std::vector<std::vector<Foe>> foes_;
    std::vector<std::vector<Conflict>> conflicts_;
    std::unordered_map<std::string, int> ids_;
};

}  // namespace

void add_junction_conflicts(const NetworkDescription& description, Network& network) {
    Builder(description, network).add_all();
}

}  // namespace jamiton
