#include "data/results_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace jamiton {
namespace {

namespace fs = std::filesystem;

// The file behind symbolic links, so that these stay.
std::string resolve(const std::string& path) {
    std::error_code error;
    const fs::path real = fs::weakly_canonical(path, error);
    return error ? path : real.string();
}

h5::Handle create_file(const std::string& path) {
    const h5::Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "create the file");
    const h5::Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "create the file");
    h5::check(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST), "create the file");
    h5::check(H5Pset_attr_phase_change(creation, 64, 0), "create the file");  // attributes stay in the root's header
    return h5::Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose, "create the file");
}

// To the largest power of two that is not above the precision: the bits below become zeros, which pack well.
void quantise(std::vector<float>& values, double precision) {
    const float quantum = std::ldexp(1.0f, std::ilogb(precision));
    for (float& value : values) value = std::rint(value / quantum) * quantum;
}

}  // namespace

void check_results_target(const std::string& given) {
    const std::string path = resolve(given);
    const auto refuse = [&](const std::string& why) { throw InputError(given + ": cannot write the result: " + why); };
    if (path.empty()) throw InputError("the result needs a file name");
    std::error_code error;
    const fs::path folder = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : fs::path(".");
    const fs::file_status parent = fs::status(folder, error), target = fs::status(path, error);
    if (!fs::exists(parent)) refuse("there is no folder " + folder.string());
    if (!fs::is_directory(parent)) refuse(folder.string() + " is not a folder");
    if (access(folder.c_str(), W_OK | X_OK) != 0) refuse("folder " + folder.string() + ": " + std::strerror(errno));
    if (fs::is_directory(target)) refuse("it is a folder");
    if (!fs::exists(target)) return;
    if (!fs::is_regular_file(target)) refuse("it exists and is not a regular file");
    if (access(path.c_str(), R_OK | W_OK) != 0) refuse(std::strerror(errno));
    if (fs::file_size(path, error) > 0 && read_mark(path) == Hdf5Mark::not_hdf5) {
        refuse("it exists and is not a result (not HDF5), so it is not replaced");
    }
    if (is_being_written(path)) refuse("another run is writing it");
}

// Under another name until the header is complete: an error up to there leaves an older result as it was.
ResultsFile::ResultsFile(const std::string& path, const RunInfo& run, const NetworkDescription& network,
                         const VehicleList& vehicles, const OutputSettings& settings,
                         const MeasureDescription& measures)
    : path_(resolve(path)), settings_(settings), packer_(settings.compression), shown_time_(run.begin) {
    h5::initialise_thread();
    check_results_target(path);
    const std::string unfinished = text(path_, ".", getpid(), ".part");
    last_.time = run.begin;
    try {
        h5::in_file(path, [&] {
            file_ = create_file(unfinished);
            schema::write_header(file_, run, network, vehicles, measures, settings);
            open_datasets(network, measures);
            h5::check(H5Fflush(file_, H5F_SCOPE_GLOBAL), "write the file");
            h5::check(H5Fstart_swmr_write(file_), "open the file to readers");
        });
        lock_ = WriterLock(unfinished);
        fs::rename(unfinished, path_);
    } catch (const fs::filesystem_error& error) {
        std::remove(unfinished.c_str());
        throw InputError(path + ": cannot replace the file: " + error.code().message());
    } catch (...) {
        std::remove(unfinished.c_str());
        throw;
    }
}

ChunkedDataset ResultsFile::column(const std::string& name) {
    return ChunkedDataset(h5::open_dataset(file_, name), packer_);
}

void ResultsFile::open_trajectories() {
    const auto open = [&](const std::string& name, auto...) { rows_.push_back(column("/trajectories/" + name)); };
    schema::for_each_trajectory_column(open);
    steps_.push_back(column("/trajectories/step_begin"));
    steps_.push_back(column("/trajectories/step_time"));
    const std::int64_t first = 0;
    steps_[0].append(&first, 1);
    steps_[0].flush(false);
}

void ResultsFile::open_means(const NetworkDescription& network, const MeasureDescription& measures) {
    means_.resize(schema::first_mean_data + measures.mean_data.size());
    if (network.edges.empty()) return;
    for (std::size_t table = 0; table < means_.size(); ++table) {
        const std::string group = schema::means_group(static_cast<int>(table)) + "/";
        const auto open = [&](const std::string& name, auto...) { means_[table].push_back(column(group + name)); };
        open("interval_begin");
        open("interval_end");
        schema::for_each_edge_column(open);
    }
}

