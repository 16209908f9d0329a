// jamiton info: what is in a network, demand, scenario or results file.

#include <CLI/CLI.hpp>
#include <filesystem>

#include "data/xml_file.hpp"
#include "engine/core/check.hpp"
#include "engine/core/log.hpp"
#include "scenarios/commands.hpp"
#include "scenarios/info_inputs.hpp"
#include "scenarios/info_results.hpp"

namespace jamiton {
namespace {

// The name of the first element; empty when the file is no XML.
std::string root_of(const std::string& path) {
    XmlFile file(path);
    std::string text(1 << 16, '\0');
    text.resize(file.read(text.data(), text.size()));
    if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
    std::size_t at = text.find_first_not_of(" \t\r\n");
    if (at == std::string::npos || text[at] != '<') return "";
    while (at != std::string::npos && at + 1 < text.size() && (text[at + 1] == '?' || text[at + 1] == '!')) {
        const bool comment = text.compare(at, 4, "<!--") == 0;
        const std::size_t end = text.find(comment ? "-->" : ">", at);
        at = end == std::string::npos ? end : text.find('<', end);
    }
    if (at == std::string::npos) return "?";
    return text.substr(at + 1, text.find_first_of(" \t\r\n/>", at) - at - 1);
}

bool holds_demand(const std::string& root) {
    for (const char* known : {"routes", "additional", "additionals", "add", "vehicles", "trips", "flows"}) {
        if (root == known) return true;
    }
    return false;
}

int info(const std::string& path) {
    UnsupportedReport report(true);
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        print_scenario_info(path, report);
    } else if (check_readable(path); is_results_file(path)) {
        print_results_info(path);
    } else if (const std::string root = root_of(path); root == "net") {
        print_network_info(path, report);
    } else if (holds_demand(root)) {
        print_demand_info(path);
    } else {
        print_scenario_info(path, report);
    }
    for (const std::string& line : report.lines()) log_warning(line);
    return done;
}

}  // namespace

void add_info(CLI::App& app, Action& action) {
    const auto path = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand("info", "What is in a file");
    command->footer(
        "Knows by their content: networks (.net.xml) and demand (.rou.xml, .add.xml), plain or gzip, SUMO "
        "configurations, scenario files and folders, results.");
    command->add_option("file", *path, "File, or folder of a scenario")->required();
    command->callback([&action, path] { action = [path] { return info(*path); }; });
}

}  // namespace jamiton
