// Figures of small generated runs against tests/golden/figures.txt: coarse on purpose, to see when a change of the
// model moves them.
#include <fstream>
#include <map>
#include <sstream>

#include "data/generate_scenario.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/scene.hpp"

using namespace jamiton;

namespace {

struct Figure {
    double value = 0, tolerance = 0;  // of the value, in parts of it
};

// Lines "run figure value tolerance"; # begins a comment.
std::map<std::string, Figure> read_figures(const std::string& path) {
    std::ifstream file(path);
    std::map<std::string, Figure> figures;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line.substr(0, line.find('#')));
        std::string run, name;
        Figure f;
        if (words >> run >> name >> f.value >> f.tolerance) figures[run + " " + name] = f;
    }
    return figures;
}

void add_run(std::map<std::string, double>& measured, const std::string& name, GeneratedScenario generated) {
    Scene scene;
    scene.network = std::move(generated.network);
    scene.demand = std::move(generated.demand);
    Simulation s = scene.simulate();
    while (!s.everybody_left() && s.time() < 3600) s.step();
    s.check_conservation();
    CHECK(s.summary().collisions == 0);
    const TripTable trips = s.trips();
    double duration = 0, loss = 0, waiting = 0, delay = 0, arrived = 0;
    for (std::size_t i = 0; i < trips.status.size(); ++i) {
        if (trips.status[i] != TripStatus::arrived) continue;
        ++arrived;
        duration += static_cast<double>(trips.duration[i]);
        loss += static_cast<double>(trips.time_loss[i]);
        waiting += static_cast<double>(trips.waiting_time[i]);
        delay += static_cast<double>(trips.depart_delay[i]);
    }
    measured[name + " arrived"] = arrived;
    measured[name + " duration"] = duration / arrived;
    measured[name + " time_loss"] = loss / arrived;
    measured[name + " waiting_time"] = waiting / arrived;
    measured[name + " depart_delay"] = delay / arrived;
}

}  // namespace

TEST_CASE("small runs have the figures that they had") {
    std::map<std::string, double> measured;
    add_run(measured, "grid", generate_grid({.size = 4, .signals = true, .demand = {.rate = 3000, .end = 600}}));
    add_run(measured, "corridor", generate_corridor({.junctions = 4, .demand = {.rate = 1500, .end = 600}}));
    add_run(measured, "crossings", generate_grid({.size = 3, .lanes = 1, .demand = {.rate = 1200, .end = 600}}));
    const std::map<std::string, Figure> golden = read_figures("tests/golden/figures.txt");
    for (const auto& [name, value] : measured) {
        INFO("new line: " << name << " " << value);
        CHECK(golden.contains(name));
        if (golden.contains(name)) CHECK(value == Approx(golden.at(name).value).epsilon(golden.at(name).tolerance));
    }
    CHECK(golden.size() == measured.size());
}
