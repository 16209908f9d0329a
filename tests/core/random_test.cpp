#include "engine/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/support/catch.hpp"

using namespace jamiton;

namespace {

std::array<std::uint32_t, 4> words(const RandomWords& r) { return {r.word[0], r.word[1], r.word[2], r.word[3]}; }

}  // namespace

TEST_CASE("Philox gives the known answers of Random123") {  // philox4x32, 10 rounds, of its kat_vectors
    using Words = std::array<std::uint32_t, 4>;
    constexpr std::uint32_t ones = 0xffffffff;
    CHECK(words(philox(0, 0, 0, 0, 0)) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    CHECK(words(philox(~std::uint64_t{0}, ones, ones, ones, ones)) ==
          Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
    CHECK(words(philox(0x299f31d0a4093822, 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344)) ==
          Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("draws differ with seed and vehicle and step and purpose") {
    std::set<std::uint32_t> seen;
    for (const std::uint64_t seed : {1ull, 2ull, 1ull << 32})
        for (const std::uint32_t vehicle : {0u, 1u})
            for (const std::uint32_t step : {0u, 1u})
                for (const Purpose purpose : {Purpose::dawdle, Purpose::lane_change})
                    seen.insert(draw(seed, vehicle, step, purpose).word[0]);
    CHECK(seen.size() == 24);
}

TEST_CASE("uniform numbers lie in 0 to 1 and are flat") {
    CHECK(uniform(0) == 0);
    CHECK(uniform(0xffffffff) < 1);
    CHECK(uniform_double(0xffffffff) < 1);
    constexpr int n = 400000, bins = 20;
    std::array<int, bins> count{};
    double sum = 0;
    for (std::uint32_t i = 0; i < n / 4; ++i)
        for (const std::uint32_t word : words(draw(7, i, 3, Purpose::dawdle))) {
            const float u = uniform(word);
            REQUIRE((u >= 0 && u < 1));
            ++count[static_cast<std::size_t>(u * bins)];
            sum += static_cast<double>(u);
        }
    CHECK(sum / n == Approx(0.5).margin(4 * std::sqrt(1.0 / 12 / n)));
    double chi2 = 0;
    for (const int c : count) chi2 += (c - n / bins) * (c - n / bins) / static_cast<double>(n / bins);
    CHECK(chi2 < 45);  // 19 degrees of freedom: one seed in a thousand
}

TEST_CASE("normal numbers have mean 0 and deviation 1 and the right tails") {
    constexpr int n = 100000;
    double sum = 0, squares = 0, cubes = 0;
    int beyond_two = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
        const double z = normal({.seed = 42, .number = i}, Purpose::speed_factor);
        sum += z;
        squares += z * z;
        cubes += z * z * z;
        beyond_two += std::abs(z) > 2;
    }
    CHECK(sum / n == Approx(0).margin(0.013));
    CHECK(squares / n == Approx(1).margin(0.018));
    CHECK(cubes / n == Approx(0).margin(0.05));
    CHECK(beyond_two / static_cast<double>(n) == Approx(0.0455).margin(0.003));
}

TEST_CASE("exponential numbers have mean 1 and a median of ln 2") {
    constexpr int n = 100000;
    double sum = 0;
    int below = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
        const double x = exponential({.seed = 42, .number = i}, Purpose::flow);
        REQUIRE(x >= 0);
        sum += x;
        below += x < 0.6931471805599453;
    }
    CHECK(sum / n == Approx(1).margin(0.013));
    CHECK(below / static_cast<double>(n) == Approx(0.5).margin(0.007));
}
