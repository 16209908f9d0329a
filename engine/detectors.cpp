#include "engine/detectors.hpp"

#include <algorithm>
#include <tuple>

#include "engine/core/check.hpp"

namespace jamiton {
namespace {

struct FindSightings {
    World w;
    const PlaceBefore* before;
    const DetectorLink* links;
    const int* link_begin;
    const std::uint8_t* watched;
    int type_count;
    Sighting* sightings;
    int* count;
    int capacity;

    HD void operator()(int i) const {
        float wanted = -1;  // m/s, where the front is
        for_each_passage(w, before[i], i, [&](const Passage& p) {
            if (wanted < 0) wanted = w.desired_when_dry(i, w.net.lanes[p.lane]);
            for (int n = link_begin[p.lane]; n < link_begin[p.lane + 1]; ++n) {
                const DetectorLink& link = links[n];
                if (p.front < link.begin || p.back_before() > link.end) continue;
                if (watched[link.detector * type_count + w.now.attributes[i].type] != 0) add(i, n, p, wanted);
            }
        });
    }

    HD void add(int i, int n, const Passage& p, float wanted) const {
        const DetectorLink& link = links[n];
        const int at = atomic_add(count, 1);
        if (at >= capacity) return;
        const float shift = link.offset - link.begin;
        Passage on_area = p;
        on_area.front += shift;
        on_area.front_before += shift;
        Sighting& s = sightings[at];
        s = {n, w.now.kinematics[i].vehicle, on_area.front_before, on_area.front, p.length, p.speed, 0, 0};
        s.on_area = on_area.time_between(0, link.length, w.method.dt);
        if (wanted > 0) s.time_loss = s.on_area * (1 - p.speed / wanted);
    }
};

// Time loss and speed of a vehicle, be it on the road or gone in this step.
VehicleNow vehicle_now(const World& w, std::uint32_t vehicle) {
    VehicleNow now;
    const int i = w.now.where[vehicle];
    now.on_road = i >= 0 && w.now.kinematics[i].lane != gone;
    if (i < 0) return now;
    now.speed = static_cast<double>(w.now.kinematics[i].speed);
    now.time_loss =
        static_cast<double>(static_cast<std::int32_t>(w.now.memory[i].time_loss)) / double{Memory::time_unit};
    return now;
}

std::variant<LoopDetector, AreaDetector, GatesDetector> make_detector(const DetectorDescription& d, float length) {
    if (d.kind == DetectorKind::loop) return LoopDetector();
    if (d.kind == DetectorKind::area) return AreaDetector(d, static_cast<double>(length));
    return GatesDetector(d);
}

}  // namespace

Detectors::Detectors(const std::vector<DetectorDescription>& descriptions, const Network& network, const Demand& demand,
                     double begin)
    : begin_(begin), sighting_count_(1), type_count_(static_cast<int>(demand.types.size())) {
    std::vector<std::vector<DetectorLink>> of_lane(network.lanes.size());
    std::vector<std::uint8_t> watched;
    int rows[3] = {};
    for (const DetectorDescription& d : descriptions) {
        float length = 0, offset = 0;
        if (d.kind == DetectorKind::area)
            for (const DetectorPart& part : d.parts) length += part.end - part.begin;
        for (const DetectorPart& part : d.parts) {
            of_lane[static_cast<std::size_t>(part.lane)].push_back(
                {static_cast<int>(detectors_.size()), part.begin, part.end, offset, length, part.exit});
            offset += d.kind == DetectorKind::area ? part.end - part.begin : 0;
        }
        detectors_.push_back({make_detector(d, length), rows[static_cast<int>(d.kind)]++, d.period, begin, 0});
        for (const VehicleType& type : demand.types) {
            const bool counts = d.types.empty() || std::find(d.types.begin(), d.types.end(), type.id) != d.types.end();
            watched.push_back(counts ? 1 : 0);
        }
    }
    std::vector<DetectorLink> links;
    std::vector<int> begins{0};
    for (const auto& some : of_lane) {
        links.insert(links.end(), some.begin(), some.end());
        begins.push_back(static_cast<int>(links.size()));
    }
    links_ = Array<DetectorLink>(links);
    link_begin_ = Array<int>(begins);
    watched_ = Array<std::uint8_t>(watched);
}

void Detectors::find(const Exec& exec, const World& world, const PlaceBefore* before) {
    for (;;) {
        sighting_count_[0] = 0;
        parallel_for(exec, world.now.count,
                     FindSightings{world, before, links_.data(), link_begin_.data(), watched_.data(), type_count_,
                                   sightings_.data(), sighting_count_.data(), static_cast<int>(sightings_.size())});
        synchronize(exec);
        if (sighting_count_[0] <= static_cast<int>(sightings_.size())) break;
        sightings_.resize(static_cast<std::size_t>(sighting_count_[0]) * 5 / 4 + 64);
    }
    std::sort(sightings_.begin(), sightings_.begin() + sighting_count_[0],
              [this](const Sighting& a, const Sighting& b) {
                  return std::tuple(links_[a.link].detector, a.vehicle, a.link) <
                         std::tuple(links_[b.link].detector, b.vehicle, b.link);
              });
}

void Detectors::add_step(const Exec& exec, const World& world, const PlaceBefore* before, double time) {
    find(exec, world, before);
    const Sighting* at = sightings_.data();
    const Sighting* const end = at + sighting_count_[0];
    for (std::size_t d = 0; d < detectors_.size(); ++d) {
        const Sighting* const first = at;
        while (at < end && links_[at->link].detector == static_cast<int>(d)) ++at;
        const DetectorStep step{time, static_cast<double>(world.method.dt), {first, at}, links_.data()};
        if (auto* gates = std::get_if<GatesDetector>(&detectors_[d].detector))
            gates->add_step(step, [&](std::uint32_t vehicle) { return vehicle_now(world, vehicle); });
        else if (auto* area = std::get_if<AreaDetector>(&detectors_[d].detector))
            area->add_step(step);
        else
            std::get<LoopDetector>(detectors_[d].detector).add_step(step);
    }
}

DetectorRows Detectors::take(double end, bool last) {
    DetectorRows rows;
    for (One& one : detectors_) {
        const double due = begin_ + (one.interval + 1) * one.period;
        const bool is_due = one.period > 0 && end >= due - 1e-6;
        if (!is_due && !(last && end > one.begin + 1e-6)) continue;
        std::visit([&](auto& detector) { detector.add_to(rows, one.row, one.begin, end); }, one.detector);
        one.begin = end;
        if (is_due) ++one.interval;
    }
    return rows;
}

}  // namespace jamiton
