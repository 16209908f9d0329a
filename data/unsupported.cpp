#include "data/unsupported.hpp"

#include <fmt/format.h>

#include "engine/core/check.hpp"

namespace jamiton {

void UnsupportedReport::count(std::string_view kind, Reason reason, std::string first) {
    const auto found = counts_.find(kind);
    Count& count = found != counts_.end() ? found->second : counts_[std::string(kind)];
    if (count.number++ == 0) {
        count.reason = reason;
        count.first = std::move(first);
    }
}

void UnsupportedReport::unsupported(const Element& element, std::string_view kind) {
    if (!lenient_) {
        // The message names the element by itself.
        const std::string named = fmt::format("<{}>", element.name());
        const std::string_view rest = trim(kind.starts_with(named) ? kind.substr(named.size()) : kind);
        element.fail(fmt::format("{}{}is not simulated and would change results; use --lenient to ignore it", rest,
                                 rest.empty() ? "" : " "));
    }
    count(kind, not_simulated, fmt::format("{}:{}", element.file(), element.line()));
}

void UnsupportedReport::unsupported(std::string_view where, std::string_view kind) {
    if (!lenient_) {
        throw InputError(
            fmt::format("{}: {} is not simulated and would change results; use --lenient to ignore it", where, kind));
    }
    count(kind, not_simulated, std::string(where));
}

void UnsupportedReport::ignored(const Element& element, std::string_view kind) {
    count(kind, no_effect, fmt::format("{}:{}", element.file(), element.line()));
}

void UnsupportedReport::unknown(const Element& element, std::string_view kind) {
    count(kind, not_known, fmt::format("{}:{}", element.file(), element.line()));
}

std::vector<std::string> UnsupportedReport::lines() const {
    constexpr std::string_view words[] = {"is not simulated", "writes no output here", "is not known"};
    std::vector<std::string> lines = warnings_;
    for (const auto& [kind, count] : counts_) {
        lines.push_back(fmt::format("{} {} and was ignored: {} time{}, first at {}", kind, words[count.reason],
                                    count.number, count.number == 1 ? "" : "s", count.first));
    }
    return lines;
}

}  // namespace jamiton
