// Who departs when: vehicles and trips as they are, flows expanded, all multiplied by the scale and sorted.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/core/random.hpp"
#include "engine/demand.hpp"

namespace jamiton {

struct Departure {
    const VehicleDescription* vehicle = nullptr;
    double planned = 0;        // s
    int flow = -1;             // index into DemandDescription::flows, -1 a vehicle or trip
    std::uint32_t number = 0;  // in the order of the files, or within its flow from the flow's own begin
    std::uint32_t label = 0;   // flows: the number in the vehicle's id
    std::uint32_t copy = 0;    // made by the scale: 1, 2, ...
};

// Lines for the user: the first ten of a kind in full, the others as a number.
class Warnings {
  public:
    void add(const std::string& kind, const std::string& line);
    std::vector<std::string> lines() const;

  private:
    std::vector<std::string> lines_;
    std::map<std::string, int> count_;
};

std::string id_of(const Departure& departure, const DemandOptions& options);

// "file:line: <vehicle id="x">", as messages begin.
std::string place_of(const DemandDescription& description, const Departure& departure);

// Key of everything drawn for one vehicle. It holds the vehicle's number in the files or in its flow, not its place
// among all departures: neither the begin nor the end of a run nor another flow changes what is drawn.
DrawKey key_of(const Departure& departure, std::uint64_t seed);

// The first step in which it may enter.
std::int32_t due_step(const Departure& departure, const DemandOptions& options);

// Sorted by the step in which they are due; there vehicles by time come before flows, in the order of the files, as in
// SUMO. Who is due before the begin is left out with a warning.
std::vector<Departure> make_departures(const DemandDescription& description, const DemandOptions& options,
                                       Warnings& warnings);

}  // namespace jamiton
