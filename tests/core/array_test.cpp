#include "engine/core/array.hpp"

#include <cstdint>
#include <numeric>

#include "tests/support/catch.hpp"

using namespace jamiton;

TEST_CASE("an array keeps what it holds when it grows and the new part is zero") {
    Array<int> a(3);
    CHECK(a.size() == 3);
    CHECK(a.bytes() == 12);
    std::iota(a.begin(), a.end(), 1);
    a.resize(1000);
    CHECK(a[0] == 1);
    CHECK(a[2] == 3);
    CHECK(std::accumulate(a.begin(), a.end(), 0) == 6);
    a.resize(2);
    a.resize(4);
    CHECK(std::vector<int>(a.begin(), a.end()) == std::vector<int>{1, 2, 0, 0});
    a.resize(0);
    CHECK(a.empty());
}

TEST_CASE("arrays are aligned for vectors") {
    for (const std::size_t n : {1u, 3u, 1000u})
        CHECK(reinterpret_cast<std::uintptr_t>(Array<char>(n).data()) % 64 == 0);
}

TEST_CASE("arrays move and take values") {
    Array<int> a(std::vector<int>{4, 5, 6});
    const int* data = a.data();
    Array<int> b(std::move(a));
    CHECK(b.data() == data);
    Array<int> c;
    c = std::move(b);
    CHECK(c.data() == data);
    CHECK(c[1] == 5);
    c.fill(9);
    CHECK(std::accumulate(c.begin(), c.end(), 0) == 27);
    CHECK(Array<int>(std::vector<int>{}).empty());
}
