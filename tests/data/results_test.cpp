#include <cstring>
#include <fstream>
#include <thread>

#include "data/results_comparison.hpp"
#include "data/results_file.hpp"
#include "data/results_reader.hpp"
#include "data/results_repair.hpp"
#include "data/superblock.hpp"
#include "tests/data/results_sample.hpp"
#include "tests/data/results_scratch.hpp"
#include "tests/support/catch.hpp"

namespace jamiton {
namespace {

using Scratch = sample::Scratch;

struct Size {
    int steps = 40, vehicles = 60, edges = 7;
};

void write_sample(const std::string& path, const Size& size, const OutputSettings& settings = {}) {
    ResultsWriter writer(path, sample::run_info(), sample::network(size.edges), sample::vehicles(size.vehicles),
                         settings);
    for (int step = 0; step < size.steps; ++step) {
        writer.append(sample::rows(step, size.vehicles, std::max(size.edges, 1)));
        writer.append(sample::summary(step, size.vehicles));
        writer.append(sample::interval(step, size.edges));
        writer.append(SignalSwitch{step / 1.0, 0, step % 2, "day", step % 2 ? "rrGG" : "GGrr"});
        writer.write_trips(sample::trips(step, size.vehicles));
    }
    writer.set_performance({{"plan", 1.5, 1000, 40}, {"move", 0.5, 500, 40}});
    writer.finish({.end = size.steps - 1.0, .state_hash = 0xabcdef, .collisions = 3});
}

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

void check_trajectories(const ResultsReader& reader, const Size& size) {
    REQUIRE(reader.trajectory_steps() == static_cast<std::size_t>(size.steps));
    for (int step = 0; step < size.steps; ++step) {
        const TrajectoryRows read = reader.trajectories(static_cast<std::size_t>(step));
        const TrajectoryRows written = sample::rows(step, size.vehicles, std::max(size.edges, 1));
        const bool equal = read.time == written.time && read.vehicle == written.vehicle && read.lane == written.lane &&
                           read.position == written.position && read.speed == written.speed;
        REQUIRE(equal);
    }
}

void check_edges(const ResultsReader& reader, const Size& size) {
    const std::vector<float> speeds = h5::read<float>(reader.file(), "/edges/mean_speed");
    const std::vector<std::uint32_t> entered = h5::read<std::uint32_t>(reader.file(), "/edges/entered");
    const auto edges = static_cast<std::size_t>(size.edges);
    REQUIRE(speeds.size() == edges * static_cast<std::size_t>(size.steps));
    for (int n = 0; n < size.steps; ++n) {
        const EdgeInterval written = sample::interval(n, size.edges);
        const auto at = static_cast<std::ptrdiff_t>(n) * size.edges;
        REQUIRE(std::equal(written.mean_speed.begin(), written.mean_speed.end(), speeds.begin() + at));
        REQUIRE(std::equal(written.entered.begin(), written.entered.end(), entered.begin() + at));
    }
}

void check_trips(const ResultsReader& reader, int time, int vehicles) {
    const TripTable read = reader.trips(), written = sample::trips(time, vehicles);
    schema::for_each_trip_column([&](const char* name, const char*, const char*, auto member) {
        INFO(name);
        CHECK(same_bytes(read.*member, written.*member));
    });
}

void check_all(const std::string& path, const Size& size) {
    const ResultsReader reader(path);
    CHECK(reader.state() == ResultsState::finished);
    check_trajectories(reader, size);
    check_edges(reader, size);
    check_trips(reader, size.steps - 1, size.vehicles);
    const std::vector<StepSummary> summary = reader.summary();
    REQUIRE(summary.size() == static_cast<std::size_t>(size.steps));
    CHECK(summary.back().state_hash == sample::summary(size.steps - 1, 0).state_hash);
    CHECK(summary.back().mean_speed == 13.5);
    const std::vector<SignalSwitch> switches = reader.signal_switches();
    REQUIRE(switches.size() == static_cast<std::size_t>(size.steps));
    CHECK(switches[1].state == "rrGG");
    CHECK(switches[1].program == "day");
}

std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

void open_writer(const std::string& path) {
    ResultsWriter(path, sample::run_info(), sample::network(3), sample::vehicles(3));
}

}  // namespace

TEST_CASE("results: what was written is read back") {
    const Scratch scratch;
    const std::string path = scratch / "r.h5";
    const Size size;
    write_sample(path, size);
    check_all(path, size);
    const ResultsReader reader(path);
    const auto attributes = reader.attributes();
    CHECK(attributes.at("format") == "jamiton-results");
    CHECK(attributes.at("scenario") == sample::run_info().scenario);
    CHECK(attributes.at("seed") == "42");
    CHECK(attributes.at("end") == "39");
    CHECK(attributes.at("state_hash") == "0000000000abcdef");
    CHECK(attributes.at("collisions") == "3");
    CHECK(attributes.at("finished") == "1");
    CHECK(attributes.at("failed") == "0");
    CHECK(reader.ids("/network/edges/id").at(1) == "Straße_1");
    CHECK(reader.ids("/trips/id").at(59) == "vehicle-59");
    CHECK(reader.phases().at(1).name == "move");
    CHECK(scratch.files() == std::vector<std::string>{"r.h5"});
}

TEST_CASE("results: any number of flushes and chunks leaves the same content") {
    const Scratch scratch;
    const Size size = GENERATE(Size{5, 0, 0}, Size{3, 1, 1}, Size{70, 2000, 300}, Size{4, 40'000, 40'000});
    const double flush_interval = GENERATE(0.0, 10.0);
    const int compression = GENERATE(0, 1);
    write_sample(scratch / "r.h5", size, {.flush_interval = flush_interval, .compression = compression});
    check_all(scratch / "r.h5", size);
}

TEST_CASE("results: a full queue makes the step wait and counts it") {
    const Scratch scratch;
    write_sample(scratch / "r.h5", {.steps = 30, .vehicles = 20'000}, {.queue_bytes = 1000});
    const ResultsReader reader(scratch / "r.h5");
    const h5::Handle group(H5Gopen2(reader.file(), "/performance", H5P_DEFAULT), H5Gclose, "open /performance");
    CHECK(h5::read_attribute<std::int64_t>(group, "writer_waits") > 0);
    CHECK(h5::read_attribute<double>(group, "writer_wait_seconds") > 0);
}

TEST_CASE("results: precision quantises positions and speeds") {
    const Scratch scratch;
    write_sample(scratch / "r.h5", {}, {.precision = 0.01});
    const TrajectoryRows read = ResultsReader(scratch / "r.h5").trajectories(7), written = sample::rows(7, 60, 7);
    for (std::size_t i = 0; i < read.position.size(); ++i) {
        CHECK(std::abs(read.position[i] - written.position[i]) <= 0.005f);
        CHECK(std::abs(read.speed[i] - written.speed[i]) <= 0.005f);
        CHECK(std::fmod(read.speed[i], 1.0f / 128) == 0);
    }
}

TEST_CASE("results: rewriting trips during a run does not let the file grow") {
    const Scratch scratch;
    const int vehicles = 20'000;
    ResultsFile file(scratch / "r.h5", sample::run_info(), sample::network(3), sample::vehicles(vehicles), {});
    const auto write = [&](int time) {
        file.write(sample::trips(time, vehicles));
        file.flush({});
        return std::filesystem::file_size(scratch / "r.h5");
    };
    write(1);
    const auto size = write(17'000);
    for (int time = 17'001; time < 17'050; ++time) CHECK(write(time) == size);
    check_trips(ResultsReader(scratch / "r.h5"), 17'049, vehicles);
    file.close(Ending::interrupted, {});
    CHECK(ResultsReader(scratch / "r.h5").state() == ResultsState::interrupted);
}

TEST_CASE("results: rows that come slowly are stored once") {
    const Scratch scratch;
    ResultsFile file(scratch / "r.h5", sample::run_info(), sample::network(3), sample::vehicles(100), {});
    for (int step = 0; step < 500; ++step) {
        file.write(sample::rows(step, 100, 3));
        file.flush({});
    }
    file.close(Ending::interrupted, {});
    CHECK(std::filesystem::file_size(scratch / "r.h5") < 16 * 65'536 + 200'000);
}

TEST_CASE("results: a writer destroyed without finish keeps what it has") {
    const Scratch scratch;
    {
        ResultsWriter writer(scratch / "r.h5", sample::run_info(), sample::network(3), sample::vehicles(3));
        for (int step = 0; step < 5; ++step) writer.append(sample::summary(step, 3));
    }
    const ResultsReader reader(scratch / "r.h5");
    CHECK(reader.state() == ResultsState::interrupted);
    CHECK(reader.summary().size() == 5);
    CHECK(reader.attributes().at("end") == "4");
    CHECK(reader.attributes().at("state_hash") == "fedcba9876543214");
}

TEST_CASE("results: after an error of the simulation the file says failed") {
    const Scratch scratch;
    ResultsWriter writer(scratch / "r.h5", sample::run_info(), sample::network(3), sample::vehicles(3));
    for (int step = 0; step < 5; ++step) writer.append(sample::summary(step, 3));
    CHECK(writer.fail());
    const ResultsReader reader(scratch / "r.h5");
    CHECK(reader.state() == ResultsState::failed);
    CHECK(reader.summary().size() == 5);
    CHECK(reader.attributes().at("finished") == "0");
    CHECK(reader.attributes().at("failed") == "1");
    CHECK(reader.attributes().at("end") == "4");
}

TEST_CASE("results: wrong targets are refused and nothing is lost") {
    const Scratch scratch;
    const auto refused = [&](const std::string& path) { return message_of([&] { open_writer(path); }); };
    CHECK(refused("") == "the result needs a file name");
    CHECK(refused(scratch.folder()) == scratch.folder() + ": cannot write the result: it is a folder");
    CHECK_THAT(refused(scratch / "no/r.h5"), Catch::Contains("there is no folder"));
    CHECK_THAT(refused("/dev/null"), Catch::Contains("not a regular file"));
    CHECK_THAT(refused("/proc/r.h5"), Catch::Contains("/proc/r.h5: "));
    std::ofstream(scratch / "notes.txt") << "precious words";
    CHECK_THAT(refused(scratch / "notes.txt"), Catch::Contains("not replaced"));
    CHECK(std::filesystem::file_size(scratch / "notes.txt") == 14);
    CHECK_THAT(refused(scratch / "notes.txt/r.h5"), Catch::Contains("is not a folder"));
    CHECK(scratch.files() == std::vector<std::string>{"notes.txt"});
}

TEST_CASE("results: an old result is replaced and a symbolic link stays") {
    const Scratch scratch;
    write_sample(scratch / "old.h5", {.steps = 3});
    std::filesystem::create_symlink("old.h5", scratch / "link.h5");
    write_sample(scratch / "link.h5", {.steps = 5});
    CHECK(std::filesystem::is_symlink(scratch / "link.h5"));
    CHECK(ResultsReader(scratch / "old.h5").summary().size() == 5);
    std::ofstream(scratch / "empty.h5");
    write_sample(scratch / "empty.h5", {.steps = 2});
    CHECK(ResultsReader(scratch / "empty.h5").summary().size() == 2);
}

TEST_CASE("results: a file that is being written is left alone by repair and by other runs") {
    const Scratch scratch;
    ResultsFile file(scratch / "r.h5", sample::run_info(), sample::network(3), sample::vehicles(3), {});
    CHECK(ResultsReader(scratch / "r.h5").state() == ResultsState::running);
    CHECK_THAT(message_of([&] { repair_results(scratch / "r.h5"); }), Catch::Contains("a running program"));
    CHECK_THAT(message_of([&] { open_writer(scratch / "r.h5"); }), Catch::Contains("another run"));
    file.close(Ending::interrupted, {});
    CHECK_FALSE(repair_results(scratch / "r.h5").was_marked);
}

// A copy of the file during the run is what a kill leaves behind.
TEST_CASE("results: a killed run is readable up to the last flush and repaired") {
    const Scratch scratch;
    const Size size{.steps = 20, .vehicles = 7000};
    ResultsFile file(scratch / "r.h5", sample::run_info(), sample::network(7), sample::vehicles(7000), {});
    for (int step = 0; step < size.steps; ++step) {
        file.write(sample::rows(step, 7000, 7));
        file.write(sample::summary(step, 7000));
        if (step % 7 == 6) file.flush({});
    }
    std::filesystem::copy_file(scratch / "r.h5", scratch / "killed.h5");
    file.close(Ending::interrupted, {});
    const Size flushed{.steps = 14, .vehicles = 7000};
    CHECK(ResultsReader(scratch / "killed.h5").state() == ResultsState::killed);
    check_trajectories(ResultsReader(scratch / "killed.h5"), flushed);
    const RepairReport report = repair_results(scratch / "killed.h5");
    CHECK(report.was_marked);
    CHECK(report.steps == 14);
    CHECK(report.end == 13);
    const ResultsReader repaired(scratch / "killed.h5");
    CHECK(repaired.state() == ResultsState::interrupted);
    CHECK(repaired.attributes().at("state_hash") == "fedcba987654321d");
    check_trajectories(repaired, flushed);
}

TEST_CASE("results: after a failed write the file is left readable") {
    const Scratch scratch;
    ResultsFile file(scratch / "r.h5", sample::run_info(), sample::network(7), sample::vehicles(60), {});
    for (int step = 0; step < 5; ++step) {
        file.write(sample::rows(step, 60, 7));
        file.write(sample::summary(step, 60));
    }
    file.flush({});
    file.write(sample::summary(5, 60));
    CHECK(file.abandon() == "the file holds the run up to 4 s");
    std::filesystem::copy_file(scratch / "r.h5", scratch / "copy.h5");  // the original counts as open in this process
    CHECK(ResultsReader(scratch / "copy.h5").state() == ResultsState::interrupted);
    check_trajectories(ResultsReader(scratch / "copy.h5"), {.steps = 5});
}

TEST_CASE("results: files that are none are refused by name") {
    const Scratch scratch;
    std::ofstream(scratch / "text.h5") << "not HDF5 at all";
    std::ofstream(scratch / "empty.h5");
    write_sample(scratch / "cut.h5", {});
    std::filesystem::resize_file(scratch / "cut.h5", 3000);
    const auto refused = [&](const std::string& name) {
        const std::string message = message_of([&] { ResultsReader reader(scratch / name); });
        CHECK_THAT(message, Catch::StartsWith(scratch / name));
        return message;
    };
    CHECK_THAT(refused("text.h5"), Catch::Contains("not HDF5"));
    CHECK_THAT(refused("empty.h5"), Catch::Contains("not HDF5"));
    CHECK_THAT(refused("missing.h5"), Catch::Contains("No such file"));
    CHECK_THAT(refused("cut.h5"), Catch::Contains("truncated"));
    h5::Handle(H5Fcreate((scratch / "other.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, "create");
    CHECK_THAT(refused("other.h5"), Catch::Contains("not a result of jamiton"));
    CHECK_THAT(message_of([&] { repair_results(scratch / "text.h5"); }), Catch::Contains("not HDF5"));
}

TEST_CASE("results: shuffle does what the filter does for any element size") {
    const std::size_t size = GENERATE(1, 2, 4, 5, 8), count = GENERATE(1, 3, 100);
    std::vector<std::byte> from(size * count), to(size * count);
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 7);
    shuffle(from.data(), to.data(), count, size);
    for (std::size_t i = 0; i < from.size(); ++i) REQUIRE(to[i % size * count + i / size] == from[i]);
}

}  // namespace jamiton
