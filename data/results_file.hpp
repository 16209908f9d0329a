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

// An interval of a table of means: schema::means_group() says which.
struct MeansRow {
    int table = 0;
    EdgeInterval interval;
};

class ResultsFile {
  public:
    ResultsFile(const std::string& path, const RunInfo& run, const NetworkDescription& network,
                const VehicleList& vehicles, const OutputSettings& settings, const MeasureDescription& measures = {});

    void write(TrajectoryRows&& rows);
    void write(const StepSummary& summary);
    void write(const MeansRow& row);
    void write(const DetectorRows& rows);
    void write(const SignalSwitch& change);
    void write(TripTable&& trips) { pending_trips_ = std::move(trips); }
    void write(const std::vector<PhaseCost>& phases);

    void flush(const WriterWaits& waits);
    void close(const RunEnd& end, const WriterWaits& waits);
    void close(Ending ending, const WriterWaits& waits);  // at the last step

    // After a failed write: leaves the file as the last flush left it, readable, and says what it holds.
    std::string abandon();

  private:
    void open_datasets(const NetworkDescription& network, const MeasureDescription& measures);
    void open_means(const NetworkDescription& network, const MeasureDescription& measures);
    void open_detectors();
    void open_trajectories();
    ChunkedDataset column(const std::string& name);
    std::vector<std::vector<ChunkedDataset>*> all_columns();
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
    std::vector<ChunkedDataset> summary_, rows_, steps_, switches_, switch_texts_, trips_, phases_, phase_texts_,
        loops_, areas_, gates_;
    std::vector<std::vector<ChunkedDataset>> means_;  // per table: begin, end, columns
    std::optional<TripTable> pending_trips_;          // written at the next flush
    StepSummary last_;
    double trips_time_ = 0;  // s, of the trips in the file
    double shown_time_;      // s, up to which readers see the run
};

}  // namespace jamiton
