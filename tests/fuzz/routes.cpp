#include "data/sumo_demand.hpp"
#include "engine/core/check.hpp"
#include "tests/support/fuzz_file.hpp"
#include "tests/support/two_edges.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const jamiton::FuzzFile file(data, size);
    jamiton::NetworkDescription network = jamiton::two_edges();
    jamiton::DemandDescription demand;
    jamiton::UnsupportedReport report(true);
    try {
        jamiton::SumoDemandReader(network, demand, report).read(file.path());
    } catch (const jamiton::InputError&) {}
    return 0;
}
