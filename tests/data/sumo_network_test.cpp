#include "data/sumo_network.hpp"

#include "engine/core/check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/small_net.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace jamiton;

TEST_CASE("a network is read with all it says") {
    const TemporaryFolder folder;
    UnsupportedReport report;
    const NetworkDescription net = read_sumo_network(folder.write("net.xml", small_net), report);
    CHECK(report.empty());
    REQUIRE(net.edges.size() == 3);
    REQUIRE(net.lanes.size() == 4);
    CHECK(net.has_internal_lanes);
    CHECK(net.projection == "+proj=utm");
    CHECK(net.offset_x == -5);

    const EdgeDescription& inside = net.edges[0];
    CHECK(inside.function == EdgeFunction::internal);
    CHECK(inside.from == inside.to);
    CHECK(net.junctions[inside.from].id == "b");
    const EdgeDescription& edge = net.edges[1];
    CHECK(edge.id == "ab");
    CHECK(edge.name == "High Street");
    CHECK(edge.priority == -1);
    CHECK(edge.roundabout);
    CHECK(edge.source.line == 7);
    CHECK(net.types[edge.type].speed_of_class[0] == std::pair(VehicleClass::truck, 11.11f));
    CHECK(net.junctions[edge.from].id == "a");

    const LaneDescription& lane = net.lanes[edge.first_lane];
    CHECK(lane.allowed == (all_classes & ~permission(VehicleClass::bus)));
    CHECK(lane.stop_offset == 3);
    CHECK(lane.stop_offset_classes == permission(VehicleClass::bus));
    CHECK(lane.shape.size() == 2);
    CHECK(lane.shape[1].x == 200);
    const LaneDescription& left = net.lanes[edge.first_lane + 1];
    CHECK(left.allowed == permission(VehicleClass::bus));
    CHECK(left.change_right == permission(VehicleClass::bus));
    CHECK(left.width == 4);
    CHECK(left.acceleration);

    REQUIRE(net.connections.size() == 2);
    const ConnectionDescription& link = net.connections[0];
    CHECK(net.lanes[link.via_lane].id == ":b_0_0");
    CHECK(link.signal == 0);
    CHECK(link.link_index == 0);
    CHECK(link.state == 'o');
    CHECK_FALSE(link.keep_clear);
    CHECK(link.visibility == 9);
    CHECK(net.connections[1].signal == -1);

    const JunctionDescription& junction = net.junctions[edge.to];
    CHECK(junction.type == JunctionType::traffic_light);
    CHECK(junction.requests.size() == 1);
    CHECK(junction.internal_lanes.size() == 1);
    REQUIRE(net.signals[0].programs.size() == 2);
    CHECK(net.signals[0].programs[1].id == "night");
    CHECK(net.signals[0].programs[1].offset == 7.5);
    CHECK(net.signals[0].programs[0].phases[1].next == std::vector<int>{0, 1});
    CHECK(net.signals[0].programs[0].phases[0].min_duration == 5);
}

