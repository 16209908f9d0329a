// <tlLogic>: a signal program, in a net or in an additional file.
#pragma once

#include "data/id_map.hpp"
#include "data/unsupported.hpp"
#include "engine/network_description.hpp"

namespace jamiton {

class SumoSignalReader {
  public:
    SumoSignalReader(NetworkDescription& network, IdMap& signal_ids, UnsupportedReport& report)
        : network_(network), signal_ids_(signal_ids), report_(report) {}

    // <tlLogic>. One that names a program read before may hold parameters for it, but no phases.
    void start_program(const Element& element, std::uint32_t file);
    void add_phase(const Element& element);
    void add_parameter(const Element& element);
    // At </tlLogic>.
    void finish_program();
    int signal() const { return signal_; }  // whose program was read last

  private:
    NetworkDescription& network_;
    IdMap& signal_ids_;
    UnsupportedReport& report_;
    int signal_ = -1;
    std::size_t program_ = 0;
    bool new_program_ = false;
};

// Throws when a program of the signal has too few letters for this link index.
void check_link_index(const NetworkDescription& network, int signal, int link_index);

}  // namespace jamiton
