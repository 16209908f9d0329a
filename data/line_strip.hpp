// Plane geometry of generated networks: line strips, cut, moved sideways, joined by curves, crossed.
#pragma once

#include <optional>
#include <vector>

namespace jamiton {

struct Position {
    double x = 0, y = 0;  // m
};

inline Position operator+(Position a, Position b) { return {a.x + b.x, a.y + b.y}; }
inline Position operator-(Position a, Position b) { return {a.x - b.x, a.y - b.y}; }
inline Position operator*(double s, Position a) { return {s * a.x, s * a.y}; }
inline double cross(Position a, Position b) { return a.x * b.y - a.y * b.x; }
inline double dot(Position a, Position b) { return a.x * b.x + a.y * b.y; }
double norm(Position a);
Position unit(Position a);
inline Position to_the_right(Position direction) { return {direction.y, -direction.x}; }

using LineStrip = std::vector<Position>;

double length(const LineStrip& strip);
LineStrip part(const LineStrip& strip, double from, double to);  // m along the strip
LineStrip beside(const LineStrip& strip, double offset);         // m to the right

// From a to b, leaving and arriving in these directions (of unit length): an arc where one fits.
LineStrip curve(Position a, Position direction_a, Position b, Position direction_b);

// Angle from direction a to b, in (-pi, pi], positive to the left.
double turn_angle(Position a, Position b);

// How far along a it first meets b.
std::optional<double> first_meeting(const LineStrip& a, const LineStrip& b);

}  // namespace jamiton
