// How a subcommand joins the program: scenarios/<name>.cpp defines add_<name>, which adds the subcommand with its
// options to `app` and, when it was chosen on the command line, sets `action` to what main then runs. A new one is
// two lines here.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace jamiton {

enum ExitCode {
    done = 0,
    bad_input = 1,
    bad_command_line = 2,
    internal_error = 3,
    interrupted = 130,
    terminated = 143
};

using Action = std::function<int()>;  // returns the exit code; throws InputError for what the user can mend
using AddCommand = void(CLI::App& app, Action& action);

AddCommand add_compare;
AddCommand add_convert;
AddCommand add_doctor;
AddCommand add_generate;
AddCommand add_info;
AddCommand add_repair;
AddCommand add_run;

inline constexpr AddCommand* all_commands[] = {
    add_run,
    add_generate,
    add_info,
    add_compare,
    add_convert,
    add_repair,
    add_doctor,
};

}  // namespace jamiton
