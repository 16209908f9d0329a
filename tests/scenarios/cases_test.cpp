// The reading half of public problem reports, and that all shared scenarios can be read.
#include <filesystem>
#include <set>

#include "engine/core/check.hpp"
#include "scenarios/scenario.hpp"
#include "tests/support/catch.hpp"

using namespace jamiton;

namespace {

const std::string shared = "../shared";

ScenarioInput read(const std::string& path, bool lenient = false) {
    UnsupportedReport report(lenient);
    return read_inputs(load_scenario(shared + path, {}, report), report);
}

std::string message_for(const std::string& path) {
    try {
        read(path);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

bool ends_with(const std::string& message, const std::string& end) {
    INFO(message);
    CHECK(message.ends_with(end));
    return message.ends_with(end);
}

}  // namespace

#define NEED_SHARED_DATA \
    if (!std::filesystem::exists(shared + "/cases")) SKIP("no shared data")

TEST_CASE("S04 flows of every kind are read and wrong ones named") {
    NEED_SHARED_DATA;
    const auto flows = read("/cases/S04/run.sumocfg").demand.flows;
    REQUIRE(flows.size() == 5);
    CHECK(flows[0].period == 20);
    CHECK(flows[0].end == 10);
    CHECK(flows[2].number == 4);
    CHECK(flows[4].period == 2);
    CHECK(ends_with(message_for("/cases/S04/both.sumocfg"),
                    "<flow id=\"x\"> has both \"period\" and \"vehsPerHour\", expected one rate"));
    CHECK(ends_with(message_for("/cases/S04/neg.sumocfg"), "<flow id=\"x\"> ends at 50 before it begins at 100"));
}

TEST_CASE("S08 times are seconds or clock times") {
    NEED_SHARED_DATA;
    const ScenarioInput input = read("/cases/S08/run.sumocfg");
    std::vector<double> departs;
    for (const VehicleDescription& vehicle : input.demand.vehicles) departs.push_back(vehicle.depart);
    CHECK(departs == std::vector<double>{10.5, 90, 120, 150.25, 300});
    CHECK(input.demand.flows[0].begin == 180);
    CHECK(input.demand.flows[0].end == 240);
    UnsupportedReport report;
    CHECK(load_scenario(shared + "/cases/S08/run.sumocfg", {}, report).end == 600);
    CHECK(load_scenario(shared + "/cases/S08/late.sumocfg", {}, report).begin == 60);
    CHECK(message_for("/cases/S08/bad.sumocfg").find("<vehicle id=\"x\"> attribute \"depart\" is \"1:30\"") !=
          std::string::npos);
}

TEST_CASE("S11 unknown edges and routes are named with their vehicle") {
    NEED_SHARED_DATA;
    for (const char* file : {"run", "ignore"}) {
        CHECK(ends_with(message_for(std::string("/cases/S11/") + file + ".sumocfg"),
                        "<vehicle id=\"ghost\"> its route names the unknown edge \"nowhere\""));
    }
    CHECK(ends_with(message_for("/cases/S11/empty.sumocfg"), "<vehicle id=\"none\"> its route has no edges"));
    CHECK(message_for("/cases/S11/noroute.sumocfg")
              .find("<vehicle id=\"nr\"> attribute \"route\" names the unknown route \"missing\"") !=
          std::string::npos);
}

TEST_CASE("S26 files are found from the folder of the configuration and in their order") {
    NEED_SHARED_DATA;
    for (const char* file : {"run", "spaces", "short", "sub/run"}) {
        INFO(file);
        const ScenarioInput input = read(std::string("/cases/S26/") + file + ".sumocfg");
        std::set<std::string> ids;
        for (const VehicleDescription& vehicle : input.demand.vehicles) ids.insert(vehicle.id);
        CHECK(ids == std::set<std::string>{"a", "b", "fromadd"});
    }
    CHECK(message_for("/cases/S26/order.sumocfg")
              .find("<vehicle id=\"fromadd\"> attribute \"type\" names the unknown vehicle type \"car\"") !=
          std::string::npos);
    CHECK(ends_with(message_for("/cases/S26/nofile.sumocfg"), "gone.add.xml: there is no such file"));
    CHECK(ends_with(message_for("/cases/S26/dupid.sumocfg"), "<vehicle id=\"a\"> is there twice"));
    CHECK(ends_with(message_for("/cases/S26/opt.sumocfg"), "<nosuchoption> is no SUMO option"));
}

TEST_CASE("the shared scenarios can be read") {
    NEED_SHARED_DATA;
    for (const char* file :
         {"resco-cologne1/cologne1.sumocfg", "resco-cologne8/cologne8.sumocfg", "resco-ingolstadt7/ingolstadt7.sumocfg",
          "resco-grid4x4/grid4x4.sumocfg", "rilsa-example1/run.sumo.cfg",
          "libsignal-hangzhou4x4-sumo/hangzhou_4x4_gudang_18041610_1h.sumocfg", "motorway-a10/A10KW.sumocfg"}) {
        INFO(file);
        CHECK_NOTHROW(read(std::string("/scenarios/") + file));
    }
    for (const char* file : {"bologna-acosta/run.sumocfg", "wildau/flow1_Spaet.sumocfg", "port-cologne/osm.sumocfg"}) {
        INFO(file);
        CHECK_NOTHROW(read(std::string("/scenarios/") + file, true));
    }
}
