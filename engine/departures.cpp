#include "engine/departures.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "engine/core/check.hpp"

namespace jamiton {
namespace {

constexpr int full_lines = 10;  // of each kind of warning
constexpr std::uint32_t draws_a_copy = 1u << 16;

// SUMO's times are whole milliseconds, and so are the gaps of its flows; the sums of many gaps show it.
std::int64_t milliseconds(double seconds) { return std::llround(seconds * 1000); }

// How often the n-th vehicle is made under a scale. SUMO spreads the fractional part evenly instead of drawing it.
// `loaded` counts vehicles so far, copies and this one included.
int copies_of(std::int64_t loaded, double scale) {
    if (scale == 1) return 1;
    const std::int64_t number = scale > 1 ? static_cast<std::int64_t>(static_cast<double>(loaded) / scale) : loaded - 1;
    const int whole = static_cast<int>(scale);
    const int fraction = static_cast<int>(std::floor((scale - whole) * 1000 + 0.5));
    return whole + ((number % 1000) * fraction % 1000 < fraction ? 1 : 0);
}

constexpr std::size_t most_vehicles = 50'000'000;

class Expansion {
  public:
    Expansion(const DemandDescription& description, const DemandOptions& options, std::vector<Departure>& made)
        : description_(description), options_(options), made_(made) {}

    void add_vehicles();
    void add_flow(int index);

  private:
    void add_regular(const FlowDescription& flow, int index, double end);
    void add_poisson(const FlowDescription& flow, int index, double end);
    void add_bernoulli(const FlowDescription& flow, int index, double end);
    void add(Departure departure);
    double random_offset(const Departure& departure) const;
    double scale_of(const VehicleDescription& vehicle) const;
    double end_of(const FlowDescription& flow, int index) const;

