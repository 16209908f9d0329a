// SUMO's route and additional files: types, routes, vehicles, trips, flows, signal programs. As in SUMO a type or route
// is known after the place where it is defined, additional files being read before route files.
#pragma once

#include <string>
#include <vector>

#include "data/id_map.hpp"
#include "data/sumo_measures.hpp"
#include "data/sumo_rerouter.hpp"
#include "data/sumo_roadside.hpp"
#include "data/sumo_signals.hpp"
#include "data/sumo_stop.hpp"
#include "data/sumo_timetable.hpp"
#include "data/sumo_vehicle_type.hpp"
#include "data/sumo_zone.hpp"
#include "data/unsupported.hpp"
#include "engine/demand_description.hpp"
#include "engine/network_description.hpp"

namespace jamiton {

struct DemandReadOptions {
    TypeDefaults types;
    double begin = 0;  // s, of flows that do not say it
};

class SumoDemandReader : private XmlHandler {
  public:
    // Adds to demand, and programs to the signals of network.
    SumoDemandReader(NetworkDescription& network, DemandDescription& demand, UnsupportedReport& report,
                     DemandReadOptions options = {});

    void read(const std::string& path);

  private:
    // The ids of types or routes and of distributions of them, which share their names.
    struct Names {
        IdMap ids;
        std::vector<int> reference;  // as in VehicleDescription: index, or -2-k for distribution k

        int find(std::string_view id) const {  // -1 unknown
            const int number = ids.find(id);
            return number < 0 ? -1 : reference[number];
        }
        bool add(std::string_view id, int value) {
            if (!ids.insert(id).second) return false;
            reference.push_back(value);
            return true;
        }
    };

    void start(const Element& element) override;
    void end(std::string_view name) override;
    void check_root(const Element& element);
    void skip(const Element& element) { skipped_ = element.depth(); }
    void skip_other(const Element& element);
    bool in_vehicle(const Element& element) const;

    void start_type(const Element& element);
    void start_type_distribution(const Element& element);
    void start_route(const Element& element);
    void add_stop(const Element& element);
    void start_route_distribution(const Element& element);
    void start_vehicle(const Element& element);
    void start_signal(const Element& element);
    bool start_roadside(const Element& element);
    void start_calibrator_flow(const Element& element);
    void read_parameter(const Element& element);
    void read_rerouting(const Element& element, std::string_view key);
    void read_recorded(const Element& element);
    void finish_vehicle();
    void finish_distribution(const std::vector<Distribution>& all, std::string_view name);

    int type_named(const Element& element, std::string_view id);
    int route_named(const Element& element, std::string_view id) const;
    int default_type(std::string_view id, VehicleClass c);
    int edge_named(const Element& element, std::string_view id) const;
    int read_end(const Element& element, std::string_view attribute, int zone) const;
    std::vector<int> read_edges(const Element& element, std::string_view attribute) const;
    void read_members(const Element& element, std::string_view attribute, const Names& names,
                      Distribution& distribution);
    void read_way(const Element& element, VehicleDescription& vehicle);
    [[noreturn]] void fail_vehicle(std::string_view problem) const;

    NetworkDescription& network_;
    DemandDescription& demand_;
    UnsupportedReport& report_;
    DemandReadOptions options_;
    IdMap edge_ids_, signal_ids_, vehicle_ids_, flow_ids_;
    Names types_, routes_;
    SumoSignalReader signals_;
    SumoTimetableReader timetables_;
    SumoStopReader stops_;
    SumoRoadsideReader roadside_;
    SumoRerouterReader rerouters_;
    SumoZoneReader zones_;
    SumoMeasureReader measures_;
    std::vector<int> last_link_of_signal_;  // highest link index that connections use

    std::uint32_t file_ = 0, network_file_ = 0;  // of the file being read, in the sources of demand and network
    std::string path_;
    int depth_ = 0;
    int skipped_ = -1;             // depth of an element that is passed over with all it holds
    FlowDescription flow_;         // the vehicle, trip or flow that is open
    std::string vehicle_element_;  // its element, empty when none is open
    bool dropped_ = false;         // it names what is not simulated and cannot drive
    bool without_end_ = false, has_stop_ = false;
    bool type_open_ = false, types_open_ = false, routes_open_ = false;
    SourceRef distribution_source_;
};

}  // namespace jamiton
