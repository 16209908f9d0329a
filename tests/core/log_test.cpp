#include "engine/core/log.hpp"

#include <unistd.h>

#include <cstdio>
#include <set>
#include <sstream>
#include <thread>
#include <vector>

#include "tests/support/catch.hpp"

using namespace jamiton;

namespace {

// What `body` prints to standard error.
template <class Body>
std::string printed(const Body& body) {
    std::FILE* file = std::tmpfile();
    REQUIRE(file != nullptr);
    const int saved = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    body();
    std::fflush(stderr);
    dup2(saved, STDERR_FILENO);
    close(saved);
    std::rewind(file);
    std::string all;
    for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) all += static_cast<char>(c);
    std::fclose(file);
    return all;
}

}  // namespace

TEST_CASE("each level has its form") {
    CHECK(printed([] { log_info("loaded ", 12, " lanes"); }) == "loaded 12 lanes\n");
    CHECK(printed([] { log_warning("3 persons ignored"); }) == "jamiton: warning: 3 persons ignored\n");
    CHECK(printed([] { log_error("no such file"); }) == "jamiton: error: no such file\n");
}

TEST_CASE("quiet drops info and nothing else") {
    const std::string all = printed([] {
        set_quiet(true);
        log_info("unheard");
        log_warning("heard");
        set_quiet(false);
    });
    CHECK(all == "jamiton: warning: heard\n");
}

TEST_CASE("lines of several threads stay whole") {
    const std::string all = printed([] {
        std::vector<std::thread> threads;
        for (int thread = 0; thread < 4; ++thread) {
            threads.emplace_back([thread] {
                for (int i = 0; i < 100; ++i) log_info("thread ", thread, " line ", i);
            });
        }
        for (std::thread& thread : threads) thread.join();
    });
    std::set<std::string> expected, found;
    for (int thread = 0; thread < 4; ++thread) {
        for (int i = 0; i < 100; ++i) expected.insert(text("thread ", thread, " line ", i));
    }
    std::istringstream lines(all);
    for (std::string line; std::getline(lines, line);) found.insert(line);
    CHECK(found == expected);
}
