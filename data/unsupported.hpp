// What input holds that the engine does not simulate. What would change results is an error, or with `lenient` one
// warning per kind with its count; what SUMO does not know either (a misspelt attribute) is always such a warning.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "data/xml_reader.hpp"

namespace jamiton {

class UnsupportedReport {
  public:
    explicit UnsupportedReport(bool lenient = false) : lenient_(lenient) {}
    bool lenient() const { return lenient_; }
    void set_lenient(bool lenient) { lenient_ = lenient; }

    // Input of this kind ("<person>", "attribute \"line\" of <flow>") is not simulated and would change results.
    void unsupported(const Element& element, std::string_view kind);
    // The same for input that is no element; where begins the message ("run.sumocfg:3: ...").
    void unsupported(std::string_view where, std::string_view kind);
    // Changes no traffic, but something the user may wait for is missing (a detector's file).
    void ignored(const Element& element, std::string_view kind);
    // Nobody knows this; most likely a mistake.
    void unknown(const Element& element, std::string_view kind);
    // A message of its own, for what is read in another way than it says.
    void warn(std::string message) { warnings_.push_back(std::move(message)); }

    // All warnings, those with counts last.
    std::vector<std::string> lines() const;
    bool empty() const { return counts_.empty() && warnings_.empty(); }

  private:
    enum Reason { not_simulated, no_effect, not_known };

    struct Count {
        std::int64_t number = 0;
        Reason reason = not_simulated;
        std::string first;  // file:line
    };

    void count(std::string_view kind, Reason reason, std::string first);

    bool lenient_;
    std::map<std::string, Count, std::less<>> counts_;
    std::vector<std::string> warnings_;
};

}  // namespace jamiton
