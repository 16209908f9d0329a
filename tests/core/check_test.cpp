#include "engine/core/check.hpp"
#include "tests/support/catch.hpp"

using namespace jamiton;

TEST_CASE("require passes what holds and names the line of what does not") {
    REQUIRE_NOTHROW(require(1 + 1 == 2, "arithmetic"));
    int line = 0;
    try {
        line = __LINE__ + 1;
        require(false, "lane ", 7, " has no edge");
    } catch (const InternalError& error) {
        CHECK(std::string(error.what()).ends_with(text("check_test.cpp:", line, ": lane 7 has no edge")));
        return;
    }
    FAIL("nothing was thrown");
}

TEST_CASE("require takes anything with a truth value") {
    const int number = 3;
    const int* missing = nullptr;
    REQUIRE_NOTHROW(require(&number, "a pointer"));
    REQUIRE_THROWS_AS(require(missing, "no pointer"), InternalError);
}

TEST_CASE("an input error is not an internal one") {
    REQUIRE_THROWS_AS(throw InputError("net.xml:3: edge 'a' has no lanes"), std::runtime_error);
}
