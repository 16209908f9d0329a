#include "data/h5.hpp"

#include <algorithm>
#include <array>

namespace jamiton::h5 {
namespace {

struct Reason {
    std::string system, library;  // what the operating system said; the library's own innermost words
};

herr_t collect(unsigned, const H5E_error2_t* entry, void* data) {
    auto& reason = *static_cast<Reason*>(data);
    const std::string words = entry->desc ? entry->desc : "";
    constexpr std::string_view mark = "error message = '";
    if (const auto at = words.find(mark); at != std::string::npos && reason.system.empty()) {
        const auto begin = at + mark.size();
        reason.system = words.substr(begin, words.find('\'', begin) - begin);
    }
    if (words.find("unable to lock file") != std::string::npos) {
        reason.library =
            "the file is locked by another program, or its file system knows no locks "
            "(then set HDF5_USE_FILE_LOCKING=FALSE)";
        return 1;
    }
    if (reason.library.empty()) reason.library = words;
    return 0;
}

void append_name(std::vector<std::string>& names, const char* name) { names.emplace_back(name); }

herr_t each_link(hid_t, const char* name, const H5L_info_t*, void* names) {
    append_name(*static_cast<std::vector<std::string>*>(names), name);
    return 0;
}

herr_t each_attribute(hid_t, const char* name, const H5A_info_t*, void* names) {
    append_name(*static_cast<std::vector<std::string>*>(names), name);
    return 0;
}

std::string to_text(hid_t attribute, hid_t type) {
    if (H5Tget_class(type) == H5T_FLOAT) {
        double value = 0;
        check(H5Aread(attribute, H5T_NATIVE_DOUBLE, &value), "read an attribute");
        return text(value);
    }
    if (H5Tget_sign(type) == H5T_SGN_NONE) {
        std::uint64_t value = 0;
        check(H5Aread(attribute, H5T_NATIVE_UINT64, &value), "read an attribute");
        return text(value);
    }
    std::int64_t value = 0;
    check(H5Aread(attribute, H5T_NATIVE_INT64, &value), "read an attribute");
    return text(value);
}

}  // namespace

void initialise_thread() {
    static const herr_t once = H5dont_atexit();
    (void)once;
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

void fail(const std::string& attempt) {
    Reason reason;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, collect, &reason);
    const bool locked = reason.library.find("HDF5_USE_FILE_LOCKING") != std::string::npos;
    const std::string& why = reason.system.empty() || locked ? reason.library : reason.system;
    throw Error("cannot " + attempt + (why.empty() ? "" : ": " + why));
}

Handle copy_type(hid_t type) { return Handle(H5Tcopy(type), H5Tclose, "copy a type"); }

Handle text_type(std::size_t bytes) {
    Handle type = copy_type(H5T_C_S1);
    check(H5Tset_size(type, bytes), "size a text type");
    check(H5Tset_cset(type, H5T_CSET_UTF8), "make a UTF-8 type");
    if (bytes != H5T_VARIABLE) check(H5Tset_strpad(type, H5T_STR_NULLPAD), "pad a text type");
    return type;
}

Handle enum_type(std::span<const char* const> names) {
    Handle type(H5Tenum_create(H5T_NATIVE_UINT8), H5Tclose, "make an enumeration");
    for (std::uint8_t value = 0; value < names.size(); ++value) {
        check(H5Tenum_insert(type, names[value], &value), "name an enumeration's value");
    }
    return type;
}

Handle create_group(hid_t parent, const std::string& name) {
    return Handle(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
                  "create group " + name);
}

Handle open_dataset(hid_t parent, const std::string& name) {
    return Handle(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose, "open dataset " + name);
}

bool exists(hid_t parent, const std::string& path) {
    for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
        const std::string part = path.substr(0, end);
        if (part != "/" && H5Lexists(parent, part.c_str(), H5P_DEFAULT) <= 0) return false;
        if (end == std::string::npos) return true;
    }
}

