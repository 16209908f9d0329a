#include "data/sumo_vehicle_type.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/sumo_words.hpp"

namespace jamiton {

namespace {

struct NumberAttribute {
    std::string_view name;
    float VehicleType::*member;
    Range range;
};

constexpr NumberAttribute numbers[] = {
    {"length", &VehicleType::length, Range::positive},
    {"minGap", &VehicleType::min_gap, Range::not_negative},
    {"width", &VehicleType::width, Range::positive},
    {"height", &VehicleType::height, Range::positive},
    {"accel", &VehicleType::accel, Range::positive},
    {"decel", &VehicleType::decel, Range::positive},
    {"emergencyDecel", &VehicleType::emergency_decel, Range::positive},
    {"apparentDecel", &VehicleType::apparent_decel, Range::positive},
    {"maxSpeed", &VehicleType::max_speed, Range::positive},
    {"desiredMaxSpeed", &VehicleType::desired_max_speed, Range::positive},
    {"sigma", &VehicleType::sigma, Range::fraction},
    {"tau", &VehicleType::tau, Range::positive},
    {"delta", &VehicleType::delta, Range::positive},
    {"stepping", &VehicleType::stepping, Range::positive},
    {"probability", &VehicleType::probability, Range::not_negative},
    {"scale", &VehicleType::scale, Range::not_negative},
    {"lcStrategic", &VehicleType::lc_strategic, Range::any},
    {"lcCooperative", &VehicleType::lc_cooperative, Range::any},
    {"lcSpeedGain", &VehicleType::lc_speed_gain, Range::not_negative},
    {"lcKeepRight", &VehicleType::lc_keep_right, Range::not_negative},
    {"lcLookaheadLeft", &VehicleType::lc_lookahead_left, Range::positive},
    {"lcSpeedGainRight", &VehicleType::lc_speed_gain_right, Range::not_negative},
    {"lcAssertive", &VehicleType::lc_assertive, Range::positive},
    {"lcOvertakeRight", &VehicleType::lc_overtake_right, Range::fraction},
    {"lcSpeedGainLookahead", &VehicleType::lc_speed_gain_lookahead, Range::not_negative},
    {"lcCooperativeSpeed", &VehicleType::lc_cooperative_speed, Range::any},
    {"lcCooperativeRoundabout", &VehicleType::lc_cooperative_roundabout, Range::any},
    {"lcOvertakeDeltaSpeedFactor", &VehicleType::lc_overtake_delta_speed_factor, Range::any},
    {"lcKeepRightAcceptanceTime", &VehicleType::lc_keep_right_acceptance_time, Range::any},
    {"jmCrossingGap", &VehicleType::jm_crossing_gap, Range::not_negative},
    {"jmDriveAfterYellowTime", &VehicleType::jm_drive_after_yellow, Range::any},
    {"jmDriveAfterRedTime", &VehicleType::jm_drive_after_red, Range::any},
    {"jmDriveRedSpeed", &VehicleType::jm_drive_red_speed, Range::not_negative},
    {"jmIgnoreKeepClearTime", &VehicleType::jm_ignore_keep_clear, Range::any},
    {"jmIgnoreFoeSpeed", &VehicleType::jm_ignore_foe_speed, Range::not_negative},
    {"jmIgnoreFoeProb", &VehicleType::jm_ignore_foe_prob, Range::fraction},
    {"jmIgnoreJunctionFoeProb", &VehicleType::jm_ignore_junction_foe_prob, Range::fraction},
    {"jmSigmaMinor", &VehicleType::jm_sigma_minor, Range::any},
    {"jmStoplineGap", &VehicleType::jm_stopline_gap, Range::not_negative},
    {"jmTimegapMinor", &VehicleType::jm_timegap_minor, Range::not_negative},
};

// Read elsewhere, or without effect on where vehicles drive (drawing, emissions, passengers, the sublane model).
constexpr std::string_view no_number[] = {"id",
                                          "vClass",
                                          "speedFactor",
                                          "speedDev",
                                          "carFollowModel",
                                          "laneChangeModel",
                                          "impatience",
                                          "actionStepLength",
                                          "startupDelay",
                                          "color",
                                          "guiShape",
                                          "emissionClass",
                                          "imgFile",
                                          "osgFile",
                                          "personCapacity",
                                          "containerCapacity",
                                          "boardingDuration",
                                          "loadingDuration",
                                          "boardingFactor",
                                          "loadingFactor",
                                          "latAlignment",
                                          "maxSpeedLat",
                                          "minGapLat",
                                          "carriageLength",
                                          "locomotiveLength",
                                          "carriageGap",
                                          "carriageDoors",
                                          "carriageImages",
                                          "carLengthPerson",
                                          "manoeuverAngleTimes",
                                          "collisionMinGapFactor",
                                          "lcSublane",
                                          "lcPushy",
                                          "lcPushyGap",
                                          "lcMaxSpeedLatStanding",
                                          "lcMaxSpeedLatFactor",
                                          "lcMaxDistLatStanding",
                                          "lcImpatience",
                                          "lcTimeToImpatience",
                                          "lcAccelLat",
                                          "lcTurnAlignmentDistance",
                                          "lcLaneDiscipline",
                                          "lcSigma",
                                          "mass",
                                          "frontSurfaceArea",
                                          "airDragCoefficient",
                                          "refId",
                                          "parkingBadges",
                                          "type"};

// Attributes of one car-following model each. They change nothing where another one is asked for.
struct ModelAttribute {
    std::string_view name;
    float& (*value)(VehicleType&);
    Range range;
};

constexpr ModelAttribute model_attributes[] = {
    {"adaptFactor", [](VehicleType& t) -> float& { return t.idmm.adapt_factor; }, Range::positive},
    {"adaptTime", [](VehicleType& t) -> float& { return t.idmm.adapt_time; }, Range::positive},
    {"speedControlGain", [](VehicleType& t) -> float& { return t.acc.speed_control; }, Range::any},
    {"gapClosingControlGainSpeed", [](VehicleType& t) -> float& { return t.acc.closing_speed; }, Range::any},
    {"gapClosingControlGainSpace", [](VehicleType& t) -> float& { return t.acc.closing_space; }, Range::any},
    {"gapControlGainSpeed", [](VehicleType& t) -> float& { return t.acc.gap_speed; }, Range::any},
    {"gapControlGainSpace", [](VehicleType& t) -> float& { return t.acc.gap_space; }, Range::any},
    {"collisionAvoidanceGainSpeed", [](VehicleType& t) -> float& { return t.acc.avoidance_speed; }, Range::any},
    {"collisionAvoidanceGainSpace", [](VehicleType& t) -> float& { return t.acc.avoidance_space; }, Range::any},
    {"speedControlGainCACC", [](VehicleType& t) -> float& { return t.cacc.speed_control; }, Range::any},
    {"gapClosingControlGainGap", [](VehicleType& t) -> float& { return t.cacc.closing_gap; }, Range::any},
    {"gapClosingControlGainGapDot", [](VehicleType& t) -> float& { return t.cacc.closing_gap_dot; }, Range::any},
    {"gapControlGainGap", [](VehicleType& t) -> float& { return t.cacc.gap; }, Range::any},
    {"gapControlGainGapDot", [](VehicleType& t) -> float& { return t.cacc.gap_dot; }, Range::any},
    {"collisionAvoidanceGainGap", [](VehicleType& t) -> float& { return t.cacc.avoidance_gap; }, Range::any},
    {"collisionAvoidanceGainGapDot", [](VehicleType& t) -> float& { return t.cacc.avoidance_gap_dot; }, Range::any},
    {"tauCACCToACC", [](VehicleType& t) -> float& { return t.cacc.headway_to_acc; }, Range::positive},
    {"speedControlMinGap", [](VehicleType& t) -> float& { return t.cacc.speed_control_gap; }, Range::any},
    {"tPersDrive", [](VehicleType& t) -> float& { return t.eidm.drive_persistence; }, Range::positive},
    {"tPersEstimate", [](VehicleType& t) -> float& { return t.eidm.estimate_persistence; }, Range::positive},
    {"ccoolness", [](VehicleType& t) -> float& { return t.eidm.coolness; }, Range::fraction},
    {"sigmaleader", [](VehicleType& t) -> float& { return t.eidm.leader_error; }, Range::not_negative},
    {"sigmagap", [](VehicleType& t) -> float& { return t.eidm.gap_error; }, Range::not_negative},
    {"sigmaerror", [](VehicleType& t) -> float& { return t.eidm.drive_error; }, Range::not_negative},
    {"taccmax", [](VehicleType& t) -> float& { return t.eidm.accel_time; }, Range::not_negative},
    {"Mflatness", [](VehicleType& t) -> float& { return t.eidm.flatness; }, Range::positive},
    {"Mbegin", [](VehicleType& t) -> float& { return t.eidm.begin; }, Range::not_negative},
    {"security", [](VehicleType& t) -> float& { return t.wiedemann.security; }, Range::not_negative},
    {"estimation", [](VehicleType& t) -> float& { return t.wiedemann.estimation; }, Range::not_negative},
    {"cc1", [](VehicleType& t) -> float& { return t.wiedemann99.headway; }, Range::not_negative},
    {"cc2", [](VehicleType& t) -> float& { return t.wiedemann99.variation; }, Range::not_negative},
    {"cc3", [](VehicleType& t) -> float& { return t.wiedemann99.following_time; }, Range::any},
    {"cc4", [](VehicleType& t) -> float& { return t.wiedemann99.slower; }, Range::any},
    {"cc5", [](VehicleType& t) -> float& { return t.wiedemann99.faster; }, Range::any},
    {"cc6", [](VehicleType& t) -> float& { return t.wiedemann99.oscillation; }, Range::not_negative},
    {"cc7", [](VehicleType& t) -> float& { return t.wiedemann99.oscillation_accel; }, Range::not_negative},
    {"cc8", [](VehicleType& t) -> float& { return t.wiedemann99.standstill_accel; }, Range::positive},
    {"cc9", [](VehicleType& t) -> float& { return t.wiedemann99.accel_80; }, Range::positive},
    {"tauLast", [](VehicleType& t) -> float& { return t.wagner.last_tau; }, Range::positive},
    {"apProb", [](VehicleType& t) -> float& { return t.wagner.action_probability; }, Range::fraction},
};

// Attributes of models that are not simulated, or of no effect: they matter only where such a model is asked for, which
// is reported.
constexpr std::string_view other_models[] = {"k",
                                             "phi",
                                             "applyDriverState",
                                             "maxvehpreview",
                                             "vehdynamics",
                                             "minGapStop",
                                             "tmp1",
                                             "tmp2",
                                             "tmp3",
                                             "tmp4",
                                             "tmp5",
                                             "trainType",
                                             "sigmaStep",
                                             "speedTable",
                                             "tractionTable",
                                             "resistanceTable",
                                             "massFactor"};

// Read into the type, but the engine does not follow them yet.
constexpr std::string_view not_yet[] = {"tpreview",
                                        "treaction",
                                        "jerkmax",
                                        "epsilonacc",
                                        "lcCooperativeSpeed",
                                        "lcOvertakeDeltaSpeedFactor",
                                        "lcKeepRightAcceptanceTime",
                                        "lcSpeedGainLookahead"};

// Known words of models that are not simulated: Krauss drives for them, where that is allowed.
constexpr std::string_view replaced_models[] = {"KraussPS", "KraussAccelBound", "KraussX", "SmartSK",
                                                "Daniel1",  "BKerner",          "Rail",    "CC"};

constexpr Word<CarFollowModel> models[] = {{"Krauss", CarFollowModel::krauss},
                                           {"KraussOrig1", CarFollowModel::krauss_orig1},
                                           {"KraussPS", CarFollowModel::krauss},
                                           {"KraussAccelBound", CarFollowModel::krauss},
                                           {"KraussX", CarFollowModel::krauss},
                                           {"SmartSK", CarFollowModel::krauss},
                                           {"Daniel1", CarFollowModel::krauss},
                                           {"IDM", CarFollowModel::idm},
                                           {"IDMM", CarFollowModel::idmm},
                                           {"EIDM", CarFollowModel::eidm},
                                           {"ACC", CarFollowModel::acc},
                                           {"CACC", CarFollowModel::cacc},
                                           {"PWagner2009", CarFollowModel::p_wagner_2009},
                                           {"BKerner", CarFollowModel::krauss},
                                           {"Wiedemann", CarFollowModel::wiedemann},
                                           {"W99", CarFollowModel::wiedemann99},
                                           {"Gipps", CarFollowModel::gipps},
                                           {"Rail", CarFollowModel::krauss},
                                           {"CC", CarFollowModel::krauss}};

constexpr Word<LaneChangeModel> lane_change_models[] = {{"LC2013", LaneChangeModel::lc2013},
                                                        {"default", LaneChangeModel::lc2013},
                                                        {"SL2015", LaneChangeModel::sl2015},
                                                        {"DK2008", LaneChangeModel::dk2008}};

CarFollowModel model_of(const Element& element, std::string_view name, UnsupportedReport& report) {
    for (const auto& model : models) {
        if (model.text != name) continue;
        if (std::ranges::find(replaced_models, name) != std::end(replaced_models))
            report.unsupported(element, fmt::format("car following model {}", quoted(name)));
        return model.value;
    }
    element.fail(fmt::format("names the car following model {}, expected {}", quoted(name),
                             list_of(std::span<const Word<CarFollowModel>>(models))));
}

// "1.1", "norm(mean,deviation)" or "normc(mean,deviation[,min,max])".
void read_speed_factor(const Element& element, SpeedFactorDistribution& factor) {
    const auto text = element.find("speedFactor");
    if (text) {
        const std::size_t open = text->find('('), close = text->rfind(')');
        if (open == std::string_view::npos) {
            factor.mean = static_cast<float>(element.number("speedFactor", Range::positive));
        } else {
            const std::string_view name = trim(text->substr(0, open));
            std::vector<double> values;
            bool valid = (name == "norm" || name == "normc") && close != std::string_view::npos && close > open;
            for_each_word(valid ? text->substr(open + 1, close - open - 1) : "", ", ", [&](std::string_view word) {
                const auto value = parse_number(word);
                valid = valid && value && *value >= 0 && *value < 1e6;
                values.push_back(value.value_or(0));
            });
            if (!valid || (values.size() != 2 && values.size() != 4)) {
                element.fail_value("speedFactor", "a number, norm(mean,deviation) or normc(mean,deviation,min,max)");
            }
            factor.mean = static_cast<float>(values[0]);
            factor.deviation = static_cast<float>(values[1]);
            if (name == "norm") factor = {factor.mean, factor.deviation, 0, 1e6f};
            if (values.size() == 4) {
                factor.min = static_cast<float>(values[2]);
                factor.max = static_cast<float>(values[3]);
            }
            if (factor.min > factor.max) element.fail_value("speedFactor", "min not above max");
        }
    }
    factor.deviation = static_cast<float>(element.number_or("speedDev", factor.deviation, Range::not_negative));
}

void read_numbers(const Element& element, VehicleType& type, UnsupportedReport& report) {
    element.for_each_attribute([&](std::string_view name, std::string_view value) {
        if (std::ranges::find(not_yet, name) != std::end(not_yet) && parse_number(value) != 0.0) {
            report.unsupported(element, fmt::format("attribute \"{}\" of <{}>", name, element.name()));
        }
        for (const NumberAttribute& number : numbers) {
            if (number.name != name) continue;
            type.*number.member = static_cast<float>(element.number(name, number.range));
            return;
        }
        for (const ModelAttribute& attribute : model_attributes) {
            if (attribute.name != name) continue;
            attribute.value(type) = static_cast<float>(element.number(name, attribute.range));
            return;
        }
        if (name == "collisionAvoidanceOverride") {
            type.acc.override_margin = type.cacc.override_margin = static_cast<float>(element.number(name, Range::any));
            return;
        }
        if (std::ranges::find(no_number, name) != std::end(no_number)) return;
        if (std::ranges::find(other_models, name) != std::end(other_models)) return;
        const std::string kind = fmt::format("attribute \"{}\" of <{}>", name, element.name());
        if (name == "timeToTeleport" || name == "hasDriverState" || name == "insertionChecks" ||
            name == "maxAccelProfile" || name == "desAccelProfile" || name.starts_with("jm") ||
            name.starts_with("lc")) {
            report.unsupported(element, kind);
        } else {
            report.unknown(element, kind);
        }
    });
    // What follows from others when a file leaves it out.
    if (element.find("decel") && !element.find("apparentDecel")) type.apparent_decel = type.decel;
    if (!element.find("emergencyDecel")) type.emergency_decel = std::max(type.emergency_decel, type.decel);
}

}  // namespace

VehicleType default_vehicle_type(VehicleClass c, const TypeDefaults& defaults) {
    VehicleType type = default_vehicle_type(c);
    if (defaults.speed_deviation >= 0) type.speed_factor.deviation = static_cast<float>(defaults.speed_deviation);
    if (defaults.emergency_is_decel) type.emergency_decel = type.decel;
    if (defaults.emergency_decel >= 0)
        type.emergency_decel = std::max(static_cast<float>(defaults.emergency_decel), type.decel);
    type.action_step_length = static_cast<float>(defaults.action_step_length);
    for (const auto& model : models) {
        if (model.text == defaults.car_follow) type.car_follow = model.value;
    }
    return type;
}

bool is_car_follow_model(std::string_view name) {
    return std::ranges::any_of(models, [&](const auto& model) { return model.text == name; });
}

VehicleType read_vehicle_type(const Element& element, const TypeDefaults& defaults, UnsupportedReport& report) {
    const VehicleClass c = element.find("vClass") ? read_vehicle_class(element, "vClass") : VehicleClass::passenger;
    VehicleType type = default_vehicle_type(c, defaults);
    type.id = element.not_empty("id");
    read_numbers(element, type, report);
    read_speed_factor(element, type.speed_factor);
    type.car_follow = model_of(element, element.text_or("carFollowModel", defaults.car_follow), report);
    type.lane_change = element.word_or("laneChangeModel", lane_change_models, LaneChangeModel::lc2013);
    if (type.lane_change != LaneChangeModel::lc2013) {
        report.unsupported(element, fmt::format("lane change model {}", element.required("laneChangeModel")));
    }
    if (element.text_or("impatience", "") == "off") {
        type.impatience = -1e6f;  // what it grows by never lifts it above 0
    } else {
        type.impatience = static_cast<float>(element.number_or("impatience", 0));
    }
    type.action_step_length = static_cast<float>(element.time_or("actionStepLength", type.action_step_length));
    if (defaults.overtake_right) type.lc_overtake_right = 1;
    type.startup_delay = static_cast<float>(element.time_or("startupDelay", 0));
    type.color = element.text_or("color", "");
    type.gui_shape = element.text_or("guiShape", "");
    return type;
}

void read_nested_model(const Element& element, VehicleType& type, UnsupportedReport& report) {
    constexpr std::string_view prefix = "carFollowing-";
    if (element.name().starts_with(prefix)) {
        type.car_follow = model_of(element, element.name().substr(prefix.size()), report);
    }
    read_numbers(element, type, report);
}

}  // namespace jamiton
