#include "data/sumo_mean_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/results_schema.hpp"

namespace jamiton {
namespace {

// A table of means and what its definition says of the output.
struct MeanTable {
    std::string group, id;
    bool exclude_empty = false, with_internal = false;
    double min_samples = 0;
    std::vector<std::int32_t> chosen;  // edges, empty: all
};

MeanTable plain_table(bool of_lanes) {
    MeanTable table;
    table.group = schema::means_group(of_lanes ? 1 : 0);
    table.id = table.group.substr(1);
    return table;
}

MeanTable find_table(const ResultsReader& results, bool of_lanes, const std::string& id) {
    if (id.empty()) return plain_table(of_lanes);
    std::string known;
    const hid_t file = results.file();
    if (h5::exists(file, "/mean_data")) {
        for (const std::string& name : h5::names_in(file, "/mean_data")) {
            const std::string path = "/mean_data/" + name;
            const h5::Handle group(H5Gopen2(file, path.c_str(), H5P_DEFAULT), H5Gclose, "open " + path);
            if (h5::read_text_attribute(group, "of") != (of_lanes ? "lanes" : "edges")) continue;
            const std::string found = h5::read_text_attribute(group, "id");
            known += (known.empty() ? "" : ", ") + found;
            if (found != id) continue;
            return {path,
                    id,
                    h5::read_attribute<std::int64_t>(group, "exclude_empty") != 0,
                    h5::read_attribute<std::int64_t>(group, "with_internal") != 0,
                    h5::read_attribute<double>(group, "min_samples"),
                    h5::read<std::int32_t>(file, path + "/chosen")};
        }
    }
    throw InputError(fmt::format("{}: holds no {} \"{}\"; expected one of: {}", results.path(),
                                 of_lanes ? "<laneData>" : "<edgeData>", id, known.empty() ? "none" : known));
}

// All columns of a table, read interval by interval.
class MeanRows {
  public:
    MeanRows(hid_t file, const std::string& group)
        : begin_(h5::read<double>(file, group + "/interval_begin")),
          end_(h5::read<double>(file, group + "/interval_end")) {
        schema::for_each_edge_column(
            [&](const std::string& name, auto...) { columns_.push_back(h5::open_dataset(file, group + "/" + name)); });
    }

    std::size_t count() const { return std::min(begin_.size(), end_.size()); }

    EdgeInterval read(std::size_t row) const {
        EdgeInterval interval;
        interval.begin = begin_[row];
        interval.end = end_[row];
        auto column = columns_.begin();
        schema::for_each_edge_column(
            [&]<class T>(const char*, const char*, const char*, std::vector<T> EdgeInterval::*member) {
                (interval.*member).resize(h5::extents(*column).at(1));
                h5::read_rows(*column++, h5::native_type<T>(), row, 1, (interval.*member).data());
            });
        return interval;
    }

  private:
    std::vector<double> begin_, end_;
    std::vector<h5::Handle> columns_;
};

class MeanWriter {
  public:
    MeanWriter(const ResultsReader& results, const MeanTable& table, bool of_lanes, XmlWriter& xml)
        : table_(table),
          of_lanes_(of_lanes),
          xml_(xml),
          edges_(results.ids("/network/edges/id")),
          first_lane_(h5::read<std::int32_t>(results.file(), "/network/edges/first_lane")),
          lane_count_(h5::read<std::int32_t>(results.file(), "/network/edges/lane_count")),
          function_(h5::read_as<std::uint8_t>(results.file(), "/network/edges/function",
                                              schema::column_type<EdgeFunction>())) {
        if (of_lanes) lanes_ = results.ids("/network/lanes/id");
    }

    void write(const EdgeInterval& interval) {
        xml_.open("interval");
        xml_.attribute("begin", interval.begin);
        xml_.attribute("end", interval.end);
        xml_.attribute("id", table_.id);
        for (std::size_t edge = 0; edge < edges_.size(); ++edge) {
            if (!is_wanted(edge)) continue;
            if (of_lanes_)
                write_lanes(interval, edge);
            else if (!is_left_out(interval, edge))
                write_values("edge", edges_[edge], interval, edge);
        }
        xml_.close();
    }

