// A queue between two threads, bounded by the bytes of what waits in it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace jamiton {

template <class Item>
class BoundedQueue {
  public:
    using Clock = std::chrono::steady_clock;
    struct Waits {
        std::int64_t count = 0;
        double seconds = 0;
    };

    explicit BoundedQueue(std::size_t most_bytes) : most_bytes_(most_bytes) {}

    // Waits while the queue is full. A single item may be larger than the bound.
    void push(Item item, std::size_t bytes) {
        std::unique_lock lock(mutex_);
        const auto has_room = [&] { return items_.empty() || bytes_ + bytes <= most_bytes_; };
        if (!has_room()) {
            const Clock::time_point start = Clock::now();
            popped_.wait(lock, has_room);
            ++waits_.count;
            waits_.seconds += std::chrono::duration<double>(Clock::now() - start).count();
        }
        items_.emplace_back(std::move(item), bytes);
        bytes_ += bytes;
        lock.unlock();
        pushed_.notify_one();
    }

    // Nothing when the time is over.
    std::optional<Item> pop_until(Clock::time_point time) {
        std::unique_lock lock(mutex_);
        if (!pushed_.wait_until(lock, time, [&] { return !items_.empty(); })) return {};
        std::optional<Item> item(std::move(items_.front().first));
        bytes_ -= items_.front().second;
        items_.pop_front();
        lock.unlock();
        popped_.notify_one();
        return item;
    }

    Waits waits() const {
        const std::lock_guard lock(mutex_);
        return waits_;
    }

  private:
    mutable std::mutex mutex_;
    std::condition_variable pushed_, popped_;
    std::deque<std::pair<Item, std::size_t>> items_;
    std::size_t bytes_ = 0, most_bytes_;
    Waits waits_;
};

}  // namespace jamiton
