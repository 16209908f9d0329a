#include "data/xml_reader.hpp"

#include <expat.h>
#include <fmt/format.h>

#include <cstring>
#include <exception>
#include <memory>
#include <vector>

#include "data/xml_file.hpp"
#include "engine/core/check.hpp"

namespace jamiton {

// One file being read: expat's state, the open elements, and the first error of the handler, kept until expat has
// returned since no exception may pass through C code.
class XmlSession {
  public:
    XmlSession(const std::string& path, XmlHandler& handler) : path_(path), handler_(handler) {
        if (!parser_) throw std::bad_alloc();
        XML_SetUserData(parser_.get(), this);
        XML_SetElementHandler(parser_.get(), on_start, on_end);
        XML_SetEntityDeclHandler(parser_.get(), on_entity);
    }

    void run();

    const std::string& path() const { return path_; }
    std::uint32_t line() const { return static_cast<std::uint32_t>(XML_GetCurrentLineNumber(parser_.get())); }
    int depth() const { return depth_; }
    std::string_view parent() const { return depth_ > 0 ? std::string_view(open_[depth_ - 1]) : std::string_view(); }

  private:
    static constexpr int deepest = 200;

    static void on_start(void* self, const char* name, const char** attributes) {
        static_cast<XmlSession*>(self)->guard([&](XmlSession& s) { s.start(name, attributes); });
    }
    static void on_end(void* self, const char* name) {
        static_cast<XmlSession*>(self)->guard([&](XmlSession& s) {
            --s.depth_;
            s.handler_.end(name);
        });
    }
    // Nested entities can make a small file endless, and no traffic file needs any.
    static void on_entity(void* self, const char*, int, const char*, int, const char*, const char*, const char*,
                          const char*) {
        static_cast<XmlSession*>(self)->guard([](XmlSession& s) {
            throw InputError(fmt::format("{}:{}: entity declarations are not allowed", s.path_, s.line()));
        });
    }

    template <class F>
    void guard(F&& f) {
        if (error_) return;
        try {
            f(*this);
        } catch (...) {
            error_ = std::current_exception();
            XML_StopParser(parser_.get(), XML_FALSE);
        }
    }

    void start(const char* name, const char** attributes);
    void parse(const char* bytes, std::size_t size, bool last);
    [[noreturn]] void fail_syntax() const;

