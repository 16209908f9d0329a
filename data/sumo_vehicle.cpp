#include "data/sumo_vehicle.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace jamiton {

namespace {

constexpr Word<DepartLane> depart_lanes[] = {{"random", DepartLane::random},   {"free", DepartLane::free},
                                             {"allowed", DepartLane::allowed}, {"best", DepartLane::best},
                                             {"first", DepartLane::first},     {"best_prob", DepartLane::best_prob}};
constexpr Word<DepartPos> depart_positions[] = {{"random", DepartPos::random},
                                                {"free", DepartPos::free},
                                                {"random_free", DepartPos::random_free},
                                                {"base", DepartPos::base},
                                                {"last", DepartPos::last},
                                                {"stop", DepartPos::stop},
                                                {"splitFront", DepartPos::split_front}};
constexpr Word<DepartSpeed> depart_speeds[] = {
    {"random", DepartSpeed::random},          {"max", DepartSpeed::max},   {"desired", DepartSpeed::desired},
    {"speedLimit", DepartSpeed::speed_limit}, {"last", DepartSpeed::last}, {"avg", DepartSpeed::avg}};
constexpr Word<ArrivalLane> arrival_lanes[] = {
    {"current", ArrivalLane::current}, {"random", ArrivalLane::random}, {"first", ArrivalLane::first}};
constexpr Word<ArrivalPos> arrival_positions[] = {
    {"max", ArrivalPos::max}, {"random", ArrivalPos::random}, {"center", ArrivalPos::center}};
constexpr Word<ArrivalSpeed> arrival_speeds[] = {{"current", ArrivalSpeed::current}};

constexpr std::string_view known[] = {
    "id", "type", "route", "from", "to", "via", "depart", "begin", "end", "number", "period", "vehsPerHour", "perHour",
    "probability", "departLane", "departPos", "departSpeed", "departEdge", "arrivalLane", "arrivalPos", "arrivalSpeed",
    "arrivalEdge", "speedFactor", "color",
    // without effect on where vehicles drive, or written by SUMO beside what it read
    "line", "departPosLat", "arrivalPosLat", "personNumber", "containerNumber", "personCapacity", "arrival",
    "routeLength", "speed", "modes", "name", "parkingBadges", "fromTaz", "toTaz", "fromJunction", "toJunction"};
constexpr std::string_view unsupported[] = {"viaTaz",     "viaJunctions", "fromXY",    "toXY",    "viaXY",
                                            "fromLonLat", "toLonLat",     "viaLonLat", "reroute", "insertionChecks",
                                            "replace",    "arrivalStop",  "departStop"};

// One of the words, or a number that is put into `number`.
template <class E, std::size_t n>
void word_or_number(const Element& element, std::string_view attribute, const Word<E> (&words)[n], Range range,
                    E number_kind, E& kind, float& number) {
    const auto text = element.find(attribute);
    if (!text) return;
    for (const Word<E>& word : words) {
        if (word.text == *text) {
            kind = word.value;
            return;
        }
    }
    const auto value = parse_number(*text);
    if (!value || (range == Range::not_negative && *value < 0) || *value > 1e9 || *value < -1e9) {
        element.fail_value(attribute, fmt::format("{} or a number{}", list_of(std::span<const Word<E>>(words)),
                                                  range == Range::not_negative ? " that is not negative" : ""));
    }
    kind = number_kind;
    number = static_cast<float>(*value);
}

template <class E, std::size_t n>
void word_or_index(const Element& element, std::string_view attribute, const Word<E> (&words)[n], E& kind, int& index) {
    const auto text = element.find(attribute);
    if (!text) return;
    const auto value = parse_integer(*text);
    if (!value) {
        kind = element.word(attribute, words);
    } else {
        kind = E::index;
        index = element.integer(attribute, 0, 1000);
    }
}

double read_depart(const Element& element, UnsupportedReport& report) {
    const std::string_view text = element.required("depart");
    if (text == "triggered" || text == "containerTriggered" || text == "split" || text == "now" || text == "begin") {
        report.unsupported(element, fmt::format("depart=\"{}\"", text));
        return 0;
    }
    const auto time = parse_time(text);
    if (!time || *time < 0) element.fail_value("depart", "a time that is not negative: seconds, h:m:s or d:h:m:s");
    return *time;
}

int read_route_index(const Element& element, std::string_view attribute, int fallback) {
    const auto text = element.find(attribute);
    if (!text) return fallback;
    return *text == "random" ? random_edge : element.integer(attribute, 0, 1000000);
}

void check_attributes(const Element& element, UnsupportedReport& report) {
    element.for_each_attribute([&](std::string_view name, std::string_view value) {
        if (std::ranges::find(known, name) != std::end(known)) return;
        const std::string kind = fmt::format("attribute \"{}\" of <{}>", name, element.name());
        if (std::ranges::find(unsupported, name) == std::end(unsupported)) return report.unknown(element, kind);
        if (name == "reroute" && parse_flag(value) == false) return;
        if (name == "insertionChecks" && value == "all") return;
        report.unsupported(element, kind);
    });
}

}  // namespace

