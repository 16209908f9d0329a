#include "data/xml_writer.hpp"

#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <utility>

#include "engine/core/check.hpp"

namespace jamiton {
namespace {

constexpr std::size_t block = 1 << 16;  // bytes

void append_escaped(std::string& text, std::string_view value) {
    for (const char c : value) {
        switch (c) {
            case '&': text += "&amp;"; break;
            case '<': text += "&lt;"; break;
            case '>': text += "&gt;"; break;
            case '"': text += "&quot;"; break;
            default: text += c;
        }
    }
}

}  // namespace

XmlWriter::XmlWriter(const std::string& path, std::string_view comment, std::string_view root, std::string_view schema)
    : path_(path) {
    choose_file();
    file_ = path == "-" ? stdout : std::fopen((part_.empty() ? path : part_).c_str(), "w");
    if (file_ == nullptr) fail();
    text_ = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\n<!-- {} -->\n\n", comment);
    open(root);
    attribute("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance");
    attribute("xsi:noNamespaceSchemaLocation", fmt::format("http://sumo.dlr.de/xsd/{}", schema));
    end_tag();
}

XmlWriter::~XmlWriter() {
    if (file_ != nullptr && file_ != stdout) std::fclose(file_);
    if (!part_.empty()) std::remove(part_.c_str());
}

// Devices and pipes are written as they are.
void XmlWriter::choose_file() {
    std::error_code error;
    if (path_.empty()) throw InputError("an output needs a file name");
    if (path_ == "-") return;
    const std::filesystem::path whole = std::filesystem::weakly_canonical(path_, error);
    const bool is_new = !error && !std::filesystem::exists(whole, error);
    if (!is_new && !std::filesystem::is_regular_file(whole, error)) return;
    if (!is_new && access(path_.c_str(), W_OK) != 0) fail();
    whole_ = whole.string();
    part_ = fmt::format("{}.{}.part", whole_, getpid());
}

void XmlWriter::fail() const { throw InputError(path_ + ": cannot write: " + std::strerror(errno)); }

void XmlWriter::open(std::string_view element) {
    end_tag();
    text_.append(4 * open_.size(), ' ');
    text_ += '<';
    text_ += element;
    open_.emplace_back(element);
    in_tag_ = true;
}

void XmlWriter::attribute(std::string_view name, std::string_view value) {
    text_ += ' ';
    text_ += name;
    text_ += "=\"";
    append_escaped(text_, value);
    text_ += '"';
}

void XmlWriter::number(std::string_view name, double value) {
    if (std::abs(value) < 0.005) value = 0;  // no "-0.00"
    fmt::format_to(std::back_inserter(text_), " {}=\"{:.2f}\"", name, value);
}

void XmlWriter::end_tag() {
    if (in_tag_) text_ += ">\n";
    in_tag_ = false;
}

void XmlWriter::close() {
    const std::string element = std::move(open_.back());
    open_.pop_back();
    if (in_tag_) {
        text_ += "/>\n";
    } else {
        text_.append(4 * open_.size(), ' ');
        text_ += "</" + element + ">\n";
    }
    in_tag_ = false;
    if (text_.size() >= block) flush();
}

void XmlWriter::flush() {
    if (std::fwrite(text_.data(), 1, text_.size(), file_) != text_.size()) fail();
    text_.clear();
}

void XmlWriter::finish() {
    while (!open_.empty()) close();
    flush();
    std::FILE* file = std::exchange(file_, nullptr);
    if ((file == stdout ? std::fflush(file) : std::fclose(file)) != 0) fail();
    if (part_.empty()) return;
    if (std::rename(part_.c_str(), whole_.c_str()) != 0) fail();
    part_.clear();
}

}  // namespace jamiton
