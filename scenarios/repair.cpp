// jamiton repair: makes the results of a killed run open in any program.

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "data/results_repair.hpp"
#include "engine/core/check.hpp"
#include "engine/core/log.hpp"
#include "scenarios/commands.hpp"

namespace jamiton {
namespace {

// Goes on with the other files when one cannot be repaired.
int repair(const std::vector<std::string>& files) {
    int code = done;
    for (const std::string& file : files) {
        try {
            const RepairReport report = repair_results(file);
            if (!report.was_marked)
                fmt::print("{}: in order, nothing to do\n", file);
            else
                fmt::print("{}: repaired; it holds {} steps, up to {:g} s\n", file, report.steps, report.end);
        } catch (const InputError& error) {
            log_error(error.what());
            code = bad_input;
        }
    }
    return code;
}

}  // namespace

void add_repair(CLI::App& app, Action& action) {
    const auto files = std::make_shared<std::vector<std::string>>();
    CLI::App* command = app.add_subcommand("repair", "Make the results of a killed run open in any program");
    command->footer(
        "A killed run leaves its results marked as being written: HDF5 opens them in SWMR mode only. repair "
        "clears the mark and cuts what was not flushed. It leaves files alone that a run is still writing.");
    command->add_option("files", *files, "Results files")->required();
    command->callback([&action, files] { action = [files] { return repair(*files); }; });
}

}  // namespace jamiton
