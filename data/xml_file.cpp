#include "data/xml_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "engine/core/check.hpp"

namespace jamiton {

void check_readable(const std::string& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found) throw InputError(path + ": there is no such file");
    if (error) throw InputError(path + ": cannot be read: " + error.message());
    if (std::filesystem::is_directory(status)) throw InputError(path + ": is a folder, expected a file");
    if (std::filesystem::is_regular_file(status) && std::filesystem::file_size(path, error) == 0 && !error) {
        throw InputError(path + ": the file is empty");
    }
}

XmlFile::XmlFile(const std::string& path) : path_(path) {
    check_readable(path);
    errno = 0;
    file_ = gzopen(path.c_str(), "rb");
    if (file_ == nullptr) throw InputError(path + ": cannot be read: " + std::strerror(errno != 0 ? errno : ENOMEM));
    gzbuffer(file_, 1 << 17);
}

std::size_t XmlFile::read(char* buffer, std::size_t size) {
    const int count = gzread(file_, buffer, static_cast<unsigned>(size));
    if (count > 0) return static_cast<std::size_t>(count);
    int code = Z_OK;
    const char* message = gzerror(file_, &code);
    if (code == Z_ERRNO) throw InputError(path_ + ": cannot be read: " + std::strerror(errno));
    if (code == Z_BUF_ERROR) throw InputError(path_ + ": the gzip data end too early: the file is cut off");
    if (code != Z_OK && code != Z_STREAM_END) throw InputError(path_ + ": the gzip data are damaged (" + message + ")");
    return 0;
}

}  // namespace jamiton
