// The results file itself, written by one thread: ResultsWriter (results.hpp) puts a queue and a thread before it.
#pragma once

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
    struct TextColumn {
        ChunkedDataset data;
        std::size_t width;
    };
    void open_datasets(const NetworkDescription& network);
    void open_trajectories();
    ChunkedDataset column(const std::string& name, std::size_t element_bytes, hsize_t chunk_rows);
    void append_text(TextColumn& column, const std::string& words);
    void write_pending_trips(bool last);
    void show(bool last);
    void close_handles();
    void write_state(const RunEnd& end, const WriterWaits& waits);

    std::string path_;
    OutputSettings settings_;
    ChunkPacker packer_;
    WriterLock lock_;
    h5::Handle file_, performance_;
    std::vector<ChunkedDataset> summary_, rows_, steps_, edges_, intervals_, switches_, trips_, phases_;
    std::vector<TextColumn> switch_texts_, phase_texts_;
    std::optional<TripTable> pending_trips_;  // written at the next flush
    StepSummary last_;
    double shown_time_;  // s, up to which readers see the run
};

}  // namespace jamiton
