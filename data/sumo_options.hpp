// Every option a SUMO configuration may hold.
#pragma once

#include <span>
#include <string_view>

namespace jamiton {

enum class OptionMeaning {
    supported,  // does here what it does in SUMO
    output,     // names a file that SUMO would write: remembered, not written beside the input
    neutral,    // changes no traffic: ignored
    changes     // would change results and is not simulated: an error unless lenient, or unless it has its default
};

struct SumoOption {
    std::string_view name;
    std::string_view synonyms;  // blanks between
    std::string_view fallback;  // its value where nobody sets it
    OptionMeaning meaning;
};

std::span<const SumoOption> sumo_options();

}  // namespace jamiton
