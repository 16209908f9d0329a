// The program: one subcommand per file (commands.hpp), and what becomes of its errors.

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <new>
#include <system_error>

#include "engine/core/check.hpp"
#include "engine/core/log.hpp"
#include "scenarios/command_line_error.hpp"
#include "scenarios/commands.hpp"

namespace jamiton {
namespace {

// What the user can mend ends with 1 or 2, what only we can with 3.
int run(const Action& action) {
    try {
        const int code = action();
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw InputError("cannot write to standard output");
        return code;
    } catch (const CommandLineError& error) {
        log_error(error.what());
        return bad_command_line;
    } catch (const InputError& error) {
        log_error(error.what());
    } catch (const std::system_error& error) {
        log_error(error.what());
    } catch (const std::bad_alloc&) {
        log_error("not enough memory");
    } catch (const std::exception& error) {
        log_error("internal: ", error.what());
        return internal_error;
    }
    return bad_input;
}

int main(int argc, char** argv) {
    std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of the write, which then says what is lost
    CLI::App app("Microscopic traffic simulation, from one junction to whole cities.", "jamiton");
    app.set_version_flag("--version", "jamiton " JAMITON_VERSION);
    app.require_subcommand(0, 1);  // CLI11 would complain of none before any wrong option
    app.failure_message([](const CLI::App* failed, const CLI::Error& error) {
        return std::string("jamiton: error: ") + error.what() + "\nSee " + failed->get_name() + " --help\n";
    });

    Action action;
    for (AddCommand* add : all_commands) add(app, action);
    app.footer("In a source checkout, ./jamiton test [ARGS] builds and runs the tests; ARGS go to ctest.");

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (app.exit(error) != 0) return bad_command_line;
        return run([] { return done; });  // --help and --version are "errors" of code 0
    }
    if (!action) {
        log_error("a subcommand is required\nSee jamiton --help");
        return bad_command_line;
    }
    return run(action);
}

}  // namespace
}  // namespace jamiton

int main(int argc, char** argv) { return jamiton::main(argc, argv); }
