#include "data/results_schema.hpp"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace jamiton::schema {
namespace {

struct Label {
    const char* name;
    const char* unit;
    const char* description;
};

// Creates datasets in one group.
class Group {
  public:
    Group(hid_t file, const std::string& name, int compression)
        : group_(h5::create_group(file, name)), name_(name), compression_(compression) {}

    hid_t id() const { return group_; }

    // An empty column that grows.
    void growing(const Label& label, hid_t type, hsize_t chunk_rows) {
        create(label, type, {0}, {H5S_UNLIMITED}, {chunk_rows});
    }
    template <class T>
    void growing(const Label& label, hsize_t chunk_rows) {
        growing(label, column_type<T>(), chunk_rows);
    }

    // An empty table whose rows come one after the other.
    void table(const Label& label, hid_t type, hsize_t width) {
        const auto [chunk_rows, chunk_width] = table_chunk(width);
        const hsize_t most = width == 0 ? 0 : H5S_UNLIMITED;
        create(label, type, {0, width}, {most, width}, {chunk_rows, chunk_width});
    }

    // A column of known size, every row the fill value.
    h5::Handle fixed(const Label& label, hid_t type, hsize_t rows, hsize_t chunk_rows, const void* fill = nullptr) {
        return create(label, type, {rows}, {rows}, {chunk_rows}, fill);
    }

    // A column, or a table of `width` columns, that is written once.
    template <class T>
    void write(const Label& label, std::span<const T> values, hsize_t width = 1) {
        const h5::Handle type = column_type<T>();
        write(label, type, values.data(), values.size() / width, width);
    }
    template <class T>
    void write(const Label& label, const std::vector<T>& values, hsize_t width = 1) {
        write(label, std::span<const T>(values), width);
    }
    void write(const Label& label, const std::vector<std::string>& texts) {
        std::size_t longest = 1;
        for (const std::string& words : texts) longest = std::max(longest, words.size());
        std::string bytes(longest * texts.size(), '\0');
        for (std::size_t i = 0; i < texts.size(); ++i) texts[i].copy(&bytes[i * longest], longest);
        write(label, h5::text_type(longest), bytes.data(), texts.size(), 1);
    }

  private:
    void write(const Label& label, hid_t type, const void* values, hsize_t rows, hsize_t width) {
        const hsize_t chunk = std::min<hsize_t>(rows, trip_chunk_rows);
        const h5::Handle dataset = width == 1 ? create(label, type, {rows}, {rows}, {chunk})
                                              : create(label, type, {rows, width}, {rows, width}, {chunk, width});
        if (rows > 0)
            h5::check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values),
                      "write " + name_ + "/" + label.name);
    }

    h5::Handle create(const Label& label, hid_t type, std::vector<hsize_t> size, std::vector<hsize_t> most,
                      std::vector<hsize_t> chunk, const void* fill = nullptr) {
        const std::string attempt = "create " + name_ + "/" + label.name;
        const h5::Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, attempt);
        const int rank = static_cast<int>(size.size());
        const bool holds_any = std::find(most.begin(), most.end(), 0) == most.end();  // a chunk of nothing is an error
        if (holds_any) h5::check(H5Pset_chunk(properties, rank, chunk.data()), attempt);
        if (holds_any && compression_ > 0) {
            h5::check(H5Pset_shuffle(properties), attempt);
            h5::check(H5Pset_deflate(properties, static_cast<unsigned>(std::min(compression_, 9))), attempt);
        }
        if (fill) h5::check(H5Pset_fill_value(properties, type, fill), attempt);
        const h5::Handle space(H5Screate_simple(rank, size.data(), most.data()), H5Sclose, attempt);
        h5::Handle dataset(H5Dcreate2(group_, label.name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose,
                           attempt);
        h5::write_attribute(dataset, "unit", std::string(label.unit));
        h5::write_attribute(dataset, "description", std::string(label.description));
        return dataset;
    }

    h5::Handle group_;
    std::string name_;
    int compression_;
};

template <class Element, class Items, class Get>
std::vector<Element> each(const Items& items, Get get) {
    std::vector<Element> values;
    values.reserve(items.size());
    for (const auto& item : items) values.push_back(static_cast<Element>(get(item)));
    return values;
}

// ---- /network

