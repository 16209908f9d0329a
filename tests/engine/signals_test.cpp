// Signal programs that react to traffic: when they switch. Times are SUMO's on the same road, to the second.
#include "tests/support/catch.hpp"
#include "tests/support/net_builder.hpp"
#include "tests/support/scene.hpp"

using namespace jamiton;

namespace {

constexpr float road = 289.6f;  // m before the stop line

// Roads side by side under one signal: link n is that of road n.
struct Roads {
    Scene scene;

    explicit Roads(int count, const std::vector<PhaseDescription>& phases, SignalType type = SignalType::actuated) {
        NetBuilder net;
        std::vector<int> in, out;
        for (int n = 0; n < count; ++n) {
            const std::string name = std::to_string(n);
            in.push_back(net.edge("in" + name, "a" + name, "b", road));
            out.push_back(net.edge("out" + name, "b", "c" + name, 300));
        }
        for (int n = 0; n < count; ++n) net.connect(in[n], 0, out[n], 0, 'O', 10);
        scene.network = net.description();
        SignalDescription signal;
        signal.id = "b";
        signal.programs.emplace_back();
        signal.programs[0].id = "0";
        signal.programs[0].type = type;
        signal.programs[0].phases = phases;
        scene.network.signals.push_back(signal);
        for (int n = 0; n < count; ++n) {
            for (ConnectionDescription& c : scene.network.connections) {
                if (scene.network.lanes[c.from_lane].edge != in[n]) continue;
                c.signal = 0;
                c.link_index = n;
            }
            scene.add_route({in[n], out[n]});
        }
        scene.add_type(Scene::exact_car());
    }
    ProgramDescription& program() { return scene.network.signals[0].programs[0]; }
    void stream(int way, double headway, double begin = 0) {
        for (double t = begin; t < 400; t += headway) scene.add_vehicle(t, 0, way).depart_speed = DepartSpeed::max;
    }
    void car(int way, double depart, float position) {
        VehicleDescription& v = scene.add_vehicle(depart, 0, way);
        v.depart_speed = DepartSpeed::max;
        v.depart_pos = DepartPos::position;
        v.depart_pos_value = position;
    }
    void standing(int way, float position) {
        car(way, 0, position);
        scene.demand.vehicles.back().depart_speed = DepartSpeed::value;
    }
    std::vector<SignalSwitch> switches(int steps) {
        Simulation s = scene.simulate();
        std::vector<SignalSwitch> all;
        for (int n = 0; n < steps; ++n) {
            s.step();
            for (const SignalSwitch& change : s.signal_switches()) all.push_back(change);
        }
        return all;
    }
    // "time:phase" of each switch.
    std::string story(int steps) {
        std::string text;
        for (const SignalSwitch& s : switches(steps))
            text += std::to_string(static_cast<int>(s.time)) + ":" + std::to_string(s.phase) + " ";
        return text;
    }
};

PhaseDescription green(const std::string& state, double least = 5, double most = 50, std::vector<int> next = {}) {
    return {.duration = 30,
            .min_duration = least,
            .max_duration = most,
            .state = state,
            .next = std::move(next),
            .name = {}};
}
PhaseDescription fixed(const std::string& state, double duration) {
    return {.duration = duration, .state = state, .next = {}, .name = {}};
}

std::vector<PhaseDescription> two_greens() { return {green("Gr"), fixed("yr", 3), green("rG"), fixed("ry", 3)}; }

// s that the green of way 0 lasts, the first one that begins after 30 s.
double green_time(double headway) {
    Roads roads(2, two_greens());
    if (headway > 0) roads.stream(0, headway);
    double began = -1;
    for (const SignalSwitch& s : roads.switches(200)) {
        if (s.phase == 0 && s.time > 30) began = s.time;
        if (s.phase == 1 && began > 0) return s.time - began;
    }
    return -1;
}

}  // namespace

TEST_CASE("an actuated green lasts as long as vehicles follow closely, between its limits") {
    CHECK(green_time(2) == 50);
    CHECK(green_time(3) == 50);
    CHECK(green_time(0) == 5);
    CHECK(green_time(5) >= 5);
    CHECK(green_time(5) <= 13);
}

TEST_CASE("green ends in the first step that sees a gap of 3 s since the last vehicle left its loop") {
    struct Row {
        float position;
        double end;
    };
    for (const Row r : {Row{211, 9}, {216, 8}, {223, 8}, {230, 7}, {242, 7}, {248, 6}, {255, 6}, {262, 5}}) {
        INFO("position " << r.position);
        Roads roads(2, two_greens());
        roads.car(0, 0, r.position);
        const std::vector<SignalSwitch> s = roads.switches(12);
        REQUIRE(s.size() >= 2);
        CHECK(s[1].time == r.end);
        CHECK(s[1].state == "yr");
    }
}

