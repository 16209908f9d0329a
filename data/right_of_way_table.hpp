// Who crosses whom at a junction, and who gives way: SUMO's request table, from geometry and the rules of the road.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "data/line_strip.hpp"
#include "engine/network_description.hpp"

namespace jamiton {

// A way from a lane to a lane, in the order of the junction's request table.
struct JunctionLink {
    int from_road = -1, to_road = -1;
    int from_lane = -1, to_lane = -1;  // index in the road, 0 rightmost
    int arm = -1;                      // where it comes from, numbered at the junction
    Position heading;                  // of that arm, into the junction
    char direction = 's';              // r s l
    int priority = 0;
    LineStrip path;
};

class RightOfWayTable {
  public:
    RightOfWayTable(std::span<const JunctionLink> links, JunctionType type);

    int size() const { return size_; }
    bool foes(int a, int b) const { return foes_[index(a, b)] != 0; }
    bool yields(int a, int b) const { return yields_[index(a, b)] != 0; }  // a to its foe b
    bool yields(int a) const;                                              // to anybody

  private:
    std::size_t index(int a, int b) const { return static_cast<std::size_t>(a) * size_ + b; }

    int size_;
    std::vector<char> foes_, yields_;
};

// From opposite arms.
bool oncoming(const JunctionLink& a, const JunctionLink& b);

// Where on the way of link `turn` a left turn waits inside the junction for oncoming traffic, m from its start.
std::optional<double> waiting_place(std::span<const JunctionLink> links, const RightOfWayTable& table, int turn,
                                    JunctionType type, double lane_width);

}  // namespace jamiton
