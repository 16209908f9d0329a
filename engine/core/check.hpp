// Errors that end a run. An InputError is the user's to mend: its text names file, line and element. Everything
// that require() finds false is a mistake of ours and names our source line.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace jamiton {

struct InputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct InternalError : std::logic_error {
    using std::logic_error::logic_error;
};

// The parts one after the other, as a stream prints them.
template <class... Parts>
std::string text(const Parts&... parts) {
    std::ostringstream stream;
    (stream << ... << parts);
    return stream.str();
}

// Takes the place of its caller along: the compiler builtins also exist where std::source_location does not
// (clang 14).
struct Condition {
    template <class T>
    constexpr Condition(const T& value, const char* source = __builtin_FILE(), int source_line = __builtin_LINE())
        : holds(static_cast<bool>(value)), file(source), line(source_line) {}
    bool holds;
    const char* file;
    int line;
};

template <class... Message>
void require(const Condition& condition, const Message&... message) {
    if (!condition.holds) [[unlikely]] {
        throw InternalError(text(condition.file, ":", condition.line, ": ", message...));
    }
}

}  // namespace jamiton
