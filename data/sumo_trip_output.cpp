#include "data/sumo_trip_output.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace jamiton {
namespace {

// Those who have arrived, in the order in which they did.
std::vector<std::size_t> order_of_arrival(const TripTable& trips) {
    std::vector<std::size_t> order(trips.status.size());
    std::iota(order.begin(), order.end(), 0);
    std::erase_if(order, [&](std::size_t v) { return trips.status[v] != TripStatus::arrived; });
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return trips.arrival[a] < trips.arrival[b]; });
    return order;
}

// A mean over the trips whose times lie before a label that only grows.
class MeanSoFar {
  public:
    MeanSoFar(const std::vector<double>& times, const std::vector<float>& values) {
        for (std::size_t v = 0; v < times.size(); ++v)
            if (!std::isnan(times[v]) && !std::isnan(values[v])) events_.emplace_back(times[v], values[v]);
        std::sort(events_.begin(), events_.end());
    }
    double until(double time) {
        for (; next_ < events_.size() && events_[next_].first <= time + 1e-6; ++next_)
            sum_ += static_cast<double>(events_[next_].second);
        return next_ > 0 ? sum_ / static_cast<double>(next_) : -1;
    }

  private:
    std::vector<std::pair<double, float>> events_;
    std::size_t next_ = 0;
    double sum_ = 0;
};

}  // namespace

void write_tripinfo(const ResultsReader& results, XmlWriter& xml) {
    const TripTable t = results.trips();
    const std::vector<std::string> ids = results.ids("/trips/id"), lanes = results.ids("/network/lanes/id"),
                                   types = results.ids("/trips/type_names");
    const std::vector<std::uint32_t> type = h5::read<std::uint32_t>(results.file(), "/trips/type");
    for (const std::size_t v : order_of_arrival(t)) {
        xml.open("tripinfo");
        xml.attribute("id", ids[v]);
        xml.attribute("depart", t.depart[v]);
        xml.attribute("departLane", lanes[static_cast<std::size_t>(t.depart_lane[v])]);
        xml.attribute("departPos", t.depart_pos[v]);
        xml.attribute("departSpeed", t.depart_speed[v]);
        xml.attribute("departDelay", t.depart_delay[v]);
        xml.attribute("arrival", t.arrival[v]);
        xml.attribute("arrivalLane", lanes[static_cast<std::size_t>(t.arrival_lane[v])]);
        xml.attribute("arrivalPos", t.arrival_pos[v]);
        xml.attribute("arrivalSpeed", t.arrival_speed[v]);
        xml.attribute("duration", t.duration[v]);
        xml.attribute("routeLength", t.route_length[v]);
        xml.attribute("waitingTime", t.waiting_time[v]);
        xml.attribute("waitingCount", t.waiting_count[v]);
        xml.attribute("stopTime", t.stop_time[v]);
        xml.attribute("timeLoss", t.time_loss[v]);
        xml.attribute("rerouteNo", t.reroutes[v]);
        xml.attribute("devices", "tripinfo_" + ids[v]);
        xml.attribute("vType", types[type[v]]);
        xml.attribute("speedFactor", t.speed_factor[v]);
        xml.attribute("vaporized", "");
        xml.close();
    }
}

void write_summary(const ResultsReader& results, XmlWriter& xml) {
    TripTable trips;
    if (h5::exists(results.file(), "/trips/depart")) trips = results.trips();
    MeanSoFar delay(trips.depart, trips.depart_delay), duration(trips.arrival, trips.duration);
    std::int64_t collisions = 0;
    for (const StepSummary& s : results.summary()) {
        xml.open("step");
        xml.attribute("time", s.time);
        xml.attribute("loaded", s.loaded - s.not_due);
        xml.attribute("inserted", s.inserted);
        xml.attribute("running", s.running);
        xml.attribute("waiting", s.waiting);
        xml.attribute("ended", s.inserted - s.running);
        xml.attribute("arrived", s.arrived);
        xml.attribute("collisions", s.collisions - collisions);
        xml.attribute("teleports", s.teleports);
        xml.attribute("halting", s.halted);
        xml.attribute("meanWaitingTime", std::max(0.0, delay.until(s.time)));
        xml.attribute("meanTravelTime", duration.until(s.time));
        xml.attribute("meanSpeed", std::isnan(s.mean_speed) ? -1 : s.mean_speed);
        xml.close();
        collisions = s.collisions;
    }
}

}  // namespace jamiton