    const DemandDescription& description_;
    const DemandOptions& options_;
    std::vector<Departure>& made_;
};

double Expansion::scale_of(const VehicleDescription& vehicle) const {
    const double own =
        vehicle.type < 0 ? 1 : static_cast<double>(description_.types[static_cast<std::size_t>(vehicle.type)].scale);
    return options_.scale * own;
}

double Expansion::random_offset(const Departure& departure) const {
    if (options_.random_depart_offset <= 0) return 0;
    const double u = uniform_double(draw(key_of(departure, options_.seed), Purpose::depart).word[0]);
    return static_cast<double>(milliseconds(u * options_.random_depart_offset)) / 1000;
}

void Expansion::add(Departure departure) {
    if (made_.size() == most_vehicles)
        throw InputError(text(place_of(description_, departure), " brings the demand to more than ", most_vehicles,
                              " vehicles, which is all that a run takes"));
    departure.planned += random_offset(departure);
    made_.push_back(departure);
}

void Expansion::add_vehicles() {
    std::int64_t loaded = 0;
    for (std::size_t i = 0; i < description_.vehicles.size(); ++i) {
        const VehicleDescription& vehicle = description_.vehicles[i];
        const int copies = copies_of(++loaded, scale_of(vehicle));
        for (int k = 0; k < copies; ++k) {
            add({.vehicle = &vehicle,
                 .planned = vehicle.depart,
                 .number = static_cast<std::uint32_t>(i),
                 .copy = static_cast<std::uint32_t>(k)});
        }
        loaded += std::max(copies - 1, 0);
    }
}

// When a flow ends: its own end, else that of the run.
double Expansion::end_of(const FlowDescription& flow, int index) const {
    if (flow.end >= 0) return flow.end;
    if (options_.end >= 0) return options_.end;
    if (flow.number >= 0 && flow.kind != FlowKind::number) return 1e12;
    throw InputError(text(place_of(description_, {.vehicle = &flow.vehicle, .flow = index}),
                          " has no end, and the run has none: expected an end, or a number with a rate"));
}

void Expansion::add_flow(int index) {
    const FlowDescription& flow = description_.flows[static_cast<std::size_t>(index)];
    const double end = end_of(flow, index);
    switch (flow.kind) {
        case FlowKind::number:
        case FlowKind::period: return add_regular(flow, index, end);
        case FlowKind::poisson: return add_poisson(flow, index, end);
        case FlowKind::probability: return add_bernoulli(flow, index, end);
    }
}

// The first vehicle comes at the begin, so a period longer than the flow gives one.
void Expansion::add_regular(const FlowDescription& flow, int index, double end) {
    const double scale = scale_of(flow.vehicle);
    if (scale <= 0) return;
    const std::int64_t begin_ms = milliseconds(flow.begin), end_ms = milliseconds(end);
    std::int64_t gap = milliseconds(flow.period), count = flow.number;
    if (flow.kind == FlowKind::number) {
        gap = count > 0 ? (end_ms - begin_ms) / count : 0;
    } else {
        gap = std::max<std::int64_t>(gap, 1);
        const std::int64_t fitting = std::max<std::int64_t>(1, (end_ms - begin_ms + gap - 1) / gap);
        if (count < 0 || flow.end >= 0) count = count < 0 ? fitting : std::min(count, fitting);
    }
    const std::int64_t scaled_gap = static_cast<std::int64_t>(static_cast<double>(gap) / scale);
    for (std::int64_t i = 0; static_cast<double>(i) < static_cast<double>(count) * scale; ++i) {
        const double planned = static_cast<double>(begin_ms + i * scaled_gap) / 1000;
        if (options_.end >= 0 && planned >= options_.end) break;
        add({.vehicle = &flow.vehicle, .planned = planned, .flow = index, .number = static_cast<std::uint32_t>(i)});
    }
}

void Expansion::add_poisson(const FlowDescription& flow, int index, double end) {
    const double scale = scale_of(flow.vehicle), rate = flow.rate * scale;
    if (scale <= 0) return;
    const double last = options_.end >= 0 ? std::min(end, options_.end) : end;
    const double most = flow.number < 0 ? 1e18 : static_cast<double>(flow.number) * scale;
    double planned = flow.begin;
    for (std::uint32_t i = 0; i < most; ++i) {
        planned += exponential({.seed = options_.seed, .number = static_cast<std::uint32_t>(index), .first = i},
                               Purpose::flow) /
                   rate;
        if (planned >= last) break;
        add({.vehicle = &flow.vehicle,
             .planned = static_cast<double>(milliseconds(planned)) / 1000,
             .flow = index,
             .number = i});
    }
}

// One draw for every step of the run, and one vehicle (or its copies) where it hits.
void Expansion::add_bernoulli(const FlowDescription& flow, int index, double end) {
    const double scale = scale_of(flow.vehicle);
    const double last = options_.end >= 0 ? std::min(end, options_.end) : end;
    const double most = flow.number < 0 ? 1e18 : static_cast<double>(flow.number) * scale;
    const double first = std::ceil((flow.begin - options_.begin) / options_.step - 1e-6);
    std::int64_t loaded = 0;
    std::uint32_t made = 0;
    for (auto s = static_cast<std::uint32_t>(std::max(first, 0.0)); made < most; ++s) {
        const double time = options_.begin + s * options_.step;
        if (time >= last - 1e-6 * options_.step) break;
        const DrawKey key{.seed = options_.seed, .number = static_cast<std::uint32_t>(index), .first = s};
        if (uniform_double(draw(key, Purpose::flow).word[0]) >= flow.rate * options_.step) continue;
        const int copies = copies_of(++loaded, scale);
        for (int k = 0; k < copies; ++k)
            add({.vehicle = &flow.vehicle, .planned = time, .flow = index, .number = made++});
        loaded += std::max(copies - 1, 0);
    }
}

// Takes out who is due before the begin. A flow counts its vehicles from the begin of the run, as in SUMO.
void drop_early(const DemandDescription& description, const DemandOptions& options, std::vector<Departure>& made,
                Warnings& warnings) {
    std::vector<std::uint32_t> label(description.flows.size(), 0), early(description.flows.size(), 0);
    std::size_t kept = 0;
    for (Departure& d : made) {
        const bool in_time = d.planned >= options.begin - 1e-6 * options.step;
        if (d.flow >= 0) {
            const auto flow = static_cast<std::size_t>(d.flow);
            if (in_time)
                d.label = label[flow]++;
            else
                ++early[flow];
        } else if (!in_time) {
            warnings.add("vehicles due before the begin left out",
                         text(place_of(description, d), " is due at ", d.planned, " s, before the begin at ",
                              options.begin, " s: left out"));
        }
        if (in_time) made[kept++] = d;
    }
    made.resize(kept);
    for (std::size_t f = 0; f < early.size(); ++f) {
        if (early[f] == 0) continue;
        const Departure d{.vehicle = &description.flows[f].vehicle, .flow = static_cast<int>(f)};
        warnings.add("flows that begin before the run", text(place_of(description, d), " begins before the run at ",
                                                             options.begin, " s: ", early[f], " vehicles left out"));
    }
}

}  // namespace

void Warnings::add(const std::string& kind, const std::string& line) {
    if (++count_[kind] <= full_lines) lines_.push_back(line);
}

std::vector<std::string> Warnings::lines() const {
    std::vector<std::string> all = lines_;
    for (const auto& [kind, count] : count_) {
        if (count > full_lines) all.push_back(text(count - full_lines, " more ", kind));
    }
    return all;
}

std::string id_of(const Departure& departure, const DemandOptions& options) {
    std::string id = departure.vehicle->id;
    if (departure.flow >= 0) id += '.' + std::to_string(departure.label);
    if (departure.copy > 0) id += options.scale_suffix + std::to_string(departure.copy);
    return id;
}

std::string place_of(const DemandDescription& description, const Departure& departure) {
    const VehicleDescription& vehicle = *departure.vehicle;
    const char* element = departure.flow >= 0 ? "flow" : vehicle.route == -1 ? "trip" : "vehicle";
    const std::string name = text("<", element, " id=\"", vehicle.id, "\">");
    const SourceRef source = vehicle.source;
    if (source.line == 0 || source.file >= description.sources.size()) return name;
    return text(description.sources[source.file], ":", source.line, ": ", name);
}

DrawKey key_of(const Departure& departure, std::uint64_t seed) {
    // Group 0 is left to the draws of the running simulation, whose key is the vehicle's place among all departures.
    const auto group = static_cast<std::uint32_t>(departure.flow + 2);
    return {.seed = seed, .number = departure.number, .group = group, .first = departure.copy * draws_a_copy};
}

std::int32_t due_step(const Departure& departure, const DemandOptions& options) {
    const double steps = std::ceil((departure.planned - options.begin) / options.step - 1e-6);
    return static_cast<std::int32_t>(std::clamp(steps, 0.0, 2e9));
}

std::vector<Departure> make_departures(const DemandDescription& description, const DemandOptions& options,
                                       Warnings& warnings) {
    std::vector<Departure> made;
    made.reserve(description.vehicles.size());
    Expansion expansion(description, options, made);
    expansion.add_vehicles();
    for (std::size_t f = 0; f < description.flows.size(); ++f) expansion.add_flow(static_cast<int>(f));
    drop_early(description, options, made, warnings);
    const auto rank = [&](const Departure& d) {
        const bool in_flow = d.flow >= 0;
        return std::tuple(due_step(d, options), in_flow, in_flow ? 0 : d.planned);
    };
    std::stable_sort(made.begin(), made.end(),
                     [&](const Departure& a, const Departure& b) { return rank(a) < rank(b); });
    return made;
}

}  // namespace jamiton