void ResultsFile::open_detectors() {
    const auto opener = [this](const char* group, std::vector<ChunkedDataset>& columns) {
        return [this, group, &columns](const std::string& name, auto...) { columns.push_back(column(group + name)); };
    };
    schema::for_each_loop_column(opener("/detectors/e1/", loops_));
    schema::for_each_area_column(opener("/detectors/e2/", areas_));
    schema::for_each_gates_column(opener("/detectors/e3/", gates_));
}

void ResultsFile::open_datasets(const NetworkDescription& network, const MeasureDescription& measures) {
    using namespace schema;
    open_trajectories();
    for_each_summary_column([&](const std::string& name, auto...) { summary_.push_back(column("/summary/" + name)); });
    open_means(network, measures);
    open_detectors();
    for (const char* name : {"/signals/time", "/signals/signal", "/signals/phase"}) switches_.push_back(column(name));
    for (const char* name : {"/signals/program", "/signals/state"}) switch_texts_.push_back(column(name));
    phase_texts_.push_back(column("/performance/phase"));
    for (const char* name : {"seconds", "bytes", "launches"})
        phases_.push_back(column(std::string("/performance/") + name));
    performance_ = h5::Handle(H5Gopen2(file_, "/performance", H5P_DEFAULT), H5Gclose, "open /performance");
    if (!settings_.trips) return;
    for_each_trip_column([&](const std::string& name, auto...) { trips_.push_back(column("/trips/" + name)); });
}

void ResultsFile::write(TrajectoryRows&& rows) {
    if (settings_.precision > 0) {
        quantise(rows.position, settings_.precision);
        quantise(rows.speed, settings_.precision);
    }
    auto dataset = rows_.begin();
    schema::for_each_trajectory_column(
        [&]<class T>(const char* name, const char*, const char*, std::vector<T> TrajectoryRows::*member) {
            require((rows.*member).size() == rows.vehicle.size(), "trajectory column ", name, " has another length");
            (dataset++)->append((rows.*member).data(), rows.vehicle.size());
        });
    const std::int64_t end = static_cast<std::int64_t>(rows_[0].rows());
    steps_[0].append(&end, 1);
    steps_[1].append(&rows.time, 1);
    last_.time = std::max(last_.time, rows.time);  // there may be no summary
}

void ResultsFile::write(const StepSummary& summary) {
    auto dataset = summary_.begin();
    schema::for_each_summary_column([&]<class T>(const char*, const char*, const char*, T StepSummary::*member) {
        (dataset++)->append(&(summary.*member), 1);
    });
    last_ = summary;
}

void ResultsFile::write(const MeansRow& row) {
    std::vector<ChunkedDataset>& columns = means_[static_cast<std::size_t>(row.table)];
    if (columns.empty()) return;
    const EdgeInterval& interval = row.interval;
    auto dataset = columns.begin() + 2;
    schema::for_each_edge_column(
        [&]<class T>(const char* name, const char*, const char*, std::vector<T> EdgeInterval::*member) {
            require((interval.*member).size() == dataset->width(), "edge column ", name, " has another length");
            (dataset++)->append((interval.*member).data(), 1);
        });
    columns[0].append(&interval.begin, 1);
    columns[1].append(&interval.end, 1);
}

void ResultsFile::write(const DetectorRows& rows) {
    const auto append = [](std::vector<ChunkedDataset>& columns, const auto& row, auto for_each_column) {
        auto dataset = columns.begin();
        for_each_column(
            [&](const char*, const char*, const char*, auto member) { (dataset++)->append(&(row.*member), 1); });
    };
    for (const LoopRow& row : rows.loops)
        append(loops_, row, [](auto&& column) { schema::for_each_loop_column(column); });
    for (const AreaRow& row : rows.areas)
        append(areas_, row, [](auto&& column) { schema::for_each_area_column(column); });
    for (const GatesRow& row : rows.gates)
        append(gates_, row, [](auto&& column) { schema::for_each_gates_column(column); });
}

