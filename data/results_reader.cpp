#include "data/results_reader.hpp"

#include <algorithm>
#include <numeric>

#include "data/results_schema.hpp"
#include "data/superblock.hpp"

namespace jamiton {
namespace {

h5::Handle open_file(const std::string& path, bool being_written) {
    const unsigned mode = H5F_ACC_RDONLY | (being_written ? H5F_ACC_SWMR_READ : 0u);
    return h5::Handle(H5Fopen(path.c_str(), mode, H5P_DEFAULT), H5Fclose, "open");
}

void check_format(hid_t file) {
    const bool ours = H5Aexists(file, "format") > 0 && h5::read_text_attribute(file, "format") == schema::format;
    if (!ours) throw h5::Error("is HDF5, but not a result of jamiton: it has no attribute format = jamiton-results");
    const auto version = h5::read_attribute<std::int64_t>(file, "version");
    if (version > schema::version) {
        throw h5::Error(text("is of version ", version, ", this program reads up to ", schema::version));
    }
}

ResultsState state_of(const std::string& path, bool marked, hid_t file) {
    if (marked) return is_being_written(path) ? ResultsState::running : ResultsState::killed;
    if (h5::read_attribute<std::int64_t>(file, "finished") != 0) return ResultsState::finished;
    const bool failed = H5Aexists(file, "failed") > 0 && h5::read_attribute<std::int64_t>(file, "failed") != 0;
    return failed ? ResultsState::failed : ResultsState::interrupted;
}

// Files of several ranks hold a step's rows in another order.
void order_by_vehicle(TrajectoryRows& rows) {
    if (std::is_sorted(rows.vehicle.begin(), rows.vehicle.end())) return;
    std::vector<std::size_t> order(rows.vehicle.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return rows.vehicle[a] < rows.vehicle[b]; });
    schema::for_each_trajectory_column(
        [&]<class T>(const char*, const char*, const char*, std::vector<T> TrajectoryRows::*member) {
            const std::vector<T> before = rows.*member;
            for (std::size_t i = 0; i < order.size(); ++i) (rows.*member)[i] = before[order[i]];
        });
}

}  // namespace

const char* name_of(ResultsState state) {
    switch (state) {
        case ResultsState::finished: return "finished";
        case ResultsState::interrupted: return "interrupted";
        case ResultsState::failed: return "failed: an internal error ended the run";
        case ResultsState::running: return "still being written";
        case ResultsState::killed: return "left behind by a killed run (jamiton repair lets any program open it)";
    }
    return "";
}

ResultsReader::ResultsReader(const std::string& path) : path_(path) {
    h5::initialise_thread();
    const Hdf5Mark mark = read_mark(path);
    if (mark == Hdf5Mark::not_hdf5) throw InputError(path + ": is not a results file (not HDF5)");
    const bool marked = mark == Hdf5Mark::open_for_writing;
    h5::in_file(path_, [&] {
        file_ = open_file(path, marked);
        check_format(file_);
        state_ = state_of(path, marked, file_);
        open_trajectories();
    });
}

// Steps first: rows that a running writer adds meanwhile belong to later ones.
void ResultsReader::open_trajectories() {
    step_time_ = column<double>("/trajectories/step_time");
    step_begin_ = column<std::uint64_t>("/trajectories/step_begin");
    schema::for_each_trajectory_column(
        [&]<class T>(const std::string& name, const char*, const char*, std::vector<T> TrajectoryRows::*) {
            const std::string path = "/trajectories/" + name;
            if (h5::exists(file_, path)) row_columns_.push_back(h5::open_dataset(file_, path));
        });
    std::uint64_t rows = 0;
    if (row_columns_.size() == 4) rows = h5::extents(row_columns_[0]).at(0);
    for (const h5::Handle& rows_column : row_columns_)
        rows = std::min<std::uint64_t>(rows, h5::extents(rows_column).at(0));
    std::size_t steps = std::min(step_time_.size(), step_begin_.empty() ? 0 : step_begin_.size() - 1);
    while (steps > 0 && step_begin_[steps] > rows) --steps;
    step_time_.resize(steps);
    step_begin_.resize(steps + 1);
    if (!std::is_sorted(step_begin_.begin(), step_begin_.end()))
        throw h5::Error("/trajectories/step_begin does not ascend");
}

std::map<std::string, std::string> ResultsReader::attributes() const {
    std::map<std::string, std::string> values;
    for (const std::string& name : h5::attribute_names(file_)) values[name] = h5::read_text_attribute(file_, name);
    return values;
}

std::vector<std::string> ResultsReader::ids(const std::string& dataset) const {
    return h5::in_file(path_, [&] { return h5::read_texts(file_, dataset); });
}

