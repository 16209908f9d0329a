// A text file that is written piece by piece, packed when its name ends with .gz.
#pragma once

#include <fmt/format.h>
#include <zlib.h>

#include <iterator>
#include <string>
#include <string_view>

namespace jamiton {

class TextFile {
  public:
    explicit TextFile(const std::string& path);  // throws InputError, as all below
    ~TextFile();
    TextFile(const TextFile&) = delete;
    TextFile& operator=(const TextFile&) = delete;

    template <class... Values>
    void print(fmt::format_string<Values...> format, Values&&... values) {
        fmt::format_to(std::back_inserter(pending_), format, std::forward<Values>(values)...);
        if (pending_.size() > 1 << 18) flush();
    }
    void close();  // a file not closed so is removed

  private:
    void flush();

    std::string path_, pending_;
    gzFile file_ = nullptr;
};

// The text for use between the quotes of an XML attribute.
std::string xml_escaped(std::string_view text);

// The shortest text with at most two decimals: "12.5", "3".
std::string short_number(double value, int decimals = 2);

}  // namespace jamiton