void read_departure_and_arrival(const Element& element, VehicleDescription& vehicle, UnsupportedReport& report) {
    check_attributes(element, report);
    if (element.name() != "flow") vehicle.depart = read_depart(element, report);
    word_or_index(element, "departLane", depart_lanes, vehicle.depart_lane, vehicle.depart_lane_index);
    word_or_number(element, "departPos", depart_positions, Range::any, DepartPos::position, vehicle.depart_pos,
                   vehicle.depart_pos_value);
    if (vehicle.depart_pos == DepartPos::split_front) report.unsupported(element, "departPos=\"splitFront\"");
    word_or_number(element, "departSpeed", depart_speeds, Range::not_negative, DepartSpeed::value, vehicle.depart_speed,
                   vehicle.depart_speed_value);
    vehicle.depart_edge = read_route_index(element, "departEdge", 0);
    word_or_index(element, "arrivalLane", arrival_lanes, vehicle.arrival_lane, vehicle.arrival_lane_index);
    word_or_number(element, "arrivalPos", arrival_positions, Range::any, ArrivalPos::position, vehicle.arrival_pos,
                   vehicle.arrival_pos_value);
    word_or_number(element, "arrivalSpeed", arrival_speeds, Range::not_negative, ArrivalSpeed::value,
                   vehicle.arrival_speed, vehicle.arrival_speed_value);
    vehicle.arrival_edge = read_route_index(element, "arrivalEdge", -1);
    vehicle.speed_factor = static_cast<float>(element.number_or("speedFactor", -1, Range::positive));
    vehicle.color = element.text_or("color", "");
}

namespace {

// "30" seconds between departures, or "exp(0.1)": Poisson with this rate per second.
void read_period(const Element& element, FlowDescription& flow) {
    std::string_view text = trim(element.required("period"));
    flow.kind = text.starts_with("exp(") && text.ends_with(")") ? FlowKind::poisson : FlowKind::period;
    if (flow.kind == FlowKind::poisson) text = text.substr(4, text.size() - 5);
    const auto value = flow.kind == FlowKind::poisson ? parse_number(text) : parse_time(text);
    if (!value || *value <= 0) element.fail_value("period", "a time above 0 or exp(rate per second)");
    (flow.kind == FlowKind::poisson ? flow.rate : flow.period) = *value;
}

}  // namespace

void read_flow_rate(const Element& element, double begin, FlowDescription& flow) {
    constexpr std::string_view rates[] = {"period", "vehsPerHour", "perHour", "probability"};
    std::string_view rate;
    for (std::string_view name : rates) {
        if (!element.find(name)) continue;
        if (!rate.empty()) element.fail(fmt::format("has both \"{}\" and \"{}\", expected one rate", rate, name));
        rate = name;
    }
    const bool counted = element.find("number").has_value(), ends = element.find("end").has_value();
    if (rate.empty() && !counted) {
        element.fail("needs one of \"number\", \"period\", \"vehsPerHour\", \"perHour\" and \"probability\"");
    }
    if (!rate.empty() && counted && ends) {
        element.fail(fmt::format("has \"{}\", \"number\" and \"end\", expected at most two of them", rate));
    }
    flow.begin = element.time_or("begin", begin);
    if (flow.begin < 0) element.fail_value("begin", "a time that is not negative");
    flow.end = element.time_or("end", -1);
    if (ends && flow.end < flow.begin) {
        element.fail(
            fmt::format("ends at {} before it begins at {}", element.required("end"), element.text_or("begin", "")));
    }
    if (counted) flow.number = element.integer("number", 0, 2000000000);
    if (rate == "period") read_period(element, flow);
    if (rate == "vehsPerHour" || rate == "perHour") {
        flow.kind = FlowKind::period;
        flow.period = 3600 / element.number(rate, Range::positive);
    }
    if (rate == "probability") {
        flow.kind = FlowKind::probability;
        flow.rate = element.number("probability", Range::fraction);
        if (flow.rate == 0) element.fail_value("probability", "a number above 0 and at most 1");
    }
}

}  // namespace jamiton
