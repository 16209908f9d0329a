// <WAUT>: which program of its signals runs from when on.
#pragma once

#include "data/id_map.hpp"
#include "data/unsupported.hpp"
#include "engine/network_description.hpp"

namespace jamiton {

class SumoTimetableReader {
  public:
    SumoTimetableReader(NetworkDescription& network, const IdMap& signal_ids, UnsupportedReport& report)
        : network_(network), signal_ids_(signal_ids), report_(report) {}

    void start_timetable(const Element& element, std::uint32_t file);  // <WAUT>
    void add_switch(const Element& element);                           // <wautSwitch>
    void add_signal(const Element& element);                           // <wautJunction>

  private:
    NetworkDescription& network_;
    const IdMap& signal_ids_;
    UnsupportedReport& report_;
    IdMap ids_;
};

}  // namespace jamiton
