#include "scenarios/recorder.hpp"

#include "data/results_reader.hpp"
#include "scenarios/scenario.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/small_net.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace jamiton;

TEST_CASE("after an error the results say that the run has failed, and hold the steps before it") {
    const TemporaryFolder folder;
    folder.write("net.xml", small_net);
    folder.write("trips.xml", "<routes><trip id=\"t\" from=\"ab\" to=\"bc\" depart=\"0\"/></routes>");
    const std::string path = folder.write(
        "s.toml",
        "[network]\nfile = \"net.xml\"\n[demand]\nfiles = \"trips.xml\"\n[time]\nend = 9\n[run]\nthreads = 1");
    UnsupportedReport report;
    Scenario scenario = load_scenario(path, {}, report);
    scenario.output.file = folder.path() + "/r.h5";
    const ScenarioInput input = read_inputs(scenario, report);
    Network network = build_network(input.network);
    Demand demand = build_demand(input.demand, input.network, network, {});
    Simulation simulation(input.network, std::move(network), std::move(demand), {});
    Recorder recorder(scenario, "jamiton", input.network, simulation);
    for (int step = 0; step < 3; ++step) {
        simulation.step();
        recorder.record(simulation);
    }
    recorder.give_up();
    const ResultsReader results(scenario.output.file);
    CHECK(results.state() == ResultsState::failed);
    CHECK(results.summary().size() == 3);
}
