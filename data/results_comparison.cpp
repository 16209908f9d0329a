#include "data/results_comparison.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>

#include "data/results_schema.hpp"

namespace jamiton {
namespace {

const std::set<std::string> ignored_attributes{"command", "program_version"};
const std::string absent = "(not there)";

void compare_attributes(const ResultsReader& first, const ResultsReader& second, std::vector<Difference>& found) {
    const auto a = first.attributes(), b = second.attributes();
    std::set<std::string> names;
    for (const auto& [name, value] : a) names.insert(name);
    for (const auto& [name, value] : b) names.insert(name);
    for (const std::string& name : names) {
        if (ignored_attributes.contains(name)) continue;
        const auto x = a.find(name), y = b.find(name);
        const std::string left = x == a.end() ? absent : x->second, right = y == b.end() ? absent : y->second;
        if (left != right) found.push_back({"attribute " + name, left, right, ""});
    }
}

// ---- datasets, whatever they hold

std::set<std::string> datasets_of(hid_t file) {
    std::set<std::string> names;
    std::vector<std::string> groups = schema::growing_groups(file);
    std::erase(groups, "/performance");
    groups.insert(groups.end(),
                  {"/network/edges", "/network/lanes", "/network/signals", "/network/junctions", "/trips"});
    for (const std::string& group : groups) {
        if (!h5::exists(file, group)) continue;
        for (const std::string& name : h5::names_in(file, group)) names.insert(group + "/" + name);
    }
    return names;
}

// A dataset's values as they are in memory.
struct Values {
    h5::Handle type;
    std::vector<hsize_t> sizes;
    std::size_t element_bytes = 0, width = 1;  // of an element; elements in a row
    std::vector<char> bytes;

    Values(hid_t file, const std::string& name) {
        const h5::Handle dataset = h5::open_dataset(file, name);
        const h5::Handle stored(H5Dget_type(dataset), H5Tclose, "read " + name);
        type = h5::Handle(H5Tget_native_type(stored, H5T_DIR_DEFAULT), H5Tclose, "read " + name);
        sizes = h5::extents(dataset);
        element_bytes = H5Tget_size(type);
        for (std::size_t i = 1; i < sizes.size(); ++i) width *= sizes[i];
        bytes.resize(sizes.at(0) * width * element_bytes);
        h5::read_rows(dataset, type, 0, sizes[0], bytes.data());
    }
    std::size_t count() const { return sizes[0] * width; }
    const char* at(std::size_t i) const { return bytes.data() + i * element_bytes; }

    std::string show(std::size_t i) const {
        switch (H5Tget_class(type)) {
            case H5T_STRING: return std::string(at(i), strnlen(at(i), element_bytes));
            case H5T_ENUM: {
                char name[64] = "?";
                H5Tenum_nameof(type, at(i), name, sizeof name);
                return name;
            }
            case H5T_FLOAT: return element_bytes == 4 ? text(value<float>(i)) : text(value<double>(i));
            default: break;
        }
        const bool is_signed = H5Tget_sign(type) != H5T_SGN_NONE;
        if (element_bytes == 4) return is_signed ? text(value<std::int32_t>(i)) : text(value<std::uint32_t>(i));
        if (element_bytes == 8) return is_signed ? text(value<std::int64_t>(i)) : text(value<std::uint64_t>(i));
        return text(static_cast<int>(value<std::uint8_t>(i)));
    }

