#include "data/sumo_demand.hpp"

#include <algorithm>

#include "engine/core/check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/two_edges.hpp"

using namespace jamiton;

namespace {

struct Reading {
    NetworkDescription network = two_edges();
    DemandDescription demand;
    UnsupportedReport report;
    TemporaryFolder folder;
    std::string path;

    explicit Reading(const std::string& content, bool lenient = false, DemandReadOptions options = {})
        : report(lenient) {
        path = folder.write("rou.xml", "<routes>\n" + content + "\n</routes>\n");
        SumoDemandReader(network, demand, report, options).read(path);
    }
};

std::string message_for(const std::string& content) {
    const TemporaryFolder folder;
    NetworkDescription network = two_edges();
    DemandDescription demand;
    UnsupportedReport report;
    const std::string path = folder.write("rou.xml", "<routes>\n" + content + "\n</routes>\n");
    try {
        SumoDemandReader(network, demand, report).read(path);
    } catch (const InputError& error) {
        const std::string message = error.what();
        return message.starts_with(path + ":") ? message.substr(path.size()) : "no place: " + message;
    }
    return "no error";
}

std::string in_rerouter(const std::string& content, const std::string& interval = "") {
    return "<rerouter id=\"x\" edges=\"ab\"><interval " + interval + ">" + content + "</interval></rerouter>";
}

}  // namespace

TEST_CASE("zones and junctions stand behind the edges in what trips are routed over") {
    const Reading r(R"xml(<taz id="z" edges="bc ab"/><taz id="w"><tazSource id="bc" weight="3"/><tazSink id="ab"/></taz>
        <trip id="t" depart="0" fromTaz="w" toTaz="z" via="ab"/><trip id="u" depart="1" from="ab" toJunction="c"/>)xml");
    REQUIRE(r.demand.zones.size() == 3);
    CHECK(r.demand.zones[0].sources == std::vector{1, 0});
    CHECK(r.demand.zones[0].sinks == std::vector{1, 0});
    CHECK(r.demand.zones[1].sources == std::vector{1});
    CHECK(r.demand.zones[1].sinks == std::vector{0});
    CHECK(r.demand.zones[2].id == "c");
    CHECK(r.demand.zones[2].sinks == std::vector{1});
    const int edges = static_cast<int>(r.network.edges.size());
    REQUIRE(r.demand.vehicles.size() == 2);
    CHECK(r.demand.vehicles[0].via == std::vector{edges + 2, 0, edges + 1});
    CHECK(r.demand.vehicles[1].via == std::vector{0, edges + 5});
}

TEST_CASE("rerouters are read, those switched off have no effect") {
    const Reading r(R"xml(<route id="r" edges="ab"/><rerouter id="x" edges="ab bc" probability="0.4" vTypes="t u">
        <interval begin="3" end="60"><closingReroute id="bc"/></interval>
        <interval begin="60"><destProbReroute id="ab"/><destProbReroute id="keepDestination" probability="2"/>
        <destProbReroute id="terminateRoute"/><routeProbReroute id="r" probability="0.5"/></interval></rerouter>
        <rerouter id="y" edges="ab" off="true"><interval><closingReroute id="bc"/></interval></rerouter>)xml");
    REQUIRE(r.demand.rerouters.size() == 1);
    const RerouterDescription& x = r.demand.rerouters[0];
    CHECK(x.edges == std::vector{0, 1});
    CHECK(x.probability == 0.4);
    CHECK(x.types == std::vector<std::string>{"t", "u"});
    REQUIRE(x.intervals.size() == 2);
    CHECK(x.intervals[0].begin == 3);
    CHECK(x.intervals[0].end == 60);
    CHECK(x.intervals[0].closed == std::vector{1});
    CHECK(x.intervals[1].destinations.members == std::vector{0, keep_destination, end_trip_here});
    CHECK(x.intervals[1].destinations.weights == std::vector<double>{1, 2, 1});
    CHECK(x.intervals[1].routes.members == std::vector{0});
    CHECK(x.intervals[1].routes.weights == std::vector{0.5});
}

