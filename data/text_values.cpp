#include "data/text_values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

namespace jamiton {

namespace {

// from_chars takes no plus sign, files do.
std::string_view number_text(std::string_view text) {
    text = trim(text);
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
    return text;
}

template <class T>
std::optional<T> parse_all(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

int edit_distance(std::string_view a, std::string_view b) {
    std::vector<int> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 0; i < a.size(); ++i) {
        int diagonal = row[0]++;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const int replaced = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string_view trim(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::optional<double> parse_number(std::string_view text) {
    const auto value = parse_all<double>(number_text(text));
    return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::int64_t> parse_integer(std::string_view text) { return parse_all<std::int64_t>(number_text(text)); }

std::optional<bool> parse_flag(std::string_view text) {
    std::string word(trim(text));
    std::ranges::transform(word, word.begin(), [](unsigned char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
    for (std::string_view yes : {"true", "1", "yes", "on", "x", "t"}) {
        if (word == yes) return true;
    }
    for (std::string_view no : {"false", "0", "no", "off", "-", "f"}) {
        if (word == no) return false;
    }
    return std::nullopt;
}

std::optional<double> parse_time(std::string_view text) {
    text = trim(text);
    double seconds = 0;
    if (text.find(':') == std::string_view::npos) {
        const auto value = parse_number(text);
        if (!value) return std::nullopt;
        seconds = *value;
    } else {
        const bool negative = text[0] == '-';
        const auto fields = std::ranges::count(text, ':') + 1;
        if (fields != 3 && fields != 4) return std::nullopt;
        if (negative) text.remove_prefix(1);
        bool valid = true;
        std::int64_t field = 4 - fields;  // 0 days, 1 hours, 2 minutes, 3 seconds
        for (std::size_t begin = 0; field < 4; ++field) {
            const std::size_t end = std::min(text.find(':', begin), text.size());
            const std::string_view part = text.substr(begin, end - begin);
            const auto value = parse_number(part);
            valid = valid && value && *value >= 0 && (field == 3 || *value == std::floor(*value));
            seconds = seconds * (field == 1 ? 24 : 60) + value.value_or(0);
            begin = end + 1;
        }
        if (!valid) return std::nullopt;
        if (negative) seconds = -seconds;
    }
    if (std::abs(seconds) > 1e12) return std::nullopt;
    return std::round(seconds * 1000) / 1000;
}

std::string quoted(std::string_view text) {
    constexpr std::size_t longest = 80;
    std::string result = "\"";
    result += text.substr(0, longest);
    if (text.size() > longest) {
        while (result.size() > 1 && (static_cast<unsigned char>(result.back()) & 0x80) != 0)
            result.pop_back();  // no half characters
        result += "...";
    }
    return result += '"';
}

std::string_view nearest(std::string_view name, const std::vector<std::string_view>& known) {
    std::string_view best;
    int smallest = std::max<int>(2, static_cast<int>(name.size()) / 2);
    for (std::string_view candidate : known) {
        const int distance = edit_distance(name, candidate);
        if (distance < smallest) {
            smallest = distance;
            best = candidate;
        }
    }
    return best;
}

}  // namespace jamiton
