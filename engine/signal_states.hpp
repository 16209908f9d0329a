// What the letters of a signal state or a link state ask of a driver (SUMO's alphabet).
#pragma once

#include "engine/core/hd.hpp"

namespace jamiton {

HD inline bool is_green(char s) { return s == 'G' || s == 'g'; }
HD inline bool is_red(char s) { return s == 'r' || s == 'u' || s == 'R'; }
HD inline bool is_yellow(char s) { return s == 'y' || s == 'Y'; }
// Has to give way, so it brakes until it sees all foes.
HD inline bool is_minor(char s) {
    return s == 'm' || s == '=' || s == 's' || s == 'w' || s == 'g' || s == 'o' || s == 'Z';
}
// Must have stood at the line before it goes.
HD inline bool must_stop(char s) { return s == 's' || s == 'w'; }

}  // namespace jamiton