TEST_CASE("rerouters close lanes") {
    const Reading r("<route id=\"r\" edges=\"ab\"/>" +
                    in_rerouter("<closingReroute id=\"ab\" disallow=\"bus truck\"/><closingLaneReroute id=\"bc_0\"/>",
                                "begin=\"5\" end=\"9\""));
    const auto& closures = r.demand.lane_closures;
    REQUIRE(closures.size() == 3);
    CHECK(closures[1].lane == 1);
    CHECK(closures[1].begin == 5);
    CHECK(closures[1].end == 9);
    CHECK(closures[1].closed == (permission(VehicleClass::bus) | permission(VehicleClass::truck)));
    CHECK(closures[2].lane == 2);
    CHECK(closures[2].closed == (all_classes & ~permission(VehicleClass::authority)));
}

TEST_CASE("types and vehicles say whether they are routed again") {
    const Reading r(
        R"xml(<vType id="t"><param key="has.rerouting.device" value="true"/></vType><route id="r" edges="ab"/>
        <vehicle id="v" depart="0" route="r"><param key="has.rerouting.device" value="false"/>
        <param key="device.rerouting.period" value="30"/></vehicle>)xml");
    CHECK(r.demand.types[0].rerouting.present == 1);
    CHECK(r.demand.types[0].rerouting.period == -1);
    CHECK(r.demand.vehicles[0].rerouting.present == 0);
    CHECK(r.demand.vehicles[0].rerouting.period == 30);
}

TEST_CASE("a type has what it says and else the defaults of its class") {
    const Reading r(R"xml(<vType id="a" vClass="truck" accel="0.9" decel="8" speedFactor="1.2" lcStrategic="-1"/>
        <vType id="b" speedFactor="normc(1.1,0.3,0.5,1.4)" speedDev="0.2" carFollowModel="IDM"/>
        <vType id="c" speedFactor="norm(0.9,0.4)"/>
        <vType id="d"><carFollowing-IDM tau="1.4"/></vType>
        <vType id="e" decel="12" impatience="off"/>
        <vType id="f" carFollowModel="Gipps"/>)xml");
    const auto& types = r.demand.types;
    REQUIRE(types.size() == 6);
    CHECK(types[5].car_follow == CarFollowModel::gipps);
    CHECK(types[0].length == 7.1f);
    CHECK(types[0].accel == 0.9f);
    CHECK(types[0].apparent_decel == 8);
    CHECK(types[0].emergency_decel == 8);
    CHECK(types[0].speed_factor.mean == 1.2f);
    CHECK(types[0].speed_factor.deviation == 0.05f);
    CHECK(types[0].lc_strategic == -1);
    CHECK(types[1].speed_factor.deviation == 0.2f);
    CHECK(types[1].speed_factor.min == 0.5f);
    CHECK(types[1].speed_factor.max == 1.4f);
    CHECK(types[1].car_follow == CarFollowModel::idm);
    CHECK(types[2].speed_factor.max > 100);
    CHECK(types[3].car_follow == CarFollowModel::idm);
    CHECK(types[3].tau == 1.4f);
    CHECK(types[4].emergency_decel == 12);
    CHECK(types[4].impatience < -1);
}

TEST_CASE("defaults of the run reach types that say nothing and vehicles without a type") {
    DemandReadOptions options;
    options.types.speed_deviation = 0;
    options.types.emergency_decel = 7.5;
    const Reading r(R"xml(<vType id="a" vClass="bus"/><vType id="b" speedDev="0.3"/><route id="r" edges="ab"/>
        <vehicle id="v" route="r" depart="0"/>)xml",
                    false, options);
    CHECK(r.demand.types[0].speed_factor.deviation == 0);
    CHECK(r.demand.types[0].emergency_decel == 7.5f);
    CHECK(r.demand.types[1].speed_factor.deviation == 0.3f);
    const VehicleType& type = r.demand.types[r.demand.vehicles[0].type];
    CHECK(type.id == "DEFAULT_VEHTYPE");
    CHECK(type.speed_factor.deviation == 0);
}

