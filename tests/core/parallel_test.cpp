#include "engine/core/parallel.hpp"

#include <numeric>
#include <vector>

#include "engine/core/array.hpp"
#include "tests/support/catch.hpp"

using namespace jamiton;

namespace {

struct CountVisits {
    int* visits;
    HD void operator()(int i) const { atomic_add(&visits[i], 1); }
};

struct Numbers {
    HD Sums operator()(int i) const {
        Sums s;
        s.value[0] = i;
        s.value[1] = 1;
        s.value[2] = -std::int64_t{i} * i;
        s.value[3] = std::int64_t{1} << 62;  // wraps around, on all in the same way
        return s;
    }
};

struct Lower {
    std::uint64_t* wide;
    std::uint32_t* narrow;
    HD void operator()(int i) const {
        const auto key = static_cast<std::uint64_t>(i) * 2654435761u % 1000003;
        atomic_min(wide, (key << 32) | static_cast<std::uint32_t>(i));
        atomic_min(narrow, static_cast<std::uint32_t>(key) + 5);
    }
};

struct Swap {
    int* slot;
    int* given_back;
    HD void operator()(int i) const {
        const int before = atomic_exchange(slot, i);
        if (before >= 0) atomic_add(&given_back[before], 1);
    }
};

}  // namespace

TEST_CASE("a pool has as many threads as asked for") {
    CHECK(ThreadPool(1).size() == 1);
    CHECK(ThreadPool(3).size() == 3);
    CHECK(ThreadPool(0).size() == static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
}

TEST_CASE("chunks cover every index once") {
    for (const int threads : {1, 2, 4, 7}) {
        ThreadPool pool(threads);
        for (const int n : {0, 1, 2, 3, 7, 100, 4097})
            for (const int grain : {0, 1, 3, 512}) {
                Array<int> visits(static_cast<std::size_t>(n));
                std::atomic<int> chunks = 0;
                pool.for_each_chunk(n, grain, [&](int begin, int end) {
                    ++chunks;
                    for (int i = begin; i < end; ++i) atomic_add(&visits[i], 1);
                });
                INFO(threads << " threads, n " << n << " grain " << grain);
                CHECK(std::all_of(visits.begin(), visits.end(), [](int v) { return v == 1; }));
                CHECK(chunks <= threads);
            }
    }
}

TEST_CASE("a short loop stays on the caller") {
    ThreadPool pool(4);
    const auto caller = std::this_thread::get_id();
    bool elsewhere = false;
    pool.for_each_chunk(1000, 512, [&](int, int) { elsewhere = elsewhere || std::this_thread::get_id() != caller; });
    CHECK_FALSE(elsewhere);
}

TEST_CASE("a pool survives many short rounds and is gone when it is gone") {
    for (int again = 0; again < 20; ++again) {
        ThreadPool pool(4);
        int total = 0;
        for (int round = 0; round < 500; ++round)
            pool.for_each_chunk(8, 1, [&](int begin, int end) { atomic_add(&total, end - begin); });
        CHECK(total == 4000);
    }
}

TEST_CASE("parallel_for calls each index once and counts its launches") {
    ThreadPool pool(4);
    Exec exec;
    exec.threads = &pool;
    Array<int> visits(100000);
    parallel_for(exec, 100000, CountVisits{visits.data()});
    parallel_for(exec, 0, CountVisits{nullptr});
    CHECK(std::all_of(visits.begin(), visits.end(), [](int v) { return v == 1; }));
    CHECK(exec.launches == 1);
}

TEST_CASE("sums and scans are the same for any number of threads") {
    for (const int threads : {1, 2, 4}) {
        ThreadPool pool(threads);
        Exec exec;
        exec.threads = &pool;
        for (const int n : {0, 1, 5000, 100000}) {
            Sums total;
            total.value[0] = 99;  // whatever was there is gone
            sum_over(exec, n, Numbers{}, &total);
            CHECK(total.value[0] == std::int64_t{n} * (n - 1) / 2);
            CHECK(total.value[1] == n);
            CHECK(total.value[2] == -(std::int64_t{n} - 1) * n * (2 * std::int64_t{n} - 1) / 6);
            CHECK(static_cast<std::uint64_t>(total.value[3]) == static_cast<std::uint64_t>(n) << 62);

            std::vector<int> in(static_cast<std::size_t>(n) + 1), out(in.size()), expected(in.size());
            for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * 7 % 11);
            std::exclusive_scan(in.begin(), in.end(), expected.begin(), 0);
            exclusive_scan(exec, n, in.data(), out.data());
            CHECK(out == expected);
            exclusive_scan(exec, n, in.data(), in.data());  // in place
            CHECK(in == expected);
        }
    }
}

TEST_CASE("the minimum of many threads is the least and no exchange loses a value") {
    ThreadPool pool(4);
    Exec exec;
    exec.threads = &pool;
    constexpr int n = 200000;
    std::uint64_t wide = ~std::uint64_t{0};
    std::uint32_t narrow = ~std::uint32_t{0};
    parallel_for(exec, n, Lower{&wide, &narrow}, 1);
    CHECK(wide == 0);  // index 0 has key 0
    CHECK(narrow == 5);
    wide = 3;
    parallel_for(exec, n, Lower{&wide, &narrow}, 1);
    CHECK(wide == 0);

    int slot = -1;
    Array<int> given_back(n);
    parallel_for(exec, n, Swap{&slot, given_back.data()}, 1);
    atomic_add(&given_back[slot], 1);
    CHECK(std::all_of(given_back.begin(), given_back.end(), [](int v) { return v == 1; }));
}

TEST_CASE("atomic_add returns what was there before") {
    int value = 5;
    CHECK(atomic_add(&value, 3) == 5);
    CHECK(value == 8);
    std::int64_t wide = -1;
    atomic_add(&wide, std::int64_t{1} << 40);
    CHECK(wide == (std::int64_t{1} << 40) - 1);
}
