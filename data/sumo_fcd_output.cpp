#include "data/sumo_fcd_output.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace jamiton {
namespace {

struct PointOnLane {
    double x = 0, y = 0, angle = 0;  // m, m, degrees clockwise from north
};

// Where points of lanes lie.
class LaneShapes {
  public:
    explicit LaneShapes(hid_t file)
        : begin_(h5::read<std::int64_t>(file, "/network/lanes/shape_begin")),
          points_(h5::read<float>(file, "/network/lanes/shape")),
          length_(h5::read<float>(file, "/network/lanes/length")) {}

    // position: m from the start of the lane, whose shape may be a little longer or shorter than its length.
    PointOnLane at(std::size_t lane, double position) const {
        const auto first = static_cast<std::size_t>(begin_[lane]), last = static_cast<std::size_t>(begin_[lane + 1]);
        if (last - first < 2) return {};
        double whole = 0;
        for (std::size_t n = first + 1; n < last; ++n) whole += segment(n);
        double left = position * whole / std::max(static_cast<double>(length_[lane]), 1e-3);
        std::size_t n = first + 1;
        for (; n + 1 < last && left > segment(n); ++n) left -= segment(n);
        const double dx = x(n) - x(n - 1), dy = y(n) - y(n - 1), share = segment(n) > 0 ? left / segment(n) : 0;
        double angle = 90 - std::atan2(dy, dx) * 180 / std::numbers::pi;
        if (angle < 0) angle += 360;
        return {x(n - 1) + share * dx, y(n - 1) + share * dy, angle};
    }

  private:
    double x(std::size_t n) const { return static_cast<double>(points_[2 * n]); }
    double y(std::size_t n) const { return static_cast<double>(points_[2 * n + 1]); }
    double segment(std::size_t n) const { return std::hypot(x(n) - x(n - 1), y(n) - y(n - 1)); }

    std::vector<std::int64_t> begin_;
    std::vector<float> points_, length_;
};

}  // namespace

void write_fcd(const ResultsReader& results, XmlWriter& xml) {
    const std::vector<std::string> ids = results.ids("/trips/id"), lanes = results.ids("/network/lanes/id"),
                                   types = results.ids("/trips/type_names");
    const std::vector<std::uint32_t> type = h5::read<std::uint32_t>(results.file(), "/trips/type");
    const LaneShapes shapes(results.file());
    for (std::size_t step = 0; step < results.trajectory_steps(); ++step) {
        const TrajectoryRows rows = results.trajectories(step);
        xml.open("timestep");
        xml.attribute("time", rows.time);
        for (std::size_t r = 0; r < rows.vehicle.size(); ++r) {
            const std::uint32_t v = rows.vehicle[r];
            const PointOnLane point = shapes.at(rows.lane[r], static_cast<double>(rows.position[r]));
            xml.open("vehicle");
            xml.attribute("id", ids[v]);
            xml.attribute("x", point.x);
            xml.attribute("y", point.y);
            xml.attribute("angle", point.angle);
            xml.attribute("type", types[type[v]]);
            xml.attribute("speed", rows.speed[r]);
            xml.attribute("pos", rows.position[r]);
            xml.attribute("lane", lanes[rows.lane[r]]);
            xml.close();
        }
        xml.close();
    }
}

}  // namespace jamiton
