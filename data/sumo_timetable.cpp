#include "data/sumo_timetable.hpp"

#include <fmt/format.h>

namespace jamiton {

void SumoTimetableReader::start_timetable(const Element& element, std::uint32_t file) {
    TimetableDescription timetable;
    timetable.id = element.not_empty("id");
    if (!ids_.insert(timetable.id).second) element.fail("is there twice");
    timetable.start_program = element.not_empty("startProg");
    timetable.reference = element.time_or("refTime", 0);
    timetable.period = element.time_or("period", 0);
    timetable.source = {file, element.line()};
    network_.timetables.push_back(std::move(timetable));
}

void SumoTimetableReader::add_switch(const Element& element) {
    network_.timetables.back().switches.emplace_back(element.time("time"), element.not_empty("to"));
}

void SumoTimetableReader::add_signal(const Element& element) {
    const int timetable = ids_.find(element.not_empty("wautID")),
              signal = signal_ids_.find(element.not_empty("junctionID"));
    if (timetable < 0) element.fail_value("wautID", "the id of a <WAUT> before it");
    if (signal < 0) element.fail_value("junctionID", "the id of a signal of the network");
    const std::string_view procedure = element.text_or("procedure", "");
    if (!procedure.empty()) {
        report_.unsupported(element, fmt::format("procedure {} of a <wautJunction>", quoted(procedure)));
    }
    network_.timetables[timetable].signals.push_back(signal);
}

}  // namespace jamiton
