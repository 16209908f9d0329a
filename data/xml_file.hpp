// The bytes of a file, unpacked when it is gzip.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <string>

namespace jamiton {

// Throws InputError when there is no such file, it is a folder, may not be read, or is empty.
void check_readable(const std::string& path);

class XmlFile {
  public:
    explicit XmlFile(const std::string& path);
    ~XmlFile() { gzclose_r(file_); }
    XmlFile(const XmlFile&) = delete;
    XmlFile& operator=(const XmlFile&) = delete;

    // How many bytes were put into buffer; 0 at the end. Throws when gzip data are cut or damaged.
    std::size_t read(char* buffer, std::size_t size);

  private:
    std::string path_;
    gzFile file_ = nullptr;
};

}  // namespace jamiton
