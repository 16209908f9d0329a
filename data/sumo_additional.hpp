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

// Whether it is read within another element than the root.
bool may_stand_in(std::string_view name, std::string_view parent);
// The only element that it is read within; empty: there is none.
std::string_view parent_of(std::string_view name);

}  // namespace jamiton
