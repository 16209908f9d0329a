#include "data/text_values.hpp"

#include <clocale>

#include "data/id_map.hpp"
#include "tests/support/catch.hpp"

using namespace jamiton;

TEST_CASE("numbers are read whole and finite in any locale") {
    std::setlocale(LC_ALL, "de_DE.UTF-8");
    CHECK(parse_number("13.89") == 13.89);
    CHECK(parse_number(" +1e3 ") == 1000);
    CHECK(parse_number("-.5") == -.5);
    for (const char* bad : {"", "nan", "inf", "-inf", "1,5", "1.5x", "1e999", "+-1", "0x10"}) {
        INFO(bad);
        CHECK_FALSE(parse_number(bad));
    }
    std::setlocale(LC_ALL, "C");
    CHECK(parse_integer("-7") == -7);
    CHECK_FALSE(parse_integer("7.0"));
    CHECK_FALSE(parse_integer("99999999999999999999"));
}

TEST_CASE("times are seconds or clock times") {
    CHECK(parse_time("90.5") == 90.5);
    CHECK(parse_time("0:01:30") == 90);
    CHECK(parse_time("0:02:30.25") == 150.25);
    CHECK(parse_time("0:00:05:00") == 300);
    CHECK(parse_time("1:0:0:0") == 86400);
    CHECK(parse_time("25:00:00") == 90000);
    CHECK(parse_time("0.0004") == 0);
    for (const char* bad : {"1:30", "1:2:3:4:5", "a:b:c", "1::2", "", "-", ":", "1.5:0:0", "1e300"}) {
        INFO(bad);
        CHECK_FALSE(parse_time(bad));
    }
}

TEST_CASE("flags are SUMO's words") {
    for (const char* yes : {"true", "1", "yes", "on", "x", "t", "True"}) CHECK(parse_flag(yes) == true);
    for (const char* no : {"false", "0", "no", "off", "-", "f"}) CHECK(parse_flag(no) == false);
    CHECK_FALSE(parse_flag("maybe"));
}

TEST_CASE("the nearest known name is found or none") {
    CHECK(nearest("ned-file", {"net-file", "route-files"}) == "net-file");
    CHECK(nearest("zzzzzz", {"net-file", "route-files"}).empty());
}

TEST_CASE("ids are numbered in order of first use") {
    IdMap ids;
    for (int i = 0; i < 1000; ++i) REQUIRE(ids.insert("id" + std::to_string(i)) == std::pair(i, true));
    CHECK(ids.insert("id7") == std::pair(7, false));
    CHECK(ids.find("id999") == 999);
    CHECK(ids.find("id1000") == -1);
    CHECK(ids.id(123) == "id123");
    CHECK(IdMap().find("x") == -1);
}
