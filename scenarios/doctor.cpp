// jamiton doctor: what this machine offers, a line each. Nothing that it looks for needs to be there.

#include <H5public.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "scenarios/commands.hpp"
#include "scenarios/cpu_level.hpp"
#include "scenarios/gpu.hpp"

namespace jamiton {
namespace {

// The value of the first "key : value" line of a file in /proc, or "unknown".
std::string proc_value(const char* file, const std::string& key) {
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        const auto colon = line.find(':');
        if (line.starts_with(key) && colon != std::string::npos) {
            const auto start = line.find_first_not_of(" \t", colon + 1);
            return start == std::string::npos ? "unknown" : line.substr(start);
        }
    }
    return "unknown";
}

std::string processor() {
    const int level = cpu_level();
    return fmt::format("{}{}, {} threads", proc_value("/proc/cpuinfo", "model name"),
                       level > 0 ? fmt::format(", x86-64-v{}", level) : "", std::thread::hardware_concurrency());
}

// Of /proc/meminfo, which counts in KiB and knows what caches would give back.
std::string memory() {
    const auto gib = [](const char* key) { return std::atof(proc_value("/proc/meminfo", key).c_str()) / (1 << 20); };
    return fmt::format("{:.1f} GiB, {:.1f} GiB available", gib("MemTotal"), gib("MemAvailable"));
}

// A library that is loaded when it is used, not linked.
std::string library(std::initializer_list<const char*> names) {
    for (const char* name : names) {
        if (void* handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL)) {
            dlclose(handle);
            return name;
        }
    }
    return "not found";
}

std::string in_path(const std::string& program) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path != nullptr ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::string file = (std::filesystem::path(folder) / program).string();
        if (access(file.c_str(), X_OK) == 0) return file;
    }
    return "not found";
}

std::string hdf5() {
    unsigned major = 0, minor = 0, release = 0;
    H5get_libversion(&major, &minor, &release);
    return fmt::format("{}.{}.{}", major, minor, release);
}

int doctor() {
    const std::pair<const char*, std::string> lines[] = {
        {"jamiton", JAMITON_VERSION},
        {"built for", JAMITON_ARCH},
        {"CPU", processor()},
        {"memory", memory()},
        {"GPU", describe_gpus()},
        {"NCCL", library({"libnccl.so.2", "libnccl.so"})},
        {"MPI", in_path("mpirun")},
        {"HDF5", hdf5()},
        {"Vulkan", library({"libvulkan.so.1"})},
        {"SUMO", in_path("sumo")},
    };
    for (const auto& [what, found] : lines) fmt::print("{:<10} {}\n", what, found);
    return done;
}

}  // namespace

void add_doctor(CLI::App& app, Action& action) {
    app.add_subcommand("doctor", "What this machine offers: CPU, memory, GPU, MPI, HDF5, Vulkan, SUMO")
        ->callback([&action] { action = doctor; });
}

}  // namespace jamiton
