// Writes XML as SUMO does, element by element, to a file or to standard output ("-"): nothing is kept in memory.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace jamiton {

class XmlWriter {
  public:
    // Throws InputError when the path cannot be written. finish() replaces a file that is there. schema: name of SUMO's
    // schema file of this root.
    XmlWriter(const std::string& path, std::string_view comment, std::string_view root, std::string_view schema);
    ~XmlWriter();
    XmlWriter(const XmlWriter&) = delete;
    XmlWriter& operator=(const XmlWriter&) = delete;

    void open(std::string_view element);
    // Of the element opened last. Numbers that are no integers get two places, as SUMO writes them.
    void attribute(std::string_view name, std::string_view value);
    template <class T>
    requires std::is_arithmetic_v<T>
    void attribute(std::string_view name, T value) {
        if constexpr (std::is_integral_v<T>)
            fmt::format_to(std::back_inserter(text_), " {}=\"{}\"", name, value);
        else
            number(name, static_cast<double>(value));
    }
    void close();
    // Closes what is open and the file; throws InputError when something could not be written.
    void finish();

  private:
    void number(std::string_view name, double value);
    void end_tag();
    void flush();
    [[noreturn]] void fail() const;  // by errno
    void choose_file();

    std::string path_;
    std::string whole_, part_;  // of a file: its name without links, and that until it is complete
    std::FILE* file_ = nullptr;
    std::string text_;
    std::vector<std::string> open_;
    bool in_tag_ = false;
};

}  // namespace jamiton
