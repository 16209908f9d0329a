// Values as SUMO's files and configurations write them. Independent of the locale; nothing when the text is no such
// value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jamiton {

std::string_view trim(std::string_view text);

std::optional<double> parse_number(std::string_view text);  // finite
std::optional<std::int64_t> parse_integer(std::string_view text);
std::optional<bool> parse_flag(std::string_view text);    // true yes on 1 x t, false no off 0 - f
std::optional<double> parse_time(std::string_view text);  // s: seconds, h:m:s or d:h:m:s, to the millisecond

// The text for a message: in quotes, cut when it is long.
std::string quoted(std::string_view text);

// Calls f(word) for each non-empty part between separators.
template <class F>
void for_each_word(std::string_view text, std::string_view separators, F&& f) {
    for (std::size_t begin = text.find_first_not_of(separators); begin != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
        f(text.substr(begin, end - begin));
        begin = text.find_first_not_of(separators, end);
    }
}

constexpr std::string_view blanks = " \t\r\n";

// The one of `known` with the smallest edit distance to `name`; empty when all are far off.
std::string_view nearest(std::string_view name, const std::vector<std::string_view>& known);

}  // namespace jamiton
