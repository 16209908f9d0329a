#include "data/line_strip.hpp"

#include <algorithm>
#include <cmath>

namespace jamiton {

double norm(Position a) { return std::sqrt(dot(a, a)); }

Position unit(Position a) { return (1 / norm(a)) * a; }

double length(const LineStrip& strip) {
    double sum = 0;
    for (std::size_t i = 1; i < strip.size(); ++i) sum += norm(strip[i] - strip[i - 1]);
    return sum;
}

LineStrip part(const LineStrip& strip, double from, double to) {
    constexpr double tiny = 1e-6;
    LineStrip cut;
    double begin = 0;
    for (std::size_t i = 1; i < strip.size(); ++i) {
        const Position a = strip[i - 1], b = strip[i];
        const double size = norm(b - a), end = begin + size;
        if (end > from + tiny && begin < to - tiny) {
            if (cut.empty()) cut.push_back(a + (std::max(from - begin, 0.0) / size) * (b - a));
            cut.push_back(a + (std::min(to - begin, size) / size) * (b - a));
        }
        begin = end;
    }
    return cut;
}

LineStrip beside(const LineStrip& strip, double offset) {
    LineStrip moved;
    for (std::size_t i = 0; i < strip.size(); ++i) {
        const Position before = unit(strip[std::max<std::size_t>(i, 1)] - strip[std::max<std::size_t>(i, 1) - 1]);
        const Position after = i + 1 < strip.size() ? unit(strip[i + 1] - strip[i]) : before;
        const Position middle = unit(to_the_right(before) + to_the_right(after));
        // Farther out in a bend, so that the distance to both pieces is the offset.
        moved.push_back(strip[i] + (offset / std::max(dot(middle, to_the_right(after)), 0.3)) * middle);
    }
    return moved;
}

double turn_angle(Position a, Position b) { return std::atan2(cross(a, b), dot(a, b)); }

LineStrip curve(Position a, Position direction_a, Position b, Position direction_b) {
    const double angle = std::abs(turn_angle(direction_a, direction_b)), chord = norm(b - a);
    const double aside = std::abs(cross(direction_a, b - a));
    if (angle < 0.02 && aside < 0.02) return {a, b};
    // A cubic Bezier curve with this reach of its control points is next to an arc of the angle.
    const double half = std::sin(angle / 2);
    const double reach = chord * (half < 0.05 ? 1.0 / 3 : 2.0 / 3 * std::tan(angle / 4) / half);
    const Position near_a = a + reach * direction_a, near_b = b - reach * direction_b;
    constexpr int pieces = 8;
    LineStrip strip;
    for (int i = 0; i <= pieces; ++i) {
        const double t = static_cast<double>(i) / pieces, s = 1 - t;
        strip.push_back((s * s * s) * a + (3 * s * s * t) * near_a + (3 * s * t * t) * near_b + (t * t * t) * b);
    }
    return strip;
}

std::optional<double> first_meeting(const LineStrip& a, const LineStrip& b) {
    double begin = 0;
    for (std::size_t i = 1; i < a.size(); ++i) {
        const Position along = a[i] - a[i - 1];
        std::optional<double> first;
        for (std::size_t j = 1; j < b.size(); ++j) {
            const Position other = b[j] - b[j - 1], between = b[j - 1] - a[i - 1];
            const double sine = cross(along, other);
            if (sine == 0) continue;
            const double s = cross(between, other) / sine, t = cross(between, along) / sine;
            if (s >= 0 && s <= 1 && t >= 0 && t <= 1) first = std::min(first.value_or(1), s);
        }
        if (first) return begin + *first * norm(along);
        begin += norm(along);
    }
    return std::nullopt;
}

}  // namespace jamiton