TEST_CASE("each wrong network gives one message with file and line and element") {
    struct Case {
        const char *name, *good, *bad, *expected;
    };
    const Case cases[] = {
        {"root", "<net", "<network", "is the root of this file, expected <net>"},
        {"negative length", "length=\"200\"", "length=\"-1\"",
         "<lane id=\"ab_0\"> attribute \"length\" is \"-1\", expected a number above 0"},
        {"zero length", "length=\"200\"", "length=\"0\"", "expected a number above 0"},
        {"NaN", "length=\"200\"", "length=\"nan\"", "attribute \"length\" is \"nan\""},
        {"infinite", "speed=\"13.89\"", "speed=\"inf\"", "attribute \"speed\" is \"inf\""},
        {"negative speed", "speed=\"13.89\"", "speed=\"-2\"", "expected a number that is not negative"},
        {"comma", "length=\"200\"", "length=\"200,0\"", "attribute \"length\" is \"200,0\""},
        {"no length", "length=\"200\"", "", "attribute \"length\" is missing"},
        {"lane twice", "id=\"ab_1\"", "id=\"ab_0\"", "<lane id=\"ab_0\"> is there twice"},
        {"edge twice", "id=\"bc\"", "id=\"ab\"", "<edge id=\"ab\"> is there twice"},
        {"lane order", "index=\"1\"", "index=\"4\"", "attribute \"index\" is \"4\", expected 1"},
        {"class", "disallow=\"bus\"", "disallow=\"buss\"",
         "names the vehicle class \"buss\", expected some of: all private"},
        {"unknown from", "from=\"a\" to=\"b\"", "from=\"zz\" to=\"b\"",
         "<edge id=\"ab\"> attribute \"from\" names the unknown junction \"zz\""},
        {"no from", "from=\"a\" to=\"b\"", "to=\"b\"", "<edge id=\"ab\"> attribute \"from\" is missing"},
        {"function", "function=\"internal\"", "function=\"inner\"",
         "expected normal, internal, connector, crossing or walkingarea"},
        {"shape", "shape=\"0,-1.6 200,-1.6\"", "shape=\"0,-1.6 200\"", "attribute \"shape\" is"},
        {"junction type", "type=\"dead_end\"", "type=\"dead\"",
         "<junction id=\"a\"> attribute \"type\" is \"dead\", expected priority"},
        {"junction twice", "junction id=\"c\"", "junction id=\"a\"", "<junction id=\"a\"> is there twice"},
        {"incoming lane", "incLanes=\"ab_0 ab_1\"", "incLanes=\"ab_9\"",
         "attribute \"incLanes\" names the unknown lane \"ab_9\""},
        {"request bits", "response=\"0\"", "response=\"2\"",
         "attribute \"response\" is \"2\", expected a row of 0 and 1"},
        {"request length", "foes=\"0\"", "foes=\"000\"",
         "<junction id=\"b\"> has 1 requests, but one with a row of 3 links"},
        {"request index", "request index=\"0\"", "request index=\"1\"", "attribute \"index\" is \"1\", expected 0"},
        {"connection edge", "from=\"ab\" to=\"bc\"", "from=\"xx\" to=\"bc\"",
         "<connection> attribute \"from\" names the unknown edge \"xx\""},
        {"connection lane", "fromLane=\"0\" toLane=\"0\" via", "fromLane=\"7\" toLane=\"0\" via",
         "attribute \"fromLane\" is 7, but edge \"ab\" has 2 lanes"},
        {"via", "via=\":b_0_0\"", "via=\":b_9_0\"", "attribute \"via\" is \":b_9_0\", expected the id of a lane"},
        {"via outside", "via=\":b_0_0\"", "via=\"bc_0\"",
         "attribute \"via\" is \"bc_0\", expected the id of a lane inside a junction"},
        {"via taken", "<roundabout",
         "<connection from=\"ab\" to=\"bc\" fromLane=\"1\" toLane=\"0\" via=\":b_0_0\" dir=\"s\" "
         "state=\"M\"/>\n<roundabout",
         "attribute \"via\" is \":b_0_0\", expected a lane of its own: the connection of line 24 has it"},
        {"via elsewhere", "from=\":b_0\" to=\"bc\"", "from=\":b_0\" to=\"ab\"",
         "attribute \"via\" is \":b_0_0\", which leads to \"ab_0\", expected a lane that leads to \"bc_0\""},
        {"link index", "linkIndex=\"0\"", "linkIndex=\"5\"",
         "<tlLogic id=\"b\"> the states of program \"0\" have 1 letters, but a connection has linkIndex 5"},
        {"signal", "tl=\"b\"", "tl=\"q\"", "attribute \"tl\" names the unknown signal \"q\""},
        {"direction", "dir=\"s\" state=\"o\"", "dir=\"up\" state=\"o\"", "attribute \"dir\" is \"up\""},
        {"state", "state=\"o\"", "state=\"?\"", "attribute \"state\" is \"?\""},
        {"phase time", "phase duration=\"42\"", "phase duration=\"0\"",
         "attribute \"duration\" is \"0\", expected a time above 0"},
        {"phase letters", "state=\"G\"", "state=\"GX\"", "attribute \"state\" is \"GX\", expected letters out of"},
        {"phase length", "state=\"G\"", "state=\"GG\"", "attribute \"state\" has 1 letters, expected 2"},
        {"next phase", "next=\"0 1\"", "next=\"0 9\"", "a phase has next=\"9\", but there are only 2 phases"},
        {"program twice", "programID=\"night\"", "programID=\"0\"", "has the program \"0\" twice: first at"},
        {"restriction", "vClass=\"truck\"", "vClass=\"lorry\"", "<restriction> attribute \"vClass\" is \"lorry\""},
        {"flag", "keepClear=\"0\"", "keepClear=\"maybe\"",
         "attribute \"keepClear\" is \"maybe\", expected true or false"},
        {"roundabout", "edges=\"ab\"", "edges=\"ab xx\"", "attribute \"edges\" names the unknown edge \"xx\""},
        {"cut", "</net>", "", "the file ends before </net>: it seems cut off"},
    };
    const TemporaryFolder folder;
    for (const Case& c : cases) {
        INFO(c.name);
        std::string text = small_net;
        const std::size_t at = text.find(c.good);
        REQUIRE(at != std::string::npos);
        text.replace(at, std::string(c.good).size(), c.bad);
        if (std::string(c.good) == "<net") text.replace(text.find("</net>"), 6, "</network>");
        const std::string path = folder.write("net.xml", text);
        UnsupportedReport report;
        std::string message = "no error";
        try {
            read_sumo_network(path, report);
        } catch (const InputError& error) {
            message = error.what();
        }
        INFO(message);
        CHECK(message.starts_with(path + ":"));
        CHECK(message.find(c.expected) != std::string::npos);
    }
}