// In SWMR mode texts have a fixed length.
void ResultsFile::append_text(ChunkedDataset& column, const std::string& words) {
    std::string padded = words;
    padded.resize(column.element_bytes());
    column.append(padded.data(), 1);
}

void ResultsFile::write(const SignalSwitch& change) {
    switches_[0].append(&change.time, 1);
    switches_[1].append(&change.signal, 1);
    switches_[2].append(&change.phase, 1);
    append_text(switch_texts_[0], change.program);
    append_text(switch_texts_[1], change.state);
}

void ResultsFile::write(const std::vector<PhaseCost>& phases) {
    if (phases_[0].rows() > 0) return;  // once, at the end of a run
    for (const PhaseCost& phase : phases) {
        append_text(phase_texts_[0], phase.name);
        phases_[0].append(&phase.seconds, 1);
        phases_[1].append(&phase.bytes, 1);
        phases_[2].append(&phase.launches, 1);
    }
}

void ResultsFile::write_pending_trips(bool last) {
    if (!pending_trips_ || trips_.empty()) return;
    auto dataset = trips_.begin();
    schema::for_each_trip_column(
        [&]<class T>(const char*, const char*, const char*, std::vector<T> TripTable::*member) {
            (dataset++)->overwrite(((*pending_trips_).*member).data(), ((*pending_trips_).*member).size(), last);
        });
    trips_time_ = pending_trips_->time;
    pending_trips_.reset();
}

std::vector<std::vector<ChunkedDataset>*> ResultsFile::all_columns() {
    std::vector<std::vector<ChunkedDataset>*> all{&rows_,         &steps_, &summary_, &switches_,
                                                  &switch_texts_, &trips_, &phases_,  &phase_texts_,
                                                  &loops_,        &areas_, &gates_};
    for (auto& columns : means_) all.push_back(&columns);
    return all;
}

// Rows reach the file before the steps that point to them.
void ResultsFile::show(bool last) {
    write_pending_trips(last);
    for (auto* columns : all_columns()) {
        for (ChunkedDataset& column : *columns) column.flush(last);
    }
    for (auto* columns : {&rows_, &steps_}) {
        for (ChunkedDataset& column : *columns) h5::check(H5Dflush(column.id()), "flush trajectories");
    }
}

void ResultsFile::write_state(const RunEnd& end, const WriterWaits& waits) {
    h5::write_attribute(file_, "end", end.end);
    h5::write_attribute(file_, "collisions", end.collisions);
    h5::write_attribute(file_, "trips_time", trips_time_);
    h5::write_attribute(performance_, "writer_wait_seconds", waits.seconds);
    h5::write_attribute(performance_, "writer_waits", waits.count);
}

void ResultsFile::flush(const WriterWaits& waits) {
    show(false);
    write_state({.end = last_.time, .collisions = last_.collisions}, waits);
    h5::check(H5Fflush(file_, H5F_SCOPE_GLOBAL), "flush the file");
    shown_time_ = last_.time;
}

void ResultsFile::close(Ending ending, const WriterWaits& waits) {
    close(RunEnd{last_.time, last_.state_hash, last_.collisions, ending}, waits);
}

void ResultsFile::close(const RunEnd& end, const WriterWaits& waits) {
    show(true);
    write_state(end, waits);
    h5::write_attribute(file_, "state_hash", schema::hex(end.state_hash));
    h5::write_attribute(file_, "finished", std::int64_t{end.ending == Ending::finished});
    h5::write_attribute(file_, "failed", std::int64_t{end.ending == Ending::failed});
    h5::check(H5Fflush(file_, H5F_SCOPE_GLOBAL), "flush the file");
    close_handles();
}

void ResultsFile::close_handles() {
    for (auto* columns : all_columns()) columns->clear();
    performance_.reset();
    h5::check(H5Fclose(file_.release()), "close the file");
}

// The library's unwritten pages are given up on purpose: written after a failure they might contradict each other.
std::string ResultsFile::abandon() {
    for (auto* columns : all_columns()) {
        for (ChunkedDataset& column : *columns) column.abandon();
    }
    performance_.release();
    file_.release();
    clear_mark(path_);
    return text("the file holds the run up to ", shown_time_, " s");
}

}  // namespace jamiton