std::vector<std::string> names_in(hid_t parent, const std::string& group) {
    std::vector<std::string> names;
    const Handle opened(H5Gopen2(parent, group.c_str(), H5P_DEFAULT), H5Gclose, "open group " + group);
    check(H5Literate(opened, H5_INDEX_NAME, H5_ITER_INC, nullptr, each_link, &names), "list group " + group);
    return names;
}

std::vector<std::string> attribute_names(hid_t object) {
    std::vector<std::string> names;
    check(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, each_attribute, &names), "list attributes");
    return names;
}

void write_attribute(hid_t object, const char* name, hid_t type, const void* value) {
    const std::string attempt = std::string("write attribute ") + name;
    Handle attribute;
    if (H5Aexists(object, name) > 0) {
        attribute = Handle(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, attempt);
    } else {
        const Handle scalar(H5Screate(H5S_SCALAR), H5Sclose, attempt);
        attribute = Handle(H5Acreate2(object, name, type, scalar, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, attempt);
    }
    check(H5Awrite(attribute, type, value), attempt);
}

void write_attribute(hid_t object, const char* name, const std::string& value) {
    static const hid_t type = text_type(H5T_VARIABLE).release();
    const char* words = value.c_str();
    write_attribute(object, name, type, &words);
}

void read_attribute(hid_t object, const std::string& name, hid_t type, void* value) {
    const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, "open attribute " + name);
    check(H5Aread(attribute, type, value), "read attribute " + name);
}

std::string read_text_attribute(hid_t object, const std::string& name) {
    const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, "open attribute " + name);
    const Handle type(H5Aget_type(attribute), H5Tclose, "read attribute " + name);
    if (H5Tget_class(type) != H5T_STRING) return to_text(attribute, type);
    if (H5Tis_variable_str(type) <= 0) {
        std::string value(H5Tget_size(type), '\0');
        check(H5Aread(attribute, type, value.data()), "read attribute " + name);
        return value.substr(0, value.find('\0'));
    }
    char* words = nullptr;
    check(H5Aread(attribute, type, &words), "read attribute " + name);
    const std::string value = words ? words : "";
    H5free_memory(words);
    return value;
}

std::vector<hsize_t> extents(hid_t dataset) {
    const Handle space(H5Dget_space(dataset), H5Sclose, "read a dataset's size");
    std::vector<hsize_t> sizes(std::max(0, H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
    return sizes;
}

void read_rows(hid_t dataset, hid_t type, hsize_t begin, hsize_t count, void* values) {
    if (count == 0) return;
    std::vector<hsize_t> size = extents(dataset), start(size.size(), 0);
    start[0] = begin;
    size[0] = count;
    const int rank = static_cast<int>(size.size());
    const Handle file_space(H5Dget_space(dataset), H5Sclose, "read a dataset");
    const Handle memory_space(H5Screate_simple(rank, size.data(), nullptr), H5Sclose, "read a dataset");
    check(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr),
          "read a dataset");
    std::array<char, 256> name{};
    H5Iget_name(dataset, name.data(), name.size());
    check(H5Dread(dataset, type, memory_space, file_space, H5P_DEFAULT, values), std::string("read ") + name.data());
}

std::vector<std::string> read_texts(hid_t parent, const std::string& name) {
    const Handle dataset = open_dataset(parent, name);
    const Handle type(H5Dget_type(dataset), H5Tclose, "read " + name);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0)
        throw Error(name + " is not a text of fixed length");
    const hsize_t count = extents(dataset).at(0);
    const std::size_t width = H5Tget_size(type);
    std::string bytes(count * width, '\0');
    read_rows(dataset, type, 0, count, bytes.data());
    std::vector<std::string> texts(count);
    for (hsize_t i = 0; i < count; ++i) {
        const std::string_view padded(bytes.data() + i * width, width);
        texts[i] = padded.substr(0, padded.find('\0'));
    }
    return texts;
}

}  // namespace jamiton::h5
