// An owning array of plain data that host threads and, in a CUDA run, kernels read and write.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/core/memory.hpp"

namespace jamiton {

// Grows only by resize(); elements beyond the old size are zero.
template <class T>
class Array {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    Array() = default;
    explicit Array(std::size_t n) { resize(n); }
    explicit Array(const std::vector<T>& values) {
        resize(values.size());
        if (!values.empty()) std::memcpy(data_, values.data(), values.size() * sizeof(T));
    }
    Array(Array&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    Array& operator=(Array&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    ~Array() { release(data_); }

    void resize(std::size_t n) {
        T* grown = static_cast<T*>(allocate(n * sizeof(T)));
        const std::size_t kept = n < size_ ? n : size_;
        if (kept > 0) std::memcpy(grown, data_, kept * sizeof(T));
        if (n > kept) std::memset(static_cast<void*>(grown + kept), 0, (n - kept) * sizeof(T));
        release(data_);
        data_ = grown;
        size_ = n;
    }
    void fill(const T& value) {
        for (std::size_t i = 0; i < size_; ++i) data_[i] = value;
    }

    T* data() { return data_; }
    const T* data() const { return data_; }
    std::size_t size() const { return size_; }
    std::size_t bytes() const { return size_ * sizeof(T); }
    bool empty() const { return size_ == 0; }
    template <class I>
    T& operator[](I i) {
        return data_[i];
    }
    template <class I>
    const T& operator[](I i) const {
        return data_[i];
    }
    T* begin() { return data_; }
    T* end() { return data_ + size_; }
    const T* begin() const { return data_; }
    const T* end() const { return data_ + size_; }

  private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace jamiton
