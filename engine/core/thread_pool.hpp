// A few host threads that run chunks of a loop. OpenMP's and TBB's runtimes would hide races from the thread sanitizer.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace jamiton {

class ThreadPool {
  public:
    // `size` threads in all, the caller's included; 0 takes one per core of the machine.
    explicit ThreadPool(int size);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int size() const { return static_cast<int>(workers_.size()) + 1; }

    // Calls body(begin, end) on ranges that together cover 0..n. Loops shorter than two grains stay on the caller,
    // so that small worlds wake nobody.
    template <class Body>
    void for_each_chunk(int n, int grain, const Body& body) {
        const int chunks = std::min(size(), n / (grain > 0 ? grain : 1));
        if (chunks <= 1) return body(0, n);
        const auto part = [n, chunks, &body](int k) {
            body(static_cast<int>(static_cast<long long>(n) * k / chunks),
                 static_cast<int>(static_cast<long long>(n) * (k + 1) / chunks));
        };
        run(chunks, std::function<void(int)>(std::cref(part)));
    }

  private:
    void run(int chunks, const std::function<void(int)>& part);
    void work(int worker);
    void stop();

    std::vector<std::thread> workers_;
    std::mutex mutex_;
    std::condition_variable wake_, done_;
    const std::function<void(int)>* part_ = nullptr;
    int chunks_ = 0, pending_ = 0;
    std::uint64_t round_ = 0;
    bool stop_ = false;
};

}  // namespace jamiton
