#include "data/xml_reader.hpp"

#include <zlib.h>

#include "engine/core/check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace jamiton;

namespace {

// Keeps what it sees as "name@line".
struct Recorder : XmlHandler {
    std::string seen;
    void start(const Element& e) override { seen += std::string(e.name()) + "@" + std::to_string(e.line()) + " "; }
    void end(std::string_view name) override { seen += "/" + std::string(name) + " "; }
};

std::string gzip(const std::string& text) {
    std::string packed(compressBound(text.size()) + 64, '\0');
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

std::string message_for(const std::string& path) {
    Recorder recorder;
    try {
        read_xml(path, recorder);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("elements come with their lines from plain and packed files") {
    const TemporaryFolder folder;
    const std::string text = "<?xml version=\"1.0\"?>\n<a>\n  <b x='1'/>\n</a>\n";
    for (const std::string& content : {text, gzip(text)}) {
        Recorder recorder;
        read_xml(folder.write("file", content), recorder);
        CHECK(recorder.seen == "a@2 b@3 /b /a ");
    }
}

TEST_CASE("files that are no good XML give one message each") {
    const TemporaryFolder folder;
    const auto check = [&](const std::string& name, const std::string& content, const std::string& expected) {
        const std::string path = folder.write(name, content);
        const std::string message = message_for(path);
        INFO(message);
        CHECK(message.starts_with(path));
        CHECK(message.find(expected) != std::string::npos);
    };
    const std::string long_text = "<a>" + std::string(100000, ' ') + "</a>";
    check("empty.xml", "", "the file is empty");
    check("cut.xml", "<a>\n<b>\n</b>\n", ":4: not well-formed XML: the file ends before </a>: it seems cut off");
    check("cut_inside.xml", "<a>\n<b x='", ":2: not well-formed XML");
    check("crossed.xml", "<a>\n<b></a></b>", ":2: not well-formed XML: mismatched tag");
    check("text.txt", "hello world", "neither XML nor gzip");
    check("no_gzip.xml.gz", "this is no gzip data at all", "neither XML nor gzip");
    check("blank.xml", "   \n", "not well-formed XML");
    check("cut.xml.gz", gzip(long_text).substr(0, 60), "the gzip data end too early: the file is cut off");
    check("bomb.xml", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "entity declarations are not allowed");
    check("encoding.xml", "<?xml version='1.0' encoding='klingon'?><a/>", "unknown encoding");
    std::string deep;
    for (int i = 0; i < 300; ++i) deep += "<a>";
    check("deep.xml", deep, "nest deeper than 200");
    std::string damaged = gzip(long_text);
    damaged[damaged.size() - 6] ^= 1;
    check("damaged.xml.gz", damaged, "the gzip data are damaged");
}

TEST_CASE("paths that are no readable files give one message each") {
    const TemporaryFolder folder;
    CHECK(message_for(folder.path() + "/none.xml") == folder.path() + "/none.xml: there is no such file");
    CHECK(message_for(folder.path()) == folder.path() + ": is a folder, expected a file");
    const std::string locked = folder.write("locked.xml", "<a/>");
    std::filesystem::permissions(locked, std::filesystem::perms::none);
    if (std::ifstream(locked).good()) SKIP("this user may read everything");
    CHECK(message_for(locked) == locked + ": cannot be read: Permission denied");
}

TEST_CASE("other encodings become UTF-8") {
    struct Name : XmlHandler {
        std::string name;
        void start(const Element& e) override { name = e.text_or("n", ""); }
    } handler;
    const TemporaryFolder folder;
    read_xml(folder.write("latin.xml", "<?xml version='1.0' encoding='ISO-8859-1'?><a n='K\xF6ln'/>"), handler);
    CHECK(handler.name == "K\xC3\xB6ln");
}

TEST_CASE("a huge attribute is read and shown in short") {
    struct Number : XmlHandler {
        void start(const Element& e) override { e.number("n"); }
    } handler;
    const TemporaryFolder folder;
    const std::string path = folder.write("huge.xml", "<a n='" + std::string(3000000, 'x') + "'/>");
    try {
        read_xml(path, handler);
        FAIL("nothing was thrown");
    } catch (const InputError& error) {
        CHECK(std::string(error.what()).size() < 400);
    }
}
