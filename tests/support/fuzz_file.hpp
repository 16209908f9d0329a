// The bytes of a fuzzer as a file, since readers take paths.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

namespace jamiton {

class FuzzFile {
  public:
    FuzzFile(const std::uint8_t* data, std::size_t size) : descriptor_(memfd_create("input", 0)) {
        if (descriptor_ < 0 || write(descriptor_, data, size) != static_cast<ssize_t>(size)) std::abort();
    }
    ~FuzzFile() { close(descriptor_); }
    FuzzFile(const FuzzFile&) = delete;
    FuzzFile& operator=(const FuzzFile&) = delete;

    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

  private:
    int descriptor_;
};

}  // namespace jamiton
