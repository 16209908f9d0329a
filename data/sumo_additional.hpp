// What elements of route and additional files mean to the simulation.
#pragma once

#include <string_view>

namespace jamiton {

enum class ElementMeaning {
    simulated,    // read by SumoDemandReader
    silent,       // drawing, places, parameters: nothing depends on it
    output,       // would write files, changes no traffic
    unsupported,  // would change results
    unknown
};

ElementMeaning meaning_of_element(std::string_view name);

}  // namespace jamiton
