// jamiton convert: SUMO's output files from a results file.

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>

#include "data/sumo_output.hpp"
#include "scenarios/commands.hpp"

namespace jamiton {
namespace {

const std::map<std::string, SumoOutput> forms{{"tripinfo", SumoOutput::tripinfo},
                                              {"summary", SumoOutput::summary},
                                              {"fcd", SumoOutput::fcd},
                                              {"edgedata", SumoOutput::edgedata},
                                              {"lanedata", SumoOutput::lanedata},
                                              {"e1", SumoOutput::e1},
                                              {"e2", SumoOutput::e2},
                                              {"e3", SumoOutput::e3}};

struct ConvertCommand {
    std::string results, to, id, output = "-";
};

int convert(const ConvertCommand& command) {
    std::error_code error;
    if (command.output != "-" && std::filesystem::equivalent(command.results, command.output, error))
        throw InputError(command.output + ": is the results file itself");
    write_sumo_output(ResultsReader(command.results), {.kind = forms.at(command.to), .id = command.id, .detectors = {}},
                      command.output);
    return done;
}

constexpr const char* footer = R"(
Examples:
  jamiton convert results.h5 --to tripinfo --output tripinfo.xml
  jamiton convert results.h5 --to edgedata --id rush_hour | gzip > edges.xml.gz

Elements and attributes have the names and the order of SUMO 1.15. tripinfo tells of those who arrived; fcd needs a run
with --set output.trajectories.every=1, lanedata one with output.lanes.every, or an <edgeData> or <laneData> in the
additional files, named by --id. e1, e2 and e3 are the detectors of the additional files.

Left out is what no run here knows: emissions, and in summary stopped, meanSpeedRelative and duration, in fcd slope. x and y
are those of the front on its lane, the angle is that of the lane there.
)";

}  // namespace

void add_convert(CLI::App& app, Action& action) {
    const auto options = std::make_shared<ConvertCommand>();
    CLI::App* command = app.add_subcommand("convert", "SUMO's output files from a results file");
    command->footer(footer);
    command->add_option("results", options->results, "Results file")->required();
    std::vector<std::string> names;
    for (const auto& [name, form] : forms) names.push_back(name);
    command->add_option("--to", options->to, "Which of SUMO's outputs: " + CLI::detail::join(names, ", "))
        ->type_name("FORM")
        ->check(CLI::IsMember(names).description(""))
        ->required();
    command->add_option("--id", options->id, "Of the <edgeData> or <laneData> that is wanted")->type_name("ID");
    command->add_option("--output", options->output, "File to write, - for standard output (-)")->type_name("FILE");
    command->callback([&action, options] { action = [options] { return convert(*options); }; });
}

}  // namespace jamiton