void write_edges(hid_t file, const NetworkDescription& network, int compression) {
    Group edges(file, "/network/edges", compression);
    const auto& all = network.edges;
    edges.write({"id", "1", "id of the edge; edges elsewhere are rows of this table"},
                each<std::string>(all, [](auto& e) { return e.id; }));
    edges.write({"function", "1", "normal or what else it is for"},
                each<EdgeFunction>(all, [](auto& e) { return e.function; }));
    edges.write({"from", "1", "row of /network/junctions, -1 none"},
                each<std::int32_t>(all, [](auto& e) { return e.from; }));
    edges.write({"to", "1", "row of /network/junctions, -1 none"},
                each<std::int32_t>(all, [](auto& e) { return e.to; }));
    edges.write({"first_lane", "1", "row of /network/lanes: the rightmost lane"},
                each<std::int32_t>(all, [](auto& e) { return e.first_lane; }));
    edges.write({"lane_count", "1", "lanes, from right to left"},
                each<std::int32_t>(all, [](auto& e) { return e.lane_count; }));
}

void write_lanes(hid_t file, const NetworkDescription& network, int compression) {
    Group lanes(file, "/network/lanes", compression);
    const auto& all = network.lanes;
    lanes.write({"id", "1", "id of the lane; lanes elsewhere are rows of this table"},
                each<std::string>(all, [](auto& l) { return l.id; }));
    lanes.write({"edge", "1", "row of /network/edges"}, each<std::int32_t>(all, [](auto& l) { return l.edge; }));
    lanes.write({"length", "m", "length"}, each<float>(all, [](auto& l) { return l.length; }));
    lanes.write({"speed_limit", "m/s", "speed limit"}, each<float>(all, [](auto& l) { return l.speed; }));
    lanes.write({"width", "m", "width"}, each<float>(all, [](auto& l) { return l.width; }));
    std::vector<std::int64_t> begin{0};
    std::vector<float> points;
    for (const LaneDescription& lane : all) {
        for (const Point& point : lane.shape) points.insert(points.end(), {point.x, point.y});
        begin.push_back(static_cast<std::int64_t>(points.size() / 2));
    }
    lanes.write({"shape_begin", "1", "points of lane i: rows shape_begin[i] to shape_begin[i+1] of shape"}, begin);
    lanes.write({"shape", "m", "x and y of the centre line's points, in the net's coordinates"}, points, 2);
}

void write_network(hid_t file, const NetworkDescription& network, int compression) {
    const h5::Handle group = h5::create_group(file, "/network");
    write_edges(file, network, compression);
    write_lanes(file, network, compression);
    Group signals(file, "/network/signals", compression);
    signals.write({"id", "1", "id of the signal; signals elsewhere are rows of this table"},
                  each<std::string>(network.signals, [](auto& s) { return s.id; }));
    Group junctions(file, "/network/junctions", compression);
    junctions.write({"id", "1", "id of the junction"},
                    each<std::string>(network.junctions, [](auto& j) { return j.id; }));
    junctions.write({"x", "m", "x in the net's coordinates"},
                    each<float>(network.junctions, [](auto& j) { return j.x; }));
    junctions.write({"y", "m", "y in the net's coordinates"},
                    each<float>(network.junctions, [](auto& j) { return j.y; }));
}

// ---- tables that the run fills

// What a killed run shows for a vehicle that was never written: nothing has happened yet.
template <class T>
T not_yet(std::string_view column) {
    if constexpr (std::is_floating_point_v<T>)
        return std::numeric_limits<T>::quiet_NaN();
    else if constexpr (std::is_integral_v<T>)
        return column.ends_with("_lane") ? T{-1} : T{0};
    else
        return T{};  // not_due, none
}

void write_trips(hid_t file, const VehicleList& vehicles, const OutputSettings& settings) {
    Group trips(file, "/trips", settings.compression);
    trips.write({"id", "1", "id of the vehicle; vehicles elsewhere are rows of this table"}, vehicles.id);
    trips.write({"type", "1", "row of /trips/type_names"}, vehicles.type);
    trips.write({"type_names", "1", "ids of the vehicle types"}, vehicles.type_names);
    if (!settings.trips) return;
    const hsize_t rows = vehicles.id.size();
    for_each_trip_column(
        [&]<class T>(const char* name, const char* unit, const char* description, std::vector<T> TripTable::*) {
            const T fill = not_yet<T>(name);
            trips.fixed({name, unit, description}, column_type<T>(), rows, std::min(rows, trip_chunk_rows), &fill);
        });
}