TEST_CASE("vehicles trips and routes are read") {
    const Reading r(R"xml(<route id="r" edges="ab bc" repeat="2"/>
        <vehicle id="a" route="r" depart="0:01:30" departLane="best" departPos="-20" departSpeed="max" arrivalLane="1"
            arrivalPos="center" arrivalSpeed="3" departEdge="1" arrivalEdge="3" color="red" speedFactor="1.1"/>
        <vehicle id="b" depart="5"><route edges="ab bc"/></vehicle>
        <trip id="c" from="ab " to="bc" via="ab bc" depart="6" departLane="1" departPos="last" departSpeed="speedLimit"/>)xml");
    CHECK(r.report.empty());
    CHECK(r.demand.routes[0].edges == std::vector<int>{0, 1, 0, 1, 0, 1});
    REQUIRE(r.demand.vehicles.size() == 3);
    const VehicleDescription& a = r.demand.vehicles[0];
    CHECK(a.depart == 90);
    CHECK(a.route == 0);
    CHECK(a.type == -1);
    CHECK(a.depart_lane == DepartLane::best);
    CHECK(a.depart_pos == DepartPos::position);
    CHECK(a.depart_pos_value == -20);
    CHECK(a.depart_speed == DepartSpeed::max);
    CHECK(a.arrival_lane == ArrivalLane::index);
    CHECK(a.arrival_lane_index == 1);
    CHECK(a.arrival_pos == ArrivalPos::center);
    CHECK(a.arrival_speed == ArrivalSpeed::value);
    CHECK(a.arrival_speed_value == 3);
    CHECK(a.depart_edge == 1);
    CHECK(a.arrival_edge == 3);
    CHECK(a.speed_factor == 1.1f);
    CHECK(a.source.line == 3);
    CHECK(r.demand.vehicles[1].route == 1);
    const VehicleDescription& c = r.demand.vehicles[2];
    CHECK(c.via == std::vector<int>{0, 0, 1, 1});
    CHECK(c.depart_lane_index == 1);
    CHECK(c.depart_speed == DepartSpeed::speed_limit);
}

TEST_CASE("distributions nest and have their weights") {
    const Reading r(R"xml(<vType id="x" probability="3"/>
        <vTypeDistribution id="d" vTypes="x"><vType id="y" probability="0.5"/></vTypeDistribution>
        <vTypeDistribution id="e" vTypes="d x" probabilities="0.4 0.6"/>
        <route id="r" edges="ab"/>
        <routeDistribution id="rd" routes="r"><route id="s" edges="ab bc" probability="2"/><route refId="r"/></routeDistribution>
        <vehicle id="v" type="e" route="rd" depart="0"/>)xml");
    const auto& types = r.demand.type_distributions;
    REQUIRE(types.size() == 2);
    CHECK(types[0].members == std::vector<int>{0, 1});
    CHECK(types[0].weights == std::vector<double>{3, 0.5});
    CHECK(types[1].members == std::vector<int>{-1, 0});
    CHECK(types[1].weights == std::vector<double>{0.4, 0.6});
    CHECK(r.demand.route_distributions[0].members == std::vector<int>{0, 1, 0});
    CHECK(r.demand.route_distributions[0].weights == std::vector<double>{1, 2, 1});
    CHECK(r.demand.vehicles[0].type == -3);
    CHECK(r.demand.vehicles[0].route == -2);
}

TEST_CASE("flows have one rate of four kinds") {
    DemandReadOptions options;
    options.begin = 50;
    const Reading r(R"xml(<route id="r" edges="ab"/>
        <flow id="a" route="r" begin="0" end="100" number="4"/>
        <flow id="b" route="r" begin="0:01:00" end="0:02:00" period="20"/>
        <flow id="c" route="r" vehsPerHour="1800" end="100"/>
        <flow id="d" route="r" begin="0" probability="0.3" number="7"/>
        <flow id="e" route="r" begin="0" period="exp(0.2)"/>
        <flow id="f" from="ab" to="bc" begin="0" number="0"/>)xml",
                    false, options);
    const auto& flows = r.demand.flows;
    REQUIRE(flows.size() == 5);
    CHECK(flows[0].kind == FlowKind::number);
    CHECK(flows[0].number == 4);
    CHECK(flows[1].kind == FlowKind::period);
    CHECK(flows[1].begin == 60);
    CHECK(flows[1].period == 20);
    CHECK(flows[2].period == 2);
    CHECK(flows[2].begin == 50);
    CHECK(flows[3].kind == FlowKind::probability);
    CHECK(flows[3].number == 7);
    CHECK(flows[3].end == -1);
    CHECK(flows[4].kind == FlowKind::poisson);
    CHECK(flows[4].rate == 0.2);
    CHECK(r.report.lines().size() == 1);
}

TEST_CASE("programs are added to signals of the network") {
    const Reading r(
        R"xml(<tlLogic id="b" type="static" programID="p" offset="4"><phase duration="9" state="rG"/></tlLogic>
        <tlLogic id="b" programID="0"><param key="k" value="v"/></tlLogic>)xml");
    REQUIRE(r.network.signals[0].programs.size() == 2);
    CHECK(r.network.signals[0].programs[1].phases[0].state == "rG");
    CHECK(r.network.sources[r.network.signals[0].programs[1].source.file] == r.path);
    CHECK(r.network.signals[0].programs[0].parameters.size() == 1);
}

