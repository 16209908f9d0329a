// What lanes know of vehicles elsewhere: bodies that cover them, and who comes next onto them.
#pragma once

#include "engine/core/parallel.hpp"
#include "engine/state.hpp"

namespace jamiton {

// Pushes the `tail` keys of all lanes that a body reaches back onto. Reads `now`; the keys must have been cleared.
void push_tails(const Exec& exec, const World& world);

// Pushes the `incoming` keys of all lanes that somebody may reach before it could stop. Reads `now`; the keys must have
// been cleared.
void push_incoming(const Exec& exec, const World& world);

// Adds those who have changed lane in this step to the `incoming` keys. The lanes that they led to before keep theirs:
// for the rest of the step nobody enters there close in front of them.
void push_incoming_of_changed(const Exec& exec, const World& world);

}  // namespace jamiton
