#include <algorithm>
#include <cmath>
#include <map>

#include "data/generate_scenario.hpp"
#include "data/generated_demand.hpp"
#include "data/road_plan.hpp"

namespace jamiton {

namespace {

class Corridor {
  public:
    explicit Corridor(const CorridorOptions& options) : options_(options) {
        const double begin = -options.spacing, end = options.spacing * options.junctions;
        int west = add_junction("west", {begin, 0}, 0);
        gates_.push_back({west, -1, 1.0 * options.junctions});
        for (int i = 0; i < options.junctions; ++i) {
            const std::string number = std::to_string(i + 1);
            const double x = options.spacing * i;
            const int crossing = add_junction("crossing" + number, {x, 0}, x / options.speed);
            crossings_.push_back(crossing);
            add_street(west, crossing, true);
            west = crossing;
            for (const auto& [name, y] : {std::pair("north", options.side_length), {"south", -options.side_length}}) {
                const int side = add_junction(name + number, {x, y}, 0);
                add_street(side, crossing, false);
                gates_.push_back({side, i, 1});
            }
        }
        const int east = add_junction("east", {end, 0}, 0);
        add_street(west, east, true);
        gates_.push_back({east, options.junctions, 1.0 * options.junctions});
    }

    GeneratedScenario generate() {
        return {.network = generate_network(plan_),
                .demand = random_demand(options_.demand, [this](Dice& dice) { return random_route(dice); })};
    }

  private:
    // Where vehicles enter and leave; crossing -1 and `junctions` are the ends of the main street.
    struct Gate {
        int junction, crossing;
        double weight;
    };

    int add_junction(const std::string& id, Position at, double offset) {
        PlannedJunction junction;
        junction.id = id;
        junction.at = at;
        junction.type = options_.signals ? JunctionType::traffic_light : JunctionType::priority;
        junction.signal_offset = std::round(std::fmod(offset, plan_.signal_cycle));
        plan_.junctions.push_back(std::move(junction));
        return static_cast<int>(plan_.junctions.size()) - 1;
    }

    void add_street(int a, int b, bool main) {
        for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
            PlannedRoad road;
            road.id = plan_.junctions[from].id + "-" + plan_.junctions[to].id;
            road.from = from;
            road.to = to;
            road.lanes = main ? options_.lanes : options_.side_lanes;
            road.speed = main ? options_.speed : options_.side_speed;
            road.priority = main ? 2 : 1;
            road_between_[{from, to}] = static_cast<int>(plan_.roads.size());
            plan_.roads.push_back(std::move(road));
        }
    }

    std::vector<int> random_route(Dice& dice) const {
        std::vector<double> weights;
        for (const Gate& gate : gates_) weights.push_back(gate.weight);
        const std::size_t first = dice.weighted(weights);
        weights[first] = 0;
        const Gate from = gates_[first], to = gates_[dice.weighted(weights)];
        const int last = options_.junctions - 1;
        int crossing = std::clamp(from.crossing, 0, last);
        const int goal = std::clamp(to.crossing, 0, last);
        std::vector<int> edges = {road_between_.at({from.junction, crossings_[crossing]})};
        while (crossing != goal) {
            const int next = crossing + (goal > crossing ? 1 : -1);
            edges.push_back(road_between_.at({crossings_[crossing], crossings_[next]}));
            crossing = next;
        }
        edges.push_back(road_between_.at({crossings_[goal], to.junction}));
        return edges;
    }

    CorridorOptions options_;
    RoadPlan plan_;
    std::vector<int> crossings_;
    std::vector<Gate> gates_;
    std::map<std::pair<int, int>, int> road_between_;
};

}  // namespace

GeneratedScenario generate_corridor(const CorridorOptions& options) { return Corridor(options).generate(); }

}  // namespace jamiton
