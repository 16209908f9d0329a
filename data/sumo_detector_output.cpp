#include "data/sumo_detector_output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/results_schema.hpp"

namespace jamiton {
namespace {

// Reads the rows of a kind of detectors in blocks and writes those that are wanted with what all have in common.
template <class Row, class ForEachColumn, class WriteValues>
void write_rows(const ResultsReader& results, const std::string& kind, const std::vector<std::int32_t>& wanted,
                XmlWriter& xml, ForEachColumn&& for_each_column, WriteValues&& write_values) {
    constexpr hsize_t block = 16384;
    const std::string group = "/detectors/" + kind + "/";
    const std::vector<std::string> ids = results.ids(group + "id");
    std::vector<h5::Handle> columns;
    hsize_t count = ~hsize_t{0};
    for_each_column([&](const std::string& name, auto...) {
        columns.push_back(h5::open_dataset(results.file(), group + name));
        count = std::min(count, h5::extents(columns.back()).at(0));
    });
    for (hsize_t begin = 0; begin < count; begin += block) {
        std::vector<Row> rows(std::min(block, count - begin));
        auto column = columns.begin();
        for_each_column([&]<class T>(const char*, const char*, const char*, T Row::*member) {
            std::vector<T> values(rows.size());
            h5::read_rows(*column++, h5::native_type<T>(), begin, values.size(), values.data());
            for (std::size_t n = 0; n < values.size(); ++n) rows[n].*member = values[n];
        });
        for (const Row& row : rows) {
            if (!wanted.empty() && std::ranges::find(wanted, row.detector) == wanted.end()) continue;
            xml.open("interval");
            xml.attribute("begin", row.begin);
            xml.attribute("end", row.end);
            xml.attribute("id", ids.at(static_cast<std::size_t>(row.detector)));
            write_values(row);
            xml.close();
        }
    }
}

}  // namespace

void check_detectors(const ResultsReader& results, const std::string& kind) {
    const std::string ids = "/detectors/" + kind + "/id";
    if (h5::exists(results.file(), ids) && !results.ids(ids).empty()) return;
    const std::string_view element = kind == "e1"   ? "<inductionLoop>"
                                     : kind == "e2" ? "<laneAreaDetector>"
                                                    : "<entryExitDetector>";
    throw InputError(fmt::format("{}: holds no {} detectors: the additional files of the run had no {}", results.path(),
                                 kind, element));
}

void write_loops(const ResultsReader& results, const std::vector<std::int32_t>& rows, XmlWriter& xml) {
    write_rows<LoopRow>(
        results, "e1", rows, xml, [](auto&& column) { schema::for_each_loop_column(column); },
        [&](const LoopRow& r) {
            xml.attribute("nVehContrib", r.contributed);
            xml.attribute("flow", r.flow);
            xml.attribute("occupancy", r.occupancy);
            xml.attribute("speed", r.speed);
            xml.attribute("harmonicMeanSpeed", r.harmonic_mean_speed);
            xml.attribute("length", r.length);
            xml.attribute("nVehEntered", r.entered);
        });
}

void write_areas(const ResultsReader& results, const std::vector<std::int32_t>& rows, XmlWriter& xml) {
    write_rows<AreaRow>(
        results, "e2", rows, xml, [](auto&& column) { schema::for_each_area_column(column); },
        [&](const AreaRow& r) {
            xml.attribute("sampledSeconds", r.sampled_seconds);
            xml.attribute("nVehEntered", r.entered);
            xml.attribute("nVehLeft", r.left);
            xml.attribute("nVehSeen", r.seen);
            xml.attribute("meanSpeed", r.mean_speed);
            xml.attribute("meanTimeLoss", r.mean_time_loss);
            xml.attribute("meanOccupancy", r.mean_occupancy);
            xml.attribute("maxOccupancy", r.max_occupancy);
            xml.attribute("meanMaxJamLengthInVehicles", r.mean_max_jam_vehicles);
            xml.attribute("meanMaxJamLengthInMeters", r.mean_max_jam_meters);
            xml.attribute("maxJamLengthInVehicles", r.max_jam_vehicles);
            xml.attribute("maxJamLengthInMeters", r.max_jam_meters);
            xml.attribute("jamLengthInVehiclesSum", r.jam_vehicles_sum);
            xml.attribute("jamLengthInMetersSum", r.jam_meters_sum);
            xml.attribute("meanHaltingDuration", r.mean_halt);
            xml.attribute("maxHaltingDuration", r.max_halt);
            xml.attribute("haltingDurationSum", r.halt_sum);
            xml.attribute("meanIntervalHaltingDuration", r.mean_interval_halt);
            xml.attribute("maxIntervalHaltingDuration", r.max_interval_halt);
            xml.attribute("intervalHaltingDurationSum", r.interval_halt_sum);
            xml.attribute("startedHalts", static_cast<double>(r.started_halts));
            xml.attribute("meanVehicleNumber", r.mean_vehicles);
            xml.attribute("maxVehicleNumber", r.max_vehicles);
        });
}

void write_gates(const ResultsReader& results, const std::vector<std::int32_t>& rows, XmlWriter& xml) {
    write_rows<GatesRow>(
        results, "e3", rows, xml, [](auto&& column) { schema::for_each_gates_column(column); },
        [&](const GatesRow& r) {
            xml.attribute("meanTravelTime", r.travel_time);
            xml.attribute("meanOverlapTravelTime", r.overlap_travel_time);
            xml.attribute("meanSpeed", r.speed);
            xml.attribute("meanHaltsPerVehicle", r.halts);
            xml.attribute("meanTimeLoss", r.time_loss);
            xml.attribute("vehicleSum", r.vehicles);
            xml.attribute("meanSpeedWithin", r.speed_within);
            xml.attribute("meanHaltsPerVehicleWithin", r.halts_within);
            xml.attribute("meanDurationWithin", r.duration_within);
            xml.attribute("vehicleSumWithin", r.vehicles_within);
            xml.attribute("meanIntervalSpeedWithin", r.interval_speed_within);
            xml.attribute("meanIntervalHaltsPerVehicleWithin", r.interval_halts_within);
            xml.attribute("meanIntervalDurationWithin", r.interval_duration_within);
            xml.attribute("meanTimeLossWithin", r.time_loss_within);
        });
}

}  // namespace jamiton
