#include "data/results_repair.hpp"

#include <algorithm>
#include <limits>

#include "data/results_reader.hpp"
#include "data/results_schema.hpp"
#include "data/superblock.hpp"

namespace jamiton {
namespace {

hsize_t rows_of(hid_t file, const std::string& name) { return h5::extents(h5::open_dataset(file, name)).at(0); }

void cut(hid_t file, const std::string& name, hsize_t rows) {
    const h5::Handle dataset = h5::open_dataset(file, name);
    std::vector<hsize_t> sizes = h5::extents(dataset);
    if (sizes.at(0) <= rows) return;
    sizes[0] = rows;
    h5::check(H5Dset_extent(dataset, sizes.data()), "cut " + name);
}

bool grows(hid_t file, const std::string& name) {
    const h5::Handle dataset = h5::open_dataset(file, name);
    const h5::Handle space(H5Dget_space(dataset), H5Sclose, "read " + name);
    std::vector<hsize_t> sizes(h5::extents(dataset).size()), most(sizes.size());
    H5Sget_simple_extent_dims(space, sizes.data(), most.data());
    return most.at(0) == H5S_UNLIMITED;
}

// A kill in the middle of a flush leaves columns of different length.
void cut_to_shortest(hid_t file, const std::string& group) {
    if (!h5::exists(file, group)) return;
    hsize_t shortest = std::numeric_limits<hsize_t>::max();
    std::vector<std::string> names = h5::names_in(file, group);
    std::erase_if(names, [&](const std::string& name) { return !grows(file, group + "/" + name); });
    for (const std::string& name : names) shortest = std::min(shortest, rows_of(file, group + "/" + name));
    for (const std::string& name : names) cut(file, group + "/" + name, shortest);
}

void cut_trajectories(hid_t file, hsize_t steps, hsize_t rows) {
    cut(file, "/trajectories/step_time", steps);
    cut(file, "/trajectories/step_begin", steps + 1);
    for (const std::string& name : h5::names_in(file, "/trajectories")) {
        if (!name.starts_with("step_")) cut(file, "/trajectories/" + name, rows);
    }
}

}  // namespace

RepairReport repair_results(const std::string& path) {
    RepairReport report;
    std::vector<StepSummary> summary;
    std::size_t steps = 0, rows = 0;
    {
        const ResultsReader reader(path);  // also refuses what is not a result
        if (reader.state() == ResultsState::running) throw InputError(path + ": a running program is writing it");
        report.was_marked = reader.state() == ResultsState::killed;
        summary = reader.summary();
        steps = reader.trajectory_steps();
        rows = reader.trajectory_rows();
    }
    report.steps = summary.size();
    if (!report.was_marked) return report;
    clear_mark(path);
    h5::in_file(path, [&] {
        const h5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open");
        for (const std::string& group : schema::growing_groups(file)) cut_to_shortest(file, group);
        cut_trajectories(file, steps, rows);
        if (!summary.empty()) {
            h5::write_attribute(file, "end", summary.back().time);
            h5::write_attribute(file, "collisions", summary.back().collisions);
            h5::write_attribute(file, "state_hash", schema::hex(summary.back().state_hash));
        }
        report.end = h5::read_attribute<double>(file, "end");
        h5::check(H5Fflush(file, H5F_SCOPE_GLOBAL), "write");
    });
    return report;
}

}  // namespace jamiton
