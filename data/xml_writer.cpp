#include "data/xml_writer.hpp"

#include <cerrno>
#include <cmath>
#include <cstring>
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
    : path_(path), file_(path == "-" ? stdout : std::fopen(path.c_str(), "w")) {
    if (file_ == nullptr) throw InputError(path + ": cannot write: " + std::strerror(errno));
    text_ = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\n<!-- {} -->\n\n", comment);
    open(root);
    attribute("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance");
    attribute("xsi:noNamespaceSchemaLocation", fmt::format("http://sumo.dlr.de/xsd/{}", schema));
    end_tag();
}

XmlWriter::~XmlWriter() {
    if (file_ != nullptr && file_ != stdout) std::fclose(file_);
}

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
    if (std::fwrite(text_.data(), 1, text_.size(), file_) != text_.size())
        throw InputError(path_ + ": cannot write: " + std::strerror(errno));
    text_.clear();
}

void XmlWriter::finish() {
    while (!open_.empty()) close();
    flush();
    std::FILE* file = std::exchange(file_, nullptr);
    if ((file == stdout ? std::fflush(file) : std::fclose(file)) != 0)
        throw InputError(path_ + ": cannot write: " + std::strerror(errno));
}

}  // namespace jamiton
