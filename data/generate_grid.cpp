#include <algorithm>
#include <cstdlib>
#include <map>

#include "data/generate_scenario.hpp"
#include "data/generated_demand.hpp"
#include "data/road_plan.hpp"

namespace jamiton {

namespace {

struct Place {
    int column, row;
    auto operator<=>(const Place&) const = default;
};

class Grid {
  public:
    explicit Grid(const GridOptions& options) : options_(options) {
        for (int row = -1; row <= options.size; ++row) {
            for (int column = -1; column <= options.size; ++column) add_place({column, row});
        }
    }

    GeneratedScenario generate() {
        return {.network = generate_network(plan_),
                .demand = random_demand(options_.demand, [this](Dice& dice) { return random_route(dice); })};
    }

  private:
    bool border_column(Place p) const { return p.column < 0 || p.column == options_.size; }
    bool border_row(Place p) const { return p.row < 0 || p.row == options_.size; }

    std::string id(Place p) const {
        if (p.column < 0) return "west" + std::to_string(p.row);
        if (p.column == options_.size) return "east" + std::to_string(p.row);
        if (p.row < 0) return "south" + std::to_string(p.column);
        if (p.row == options_.size) return "north" + std::to_string(p.column);
        return std::to_string(p.column) + "x" + std::to_string(p.row);
    }

    // With the roads to the west and the south, where there are any.
    void add_place(Place p) {
        if (border_column(p) && border_row(p)) return;
        junction_of_[p] = static_cast<int>(plan_.junctions.size());
        if (border_column(p) || border_row(p)) borders_.push_back(p);
        plan_.junctions.push_back({id(p),
                                   {options_.spacing * (p.column + 1), options_.spacing * (p.row + 1)},
                                   options_.signals     ? JunctionType::traffic_light
                                   : options_.lanes > 1 ? JunctionType::priority
                                                        : JunctionType::right_before_left});
        if (!border_row(p)) add_roads(p, {p.column - 1, p.row});
        if (!border_column(p)) add_roads(p, {p.column, p.row - 1});
    }

    void add_roads(Place a, Place b) {
        if (!junction_of_.contains(b)) return;
        for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
            PlannedRoad road;
            road.id = id(from) + "-" + id(to);
            road.from = junction_of_[from];
            road.to = junction_of_[to];
            road.lanes = options_.lanes;
            road.speed = options_.speed;
            road.priority = a.row == b.row ? 2 : 1;
            road_between_[{from, to}] = static_cast<int>(plan_.roads.size());
            plan_.roads.push_back(std::move(road));
        }
    }

    // The place inside that the border place is joined to.
    Place gate(Place border) const {
        const int last = options_.size - 1;
        return {std::clamp(border.column, 0, last), std::clamp(border.row, 0, last)};
    }

    // From a border place to another, on one of the shortest ways between, drawn block by block.
    std::vector<int> random_route(Dice& dice) const {
        const int size = static_cast<int>(borders_.size());
        const int from = dice.below(size), to = (from + 1 + dice.below(size - 1)) % size;
        Place at = gate(borders_[from]);
        const Place goal = gate(borders_[to]);
        std::vector<int> edges = {road_between_.at({borders_[from], at})};
        while (at != goal) {
            const int columns = std::abs(goal.column - at.column), rows = std::abs(goal.row - at.row);
            Place next = at;
            if (dice.below(columns + rows) < columns) {
                next.column += goal.column > at.column ? 1 : -1;
            } else {
                next.row += goal.row > at.row ? 1 : -1;
            }
            edges.push_back(road_between_.at({at, next}));
            at = next;
        }
        edges.push_back(road_between_.at({at, borders_[to]}));
        return edges;
    }

    GridOptions options_;
    RoadPlan plan_;
    std::map<Place, int> junction_of_;
    std::map<std::pair<Place, Place>, int> road_between_;
    std::vector<Place> borders_;
};

}  // namespace

GeneratedScenario generate_grid(const GridOptions& options) { return Grid(options).generate(); }

}  // namespace jamiton
