// Opens a results file that is finished, still being written, or left behind by a killed run, and reads it table by
// table. Columns that a file does not have come back empty.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "data/h5.hpp"
#include "engine/observation.hpp"

namespace jamiton {

enum class ResultsState { finished, interrupted, failed, running, killed };
const char* name_of(ResultsState state);

class ResultsReader {
  public:
    explicit ResultsReader(const std::string& path);

    const std::string& path() const { return path_; }
    ResultsState state() const { return state_; }
    hid_t file() const { return file_; }

    std::map<std::string, std::string> attributes() const;
    std::vector<std::string> ids(const std::string& dataset) const;  // "/trips/id", "/network/lanes/id", ...

    TripTable trips() const;
    std::vector<StepSummary> summary() const;
    std::vector<double> interval_begins() const;
    std::vector<SignalSwitch> signal_switches() const;
    std::vector<PhaseCost> phases() const;

    std::size_t trajectory_steps() const { return step_time_.size(); }
    std::size_t trajectory_rows() const { return step_begin_.empty() ? 0 : step_begin_.back(); }
    double step_time(std::size_t step) const { return step_time_[step]; }
    TrajectoryRows trajectories(std::size_t step) const;  // ordered by vehicle

  private:
    template <class T>
    std::vector<T> column(const std::string& name) const;
    void open_trajectories();

    std::string path_;
    ResultsState state_;
    h5::Handle file_;
    std::vector<h5::Handle> row_columns_;
    std::vector<double> step_time_;
    std::vector<std::uint64_t> step_begin_;
};

// Means over arrived vehicles: what one compares runs by.
struct TripMeans {
    std::size_t vehicles = 0, arrived = 0, running = 0, removed = 0, teleports = 0;
    double duration = 0, route_length = 0, time_loss = 0, waiting_time = 0, depart_delay = 0;  // s, m; NaN without any
};
TripMeans mean_trips(const TripTable& trips);

}  // namespace jamiton