void create_trajectories(hid_t file, int compression) {
    Group rows(file, "/trajectories", compression);
    rows.growing<double>({"step_time", "s", "label of each step, as in /summary/time"}, step_chunk_rows);
    rows.growing<std::int64_t>({"step_begin", "1", "rows of step k: step_begin[k] to step_begin[k+1]"},
                               step_chunk_rows);
    for_each_trajectory_column(
        [&]<class T>(const char* name, const char* unit, const char* description, std::vector<T> TrajectoryRows::*) {
            rows.growing<T>({name, unit, description}, trajectory_chunk_rows);
        });
}

Group create_means(hid_t file, const std::string& group, hsize_t width, int compression) {
    Group edges(file, group, compression);
    edges.growing<double>({"interval_begin", "s", "start of each interval"}, step_chunk_rows);
    edges.growing<double>({"interval_end", "s", "end of each interval"}, step_chunk_rows);
    for_each_edge_column(
        [&]<class T>(const char* name, const char* unit, const char* description, std::vector<T> EdgeInterval::*) {
            edges.table({name, unit, description}, column_type<T>(), width);
        });
    return edges;
}

void create_mean_data(hid_t file, const NetworkDescription& network, const MeasureDescription& measures,
                      int compression) {
    const h5::Handle group = h5::create_group(file, "/mean_data");
    int table = first_mean_data;
    for (const MeanDataDescription& d : measures.mean_data) {
        Group means = create_means(file, means_group(table++), d.of_lanes ? network.lanes.size() : network.edges.size(),
                                   compression);
        h5::write_attribute(means.id(), "id", d.id);
        h5::write_attribute(means.id(), "of", std::string(d.of_lanes ? "lanes" : "edges"));
        h5::write_attribute(means.id(), "file", d.file);
        h5::write_attribute(means.id(), "exclude_empty", std::int64_t{d.exclude_empty});
        h5::write_attribute(means.id(), "with_internal", std::int64_t{d.with_internal});
        h5::write_attribute(means.id(), "min_samples", d.min_samples);
        means.write({"chosen", "1", "rows of /network/edges that were asked for; none: all"},
                    each<std::int32_t>(d.edges, [](int edge) { return edge; }));
    }
}

// ---- /detectors

template <class ForEachColumn>
void create_detectors(hid_t file, const char* path, DetectorKind kind, const MeasureDescription& measures,
                      int compression, ForEachColumn&& for_each_column) {
    Group group(file, path, compression);
    std::vector<DetectorDescription> chosen;
    for (const DetectorDescription& d : measures.detectors) {
        if (d.kind == kind) chosen.push_back(d);
    }
    group.write({"id", "1", "id of the detector; detectors elsewhere are rows of this table"},
                each<std::string>(chosen, [](auto& d) { return d.id; }));
    group.write({"file", "1", "file that its definition names"},
                each<std::string>(chosen, [](auto& d) { return d.file; }));
    group.write({"lane", "1", "row of /network/lanes: the first one"},
                each<std::int32_t>(chosen, [](auto& d) { return d.parts.front().lane; }));
    group.write({"position", "m", "from the start of that lane"},
                each<float>(chosen, [](auto& d) { return d.parts.front().begin; }));
    for_each_column([&]<class Row, class T>(const char* column, const char* unit, const char* description, T Row::*) {
        group.growing<T>({column, unit, description}, step_chunk_rows);
    });
}

void create_all_detectors(hid_t file, const MeasureDescription& measures, int compression) {
    const h5::Handle group = h5::create_group(file, "/detectors");
    create_detectors(file, "/detectors/e1", DetectorKind::loop, measures, compression,
                     [](auto&& column) { for_each_loop_column(column); });
    create_detectors(file, "/detectors/e2", DetectorKind::area, measures, compression,
                     [](auto&& column) { for_each_area_column(column); });
    create_detectors(file, "/detectors/e3", DetectorKind::gates, measures, compression,
                     [](auto&& column) { for_each_gates_column(column); });
}

void create_summary(hid_t file, int compression) {
    Group summary(file, "/summary", compression);
    for_each_summary_column(
        [&]<class T>(const char* name, const char* unit, const char* description, T StepSummary::*) {
            summary.growing<T>({name, unit, description}, step_chunk_rows);
        });
}