  private:
    bool is_wanted(std::size_t edge) const {
        const auto function = static_cast<EdgeFunction>(function_[edge]);
        const bool shown = function == EdgeFunction::normal || function == EdgeFunction::connector ||
                           (function == EdgeFunction::internal && table_.with_internal);
        if (table_.chosen.empty()) return shown;
        return std::ranges::find(table_.chosen, static_cast<std::int32_t>(edge)) != table_.chosen.end();
    }

    bool is_left_out(const EdgeInterval& interval, std::size_t at) const {
        return table_.exclude_empty && interval.sampled_seconds[at] <= 0;
    }

    void write_lanes(const EdgeInterval& interval, std::size_t edge) {
        const auto first = static_cast<std::size_t>(first_lane_[edge]),
                   count = static_cast<std::size_t>(lane_count_[edge]);
        bool any = false;
        for (std::size_t lane = first; lane < first + count; ++lane) any = any || !is_left_out(interval, lane);
        if (!any) return;
        xml_.open("edge");
        xml_.attribute("id", edges_[edge]);
        for (std::size_t lane = first; lane < first + count; ++lane)
            if (!is_left_out(interval, lane)) write_values("lane", lanes_[lane], interval, lane);
        xml_.close();
    }

    void write_values(std::string_view element, const std::string& id, const EdgeInterval& r, std::size_t at) {
        xml_.open(element);
        xml_.attribute("id", id);
        xml_.attribute("sampledSeconds", r.sampled_seconds[at]);
        if (static_cast<double>(r.sampled_seconds[at]) > table_.min_samples) {
            time("traveltime", r.travel_time[at]);
            time("overlapTraveltime", r.overlap_travel_time[at]);
            xml_.attribute("density", r.density[at]);
            xml_.attribute("laneDensity", r.lane_density[at]);
            xml_.attribute("occupancy", r.occupancy[at]);
            xml_.attribute("waitingTime", r.waiting_time[at]);
            xml_.attribute("timeLoss", r.time_loss[at]);
            xml_.attribute("speed", r.mean_speed[at]);
            xml_.attribute("speedRelative", r.speed_relative[at]);
        }
        xml_.attribute("departed", r.departed[at]);
        xml_.attribute("arrived", r.arrived[at]);
        xml_.attribute("entered", r.entered[at]);
        xml_.attribute("left", r.left[at]);
        xml_.attribute("laneChangedFrom", r.lane_changed_from[at]);
        xml_.attribute("laneChangedTo", r.lane_changed_to[at]);
        xml_.close();
    }

    // s; without any speed, and at the least speeds, SUMO says 100000.
    void time(std::string_view name, float value) {
        constexpr float most = 100000;
        xml_.attribute(name, value < most ? value : most);
    }

    const MeanTable& table_;
    bool of_lanes_;
    XmlWriter& xml_;
    std::vector<std::string> edges_, lanes_;
    std::vector<std::int32_t> first_lane_, lane_count_;
    std::vector<std::uint8_t> function_;
};

}  // namespace

void check_means(const ResultsReader& results, bool of_lanes, const std::string& id) {
    const MeanTable table = find_table(results, of_lanes, id);
    const bool any = h5::exists(results.file(), table.group + "/overlap_travel_time") &&
                     h5::extents(h5::open_dataset(results.file(), table.group + "/interval_begin")).at(0) > 0;
    if (any) return;
    throw InputError(
        fmt::format("{}: holds no intervals of {}: run with --set output.{}.every=300, or name an {} by --id",
                    results.path(), table.id, of_lanes ? "lanes" : "edges", of_lanes ? "<laneData>" : "<edgeData>"));
}

void write_means(const ResultsReader& results, bool of_lanes, const std::string& id, XmlWriter& xml) {
    const MeanTable table = find_table(results, of_lanes, id);
    h5::in_file(results.path(), [&] {
        const MeanRows rows(results.file(), table.group);
        MeanWriter writer(results, table, of_lanes, xml);
        for (std::size_t row = 0; row < rows.count(); ++row) writer.write(rows.read(row));
    });
}

}  // namespace jamiton
