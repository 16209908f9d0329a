// The results file itself, written by one thread: ResultsWriter (results.hpp) puts a queue and a thread before it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "data/chunked_dataset.hpp"
#include "data/results.hpp"
#include "data/results_schema.hpp"
#include "data/superblock.hpp"

namespace jamiton {

// How long the simulation waited for the writer.
struct WriterWaits {
    std::int64_t count = 0;
    double seconds = 0;
};

class ResultsFile {
  public:
    ResultsFile(const std::string& path, const RunInfo& run, const NetworkDescription& network,
                const VehicleList& vehicles, const OutputSettings& settings);

    void write(TrajectoryRows&& rows);
    void write(const StepSummary& summary);
    void write(const EdgeInterval& interval);
    void write(const SignalSwitch& change);
    void write(TripTable&& trips) { pending_trips_ = std::move(trips); }
    void write(const std::vector<PhaseCost>& phases);

    void flush(const WriterWaits& waits);
    void close(const RunEnd* end, const WriterWaits& waits);  // null: interrupted, the end is the last step's

    // After a failed write: leaves the file as the last flush left it, readable, and says what it holds.
    std::string abandon();

  private:
    void open_datasets(const NetworkDescription& network);
    void open_trajectories();
    ChunkedDataset column(const std::string& name);
    std::array<std::vector<ChunkedDataset>*, 10> all_columns();
    void append_text(ChunkedDataset& column, const std::string& words);
    void write_pending_trips(bool last);
    void show(bool last);
    void close_handles();
    void write_state(const RunEnd& end, const WriterWaits& waits);

    std::string path_;
    OutputSettings settings_;
    ChunkPacker packer_;
    WriterLock lock_;
    h5::Handle file_, performance_;
    std::vector<ChunkedDataset> summary_, rows_, steps_, edges_, intervals_, switches_, switch_texts_, trips_, phases_,
        phase_texts_;
    std::optional<TripTable> pending_trips_;  // written at the next flush
    StepSummary last_;
    double trips_time_ = 0;  // s, of the trips in the file
    double shown_time_;      // s, up to which readers see the run
};

}  // namespace jamiton