TEST_CASE("a larger gap holds green longer, for all lanes or for one") {
    Roads all(2, two_greens());
    all.program().control.max_gap = 5;
    all.car(0, 0, 230);
    CHECK(all.switches(15)[1].time == 9);
    Roads one(2, two_greens());
    one.program().control.max_gap_of_lane = {{"in0_0", 4}};
    one.car(0, 0, 230);
    CHECK(one.switches(15)[1].time == 8);
}

TEST_CASE("phases without limits keep their duration whatever comes") {
    Roads roads(2, {fixed("Gr", 30), fixed("yr", 3), green("rG"), fixed("ry", 3)});
    roads.stream(0, 2);
    CHECK(roads.story(80) == "0:0 30:1 33:2 38:3 41:0 71:1 74:2 79:3 ");
}

TEST_CASE("one limit alone: the other is the duration, or none") {
    Roads most(2, {{.duration = 30, .max_duration = 40, .state = "Gr", .next = {}, .name = {}}, fixed("rG", 5)});
    most.stream(0, 2);
    CHECK(most.switches(60)[1].time == 40);
    Roads least(2, {{.duration = 30, .min_duration = 25, .state = "Gr", .next = {}, .name = {}}, fixed("rG", 5)});
    least.stream(0, 2);
    CHECK(least.switches(300).size() == 1);
}

TEST_CASE("a lane holds green only where all its vehicles may drive and some have priority") {
    for (const auto& [state, held] : {std::pair{"gGr", true}, {"Ggr", true}, {"ggr", false}, {"rGr", false}}) {
        INFO(state);
        Roads roads(3, {green(state), fixed("yyr", 3), green("rrG"), fixed("rry", 3)});
        for (ConnectionDescription& c : roads.scene.network.connections)  // link 1 leaves the lane of link 0
            if (c.link_index == 1) c.from_lane = 0;
        roads.stream(0, 2);
        const auto s = roads.switches(70);
        double began = 0, longest = 0;
        for (const SignalSwitch& change : s) {
            if (change.phase == 0) began = change.time;
            if (change.phase == 1) longest = std::max(longest, change.time - began);
        }
        CHECK((longest == 50) == held);
    }
}

TEST_CASE("a program begins where its durations would have it, and then reacts") {
    Roads roads(2, two_greens());
    roads.program().offset = 20;  // 46 s into a cycle of 66 s: phase 2
    roads.scene.add_vehicle(100);
    CHECK(roads.story(17) == "0:2 5:3 8:0 13:1 16:2 ");
    roads.scene.options.begin = 25200;
    roads.program().offset = 25220;
    CHECK(roads.switches(6)[0].phase == 2);
    CHECK(roads.switches(6)[1].time == 25205);
    Roads fixed_times(2, two_greens(), SignalType::static_);
    fixed_times.program().offset = 20;
    fixed_times.scene.add_vehicle(100);
    CHECK(fixed_times.story(60) == "0:2 17:3 20:0 50:1 53:2 ");
}

TEST_CASE("of several phases that may follow the one that is called is taken") {
    const auto phases = [](std::vector<int> a, std::vector<int> b, std::vector<int> c) {
        return std::vector<PhaseDescription>{green("Grr", 5, 20, a), green("rGr", 5, 20, b), green("rrG", 5, 20, c)};
    };
    Roads nobody(3, phases({1, 2}, {2, 0}, {0, 1}));
    nobody.scene.add_vehicle(100);
    CHECK(nobody.story(21) == "0:0 5:1 10:2 15:0 20:1 ");
    Roads third(3, phases({0, 1, 2}, {0, 1, 2}, {0, 1, 2}));
    third.stream(0, 2);
    third.car(2, 10, 5);
    // Its loop is reached in the step labelled 29; the stream of way 0 has used up its longest time.
    CHECK(third.story(60) == "0:0 30:2 36:0 ");
}

namespace {

// Programs a (66 s) and b (50 s) as in SUMO's measured runs.
Roads two_programs(double b_offset = 0) {
    Roads roads(2, {fixed("Gr", 30), fixed("yr", 3), fixed("rG", 30), fixed("ry", 3)}, SignalType::static_);
    roads.program().id = "a";
    ProgramDescription b = roads.program();
    b.id = "b";
    b.offset = b_offset;
    for (std::size_t p = 0; p < 4; ++p) b.phases[p].duration = p % 2 == 0 ? 20 : 5;
    roads.scene.network.signals[0].programs.push_back(b);
    roads.scene.add_vehicle(300);
    return roads;
}

TimetableDescription timetable(double period = 0) {
    TimetableDescription t;
    t.id = "w";
    t.start_program = "a";
    t.period = period;
    t.switches = {{50, "b"}, {100, "a"}};
    t.signals = {0};
    return t;
}

std::string story_with_programs(Roads& roads, int steps) {
    std::string text;
    for (const SignalSwitch& s : roads.switches(steps))
        text += std::to_string(static_cast<int>(s.time)) + s.program + std::to_string(s.phase) + " ";
    return text;
}

}  // namespace

