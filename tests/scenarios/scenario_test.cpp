#include "scenarios/scenario.hpp"

#include <filesystem>

#include "engine/core/check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/small_net.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace jamiton;

namespace {

std::string message_for(const std::string& path, const std::vector<std::string>& overrides = {}) {
    UnsupportedReport report;
    try {
        const Scenario scenario = load_scenario(path, overrides, report);
        read_inputs(scenario, report);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("a scenario file sets what it names and leaves the rest") {
    const TemporaryFolder folder;
    UnsupportedReport report;
    const std::string path = folder.write("scenario.toml", R"(
[network]
file = "net.xml"
[demand]
files = ["a.xml", "b.xml"]
additional = "c.xml"
[time]
begin = "0:01:00"
end = 3600
[run]
seed = 7
[output]
trajectories = { every = 1.0 }
edges.every = 0
trips = false
)");
    for (const std::string& named : {path, folder.path()}) {
        const Scenario s = load_scenario(named, {"time.end=7200", "output.file=none", "run.device=cpu"}, report);
        CHECK(s.network == folder.path() + "/net.xml");
        CHECK(s.routes == std::vector<std::string>{folder.path() + "/a.xml", folder.path() + "/b.xml"});
        CHECK(s.additional == std::vector<std::string>{folder.path() + "/c.xml"});
        CHECK(s.begin == 60);
        CHECK(s.end == 7200);
        CHECK(s.step == 1);
        CHECK(s.seed == 7);
        CHECK(s.device == "cpu");
        CHECK(s.output.trajectories_every == 1);
        CHECK(s.output.edges_every == 0);
        CHECK_FALSE(s.output.trips);
        CHECK(s.output.summary);
        CHECK(s.output.file.empty());
        CHECK(s.text.find("[network]") != std::string::npos);
    }
}

TEST_CASE("each wrong scenario file gives one message") {
    struct Case {
        const char *content, *expected;
    };
    const Case cases[] = {
        {"[network]\nfil = 'x'", ":2: there is no key \"network.fil\", did you mean \"network.file\"?"},
        {"[netwrk]\nfile = 'x'", "there is no key \"netwrk\""},
        {"[network]\nfile = 3", ":2: network.file is 3, expected a text in quotes"},
        {"[time]\nend = 'soon'", ":2: time.end is 'soon', expected a time"},
        {"[time]\nstep = 0", "time.step is 0, expected a time from 0.001 to 60 s"},
        {"[time]\nend = nan", "time.end is nan, expected a time"},
        {"[run]\nseed = -1", "run.seed is -1, expected an integer"},
        {"[run]\ndevice = 'tpu'", "run.device is 'tpu', expected auto, cpu or cuda"},
        {"[output]\ntrips = 'yes'", "output.trips is 'yes', expected true or false"},
        {"[network\nfile", ":1: not well-formed TOML"},
        {"[time]\nend = 3", "names no network"},
        {"[network]\nfile = 'x'\n[time]\nbegin = 9\nend = 3", "ends at 3 s before it begins at 9 s"},
    };
    const TemporaryFolder folder;
    for (const Case& c : cases) {
        const std::string path = folder.write("scenario.toml", c.content);
        const std::string message = message_for(path);
        INFO(message);
        CHECK(message.starts_with(path));
        CHECK(message.find(c.expected) != std::string::npos);
    }
    CHECK(message_for(folder.path() + "/none.toml") == folder.path() + "/none.toml: there is no such file");
    std::filesystem::remove(folder.path() + "/scenario.toml");
    CHECK(message_for(folder.path()) == folder.path() + ": the folder holds no scenario.toml");
}

TEST_CASE("wrong overrides are named") {
    const TemporaryFolder folder;
    const std::string path = folder.write("scenario.toml", "[network]\nfile = 'net.xml'");
    folder.write("net.xml", small_net);
    CHECK(message_for(path) == "no error");
    CHECK(message_for(path, {"time.ende=3"}) ==
          "--set time.ende=3: there is no key \"time.ende\", did you mean \"time.end\"?");
    CHECK(message_for(path, {"time.end"}) == "--set time.end: expected key=value");
    CHECK(message_for(path, {"time.end=x"}) ==
          "--set time.end=x: time.end is 'x', expected a time of at least -1 s: seconds, or a text h:m:s or d:h:m:s");
    CHECK(message_for(path, {"network.file=gone.xml"}) == folder.path() + "/gone.xml: there is no such file");
    CHECK(message_for(path, {"time.end=1\nrun.seed=2"}).find("expected key=value") != std::string::npos);
}

TEST_CASE("a SUMO configuration is known by its content and takes overrides") {
    const TemporaryFolder folder;
    UnsupportedReport report;
    const std::string path = folder.write(
        "run.txt",
        "<configuration><net-file value='net.xml'/><end value='60'/><lateral-resolution value='1'/></configuration>");
    const Scenario s = load_scenario(path, {"run.lenient=true", "time.end=90"}, report);
    CHECK(s.network == folder.path() + "/net.xml");
    CHECK(s.end == 90);
    CHECK(s.seed == 42);
    CHECK(s.output.edges_every == 300);
    CHECK(s.output.trajectories_every == 0);
    CHECK(report.lines().size() == 1);
}