    struct Free {
        void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
    };
    const std::string& path_;
    XmlHandler& handler_;
    std::unique_ptr<XML_ParserStruct, Free> parser_{XML_ParserCreate(nullptr)};
    std::vector<std::string> open_;
    int depth_ = 0;
    bool looks_like_xml_ = true;
    std::exception_ptr error_;
};

void XmlSession::start(const char* name, const char** attributes) {
    if (depth_ == deepest) throw InputError(fmt::format("{}:{}: elements nest deeper than {}", path_, line(), deepest));
    handler_.start(Element(*this, name, attributes));
    if (static_cast<int>(open_.size()) <= depth_) open_.emplace_back();
    open_[depth_++] = name;
}

void XmlSession::run() {
    XmlFile file(path_);
    std::vector<char> buffer(1 << 17);
    for (bool first = true;; first = false) {
        const std::size_t size = file.read(buffer.data(), buffer.size());
        if (first) {
            const std::string_view text = trim(std::string_view(buffer.data(), size));
            // '<' or the byte order mark of UTF-8 or UTF-16
            looks_like_xml_ = !text.empty() && (text[0] == '<' || static_cast<unsigned char>(text[0]) >= 0xEF);
        }
        parse(buffer.data(), size, size == 0);
        if (size == 0) return;
    }
}

void XmlSession::parse(const char* bytes, std::size_t size, bool last) {
    const XML_Status status = XML_Parse(parser_.get(), bytes, static_cast<int>(size), last);
    if (error_) std::rethrow_exception(error_);
    if (status != XML_STATUS_OK) fail_syntax();
}

void XmlSession::fail_syntax() const {
    const XML_Error code = XML_GetErrorCode(parser_.get());
    std::string problem = XML_ErrorString(code);
    if (!looks_like_xml_) {
        problem = "this is neither XML nor gzip";
    } else if (code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN || code == XML_ERROR_PARTIAL_CHAR) {
        problem = depth_ > 0 ? fmt::format("the file ends before </{}>: it seems cut off", open_[depth_ - 1])
                             : "the file ends without any element";
    }
    throw InputError(fmt::format("{}:{}: not well-formed XML: {}", path_, line(), problem));
}

void read_xml(const std::string& path, XmlHandler& handler) { XmlSession(path, handler).run(); }

void fail_at(std::string_view file, std::uint32_t line, std::string_view element, std::string_view id,
             std::string_view problem) {
    const std::string named = id.empty() ? std::string() : fmt::format(" id={}", quoted(id));
    throw InputError(fmt::format("{}:{}: <{}{}> {}", file, line, element, named, problem));
}

std::string_view Element::parent() const { return session_->parent(); }
int Element::depth() const { return session_->depth(); }
std::uint32_t Element::line() const { return session_->line(); }
const std::string& Element::file() const { return session_->path(); }

std::optional<std::string_view> Element::find(std::string_view attribute) const {
    for (const char** a = attributes_; *a != nullptr; a += 2) {
        const bool same = std::strncmp(a[0], attribute.data(), attribute.size()) == 0;
        if (same && a[0][attribute.size()] == '\0') return std::string_view(a[1]);
    }
    return std::nullopt;
}

std::string_view Element::required(std::string_view attribute) const {
    const auto value = find(attribute);
    if (!value) fail(fmt::format("attribute \"{}\" is missing", attribute));
    return *value;
}

std::string_view Element::not_empty(std::string_view attribute) const {
    const std::string_view value = required(attribute);
    if (trim(value).empty()) fail(fmt::format("attribute \"{}\" is empty", attribute));
    return value;
}

double Element::number(std::string_view attribute, Range range) const {
    const auto value = parse_number(required(attribute));
    const bool inside = value && (range == Range::any || (range == Range::positive && *value > 0) ||
                                  (range == Range::not_negative && *value >= 0) ||
                                  (range == Range::fraction && *value >= 0 && *value <= 1));
    constexpr std::string_view expected[] = {"a number", "a number that is not negative", "a number above 0",
                                             "a number from 0 to 1"};
    if (!inside || *value > 3e38 || *value < -3e38) fail_value(attribute, expected[static_cast<int>(range)]);
    return *value;
}

double Element::number_or(std::string_view attribute, double fallback, Range range) const {
    return find(attribute) ? number(attribute, range) : fallback;
}

int Element::integer(std::string_view attribute, int least, int most) const {
    const auto value = parse_integer(required(attribute));
    if (!value || *value < least || *value > most) {
        fail_value(attribute, fmt::format("an integer from {} to {}", least, most));
    }
    return static_cast<int>(*value);
}

int Element::integer_or(std::string_view attribute, int fallback, int least, int most) const {
    return find(attribute) ? integer(attribute, least, most) : fallback;
}

bool Element::flag_or(std::string_view attribute, bool fallback) const {
    const auto text = find(attribute);
    if (!text) return fallback;
    const auto value = parse_flag(*text);
    if (!value) fail_value(attribute, "true or false");
    return *value;
}

double Element::time(std::string_view attribute) const {
    const auto value = parse_time(required(attribute));
    if (!value) fail_value(attribute, "a time: seconds, h:m:s or d:h:m:s");
    return *value;
}

double Element::time_or(std::string_view attribute, double fallback) const {
    return find(attribute) ? time(attribute) : fallback;
}

void Element::fail(std::string_view problem) const {
    fail_at(file(), line(), name_, find("id").value_or(std::string_view()), problem);
}

void Element::fail_value(std::string_view attribute, std::string_view expected) const {
    fail(fmt::format("attribute \"{}\" is {}, expected {}", attribute, quoted(find(attribute).value_or("")), expected));
}

}  // namespace jamiton