  private:
    template <class T>
    T value(std::size_t i) const {
        T result;
        std::memcpy(&result, at(i), sizeof result);
        return result;
    }
};

std::string sizes_text(const Values& values) {
    std::string words = text(values.sizes[0], " rows");
    if (values.width > 1) words += text(" of ", values.width);
    return words;
}

// Says in the user's words which element of a dataset it is.
std::string place(const ResultsReader& reader, const std::string& dataset, std::size_t row, std::size_t column) {
    const auto time_at = [&](const char* times) {
        return text("time ", h5::read<double>(reader.file(), times).at(row));
    };
    if (dataset.starts_with("/summary/")) return time_at("/summary/time");
    if (dataset.starts_with("/signals/")) return time_at("/signals/time");
    if (dataset.ends_with("/interval_begin") || dataset.ends_with("/interval_end")) return text("interval ", row);
    for (const std::string what : {"edge", "lane"}) {
        if (!dataset.starts_with("/" + what + "s/")) continue;
        return time_at(("/" + what + "s/interval_begin").c_str()) + ", " + what + " " +
               reader.ids("/network/" + what + "s/id").at(column);
    }
    if (dataset.starts_with("/trips/") && dataset != "/trips/type_names")
        return "vehicle " + reader.ids("/trips/id").at(row);
    return text("row ", row);
}

void compare_dataset(const ResultsReader& first, const ResultsReader& second, const std::string& name,
                     std::vector<Difference>& found) {
    const bool in_first = h5::exists(first.file(), name), in_second = h5::exists(second.file(), name);
    if (!in_first || !in_second) {
        found.push_back({name, in_first ? "there" : absent, in_second ? "there" : absent, ""});
        return;
    }
    const Values a(first.file(), name), b(second.file(), name);
    if (a.sizes != b.sizes) found.push_back({name, sizes_text(a), sizes_text(b), ""});
    if (a.width != b.width) return;
    std::size_t differing = 0, at = 0;
    const std::size_t common = std::min(a.count(), b.count());
    const bool same_type = H5Tequal(a.type, b.type) > 0;
    for (std::size_t i = common; i-- > 0;) {
        const bool equal = same_type ? std::memcmp(a.at(i), b.at(i), a.element_bytes) == 0 : a.show(i) == b.show(i);
        if (equal) continue;
        ++differing;
        at = i;
    }
    if (differing == 0) return;
    const std::string where = place(first, name, at / a.width, at % a.width);
    found.push_back({name + ", " + where, a.show(at), b.show(at), text(differing, " of ", common)});
}

// ---- trajectories: the rows of a step in the order of vehicles, however they are stored

struct RowDifference {
    std::string vehicle, first, second;
};

std::string row_text(const ResultsReader& reader, const TrajectoryRows& rows, std::size_t i) {
    const std::vector<std::string> lanes = reader.ids("/network/lanes/id");
    const std::string lane = rows.lane[i] < lanes.size() ? lanes[rows.lane[i]] : text("lane ", rows.lane[i]);
    return text(lane, " at ", rows.position[i], " m, ", rows.speed[i], " m/s");
}

bool same_bits(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0; }

std::optional<RowDifference> compare_step(const ResultsReader& first, const ResultsReader& second, std::size_t step) {
    const TrajectoryRows a = first.trajectories(step), b = second.trajectories(step);
    const auto id = [&](std::uint32_t vehicle) {
        const auto ids = first.ids("/trips/id");
        return vehicle < ids.size() ? ids[vehicle] : text(vehicle);
    };
    for (std::size_t i = 0; i < std::max(a.vehicle.size(), b.vehicle.size()); ++i) {
        const bool in_a = i < a.vehicle.size() && (i >= b.vehicle.size() || a.vehicle[i] <= b.vehicle[i]);
        const bool in_b = i < b.vehicle.size() && (i >= a.vehicle.size() || b.vehicle[i] <= a.vehicle[i]);
        if (in_a && in_b && a.lane[i] == b.lane[i] && same_bits(a.position[i], b.position[i]) &&
            same_bits(a.speed[i], b.speed[i])) {
            continue;
        }
        return RowDifference{id(in_a ? a.vehicle[i] : b.vehicle[i]), in_a ? row_text(first, a, i) : absent,
                             in_b ? row_text(second, b, i) : absent};
    }
    return {};
}

void compare_trajectories(const ResultsReader& first, const ResultsReader& second, std::vector<Difference>& found) {
    const std::size_t steps = std::min(first.trajectory_steps(), second.trajectory_steps());
    if (first.trajectory_steps() != second.trajectory_steps()) {
        found.push_back(
            {"/trajectories", text(first.trajectory_steps(), " steps"), text(second.trajectory_steps(), " steps"), ""});
    }
    for (std::size_t step = 0; step < steps; ++step) {
        if (first.step_time(step) != second.step_time(step)) {
            found.push_back({text("/trajectories/step_time, step ", step), text(first.step_time(step)),
                             text(second.step_time(step)), ""});
            return;
        }
        const auto difference = compare_step(first, second, step);
        if (!difference) continue;
        found.push_back({text("/trajectories, time ", first.step_time(step), ", vehicle ", difference->vehicle),
                         difference->first, difference->second, "first"});
        return;
    }
}

std::vector<MeanDifference> compare_means(const ResultsReader& first, const ResultsReader& second) {
    const TripMeans a = mean_trips(first.trips()), b = mean_trips(second.trips());
    const auto number = [](std::size_t count) { return static_cast<double>(count); };
    return {{"arrived", "", number(a.arrived), number(b.arrived)},
            {"removed", "", number(a.removed), number(b.removed)},
            {"teleports", "", number(a.teleports), number(b.teleports)},
            {"duration", "s", a.duration, b.duration},
            {"route_length", "m", a.route_length, b.route_length},
            {"time_loss", "s", a.time_loss, b.time_loss},
            {"waiting_time", "s", a.waiting_time, b.waiting_time},
            {"depart_delay", "s", a.depart_delay, b.depart_delay}};
}

}  // namespace

Comparison compare_results(const ResultsReader& first, const ResultsReader& second) {
    Comparison comparison;
    auto& found = comparison.differences;
    h5::in_file(first.path() + " or " + second.path(), [&] {
        compare_attributes(first, second, found);
        std::set<std::string> names = datasets_of(first.file());
        names.merge(datasets_of(second.file()));
        for (const std::string& name : names) compare_dataset(first, second, name, found);
        compare_trajectories(first, second, found);
    });
    const bool trips_differ = std::any_of(
        found.begin(), found.end(), [](const Difference& difference) { return difference.what.starts_with("/trips"); });
    if (trips_differ) comparison.means = compare_means(first, second);
    comparison.trips = first.ids("/trips/id").size();
    comparison.steps = h5::extents(h5::open_dataset(first.file(), "/summary/time")).at(0);
    comparison.rows = first.trajectory_rows();
    return comparison;
}

}  // namespace jamiton
