#include "data/unsupported.hpp"

#include <fmt/format.h>

#include "engine/core/check.hpp"

namespace jamiton {

void UnsupportedReport::count(std::string_view kind, bool known, std::string first) {
    const auto found = counts_.find(kind);
    Count& count = found != counts_.end() ? found->second : counts_[std::string(kind)];
    if (count.number++ == 0) {
        count.known = known;
        count.first = std::move(first);
    }
}

void UnsupportedReport::unsupported(const Element& element, std::string_view kind) {
    if (!lenient_) {
        element.fail(fmt::format("{} is not simulated and would change results; use --lenient to ignore it", kind));
    }
    count(kind, true, fmt::format("{}:{}", element.file(), element.line()));
}

void UnsupportedReport::unsupported(std::string_view where, std::string_view kind) {
    if (!lenient_) {
        throw InputError(
            fmt::format("{}: {} is not simulated and would change results; use --lenient to ignore it", where, kind));
    }
    count(kind, true, std::string(where));
}

void UnsupportedReport::unknown(const Element& element, std::string_view kind) {
    count(kind, false, fmt::format("{}:{}", element.file(), element.line()));
}

std::vector<std::string> UnsupportedReport::lines() const {
    std::vector<std::string> lines = warnings_;
    for (const auto& [kind, count] : counts_) {
        lines.push_back(fmt::format("{} {}: {} time{}, first at {}", kind,
                                    count.known ? "is not simulated and was ignored" : "is not known and was ignored",
                                    count.number, count.number == 1 ? "" : "s", count.first));
    }
    return lines;
}

}  // namespace jamiton
