// HDF5 behind handles that close themselves and calls that throw. An Error names the object and the reason; who
// knows the file puts its path before it (in_file).
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/core/check.hpp"

namespace jamiton::h5 {

struct Error : InputError {
    using InputError::InputError;
};

// To be called first in every thread that uses HDF5: errors become exceptions, so the library must not print them, and
// a file that could not be written to its end must not be closed by the library at exit.
void initialise_thread();

// Throws with what was tried and the reason that the library's error stack holds.
[[noreturn]] void fail(const std::string& attempt);

class Handle {
  public:
    using Close = herr_t (*)(hid_t);
    Handle() = default;
    Handle(hid_t id, Close close, const std::string& attempt) : id_(id), close_(close) {
        if (id < 0) fail(attempt);
    }
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
        return *this;
    }
    ~Handle() { reset(); }

    void reset() {
        if (id_ >= 0) close_(id_);
        id_ = H5I_INVALID_HID;
    }
    hid_t release() { return std::exchange(id_, H5I_INVALID_HID); }
    operator hid_t() const { return id_; }

  private:
    hid_t id_ = H5I_INVALID_HID;
    Close close_ = nullptr;
};

inline void check(herr_t status, const std::string& attempt) {
    if (status < 0) fail(attempt);
}

// Runs `action` and puts the path before the text of an Error.
template <class Action>
decltype(auto) in_file(const std::string& path, Action&& action) {
    try {
        return action();
    } catch (const Error& error) {
        throw InputError(path + ": " + error.what());
    }
}

template <class T>
hid_t native_type() {
    if constexpr (std::is_same_v<T, float>)
        return H5T_NATIVE_FLOAT;
    else if constexpr (std::is_same_v<T, double>)
        return H5T_NATIVE_DOUBLE;
    else if constexpr (std::is_same_v<T, std::int32_t>)
        return H5T_NATIVE_INT32;
    else if constexpr (std::is_same_v<T, std::uint32_t>)
        return H5T_NATIVE_UINT32;
    else if constexpr (std::is_same_v<T, std::int64_t>)
        return H5T_NATIVE_INT64;
    else if constexpr (std::is_same_v<T, std::uint64_t>)
        return H5T_NATIVE_UINT64;
    else {
        static_assert(std::is_same_v<T, std::uint8_t>, "no HDF5 type for this");
        return H5T_NATIVE_UINT8;
    }
}

Handle copy_type(hid_t type);
Handle text_type(std::size_t bytes);                   // UTF-8, padded with zeros; H5T_VARIABLE for any length
Handle enum_type(std::span<const char* const> names);  // values 0, 1, ... in 8 bits

Handle create_group(hid_t parent, const std::string& name);
Handle open_dataset(hid_t parent, const std::string& name);
bool exists(hid_t parent, const std::string& path);  // path of any depth
std::vector<std::string> names_in(hid_t parent, const std::string& group);
std::vector<std::string> attribute_names(hid_t object);

// Attributes: scalars and UTF-8 text. Writing one that exists overwrites it.
void write_attribute(hid_t object, const char* name, const std::string& value);
void write_attribute(hid_t object, const char* name, hid_t type, const void* value);
template <class T>
requires std::is_arithmetic_v<T>
void write_attribute(hid_t object, const char* name, T value) {
    write_attribute(object, name, native_type<T>(), &value);
}
std::string read_text_attribute(hid_t object, const std::string& name);  // numbers are written out
void read_attribute(hid_t object, const std::string& name, hid_t type, void* value);
template <class T>
T read_attribute(hid_t object, const std::string& name) {
    T value{};
    read_attribute(object, name, native_type<T>(), &value);
    return value;
}

std::vector<hsize_t> extents(hid_t dataset);

// Values [begin, begin + count) of the first dimension; whole rows of a dataset of two.
void read_rows(hid_t dataset, hid_t type, hsize_t begin, hsize_t count, void* values);
template <class T>
std::vector<T> read_as(hid_t parent, const std::string& name, hid_t type) {
    const Handle dataset = open_dataset(parent, name);
    const std::vector<hsize_t> sizes = extents(dataset);
    hsize_t total = 1;
    for (const hsize_t size : sizes) total *= size;
    std::vector<T> values(total);
    read_rows(dataset, type, 0, sizes.empty() ? 0 : sizes[0], values.data());
    return values;
}
template <class T>
std::vector<T> read(hid_t parent, const std::string& name) {
    return read_as<T>(parent, name, native_type<T>());
}
std::vector<std::string> read_texts(hid_t parent, const std::string& name);

}  // namespace jamiton::h5
