#include "engine/measures.hpp"

#include <algorithm>

namespace jamiton {
namespace {

struct NotePlaces {
    const Kinematics* now;
    PlaceBefore* before;
    HD void operator()(int i) const { before[i] = {now[i].position, now[i].lane}; }
};

// One flag per type of the run, empty for all of them.
std::vector<std::uint8_t> flags_of(const std::vector<std::string>& ids, const Demand& demand) {
    std::vector<std::uint8_t> flags;
    if (ids.empty()) return flags;
    for (const VehicleType& type : demand.types)
        flags.push_back(std::find(ids.begin(), ids.end(), type.id) != ids.end() ? 1 : 0);
    return flags;
}

}  // namespace

Measures::Measures(const MeasureDescription& description, int plain, const Network& network, const Demand& demand,
                   double begin)
    : detectors_(description.detectors, network, demand, begin), move_count_(1) {
    for (int n = 0; n < plain; ++n) meters_.emplace_back(network, std::vector<std::uint8_t>{});
    for (const MeanDataDescription& mean_data : description.mean_data)
        meters_.emplace_back(network, flags_of(mean_data.types, demand));
}

void Measures::note_places(const Exec& exec, const World& world) {
    move_count_[0] = 0;
    if (static_cast<int>(before_.size()) < world.now.count) before_.resize(world.now.count * 5 / 4 + 64);
    parallel_for(exec, world.now.count, NotePlaces{world.now.kinematics, before_.data()}, 8192);
}

void Measures::follow(const Exec& exec, const World& world, double time) {
    for (LaneMeter& meter : meters_) meter.add_passages(exec, world, before_.data());
    if (!detectors_.empty()) detectors_.add_step(exec, world, before_.data(), time);
    synchronize(exec);
}

void Measures::add_changes(const Exec& exec) {
    for (LaneMeter& meter : meters_) meter.add_changes(exec, moves_.data(), move_count_[0]);
    synchronize(exec);
}

LaneMovesView Measures::lane_moves(int vehicles) {
    if (static_cast<int>(moves_.size()) < vehicles) moves_.resize(vehicles * 5 / 4 + 64);
    return {move_count_.data(), moves_.data()};
}

std::size_t Measures::bytes() const {
    std::size_t bytes = before_.bytes() + moves_.bytes();
    for (const LaneMeter& meter : meters_) bytes += meter.bytes();
    return bytes;
}

}  // namespace jamiton
