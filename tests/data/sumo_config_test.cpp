#include "data/sumo_config.hpp"

#include <fstream>
#include <sstream>

#include "data/sumo_options.hpp"
#include "engine/core/check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace jamiton;

TEST_CASE("a configuration is read whatever its nesting and its names") {
    const TemporaryFolder folder;
    UnsupportedReport report;
    const std::string path = folder.write("sub/run.sumocfg", R"(<anything>
        <input><net value="../net.xml"/><r v="a.xml, b.xml ,"/></input>
        <additional-files value=""/>
        <x><y><begin value="0:01:00"/></y></x><e value="3600"/>
        <step-length value="0.5"/><time-to-teleport value="-1"/><seed value="7"/><step-method.ballistic value="true"/>
        <default.speeddev value="0"/><default.emergencydecel value="decel"/><scale value="1.5"/>
        <tripinfo-output value="t.xml"/><no-step-log value="true"/><lateral-resolution value="-1.0"/>
        <device.rerouting.adaptation-steps value="18"/><device.routing.adaptation-interval value="10"/>
        <device.rerouting.explicit value="a, b"/><device.rerouting.probability value="-1"/></anything>)");
    const SumoConfig config = read_sumo_config(path, report);
    CHECK(report.empty());
    CHECK(config.net_file == folder.path() + "/sub/../net.xml");
    CHECK(config.route_files == std::vector<std::string>{folder.path() + "/sub/a.xml", folder.path() + "/sub/b.xml"});
    CHECK(config.additional_files.empty());
    CHECK(config.begin == 60);
    CHECK(config.end == 3600);
    CHECK(config.step_length == 0.5);
    CHECK(config.time_to_teleport == -1);
    CHECK(config.seed == 7);
    CHECK(config.ballistic);
    CHECK(config.types.speed_deviation == 0);
    CHECK(config.types.emergency_is_decel);
    CHECK(config.scale == 1.5);
    CHECK(config.routing.adaptation_steps == 18);
    CHECK(config.routing.adaptation_interval == 10);
    CHECK(config.routing.pre_period == 60);
    CHECK(config.routing.vehicles == std::set<std::string>{"a", "b"});
    CHECK(config.routing.probability <= 0);
    CHECK(config.outputs == std::vector<std::pair<std::string, std::string>>{{"tripinfo-output", "t.xml"}});
}

TEST_CASE("each wrong configuration gives one message") {
    struct Case {
        const char *content, *expected;
    };
    const Case cases[] = {
        {"<net-fil value=\"x\"/>", ":2: <net-fil> is no SUMO option, did you mean <net-file>?"},
        {"<begin value=\"1:30\"/>", ":2: <begin> is \"1:30\", expected a time: seconds, h:m:s or d:h:m:s"},
        {"<begin value=\"-1\"/>", "expected a time that is not negative"},
        {"<step-length value=\"0\"/>", "<step-length> is \"0\", expected a time from 0.001 to 60 s"},
        {"<scale value=\"many\"/>", "<scale> is \"many\", expected a number"},
        {"<seed value=\"1.5\"/>", "<seed> is \"1.5\", expected an integer"},
        {"<step-method.ballistic value=\"perhaps\"/>", "expected true or false"},
        {"<default.carfollowmodel value=\"Gibs\"/>", "expected the name of a car following model"},
        {"<end value=\"3\"/><e value=\"4\"/>", "<e> sets the option end again"},
        {"<lateral-resolution value=\"0.8\"/>",
         "option lateral-resolution is not simulated and would change results; use --lenient"},
        {"<device.rerouting.adaptation-steps value=\"1.5\"/>", "expected an integer from 0 to 65535"},
        {"<device.rerouting.adaptation-weight value=\"2\"/>", "expected a number from 0 to 1"},
        {"<device.rerouting.pre-period value=\"-1\"/>", "expected a time that is not negative"},
        {"<device.rerouting.probability value=\"2\"/>", "expected a number from 0 to 1"},
        {"<device.rerouting.probability value=\"-0.5\"/>", "expected a number from 0 to 1"},
        {"<device.tripinfo.probability value=\"1.5\"/>", "is \"1.5\", expected a number from 0 to 1"},
        {"<device.fcd.probability value=\"-2\"/>", "is \"-2\", expected a number from 0 to 1"},
        {"<person-device.fcd.probability value=\"most\"/>", "is \"most\", expected a number"},
        {"<device.glosa.probability value=\"7\"/>", "is \"7\", expected a number from 0 to 1"},
        {"<device.rerouting.with-taz value=\"true\"/>", "option device.rerouting.with-taz is not simulated"},
    };
    const TemporaryFolder folder;
    for (const Case& c : cases) {
        const std::string path =
            folder.write("run.sumocfg", "<configuration>\n" + std::string(c.content) + "</configuration>");
        UnsupportedReport report;
        std::string message = "no error";
        try {
            read_sumo_config(path, report);
        } catch (const InputError& error) {
            message = error.what();
        }
        INFO(message);
        CHECK(message.starts_with(path));
        CHECK(message.find(c.expected) != std::string::npos);
    }
}

TEST_CASE("the page on SUMO names every option") {
    std::ifstream file("scenarios/SUMO_SUPPORT.md");
    std::stringstream page;
    page << file.rdbuf();
    for (const SumoOption& option : sumo_options()) {
        INFO(option.name);
        CHECK(page.str().find("`" + std::string(option.name) + "`") != std::string::npos);
    }
}
