#include "scenarios/sumo_outputs.hpp"

#include <unistd.h>

#include <filesystem>
#include <map>
#include <optional>

#include "data/sumo_output.hpp"
#include "engine/core/check.hpp"
#include "engine/core/log.hpp"

namespace jamiton {
namespace {

namespace fs = std::filesystem;

std::optional<SumoOutput> output_of(const std::string& option) {
    if (option == "tripinfo-output") return SumoOutput::tripinfo;
    if (option == "summary-output") return SumoOutput::summary;
    if (option == "fcd-output") return SumoOutput::fcd;
    return std::nullopt;
}

SumoOutput output_of(DetectorKind kind) {
    switch (kind) {
        case DetectorKind::loop: return SumoOutput::e1;
        case DetectorKind::area: return SumoOutput::e2;
        case DetectorKind::gates: break;
    }
    return SumoOutput::e3;
}

}  // namespace

bool is_written_output(const std::string& option) { return output_of(option).has_value(); }

void prepare_sumo_outputs(Scenario& scenario, const std::string& folder) {
    if (scenario.output.file.empty())
        throw InputError("--sumo-outputs are made from the results file, but output.file is none");
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw InputError(folder + ": cannot make the folder: " + error.message());
    if (access(folder.c_str(), W_OK | X_OK) != 0) throw InputError(folder + ": cannot write into the folder");
    for (const auto& [option, file] : scenario.sumo_outputs) {
        const auto kind = output_of(option);
        if (kind == SumoOutput::fcd) scenario.output.trajectories_every = scenario.step;
        if (kind == SumoOutput::tripinfo) scenario.output.trips = true;
        if (kind == SumoOutput::summary) scenario.output.summary = true;
    }
}

SumoOutputs::SumoOutputs(const Scenario& scenario, const MeasureDescription& measures, const std::string& folder)
    : folder_(folder), results_(scenario.output.file) {
    for (const auto& [option, file] : scenario.sumo_outputs) {
        if (const auto kind = output_of(option)) add(file, {.kind = *kind, .id = "", .detectors = {}});
    }
    std::int32_t rows[3] = {};
    for (const DetectorDescription& d : measures.detectors) {
        const std::int32_t row = rows[static_cast<int>(d.kind)]++;
        add(d.file, {.kind = output_of(d.kind), .id = "", .detectors = {row}});
    }
    for (const MeanDataDescription& d : measures.mean_data) {
        add(d.file, {.kind = d.of_lanes ? SumoOutput::lanedata : SumoOutput::edgedata, .id = d.id, .detectors = {}});
    }
    check(scenario);
}

void SumoOutputs::add(const std::string& name, SumoOutputRequest request) {
    const fs::path file = fs::path(name).filename();
    if (file.empty() || name == "/dev/null" || name == "NUL") return;
    const auto [known, is_new] = requests_.emplace((fs::path(folder_) / file).string(), request);
    if (is_new) return;
    SumoOutputRequest& first = known->second;
    if (first.kind != request.kind || request.detectors.empty()) {
        log_warning(known->first, ": two outputs have this name, only the first one is written");
        return;
    }
    first.detectors.insert(first.detectors.end(), request.detectors.begin(), request.detectors.end());
}

void SumoOutputs::check(const Scenario& scenario) const {
    std::vector<std::string> others = {results_, scenario.path, scenario.network};
    others.insert(others.end(), scenario.routes.begin(), scenario.routes.end());
    others.insert(others.end(), scenario.additional.begin(), scenario.additional.end());
    for (const std::string& other : others) {
        std::error_code error;
        const fs::path taken = fs::weakly_canonical(fs::absolute(other), error);
        for (const auto& [path, request] : requests_) {
            if (fs::weakly_canonical(fs::absolute(path), error) != taken) continue;
            throw InputError(text(path, ": this output would replace ", other == results_ ? "the results" : "an input",
                                  ", expected another name or folder (--sumo-outputs)"));
        }
    }
}

void SumoOutputs::write() const {
    const ResultsReader results(results_);
    for (const auto& [path, request] : requests_) write_sumo_output(results, request, path);
}

}  // namespace jamiton
