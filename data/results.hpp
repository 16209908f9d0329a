// The results file of a run: HDF5, one schema (results_schema.hpp), written by a thread of its own while the
// simulation goes on. It is open for readers in SWMR mode from its start to its end, and what was flushed survives a
// kill.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/check.hpp"
#include "engine/measure_description.hpp"
#include "engine/network_description.hpp"
#include "engine/observation.hpp"

namespace jamiton {

// Where a result comes from.
struct RunInfo {
    std::string program_version, command;
    std::string scenario;  // text of the scenario file
    std::uint64_t seed = 0;
    double step = 1, begin = 0;    // s
    std::string projection = "!";  // as in NetworkDescription
};

// Vehicles in the order of /trips.
struct VehicleList {
    std::vector<std::string> id;
    std::vector<std::uint32_t> type;  // index into type_names
    std::vector<std::string> type_names;
};

struct OutputSettings {
    bool trips = true;                                 // the columns of /trips beside id and type
    double flush_interval = 2;                         // s of wall time after which readers see what was written
    int compression = 1;                               // deflate level, 0 none
    double precision = 0;                              // m and m/s to which trajectories are exact; 0: to the last bit
    std::size_t queue_bytes = std::size_t{256} << 20;  // more than this waiting to be written makes the step wait
};

enum class Ending { finished, interrupted, failed };

struct RunEnd {
    double end = std::numeric_limits<double>::quiet_NaN();  // s
    std::uint64_t state_hash = 0;
    std::int64_t collisions = 0;
    Ending ending = Ending::finished;
};

// Throws InputError when no result can be written to this path: to be told before the work, not after.
void check_results_target(const std::string& path);

// Every method throws InputError when the file cannot be written, also for what an earlier call handed over.
class ResultsWriter {
  public:
    // Replaces an existing result only when all of the new file's header is on disk.
    ResultsWriter(const std::string& path, const RunInfo& run, const NetworkDescription& network,
                  const VehicleList& vehicles, const OutputSettings& settings = {},
                  const MeasureDescription& measures = {});
    ~ResultsWriter();  // without finish() or fail(): keeps what was appended, interrupted

    void append(TrajectoryRows rows);
    void append(StepSummary summary);
    void append(EdgeInterval interval);        // of /edges
    void append_lanes(EdgeInterval interval);  // of /lanes
    void append_mean_data(std::size_t number, EdgeInterval interval);
    void append(DetectorRows rows);
    void append(SignalSwitch change);

    // All vehicles, as they are now. trips_due() is true when the last call is a flush interval ago (longer for large
    // tables): copying them each step would cost too much.
    void write_trips(TripTable trips);
    bool trips_due() const;

    void set_performance(std::vector<PhaseCost> phases);
    void finish(const RunEnd& end);  // returns when all is on disk and the file closed
    bool fail();  // the simulation did: closes the file with what was appended; false: that could not be written

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace jamiton