TEST_CASE("a timetable changes programs, each at its place in the cycle") {
    Roads plain = two_programs();
    plain.scene.network.timetables = {timetable()};
    CHECK(story_with_programs(plain, 133) == "0a0 30a1 33a2 50b0 70b1 75b2 95b3 100a2 129a3 132a0 ");
    Roads offset = two_programs(7);
    offset.scene.network.timetables = {timetable()};
    CHECK(story_with_programs(offset, 101) == "0a0 30a1 33a2 50b2 52b3 57b0 77b1 82b2 100a2 ");
    Roads later = two_programs();
    later.scene.network.timetables = {timetable()};
    later.scene.network.timetables[0].reference = 10;
    CHECK(story_with_programs(later, 111) == "0a0 30a1 33a2 60b0 70b1 75b2 95b3 100b0 110a2 ");
    Roads again = two_programs();
    again.scene.network.timetables = {timetable(120)};
    CHECK(story_with_programs(again, 221).ends_with("170b1 175b2 195b3 200b0 220a0 "));
}

TEST_CASE("a timetable with an unknown program is named") {
    Roads roads = two_programs();
    roads.scene.network.timetables = {timetable()};
    roads.scene.network.timetables[0].switches[0].second = "night";
    CHECK_THROWS_WITH(roads.scene.simulate(), Catch::Contains("program \"night\""));
}

TEST_CASE("a signal that is off leaves the right of way to the roads") {
    Roads roads = two_programs();
    for (ConnectionDescription& c : roads.scene.network.connections) c.state = c.link_index == 1 ? 'o' : 'w';
    ProgramDescription off;
    off.id = off_program;
    roads.scene.network.signals[0].programs.push_back(off);
    roads.car(0, 0, 100);
    const std::vector<SignalSwitch> s = roads.switches(40);
    REQUIRE(s.size() == 1);
    CHECK(s[0].state == "Oo");
    CHECK(s[0].program == "off");
}

namespace {

// A queue from near the stop line back, there from the beginning.
void add_queue(Roads& roads, int way, int vehicles) {
    for (int n = 0; n < vehicles; ++n) roads.standing(way, 285.f - 8.f * static_cast<float>(n));
}

Roads delayed(double most = 50) {
    return Roads(2, {green("Gr", 5, most), fixed("yr", 3), green("rG", 5, most), fixed("ry", 3)},
                 SignalType::delay_based);
}

}  // namespace

TEST_CASE("a green by delay stays until somebody comes into the range of another lane") {
    Roads nobody = delayed();
    nobody.scene.add_vehicle(300);
    CHECK(nobody.story(150) == "0:0 ");
    Roads own = delayed();
    own.stream(0, 2);
    CHECK(own.story(150) == "0:0 ");
    for (const auto& [range, story] :
         {std::pair{100., "0:0 8:1 11:2 "}, {150., "0:0 5:1 8:2 "}, {50., "0:0 12:1 15:2 "}}) {
        INFO("range " << range);
        Roads rival = delayed();
        rival.program().control.range = range;
        rival.car(1, 0, 100);
        CHECK(rival.story(150) == story);
    }
}

TEST_CASE("a range reaches back onto the lane before") {
    Roads roads = delayed();
    NetworkDescription& net = roads.scene.network;
    NetBuilder with_feeder;
    const int feeder = with_feeder.edge("feeder", "f", "a", 250), in = with_feeder.edge("in", "a", "b", 42.8f);
    const int out = with_feeder.edge("out", "b", "c", 300), green_in = with_feeder.edge("in1", "a1", "b", 289.6f);
    const int green_out = with_feeder.edge("out1", "b", "c1", 300);
    with_feeder.connect(feeder, 0, in, 0, 'M', 0.1f);
    with_feeder.connect(green_in, 0, green_out, 0, 'O', 10);
    with_feeder.connect(in, 0, out, 0, 'O', 10);
    std::vector<SignalDescription> signals = net.signals;
    net = with_feeder.description();
    net.signals = signals;
    for (ConnectionDescription& c : net.connections) {
        const int from = net.lanes[c.from_lane].edge;
        if (from != in && from != green_in) continue;
        c.signal = 0;
        c.link_index = from == in ? 1 : 0;
    }
    roads.scene.demand.routes[0].edges = {feeder, in, out};
    roads.car(0, 0, 50);
    CHECK(roads.story(20) == "0:0 12:1 15:2 ");
}