template <class T>
std::vector<T> ResultsReader::column(const std::string& name) const {
    if (!h5::exists(file_, name)) return {};
    if constexpr (std::is_enum_v<T>) {
        const std::vector<std::uint8_t> numbers = h5::read_as<std::uint8_t>(file_, name, schema::column_type<T>());
        std::vector<T> values(numbers.size());
        std::transform(numbers.begin(), numbers.end(), values.begin(),
                       [](std::uint8_t n) { return static_cast<T>(n); });
        return values;
    } else {
        return h5::read<T>(file_, name);
    }
}

TripTable ResultsReader::trips() const {
    TripTable trips;
    h5::in_file(path_, [&] {
        schema::for_each_trip_column(
            [&]<class T>(const std::string& name, const char*, const char*, std::vector<T> TripTable::*member) {
                trips.*member = column<T>("/trips/" + name);
                if ((trips.*member).size() != trips.depart_planned.size()) {
                    throw h5::Error("/trips/" + name + " has another length than /trips/depart_planned");
                }
            });
    });
    return trips;
}

std::vector<StepSummary> ResultsReader::summary() const {
    std::vector<StepSummary> steps(h5::in_file(path_, [&] { return column<double>("/summary/time").size(); }));
    h5::in_file(path_, [&] {
        schema::for_each_summary_column(
            [&]<class T>(const std::string& name, const char*, const char*, T StepSummary::*member) {
                const std::vector<T> values = column<T>("/summary/" + name);
                steps.resize(std::min(steps.size(), values.size()));
                for (std::size_t i = 0; i < steps.size(); ++i) steps[i].*member = values[i];
            });
    });
    return steps;
}

std::vector<double> ResultsReader::interval_begins() const {
    return h5::in_file(path_, [&] { return column<double>("/edges/interval_begin"); });
}

std::vector<SignalSwitch> ResultsReader::signal_switches() const {
    return h5::in_file(path_, [&] {
        const auto time = column<double>("/signals/time");
        const auto signal = column<std::int32_t>("/signals/signal"), phase = column<std::int32_t>("/signals/phase");
        const auto program = h5::read_texts(file_, "/signals/program"), state = h5::read_texts(file_, "/signals/state");
        std::vector<SignalSwitch> switches(
            std::min({time.size(), signal.size(), phase.size(), program.size(), state.size()}));
        for (std::size_t i = 0; i < switches.size(); ++i) {
            switches[i] = {time[i], signal[i], phase[i], program[i], state[i]};
        }
        return switches;
    });
}

std::vector<PhaseCost> ResultsReader::phases() const {
    return h5::in_file(path_, [&] {
        const auto name = h5::read_texts(file_, "/performance/phase");
        const auto seconds = column<double>("/performance/seconds");
        const auto bytes = column<std::uint64_t>("/performance/bytes"),
                   launches = column<std::uint64_t>("/performance/launches");
        std::vector<PhaseCost> phases(std::min({name.size(), seconds.size(), bytes.size(), launches.size()}));
        for (std::size_t i = 0; i < phases.size(); ++i) phases[i] = {name[i], seconds[i], bytes[i], launches[i]};
        return phases;
    });
}

TrajectoryRows ResultsReader::trajectories(std::size_t step) const {
    TrajectoryRows rows;
    rows.time = step_time_[step];
    const std::uint64_t begin = step_begin_[step], count = step_begin_[step + 1] - begin;
    h5::in_file(path_, [&] {
        auto dataset = row_columns_.begin();
        schema::for_each_trajectory_column(
            [&]<class T>(const char*, const char*, const char*, std::vector<T> TrajectoryRows::*member) {
                (rows.*member).resize(count);
                h5::read_rows(*dataset++, h5::native_type<T>(), begin, count, (rows.*member).data());
            });
    });
    order_by_vehicle(rows);
    return rows;
}

TripMeans mean_trips(const TripTable& trips) {
    TripMeans means;
    means.vehicles = trips.status.size();
    for (std::size_t v = 0; v < trips.status.size(); ++v) {
        means.running += trips.status[v] == TripStatus::running;
        means.removed += trips.status[v] == TripStatus::removed;
        means.teleports += static_cast<std::size_t>(trips.teleports[v]);
        if (trips.status[v] != TripStatus::arrived) continue;
        ++means.arrived;
        means.duration += double{trips.duration[v]};
        means.route_length += double{trips.route_length[v]};
        means.time_loss += double{trips.time_loss[v]};
        means.waiting_time += double{trips.waiting_time[v]};
        means.depart_delay += double{trips.depart_delay[v]};
    }
    for (double* sum :
         {&means.duration, &means.route_length, &means.time_loss, &means.waiting_time, &means.depart_delay}) {
        *sum /= static_cast<double>(means.arrived);  // NaN without any
    }
    return means;
}

}  // namespace jamiton
