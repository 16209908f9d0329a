// Catch2 in its second or third version, whichever the machine has. Test names without commas and brackets work
// with both.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
// The third version's SKIP: ctest reads the word and counts the case as skipped.
#define SKIP(reason)                 \
    do {                             \
        WARN("SKIPPED: " << reason); \
        return;                      \
    } while (false)
#endif
