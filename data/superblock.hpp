// The first bytes of an HDF5 file, read and mended without the library: the mark "open for writing" that a killed run
// leaves makes the library refuse the file.
#pragma once

#include <string>

namespace jamiton {

// What the bytes at the start of a file say; throws InputError with path and reason where they cannot be read.
enum class Hdf5Mark { not_hdf5, closed, open_for_writing };
Hdf5Mark read_mark(const std::string& path);

// Clears the mark and makes the recorded size that of the file. Everything up to the last flush is then as readable
// as after a proper end. Does nothing to a file of an older kind, which has no mark.
void clear_mark(const std::string& path);

// Says to other processes that this one writes a file, until destroyed. A lock on a byte far behind the end: HDF5's
// own lock is released in SWMR mode, and readers must not be kept out.
class WriterLock {
  public:
    WriterLock() = default;
    explicit WriterLock(const std::string& path);
    WriterLock(WriterLock&& other) noexcept;
    WriterLock& operator=(WriterLock&& other) noexcept;
    ~WriterLock();

  private:
    int file_ = -1;
};
bool is_being_written(const std::string& path);

}  // namespace jamiton
