// Calibrated edges, and the vehicles that are there in case too few come.
#include <algorithm>
#include <cmath>

#include "engine/demand_builder.hpp"

namespace jamiton {

void DemandBuilder::add_calibrations(std::vector<Trip>& trips) {
    for (std::size_t n = 0; n < description_.calibrations.size(); ++n) {
        const CalibrationDescription& said = description_.calibrations[n];
        Calibration c{.edge = said.edge, .lane = said.lane, .begin = step_at(said.begin), .end = step_at(said.end)};
        c.period = std::max(1, static_cast<std::int32_t>(std::lround(said.period / options_.step)));
        c.rate = said.rate;
        c.wanted = std::llround(said.rate * (said.end - said.begin));
        const double until = options_.end >= 0 ? std::min(said.end, options_.end) : said.end;
        const auto most = static_cast<std::int64_t>(std::ceil(said.rate * std::max(0.0, until - said.begin)));
        c.first_spare = static_cast<std::uint32_t>(trips.size());
        c.spare_count = add_spare_trips(said, static_cast<int>(n), std::min(c.wanted, most), trips);
        demand_.calibrations.push_back(c);
    }
}

int DemandBuilder::add_spare_trips(const CalibrationDescription& c, int number, std::int64_t count,
                                   std::vector<Trip>& trips) {
    constexpr std::int64_t most_spare = 1'000'000;
    const int flow = static_cast<int>(description_.flows.size()) + number;  // its draws are those of no flow
    const std::size_t before = trips.size();
    for (std::int64_t i = 0; i < count; ++i) {
        const auto k = static_cast<std::uint32_t>(i);
        const Departure departure{.vehicle = &c.vehicle, .planned = c.begin, .flow = flow, .number = k, .label = k};
        Draft draft{.departure = departure, .vehicle = c.vehicle, .trip = {}};
        if (count > most_spare) fail(draft, "would need up to ", count, " vehicles, at most ", most_spare, " are made");
        if (!complete(draft)) break;
        draft.trip.depart_step = Trip::on_call;
        trips.push_back(draft.trip);
        name_trip(draft);
    }
    return static_cast<int>(trips.size() - before);
}

}  // namespace jamiton
