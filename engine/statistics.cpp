#include "engine/statistics.hpp"

namespace jamiton {
namespace {

// A mixing step of SplitMix64 (Steele, Lea, Flood 2014).
HD std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

HD std::uint32_t bits_of(float v) {
    std::uint32_t bits = 0;
    v += 0.f;  // no negative zero
    __builtin_memcpy(&bits, &v, sizeof bits);
    return bits;
}

struct SumState {
    const Kinematics* kinematics;
    HD Sums operator()(int i) const {
        const Kinematics& k = kinematics[i];
        const std::uint64_t who = (std::uint64_t{k.vehicle} << 32) | static_cast<std::uint32_t>(k.lane);
        const std::uint64_t where = (std::uint64_t{bits_of(k.position)} << 32) | bits_of(k.speed);
        Sums s;
        s.value[0] = static_cast<std::int64_t>(k.speed * 1024 + 0.5f);
        s.value[1] = k.speed <= 0.1f;
        s.value[2] = static_cast<std::int64_t>(mix(mix(who + 0x9E3779B97F4A7C15ull) ^ where));
        return s;
    }
};

}  // namespace

StateSums StepStatistics::run(const Exec& exec, const World& world) {
    sum_over(exec, world.now.count, SumState{world.now.kinematics}, sums_.data());
    synchronize(exec);
    history_ = mix(history_ + 0x9E3779B97F4A7C15ull + static_cast<std::uint64_t>(sums_[0].value[2]));
    return {sums_[0].value[0], sums_[0].value[1], history_};
}

}  // namespace jamiton
