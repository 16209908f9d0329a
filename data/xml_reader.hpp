// A streaming front on expat for large SUMO files, plain or gzip (told by the content). The reader of a format derives
// from XmlHandler. Whatever is wrong ends in one InputError "file:line: <element id="..."> what was wrong, what was
// expected".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "data/text_values.hpp"

namespace jamiton {

enum class Range { any, not_negative, positive, fraction };  // of a number; fraction: 0 to 1

// A word of a file and what it stands for.
template <class E>
struct Word {
    std::string_view text;
    E value;
};

// "a, b or c" for a message.
template <class E>
std::string list_of(std::span<const Word<E>> words) {
    std::string list;
    for (std::size_t i = 0; i < words.size(); ++i) {
        list += i == 0 ? "" : i + 1 < words.size() ? ", " : " or ";
        list += words[i].text;
    }
    return list;
}

[[noreturn]] void fail_at(std::string_view file, std::uint32_t line, std::string_view element, std::string_view id,
                          std::string_view problem);

class XmlSession;

// The element that begins, valid during XmlHandler::start only.
class Element {
  public:
    Element(const XmlSession& session, const char* name, const char** attributes)
        : session_(&session), name_(name), attributes_(attributes) {}

    std::string_view name() const { return name_; }
    std::string_view parent() const;  // empty for the root
    int depth() const;                // 0 for the root
    std::uint32_t line() const;
    const std::string& file() const;

    std::optional<std::string_view> find(std::string_view attribute) const;
    std::string_view required(std::string_view attribute) const;  // present, perhaps empty
    std::string_view not_empty(std::string_view attribute) const;
    std::string_view text_or(std::string_view attribute, std::string_view fallback) const {
        return find(attribute).value_or(fallback);
    }

    double number(std::string_view attribute, Range range = Range::any) const;
    double number_or(std::string_view attribute, double fallback, Range range = Range::any) const;
    int integer(std::string_view attribute, int least, int most) const;
    int integer_or(std::string_view attribute, int fallback, int least, int most) const;
    bool flag_or(std::string_view attribute, bool fallback) const;
    double time(std::string_view attribute) const;  // s
    double time_or(std::string_view attribute, double fallback) const;

    template <class E, std::size_t n>
    E word(std::string_view attribute, const Word<E> (&words)[n]) const {
        const std::string_view text = required(attribute);
        for (const Word<E>& w : words) {
            if (w.text == text) return w.value;
        }
        fail_value(attribute, list_of(std::span<const Word<E>>(words)));
    }
    template <class E, std::size_t n>
    E word_or(std::string_view attribute, const Word<E> (&words)[n], E fallback) const {
        return find(attribute) ? word(attribute, words) : fallback;
    }

    template <class F>
    void for_each_attribute(F&& f) const {
        for (const char** a = attributes_; *a != nullptr; a += 2) f(std::string_view(a[0]), std::string_view(a[1]));
    }

    [[noreturn]] void fail(std::string_view problem) const;
    [[noreturn]] void fail_value(std::string_view attribute, std::string_view expected) const;

  private:
    const XmlSession* session_;
    std::string_view name_;
    const char** attributes_;
};

class XmlHandler {
  public:
    virtual ~XmlHandler() = default;
    virtual void start(const Element& element) = 0;
    virtual void end(std::string_view /*name*/) {}
};

void read_xml(const std::string& path, XmlHandler& handler);

}  // namespace jamiton