TEST_CASE("an edge without lanes and a signal of an unknown kind are named") {
    const TemporaryFolder folder;
    UnsupportedReport strict, lenient(true);
    const std::string empty = folder.write("empty.xml", "<net><edge id=\"x\" from=\"a\" to=\"b\"/></net>");
    CHECK_THROWS_WITH(read_sumo_network(empty, strict), empty + ":1: <edge id=\"x\"> has no lane");
    const std::string signal = folder.write(
        "signal.xml", "<net>\n<tlLogic id=\"s\" type=\"NEMA\"><phase duration=\"3\" state=\"G\"/></tlLogic></net>");
    CHECK_THROWS_WITH(read_sumo_network(signal, strict), signal +
                                                             ":2: <tlLogic id=\"s\"> of type \"NEMA\" is not simulated "
                                                             "and would change results; use --lenient to ignore it");
    read_sumo_network(signal, lenient);
    REQUIRE(lenient.lines().size() == 1);
    CHECK(lenient.lines()[0].find("of type \"NEMA\" is not simulated and was ignored: 1 time") != std::string::npos);
}

TEST_CASE("parameters of an actuated signal are read, and unknown ones named") {
    const TemporaryFolder folder;
    UnsupportedReport report;
    const std::string text =
        "<net>\n<tlLogic id=\"s\" type=\"actuated\"><phase duration=\"3\" state=\"G\"/><param key=\"max-gap\" "
        "value=\"4\"/><param key=\"max-gap:a_0\" value=\"5\"/><param key=\"detector-gap\" value=\"1\"/><param "
        "key=\"passing-time\" value=\"2.5\"/><param key=\"jam-threshold\" value=\"30\"/><param key=\"file\" "
        "value=\"x\"/>";
    const NetworkDescription net = read_sumo_network(folder.write("good.xml", text + "</tlLogic></net>"), report);
    const ControlDescription& control = net.signals[0].programs[0].control;
    CHECK(control.max_gap == 4);
    CHECK(control.max_gap_of_lane[0].first == "a_0");
    CHECK(control.max_gap_of_lane[0].second == 5);
    CHECK(control.detector_gap == 1);
    CHECK(control.passing_time == 2.5);
    CHECK(control.jam_threshold == 30);
    const std::string bad = folder.write("bad.xml", text + "<param key=\"coordinated\" value=\"1\"/></tlLogic></net>");
    CHECK_THROWS_WITH(read_sumo_network(bad, report), Catch::Contains("parameter \"coordinated\""));
}

TEST_CASE("signals by delay take their range and their least loss, and no parameter of others") {
    const TemporaryFolder folder;
    UnsupportedReport report;
    const std::string text =
        "<net>\n<tlLogic id=\"s\" type=\"delay_based\"><phase duration=\"3\" state=\"G\"/><param key=\"detectorRange\" "
        "value=\"80\"/><param key=\"minTimeloss\" value=\"2\"/><param key=\"show-detectors\" value=\"1\"/>";
    const NetworkDescription net = read_sumo_network(folder.write("good.xml", text + "</tlLogic></net>"), report);
    CHECK(net.signals[0].programs[0].type == SignalType::delay_based);
    CHECK(net.signals[0].programs[0].control.range == 80);
    CHECK(net.signals[0].programs[0].control.least_loss == 2);
    const std::string bad = folder.write("bad.xml", text + "<param key=\"max-gap\" value=\"1\"/></tlLogic></net>");
    CHECK_THROWS_WITH(read_sumo_network(bad, report), Catch::Contains("parameter \"max-gap\""));
    const NetworkDescription pressure = read_sumo_network(
        folder.write(
            "p.xml",
            "<net>\n<tlLogic id=\"s\" type=\"max_pressure\"><phase duration=\"3\" state=\"G\"/></tlLogic></net>"),
        report);
    CHECK(pressure.signals[0].programs[0].type == SignalType::max_pressure);
}