TEST_CASE("timetables of programs are read") {
    const Reading r(
        R"xml(<tlLogic id="b" programID="off"/>
        <WAUT id="w" refTime="10" startProg="0" period="3600"><wautSwitch time="50" to="off"/></WAUT>
        <wautJunction wautID="w" junctionID="b"/>)xml");
    REQUIRE(r.network.timetables.size() == 1);
    const TimetableDescription& timetable = r.network.timetables[0];
    CHECK(timetable.reference == 10);
    CHECK(timetable.period == 3600);
    CHECK(timetable.switches[0].second == "off");
    CHECK(timetable.signals == std::vector<int>{0});
    CHECK(r.network.signals[0].programs[1].phases.empty());
}

TEST_CASE("each wrong demand gives one message with line and element") {
    struct Case {
        const char* name;
        std::string content;
        const char* expected;
    };
    const std::string route = "<route id=\"r\" edges=\"ab bc\"/>";
    const Case cases[] = {
        {"unknown edge", "<route id=\"q\" edges=\"ab nowhere\"/>",
         ":2: <route id=\"q\"> names the unknown edge \"nowhere\""},
        {"unknown edge inside", "<vehicle id=\"v\" depart=\"0\">\n<route edges=\"zz\"/></vehicle>",
         ":2: <vehicle id=\"v\"> its route names the unknown edge \"zz\""},
        {"empty route", "<route id=\"q\" edges=\" \"/>", "<route id=\"q\"> attribute \"edges\" is empty"},
        {"no edges", "<route id=\"q\"/>", "attribute \"edges\" is missing"},
        {"route without id", "<route edges=\"ab\"/>", "<route> attribute \"id\" is missing"},
        {"device that is neither there nor not",
         "<vehicle id=\"v\" depart=\"0\" route=\"r\"><param key=\"has.rerouting.device\" value=\"perhaps\"/></vehicle>",
         "expected true or false"},
        {"period below zero", "<vType id=\"t\"><param key=\"device.rerouting.period\" value=\"-5\"/></vType>",
         "expected a time that is not negative"},
        {"route twice", "<route id=\"r\" edges=\"ab\"/>", "<route id=\"r\"> is there twice"},
        {"repeat", "<route id=\"q\" edges=\"ab\" repeat=\"-1\"/>", "attribute \"repeat\" is \"-1\""},
        {"unknown route", "<vehicle id=\"v\" depart=\"0\" route=\"q\"/>",
         "<vehicle id=\"v\"> attribute \"route\" names the unknown route \"q\""},
        {"no route", "<vehicle id=\"v\" depart=\"0\"/>", "<vehicle id=\"v\"> has no route"},
        {"vehicle twice",
         "<vehicle id=\"v\" depart=\"0\" route=\"r\"/><trip id=\"v\" depart=\"0\" from=\"ab\" to=\"bc\"/>",
         "<trip id=\"v\"> is there twice"},
        {"no id", "<vehicle depart=\"0\" route=\"r\"/>", "<vehicle> attribute \"id\" is missing"},
        {"no depart", "<vehicle id=\"v\" route=\"r\"/>", "attribute \"depart\" is missing"},
        {"depart", "<vehicle id=\"v\" depart=\"1:30\" route=\"r\"/>", "attribute \"depart\" is \"1:30\""},
        {"negative depart", "<vehicle id=\"v\" depart=\"-1\" route=\"r\"/>", "attribute \"depart\" is \"-1\""},
        {"type", "<vehicle id=\"v\" depart=\"0\" type=\"t\" route=\"r\"/>",
         "attribute \"type\" names the unknown vehicle type \"t\""},
        {"depart position", "<vehicle id=\"v\" depart=\"0\" route=\"r\" departPos=\"middle\"/>",
         "attribute \"departPos\" is \"middle\", expected random, free, random_free, base, last"},
        {"depart lane", "<vehicle id=\"v\" depart=\"0\" route=\"r\" departLane=\"left\"/>",
         "attribute \"departLane\" is \"left\", expected random, free"},
        {"depart speed", "<vehicle id=\"v\" depart=\"0\" route=\"r\" departSpeed=\"-3\"/>",
         "attribute \"departSpeed\" is \"-3\""},
        {"NaN speed", "<vehicle id=\"v\" depart=\"0\" route=\"r\" departSpeed=\"nan\"/>",
         "attribute \"departSpeed\" is \"nan\""},
        {"depart edge", "<vehicle id=\"v\" depart=\"0\" route=\"r\" departEdge=\"2\"/>",
         "has departEdge=\"2\", but its route has 2 edges"},
        {"arrival", "<vehicle id=\"v\" depart=\"0\" route=\"r\" arrivalPos=\"end\"/>",
         "attribute \"arrivalPos\" is \"end\", expected max, random or center or a number"},
        {"trip without to", "<trip id=\"v\" depart=\"0\" from=\"ab\"/>",
         "<trip id=\"v\"> needs both \"from\" and \"to\""},
        {"trip edge", "<trip id=\"v\" depart=\"0\" from=\"ab\" to=\"xx\"/>",
         "<trip id=\"v\"> names the unknown edge \"xx\""},
        {"two rates", "<flow id=\"f\" route=\"r\" begin=\"0\" end=\"9\" period=\"1\" vehsPerHour=\"5\"/>",
         "<flow id=\"f\"> has both \"period\" and \"vehsPerHour\""},
        {"no rate", "<flow id=\"f\" route=\"r\" begin=\"0\" end=\"9\"/>", "<flow id=\"f\"> needs one of"},
        {"three bounds", "<flow id=\"f\" route=\"r\" end=\"9\" number=\"3\" period=\"1\"/>",
         "expected at most two of them"},
        {"end before begin", "<flow id=\"f\" route=\"r\" begin=\"9\" end=\"3\" number=\"3\"/>",
         "<flow id=\"f\"> ends at 3 before it begins at 9"},
        {"probability", "<flow id=\"f\" route=\"r\" begin=\"0\" probability=\"1.5\"/>",
         "attribute \"probability\" is \"1.5\""},
        {"period", "<flow id=\"f\" route=\"r\" begin=\"0\" period=\"exp(x)\"/>", "attribute \"period\" is \"exp(x)\""},
        {"number", "<flow id=\"f\" route=\"r\" number=\"2.5\"/>", "attribute \"number\" is \"2.5\""},
        {"sigma", "<vType id=\"t\" sigma=\"2\"/>",
         "<vType id=\"t\"> attribute \"sigma\" is \"2\", expected a number from 0 to 1"},
        {"class", "<vType id=\"t\" vClass=\"car\"/>", "attribute \"vClass\" is \"car\", expected one of: private"},
        {"model", "<vType id=\"t\" carFollowModel=\"Kraus\"/>",
         "names the car following model \"Kraus\", expected Krauss"},
        {"speed factor", "<vType id=\"t\" speedFactor=\"normal(1,2)\"/>",
         "attribute \"speedFactor\" is \"normal(1,2)\""},
        {"type twice", "<vType id=\"t\"/><vType id=\"t\"/>", "<vType id=\"t\"> is there twice"},
        {"empty distribution", "<vTypeDistribution id=\"d\"></vTypeDistribution>",
         "<vTypeDistribution id=\"d\"> is empty"},
        {"distribution member", "<vTypeDistribution id=\"d\" vTypes=\"q\"/>",
         "attribute \"vTypes\" names the unknown \"q\""},
        {"weights", "<vType id=\"t\"/><vTypeDistribution id=\"d\" vTypes=\"t\" probabilities=\"1 2\"/>",
         "attribute \"probabilities\" has 2 numbers, but \"vTypes\" 1 ids"},
        {"signal", "<tlLogic id=\"zz\" programID=\"1\"><phase duration=\"1\" state=\"G\"/></tlLogic>",
         "<tlLogic id=\"zz\"> is no signal of the network"},
        {"signal states", "<tlLogic id=\"b\" programID=\"1\"><phase duration=\"1\" state=\"G\"/></tlLogic>",
         "have 1 letters, but a connection has linkIndex 1"},
        {"person", "<person id=\"p\" depart=\"0\"><walk edges=\"ab\"/></person>",
         "<person id=\"p\"> is not simulated and would change results; use --lenient"},
        {"rerouter", "<rerouter id=\"x\" edges=\"zz\"/>", "<rerouter id=\"x\"> names the unknown edge \"zz\""},
        {"rerouter nowhere", "<rerouter id=\"x\"/>", "<rerouter id=\"x\"> attribute \"edges\" is missing"},
        {"rerouter for the patient", "<rerouter id=\"x\" edges=\"ab\" timeThreshold=\"9\"/>",
         "<rerouter id=\"x\"> with \"timeThreshold\" is not simulated"},
        {"rerouter twice", "<rerouter id=\"x\" edges=\"ab\"/><rerouter id=\"x\" edges=\"ab\"/>", "is there twice"},
        {"rerouter backwards", in_rerouter("", "begin=\"9\" end=\"3\""), "<interval> ends before it begins"},
        {"closed edge", in_rerouter("<closingReroute id=\"zz\"/>"),
         "<closingReroute id=\"zz\"> names the unknown edge"},
        {"destination", in_rerouter("<destProbReroute id=\"ab\" probability=\"-1\"/>"),
         "attribute \"probability\" is \"-1\""},
        {"route of a rerouter", in_rerouter("<routeProbReroute id=\"q\"/>"), "names the unknown route \"q\""},
        {"closed lane", in_rerouter("<closingLaneReroute id=\"ab_7\"/>"),
         "<closingLaneReroute id=\"ab_7\"> is no lane"},
        {"closed class", in_rerouter("<closingReroute id=\"ab\" disallow=\"car\"/>"),
         "attribute \"disallow\" names the vehicle class \"car\""},
        {"parking", in_rerouter("<parkingAreaReroute id=\"p\"/>"), "<parkingAreaReroute id=\"p\"> is not simulated"},
        {"bus stop", "<vehicle id=\"v\" depart=\"0\" route=\"r\"><stop busStop=\"b\" duration=\"3\"/></vehicle>",
         "<stop> attribute \"busStop\" names the unknown busStop \"b\""},
        {"stop on no edge", "<vehicle id=\"v\" depart=\"0\" route=\"r\"><stop edge=\"zz\" duration=\"3\"/></vehicle>",
         "attribute \"edge\" names the unknown edge \"zz\""},
        {"place without lane", "<busStop id=\"b\"/>", "<busStop id=\"b\"> attribute \"lane\" is missing"},
        {"place off the network", "<busStop id=\"b\" lane=\"zz_0\"/>", "names the unknown lane \"zz_0\""},
        {"place off its lane", "<busStop id=\"b\" lane=\"ab_0\" startPos=\"3\" endPos=\"1e6\"/>",
         "attribute \"endPos\" is \"1e6\", expected a position on the lane"},
        {"place backwards", "<busStop id=\"b\" lane=\"ab_0\" startPos=\"30\" endPos=\"10\"/>",
         "has its startPos behind its endPos"},
        {"place twice", "<busStop id=\"b\" lane=\"ab_0\"/><busStop id=\"b\" lane=\"ab_0\"/>", "is there twice"},
        {"place of another kind",
         "<trainStop id=\"b\" lane=\"ab_0\"/><vehicle id=\"v\" depart=\"0\" route=\"r\">"
         "<stop busStop=\"b\" duration=\"3\"/></vehicle>",
         "names the unknown busStop \"b\""},
        {"parking area",
         "<vehicle id=\"v\" depart=\"0\" route=\"r\"><stop parkingArea=\"p\" duration=\"3\"/></vehicle>",
         "names the unknown parkingArea \"p\""},
        {"capacity", "<parkingArea id=\"p\" lane=\"ab_0\" roadsideCapacity=\"-1\"/>",
         "attribute \"roadsideCapacity\" is \"-1\""},
        {"speed sign", "<variableSpeedSign id=\"s\" lanes=\"ab_0 zz_0\"/>",
         "<variableSpeedSign id=\"s\"> attribute \"lanes\" names the unknown lane \"zz_0\""},
        {"speed step", "<variableSpeedSign id=\"s\" lanes=\"ab_0\"><step speed=\"3\"/></variableSpeedSign>",
         "attribute \"time\" is missing or negative"},
        {"vaporizer", "<vaporizer id=\"zz\" begin=\"0\" end=\"3\"/>",
         "<vaporizer id=\"zz\"> attribute \"id\" names the unknown edge \"zz\""},
        {"vaporizer backwards", "<vaporizer id=\"ab\" begin=\"5\" end=\"3\"/>", "ends before it begins"},
        {"calibrator", "<calibrator id=\"c\" edge=\"zz\"/>", "attribute \"edge\" names the unknown edge \"zz\""},
        {"calibrator flow",
         "<calibrator id=\"c\" edge=\"ab\"><flow begin=\"0\" end=\"9\" vehsPerHour=\"5\"/></calibrator>",
         "<flow> of a calibrator without \"route\" is not simulated"},
        {"calibrator elsewhere", "<calibrator id=\"c\" lane=\"zz_0\"/>",
         "attribute \"lane\" names the unknown lane \"zz_0\""},
        {"route of a calibrator",
         "<calibrator id=\"c\" edge=\"ab\"><flow begin=\"0\" end=\"9\" vehsPerHour=\"5\" route=\"q\"/></calibrator>",
         "attribute \"route\" names the unknown route \"q\""},
        {"calibrator without aim", "<calibrator id=\"c\" edge=\"ab\"><flow begin=\"0\" end=\"9\"/></calibrator>",
         "needs one of \"vehsPerHour\", \"speed\" and \"type\""},
        {"front of a split train", "<vehicle id=\"v\" depart=\"0\" route=\"r\" departPos=\"splitFront\"/>",
         "departPos=\"splitFront\" is not simulated"},
        {"stop without time", "<vehicle id=\"v\" depart=\"0\" route=\"r\"><stop lane=\"ab_0\"/></vehicle>",
         "<stop> without \"duration\" and \"until\" is not simulated"},
        {"stop for persons",
         "<vehicle id=\"v\" depart=\"0\" route=\"r\"><stop lane=\"ab_0\" triggered=\"true\"/></vehicle>",
         "<stop> with \"triggered\" is not simulated"},
        {"place", "<trip id=\"v\" depart=\"0\" fromXY=\"0,0\" toXY=\"9,9\"/>",
         "attribute \"fromXY\" of <trip> is not simulated"},
        {"zone without sources",
         "<taz id=\"z\"><tazSink id=\"ab\"/></taz><trip id=\"v\" depart=\"0\" fromTaz=\"z\" to=\"ab\"/>",
         "begins in zone \"z\", which has no edge to begin on"},
        {"unknown zone", "<trip id=\"v\" depart=\"0\" from=\"ab\" toTaz=\"z\"/>",
         "attribute \"toTaz\" names \"z\", which is neither a zone nor a junction"},
        {"edge of a zone", "<taz id=\"z\" edges=\"ab zz\"/>", "names the unknown edge \"zz\""},
        {"zone there twice", "<taz id=\"z\" edges=\"ab\"/><taz id=\"z\" edges=\"ab\"/>", "is there twice"},
        {"calibrator aim",
         "<calibrator id=\"c\" edge=\"ab\"><flow begin=\"0\" end=\"9\" route=\"r\" vehsPerHour=\"-5\"/></calibrator>",
         "attribute \"vehsPerHour\" is \"-5\", expected a number that is not negative"},
        {"calibrator speed", "<calibrator id=\"c\" edge=\"ab\"><flow begin=\"0\" end=\"9\" speed=\"-5\"/></calibrator>",
         "attribute \"speed\" is \"-5\", expected a number that is not negative"},
        {"calibrator period", "<calibrator id=\"c\" edge=\"ab\" freq=\"-5\"/>",
         "attribute \"freq\" is \"-5\", expected a time that is not negative"},
        {"calibrator at nan", "<calibrator id=\"c\" edge=\"ab\" pos=\"nan\"/>",
         "attribute \"pos\" is \"nan\", expected a number"},
        {"calibrator at inf", "<calibrator id=\"c\" edge=\"ab\" pos=\"inf\"/>",
         "attribute \"pos\" is \"inf\", expected a number"},
        {"calibrator beyond", "<calibrator id=\"c\" edge=\"ab\" pos=\"1e9\"/>",
         "attribute \"pos\" is \"1e9\", expected a position on the lane"},
        {"calibrator twice", "<calibrator id=\"c\" edge=\"ab\"/><calibrator id=\"c\" edge=\"ab\"/>",
         "<calibrator id=\"c\"> is there twice"},
        {"calibrator intervals",
         "<calibrator id=\"c\" edge=\"ab\"><flow begin=\"0\" end=\"9\" speed=\"5\"/><flow begin=\"8\" end=\"9\" "
         "speed=\"5\"/></calibrator>",
         "<flow> begins at 8 s, but the one before it ends at 9 s"},
        {"calibrator in another", "<calibrator id=\"c\" edge=\"ab\"><calibrator id=\"d\" edge=\"ab\"/></calibrator>",
         "<calibrator id=\"d\"> stands inside <calibrator>, expected directly inside the root"},
        {"calibrator in a stop", "<busStop id=\"s\" lane=\"ab_0\"><calibrator id=\"d\" edge=\"ab\"/></busStop>",
         "<calibrator id=\"d\"> stands inside <busStop>, expected directly inside the root"},
        {"trip in a calibrator",
         "<calibrator id=\"c\" edge=\"ab\"><trip id=\"t\" depart=\"0\" from=\"ab\" to=\"bc\"/></calibrator>",
         "<trip id=\"t\"> stands inside <calibrator>"},
        {"source without a zone", "<tazSource id=\"ab\"/>",
         "<tazSource id=\"ab\"> stands inside <routes>, expected inside a <taz>"},
        {"sink without a zone", "<rerouter id=\"w\" edges=\"ab\"><tazSink id=\"ab\"/></rerouter>",
         "<tazSink id=\"ab\"> stands inside <rerouter>, expected inside a <taz>"},
        {"step without a sign", "<step time=\"0\" speed=\"3\"/>",
         "<step> stands inside <routes>, expected inside a <variableSpeedSign>"},
        {"junction without sources", "<trip id=\"v\" depart=\"0\" fromJunction=\"c\" to=\"ab\"/>",
         "begins in junction \"c\", which has no edge to begin on"},
        {"stop on two edges",
         "<vehicle id=\"v\" depart=\"0\" route=\"r\"><stop edge=\"bc\" lane=\"ab_0\" duration=\"3\"/></vehicle>",
         "attribute \"edge\" is \"bc\", expected \"ab\", where it stops"},
        {"stop on two lanes",
         "<busStop id=\"s\" lane=\"ab_0\"/><vehicle id=\"v\" depart=\"0\" route=\"r\"><stop busStop=\"s\" "
         "lane=\"bc_0\" duration=\"3\"/></vehicle>",
         "attribute \"lane\" is \"bc_0\", expected \"ab_0\", where it stops"},
        {"stop at two places",
         "<busStop id=\"s\" lane=\"ab_0\"/><vehicle id=\"v\" depart=\"0\" route=\"r\"><stop busStop=\"s\" "
         "parkingArea=\"p\" duration=\"3\"/></vehicle>",
         "names both \"busStop\" and \"parkingArea\", expected one"},
        {"device",
         "<vehicle id=\"v\" depart=\"0\" route=\"r\"><param key=\"has.glosa.device\" value=\"true\"/></vehicle>",
         "parameter \"has.glosa.device\" is not simulated"},
        {"nested", "<vehicle id=\"v\" depart=\"0\" route=\"r\"><trip id=\"w\" depart=\"0\"/></vehicle>",
         "<trip id=\"w\"> stands inside <vehicle>, expected directly inside the root of the file"},
    };
    for (const Case& c : cases) {
        INFO(c.name);
        const std::string message = message_for(route + c.content);
        INFO(message);
        CHECK(message.starts_with(":2:"));
        CHECK(message.find(c.expected) != std::string::npos);
    }
}

