#include "data/text_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "engine/core/check.hpp"

namespace jamiton {

namespace {

[[noreturn]] void fail(const std::string& path, int error) {
    throw InputError(path + ": cannot be written: " + (error != 0 ? std::strerror(error) : "unknown reason"));
}

}  // namespace

TextFile::TextFile(const std::string& path) : path_(path) {
    errno = 0;
    file_ = gzopen(path.c_str(), path.ends_with(".gz") ? "wb" : "wbT");  // T: as it is
    if (file_ == nullptr) fail(path, errno);
}

TextFile::~TextFile() {
    if (file_ == nullptr) return;
    gzclose(file_);
    std::remove(path_.c_str());
}

void TextFile::flush() {
    errno = 0;
    if (!pending_.empty() && gzwrite(file_, pending_.data(), static_cast<unsigned>(pending_.size())) <= 0)
        fail(path_, errno);
    pending_.clear();
}

void TextFile::close() {
    flush();
    errno = 0;
    const int error = gzclose(file_);
    file_ = nullptr;
    if (error == Z_OK) return;
    const int reason = errno;
    std::remove(path_.c_str());
    fail(path_, reason);
}

std::string xml_escaped(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        switch (c) {
            case '&': escaped += "&amp;"; break;
            case '<': escaped += "&lt;"; break;
            case '>': escaped += "&gt;"; break;
            case '"': escaped += "&quot;"; break;
            case '\n': escaped += "&#10;"; break;
            case '\t': escaped += "&#9;"; break;
            case '\r': escaped += "&#13;"; break;
            default: escaped += c;
        }
    }
    return escaped;
}

std::string short_number(double value, int decimals) {
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (text.find('.') != std::string::npos) text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text == "-0" ? "0" : text;
}

}  // namespace jamiton
