#include "data/sumo_output.hpp"

#include <fmt/format.h>

#include "data/sumo_detector_output.hpp"
#include "data/sumo_fcd_output.hpp"
#include "data/sumo_mean_output.hpp"
#include "data/sumo_trip_output.hpp"
#include "data/xml_writer.hpp"

namespace jamiton {
namespace {

struct Form {
    const char *root, *schema;
};

Form form_of(SumoOutput kind) {
    switch (kind) {
        case SumoOutput::tripinfo: return {"tripinfos", "tripinfo_file.xsd"};
        case SumoOutput::summary: return {"summary", "summary_file.xsd"};
        case SumoOutput::fcd: return {"fcd-export", "fcd_file.xsd"};
        case SumoOutput::edgedata:
        case SumoOutput::lanedata: return {"meandata", "meandata_file.xsd"};
        case SumoOutput::e1: return {"detector", "det_e1_file.xsd"};
        case SumoOutput::e2: return {"detector", "det_e2_file.xsd"};
        case SumoOutput::e3: break;
    }
    return {"e3Detector", "det_e3_file.xsd"};
}

// Refuses before anything is written.
void check_content(const ResultsReader& results, const SumoOutputRequest& request) {
    const auto refuse = [&](std::string_view problem) {
        throw InputError(fmt::format("{}: holds {}", results.path(), problem));
    };
    switch (request.kind) {
        case SumoOutput::tripinfo:
            if (!h5::exists(results.file(), "/trips/depart")) refuse("no trips: the run had output.trips = false");
            break;
        case SumoOutput::summary:
            if (!h5::exists(results.file(), "/summary/time")) refuse("no summary");
            break;
        case SumoOutput::fcd:
            if (results.trajectory_steps() == 0)
                refuse("no trajectories: run with --set output.trajectories.every=1 to get them");
            break;
        case SumoOutput::edgedata:
        case SumoOutput::lanedata: check_means(results, request.kind == SumoOutput::lanedata, request.id); break;
        case SumoOutput::e1: check_detectors(results, "e1"); break;
        case SumoOutput::e2: check_detectors(results, "e2"); break;
        case SumoOutput::e3: check_detectors(results, "e3"); break;
    }
}

}  // namespace

void write_sumo_output(const ResultsReader& results, const SumoOutputRequest& request, const std::string& path) {
    check_content(results, request);
    const Form form = form_of(request.kind);
    std::string comment = fmt::format("made by jamiton convert from {}", results.path());
    for (std::size_t at; (at = comment.find("--")) != std::string::npos;) comment.replace(at, 2, "- ");
    XmlWriter xml(path, comment, form.root, form.schema);
    switch (request.kind) {
        case SumoOutput::tripinfo: write_tripinfo(results, xml); break;
        case SumoOutput::summary: write_summary(results, xml); break;
        case SumoOutput::fcd: write_fcd(results, xml); break;
        case SumoOutput::edgedata:
        case SumoOutput::lanedata: write_means(results, request.kind == SumoOutput::lanedata, request.id, xml); break;
        case SumoOutput::e1: write_loops(results, request.detectors, xml); break;
        case SumoOutput::e2: write_areas(results, request.detectors, xml); break;
        case SumoOutput::e3: write_gates(results, request.detectors, xml); break;
    }
    xml.finish();
}

}  // namespace jamiton
