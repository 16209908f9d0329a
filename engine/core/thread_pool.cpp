#include "engine/core/thread_pool.hpp"

#include <system_error>

#include "engine/core/check.hpp"
#include "engine/core/float_mode.hpp"

namespace jamiton {

ThreadPool::ThreadPool(int size) {
    if (size <= 0) size = static_cast<int>(std::thread::hardware_concurrency());
    set_float_mode();
    try {
        for (int k = 1; k < size; ++k) workers_.emplace_back([this, k] { work(k); });
    } catch (const std::system_error&) {
        stop();
        throw InputError(text("cannot start ", size, " threads on this machine: expected fewer (--threads)"));
    }
}

ThreadPool::~ThreadPool() { stop(); }

void ThreadPool::stop() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    wake_.notify_all();
    for (auto& worker : workers_) worker.join();
}

void ThreadPool::run(int chunks, const std::function<void(int)>& part) {
    {
        const std::lock_guard lock(mutex_);
        part_ = &part;
        chunks_ = chunks;
        pending_ = chunks - 1;
        ++round_;
    }
    wake_.notify_all();
    part(0);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return pending_ == 0; });
    part_ = nullptr;
}

void ThreadPool::work(int worker) {
    set_float_mode();
    std::uint64_t seen = 0;
    for (;;) {
        const std::function<void(int)>* part = nullptr;
        {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [&] { return stop_ || round_ != seen; });
            if (stop_) return;
            seen = round_;
            if (worker >= chunks_) continue;
            part = part_;
        }
        (*part)(worker);
        const std::lock_guard lock(mutex_);
        if (--pending_ == 0) done_.notify_one();
    }
}

}  // namespace jamiton
