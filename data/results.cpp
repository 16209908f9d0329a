#include "data/results.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <variant>

#include "data/bounded_queue.hpp"
#include "data/results_file.hpp"
#include "engine/core/log.hpp"

namespace jamiton {
namespace {

// Without a proper end.
struct Close {
    Ending ending;
};
using Message = std::variant<TrajectoryRows, StepSummary, MeansRow, DetectorRows, SignalSwitch, TripTable,
                             std::vector<PhaseCost>, RunEnd, Close>;
using Item = std::unique_ptr<Message>;
using Clock = std::chrono::steady_clock;

Clock::duration seconds(double count) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(count));
}

constexpr std::size_t small_item = 256;

}  // namespace

class ResultsWriter::Impl {
  public:
    Impl(const std::string& path, const RunInfo& run, const NetworkDescription& network, const VehicleList& vehicles,
         const OutputSettings& settings, const MeasureDescription& measures)
        : path_(path),
          file_(path, run, network, vehicles, settings, measures),
          queue_(settings.queue_bytes),
          flush_interval_(seconds(settings.flush_interval)),
          trips_interval_(seconds(settings.flush_interval * (1 + static_cast<double>(vehicles.id.size()) / 100'000))),
          trips_due_(Clock::now() + trips_interval_),
          worker_([this] { work(); }) {}

    ~Impl() {
        if (worker_.joinable()) close(Ending::interrupted);
    }

    // Throws nothing; false: the file could not be written.
    bool close(Ending ending) {
        queue_.push(std::make_unique<Message>(Close{ending}), small_item);
        worker_.join();
        if (failed_ && !reported_) log_error(error_);
        return !failed_;
    }

    template <class Value>
    void push(Value value, std::size_t bytes) {
        rethrow();
        require(worker_.joinable(), "the results file is closed already");
        queue_.push(std::make_unique<Message>(std::move(value)), bytes);
    }

    void push_means(int table, EdgeInterval interval) {
        const std::size_t bytes = small_item + interval.entered.size() * 64;
        push(MeansRow{table, std::move(interval)}, bytes);
    }

    void finish(const RunEnd& end) {
        push(end, small_item);
        worker_.join();
        rethrow();
    }

    bool trips_due() const { return Clock::now() >= trips_due_; }
    void trips_written() { trips_due_ = Clock::now() + trips_interval_; }

  private:
    // After an error what still comes is thrown away, so that the simulation does not wait for room in the queue.
    void work() {
        h5::initialise_thread();
        Clock::time_point flush_due = Clock::now() + flush_interval_;
        for (bool open = true; open;) {
            std::optional<Item> item = queue_.pop_until(failed_ ? Clock::now() + seconds(3600) : flush_due);
            if (item) open = !std::holds_alternative<RunEnd>(**item) && !std::holds_alternative<Close>(**item);
            if (failed_) continue;
            try {
                if (item) std::visit([this](auto& value) { handle(value); }, **item);
                if (!open || Clock::now() < flush_due) continue;
                file_.flush(waits());
            } catch (const std::exception& error) {
                give_up(error.what());
            }
            flush_due = Clock::now() + flush_interval_;
        }
    }

    template <class Value>
    void handle(Value& value) {
        file_.write(std::move(value));
    }
    void handle(RunEnd& end) { file_.close(end, waits()); }
    void handle(Close& close) { file_.close(close.ending, waits()); }

    WriterWaits waits() const {
        const auto waits = queue_.waits();
        return {waits.count, waits.seconds};
    }

    void give_up(const std::string& why) {
        std::string what = path_ + ": " + why;
        try {
            what += "; " + file_.abandon();
        } catch (const std::exception& error) {
            what += text("; then ", error.what());
        }
        error_ = what;
        failed_ = true;  // publishes error_
    }

    void rethrow() {
        if (!failed_) return;
        reported_ = true;
        throw InputError(error_);
    }

    std::string path_;
    ResultsFile file_;
    BoundedQueue<Item> queue_;
    Clock::duration flush_interval_, trips_interval_;
    Clock::time_point trips_due_;
    std::string error_;
    std::atomic<bool> failed_ = false;
    bool reported_ = false;
    std::thread worker_;  // last: starts when all else is there
};

ResultsWriter::ResultsWriter(const std::string& path, const RunInfo& run, const NetworkDescription& network,
                             const VehicleList& vehicles, const OutputSettings& settings,
                             const MeasureDescription& measures)
    : impl_(std::make_unique<Impl>(path, run, network, vehicles, settings, measures)) {}
ResultsWriter::~ResultsWriter() = default;

void ResultsWriter::append(TrajectoryRows rows) {
    const std::size_t bytes = small_item + rows.vehicle.size() * 16;
    impl_->push(std::move(rows), bytes);
}

void ResultsWriter::append(StepSummary summary) { impl_->push(summary, small_item); }

void ResultsWriter::append(EdgeInterval interval) { impl_->push_means(0, std::move(interval)); }

void ResultsWriter::append_lanes(EdgeInterval interval) { impl_->push_means(1, std::move(interval)); }

void ResultsWriter::append_mean_data(std::size_t number, EdgeInterval interval) {
    impl_->push_means(schema::first_mean_data + static_cast<int>(number), std::move(interval));
}

void ResultsWriter::append(DetectorRows rows) {
    const std::size_t count = rows.loops.size() + rows.areas.size() + rows.gates.size();
    if (count > 0) impl_->push(std::move(rows), small_item + count * sizeof(AreaRow));
}

void ResultsWriter::append(SignalSwitch change) { impl_->push(std::move(change), small_item); }

void ResultsWriter::write_trips(TripTable trips) {
    const std::size_t bytes = small_item + trips.status.size() * 90;
    impl_->push(std::move(trips), bytes);
    impl_->trips_written();
}

bool ResultsWriter::trips_due() const { return impl_->trips_due(); }

void ResultsWriter::set_performance(std::vector<PhaseCost> phases) { impl_->push(std::move(phases), small_item); }

void ResultsWriter::finish(const RunEnd& end) { impl_->finish(end); }

bool ResultsWriter::fail() { return impl_->close(Ending::failed); }

}  // namespace jamiton