TEST_CASE("who has lost time before a green by delay holds it, as long as it can still pass") {
    struct Row {
        float position;
        double least_loss;
        const char* end;
    };
    for (const Row r : {Row{250, 1, "7:1"}, {220, 1, "9:1"}, {220, 2.1, "9:1"}, {220, 2.15, "5:1"}, {180, 1, "5:1"}}) {
        INFO(r.position << " " << r.least_loss);
        Roads roads = delayed();
        roads.program().control.least_loss = r.least_loss;
        roads.car(1, 0, 285);
        roads.standing(0, r.position);
        CHECK(roads.story(20).substr(4, 3) == r.end);
    }
    for (const auto& [most, story] : {std::pair{20., "0:0 19:1 22:2 "}, {8., "0:0 8:1 11:2 16:3 19:0 "}}) {
        INFO("most " << most);
        Roads roads = delayed(most);
        roads.car(1, 0, 285);
        add_queue(roads, 0, 12);
        CHECK(roads.story(25) == story);
    }
}

TEST_CASE("greens by delay share the time between two streams") {
    Roads four = delayed();
    four.stream(0, 4);
    four.stream(1, 4);
    CHECK(four.story(75) == "0:0 15:1 18:2 23:3 26:0 32:1 35:2 44:3 47:0 59:1 62:2 ");
    Roads two = delayed(15);
    two.stream(0, 2);
    two.stream(1, 2);
    CHECK(two.story(90) == "0:0 15:1 18:2 23:3 26:0 41:1 44:2 59:3 62:0 77:1 80:2 ");
}

namespace {

Roads pressed(int count, double most = 1000) {
    std::vector<PhaseDescription> phases;
    for (int n = 0; n < count; ++n) {
        std::string state(static_cast<std::size_t>(count), 'r');
        state[static_cast<std::size_t>(n)] = 'G';
        phases.push_back(green(state, 10, most));
        state[static_cast<std::size_t>(n)] = 'y';
        phases.push_back(fixed(state, 3));
    }
    return Roads(count, phases, SignalType::max_pressure);
}

}  // namespace

TEST_CASE("max pressure gives green to the most waiting vehicles, after the shortest green and the yellow") {
    Roads roads = pressed(3);
    add_queue(roads, 1, 4);
    add_queue(roads, 2, 8);
    CHECK(roads.story(20) == "0:0 10:1 13:4 ");
    Roads nobody = pressed(3);
    nobody.scene.add_vehicle(300);
    CHECK(nobody.story(100) == "0:0 ");
}

TEST_CASE("max pressure subtracts those beyond the junction") {
    Roads roads = pressed(2);
    add_queue(roads, 1, 6);
    RouteDescription beyond;
    beyond.edges = {roads.scene.demand.routes[1].edges[1]};
    roads.scene.demand.routes.push_back(beyond);
    for (int n = 0; n < 6; ++n) {  // they creep
        VehicleDescription& v = roads.scene.add_vehicle(0, 0, 2);
        v.depart_pos = DepartPos::position;
        v.depart_pos_value = 200.f - 8.f * static_cast<float>(n);
        v.speed_factor = 0.05f;
    }
    CHECK(roads.story(40) == "0:0 ");
}

TEST_CASE("max pressure ends a green after its longest time when somebody else waits") {
    for (const auto& [most, story] : {std::pair{20., "0:0 20:1 23:2 "}, {1000., "0:0 "}}) {
        INFO("most " << most);
        Roads roads = pressed(2, most);
        roads.car(1, 0, 285);
        roads.stream(0, 3);
        CHECK(roads.story(30) == story);
    }
}

TEST_CASE("a vehicle that stands on a loop longer than the jam threshold no longer holds green") {
    for (const auto& [threshold, story] : {std::pair{-1., "0:0 5:1 8:2 13:3 16:0 66:1 69:2 "},
                                           {5., "0:0 5:1 8:2 13:3 16:0 21:1 24:2 29:3 32:0 37:1 40:2 "}}) {
        INFO("threshold " << threshold);
        Roads roads(2, two_greens());
        roads.program().control.jam_threshold = threshold;
        roads.standing(0, 240);
        StopDescription stop;
        stop.lane = 0;
        stop.start_pos = 260, stop.end_pos = 270, stop.duration = 200;
        roads.scene.demand.vehicles.back().stops.push_back(stop);
        CHECK(roads.story(threshold < 0 ? 70 : 41) == story);
    }
}
