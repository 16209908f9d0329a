#include "data/sumo_network.hpp"
#include "engine/core/check.hpp"
#include "tests/support/fuzz_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const jamiton::FuzzFile file(data, size);
    jamiton::UnsupportedReport report(true);
    try {
        jamiton::read_sumo_network(file.path(), report);
    } catch (const jamiton::InputError&) {}
    return 0;
}