void create_signals(hid_t file, const TextWidths& widths, int compression) {
    Group signals(file, "/signals", compression);
    signals.growing<double>({"time", "s", "time of the switch"}, step_chunk_rows);
    signals.growing<std::int32_t>({"signal", "1", "row of /network/signals"}, step_chunk_rows);
    signals.growing({"program", "1", "id of the program that runs"}, h5::text_type(widths.program), step_chunk_rows);
    signals.growing<std::int32_t>({"phase", "1", "index of the phase in its program"}, step_chunk_rows);
    signals.growing({"state", "1", "one letter per connection, as in SUMO"}, h5::text_type(widths.state),
                    step_chunk_rows);
}

void create_performance(hid_t file, int compression) {
    Group phases(file, "/performance", compression);
    phases.growing({"phase", "1", "part of the step"}, h5::text_type(phase_name_bytes), step_chunk_rows);
    phases.growing<double>({"seconds", "s", "wall time over the run"}, step_chunk_rows);
    phases.growing<std::uint64_t>({"bytes", "byte", "of the vehicle arrays read and written over the run"},
                                  step_chunk_rows);
    phases.growing<std::uint64_t>({"launches", "1", "kernels started over the run"}, step_chunk_rows);
    h5::write_attribute(phases.id(), "writer_wait_seconds", 0.0);
    h5::write_attribute(phases.id(), "writer_waits", std::int64_t{0});
}

void write_attributes(hid_t file, const RunInfo& run) {
    h5::write_attribute(file, "format", std::string(format));
    h5::write_attribute(file, "version", version);
    h5::write_attribute(file, "program_version", run.program_version);
    h5::write_attribute(file, "command", run.command);
    h5::write_attribute(file, "scenario", run.scenario);
    h5::write_attribute(file, "seed", run.seed);
    h5::write_attribute(file, "step", run.step);
    h5::write_attribute(file, "begin", run.begin);
    h5::write_attribute(file, "end", run.begin);
    h5::write_attribute(file, "trips_time",
                        run.begin);  // s, of which /trips tells: after a kill it may lie before `end`
    h5::write_attribute(file, "projection", run.projection);
    h5::write_attribute(file, "state_hash", std::string(16, '0'));
    h5::write_attribute(file, "collisions", std::int64_t{0});
    h5::write_attribute(file, "finished", std::int64_t{0});
    h5::write_attribute(file, "failed", std::int64_t{0});
}

}  // namespace

TextWidths text_widths(const NetworkDescription& network) {
    TextWidths widths;
    for (const SignalDescription& signal : network.signals) {
        for (const ProgramDescription& program : signal.programs) {
            widths.program = std::max(widths.program, program.id.size());
            for (const PhaseDescription& phase : program.phases)
                widths.state = std::max(widths.state, phase.state.size());
        }
    }
    return widths;
}

std::vector<std::string> growing_groups(hid_t file) {
    std::vector<std::string> groups{"/summary",      "/edges",        "/lanes",        "/signals",
                                    "/detectors/e1", "/detectors/e2", "/detectors/e3", "/performance"};
    if (!h5::exists(file, "/mean_data")) return groups;
    for (const std::string& name : h5::names_in(file, "/mean_data")) groups.push_back("/mean_data/" + name);
    return groups;
}

std::string means_group(int table) {
    if (table < first_mean_data) return table == 0 ? "/edges" : "/lanes";
    return text("/mean_data/", table - first_mean_data);
}

std::string hex(std::uint64_t hash) {
    std::ostringstream stream;
    stream << std::hex << std::setw(16) << std::setfill('0') << hash;
    return stream.str();
}

void write_header(hid_t file, const RunInfo& run, const NetworkDescription& network, const VehicleList& vehicles,
                  const MeasureDescription& measures, const OutputSettings& settings) {
    const int compression = settings.compression;
    write_attributes(file, run);
    write_network(file, network, compression);
    write_trips(file, vehicles, settings);
    create_trajectories(file, compression);
    create_means(file, means_group(0), network.edges.size(), compression);
    create_means(file, means_group(1), network.lanes.size(), compression);
    create_mean_data(file, network, measures, compression);
    create_summary(file, compression);
    create_signals(file, text_widths(network), compression);
    create_all_detectors(file, measures, compression);
    create_performance(file, compression);
}

}  // namespace jamiton::schema
