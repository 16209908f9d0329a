#include "engine/timetable.hpp"

#include <cmath>

#include "engine/core/check.hpp"

namespace jamiton {
namespace {

int program_named(const NetworkDescription& d, const SignalPlan& plan, const TimetableDescription& timetable,
                  int signal, const std::string& name) {
    for (int p = plan.program_begin[signal]; p < plan.program_begin[signal + 1]; ++p)
        if (plan.ids[p] == name) return p;
    throw InputError(d.sources[timetable.source.file] + ":" + std::to_string(timetable.source.line) + ": <WAUT id=\"" +
                     timetable.id + "\"> names the program \"" + name + "\", which signal \"" + d.signals[signal].id +
                     "\" does not have");
}

}  // namespace

Timetable::Timetable(const NetworkDescription& d, const SignalPlan& plan) {
    constexpr std::int64_t start = std::numeric_limits<std::int64_t>::min();
    for (const TimetableDescription& timetable : d.timetables) {
        const std::int64_t period = std::llround(timetable.period * 1000);
        for (const int signal : timetable.signals) {
            due_.emplace(start, Change{signal, program_named(d, plan, timetable, signal, timetable.start_program), 0});
            for (const auto& [time, name] : timetable.switches)
                due_.emplace(std::llround((timetable.reference + time) * 1000),
                             Change{signal, program_named(d, plan, timetable, signal, name), period});
        }
    }
}

}  // namespace jamiton