TEST_CASE("lenient reading counts what is not simulated and goes on") {
    const Reading r(R"xml(<person id="p" depart="0"><walk edges="ab"/></person><person id="q" depart="0"/>
        <trip id="t" depart="0" fromXY="1,2" toXY="3,4"/>
        <vehicle id="v" depart="0" departt="7"><route edges="ab"/><stop lane="ab_0" triggered="1"/></vehicle>
        <instantInductionLoop id="e" lane="ab_0" pos="3" file="x"/><poi id="i"/>)xml",
                    true);
    CHECK(r.demand.vehicles.size() == 1);
    const auto lines = r.report.lines();
    const auto has = [&](const std::string& text) {
        return std::any_of(lines.begin(), lines.end(),
                           [&](const std::string& line) { return line.find(text) != std::string::npos; });
    };
    CHECK(has("<person> is not simulated and was ignored: 2 times, first at " + r.path + ":2"));
    CHECK(has("attribute \"departt\" of <vehicle> is not known and was ignored: 1 time"));
    CHECK(has("<instantInductionLoop> writes no output here"));
    CHECK(has("<stop> with \"triggered\" is not simulated"));
    CHECK(lines.size() == 6);
}

TEST_CASE("a network is no route file") {
    const TemporaryFolder folder;
    NetworkDescription network = two_edges();
    DemandDescription demand;
    UnsupportedReport report;
    const std::string path = folder.write("net.xml", "<net/>");
    CHECK_THROWS_WITH(
        SumoDemandReader(network, demand, report).read(path),
        path + ":1: <net> is the root of this file, expected <routes> or <additional> (SUMO routes or additions)");
}
