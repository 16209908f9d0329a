#include "engine/core/random.hpp"

#include <cmath>

namespace jamiton {
namespace {

// Natural logarithm for 0 < x <= 1 from + - * / alone, so that every C library gives the same bits.
// Reduction to m in [sqrt(1/2), sqrt(2)) and the series 2 atanh((m - 1) / (m + 1)).
double logarithm(double x) {
    int exponent = 0;
    double m = std::frexp(x, &exponent);
    if (m < 0.70710678118654752) {
        m *= 2;
        --exponent;
    }
    const double z = (m - 1) / (m + 1), z2 = z * z;
    double sum = 0;
    for (int k = 29; k >= 1; k -= 2) sum = sum * z2 + 1.0 / k;
    return 2 * z * sum + exponent * 0.69314718055994531;
}

}  // namespace

double normal(const DrawKey& key, Purpose purpose) {
    for (std::uint32_t attempt = key.first;; ++attempt) {
        const RandomWords r = philox(key.seed, key.number, attempt, static_cast<std::uint32_t>(purpose), key.group);
        const double u = (r.word[0] + 0.5) / 2147483648.0 - 1, v = (r.word[1] + 0.5) / 2147483648.0 - 1;
        const double s = u * u + v * v;
        if (s > 0 && s < 1) return u * std::sqrt(-2 * logarithm(s) / s);
    }
}

double exponential(const DrawKey& key, Purpose purpose) {
    return -logarithm((draw(key, purpose).word[0] + 0.5) / 4294967296.0);
}

}  // namespace jamiton
