// A folder of a test's own, gone with the test.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace jamiton::sample {

class Scratch {
  public:
    Scratch() {
        std::string name = (std::filesystem::temp_directory_path() / "jamiton-results-XXXXXX").string();
        folder_ = mkdtemp(name.data());
    }
    ~Scratch() {
        std::error_code error;
        std::filesystem::remove_all(folder_, error);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    const std::string& folder() const { return folder_; }
    std::string operator/(const std::string& name) const { return folder_ + "/" + name; }
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder_)) names.push_back(entry.path().filename());
        std::sort(names.begin(), names.end());
        return names;
    }

  private:
    std::string folder_;
};

}  // namespace jamiton::sample
