#include "data/superblock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "engine/core/check.hpp"

namespace jamiton {
namespace {

// HDF5 file format, superblock versions 2 and 3 with addresses of 8 bytes: signature 8, version, size of addresses,
// size of lengths, flags, base address 8, extension 8, end of file 8, root group 8, checksum 4. Little endian.
constexpr std::size_t superblock_bytes = 48, version_at = 8, offset_size_at = 9, flags_at = 11, end_at = 28,
                      checksum_at = 44;
constexpr std::array<std::uint8_t, 8> signature{0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
constexpr std::uint8_t write_flag = 1, swmr_flag = 4;
using Superblock = std::array<std::uint8_t, superblock_bytes>;

struct File {
    File(const std::string& path, int mode) : number(open(path.c_str(), mode | O_CLOEXEC)) {
        if (number < 0) throw InputError(path + ": cannot open: " + std::strerror(errno));
    }
    ~File() { close(number); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    int number;
};

Superblock read_superblock(const File& file, const std::string& path) {
    Superblock block{};
    if (pread(file.number, block.data(), block.size(), 0) < 0)
        throw InputError(path + ": cannot read: " + std::strerror(errno));
    return block;
}

bool is_hdf5(const Superblock& block) { return std::memcmp(block.data(), signature.data(), signature.size()) == 0; }

bool has_mark(const Superblock& block) {
    return (block[version_at] == 2 || block[version_at] == 3) && block[offset_size_at] == 8;
}

// Bob Jenkins' lookup3, which HDF5 takes for the checksums of its metadata.
std::uint32_t lookup3(const std::uint8_t* data, std::size_t bytes) {
    using std::rotl;
    std::uint32_t a = 0xdeadbeefu + static_cast<std::uint32_t>(bytes), b = a, c = a;
    const auto word = [&](std::size_t at) {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < 4 && at + i < bytes; ++i) value |= std::uint32_t{data[at + i]} << (8 * i);
        return value;
    };
    std::size_t at = 0;
    for (; bytes - at > 12; at += 12) {
        a += word(at), b += word(at + 4), c += word(at + 8);
        a -= c, a ^= rotl(c, 4), c += b;
        b -= a, b ^= rotl(a, 6), a += c;
        c -= b, c ^= rotl(b, 8), b += a;
        a -= c, a ^= rotl(c, 16), c += b;
        b -= a, b ^= rotl(a, 19), a += c;
        c -= b, c ^= rotl(b, 4), b += a;
    }
    a += word(at), b += word(at + 4), c += word(at + 8);
    c ^= b, c -= rotl(b, 14);
    a ^= c, a -= rotl(c, 11);
    b ^= a, b -= rotl(a, 25);
    c ^= b, c -= rotl(b, 16);
    a ^= c, a -= rotl(c, 4);
    b ^= a, b -= rotl(a, 14);
    c ^= b, c -= rotl(b, 24);
    return c;
}

void store(Superblock& block, std::size_t at, std::uint64_t value, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) block[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

struct flock far_byte(short kind) {
    struct flock lock {};
    lock.l_type = kind;
    lock.l_whence = SEEK_SET;
    lock.l_start = off_t{1} << 62;
    lock.l_len = 1;
    return lock;
}

}  // namespace

Hdf5Mark read_mark(const std::string& path) {
    const File file(path, O_RDONLY);
    const Superblock block = read_superblock(file, path);
    if (!is_hdf5(block)) return Hdf5Mark::not_hdf5;
    const bool marked = has_mark(block) && (block[flags_at] & (write_flag | swmr_flag)) != 0;
    return marked ? Hdf5Mark::open_for_writing : Hdf5Mark::closed;
}

void clear_mark(const std::string& path) {
    const File file(path, O_RDWR);
    Superblock block = read_superblock(file, path);
    if (!is_hdf5(block) || !has_mark(block)) return;
    struct stat status {};
    if (fstat(file.number, &status) < 0) throw InputError(path + ": cannot read its size: " + std::strerror(errno));
    block[flags_at] &= static_cast<std::uint8_t>(~(write_flag | swmr_flag));
    store(block, end_at, static_cast<std::uint64_t>(status.st_size), 8);
    store(block, checksum_at, lookup3(block.data(), checksum_at), 4);
    if (pwrite(file.number, block.data(), block.size(), 0) != static_cast<ssize_t>(block.size())) {
        throw InputError(path + ": cannot write: " + std::strerror(errno));
    }
}

// Where the file system knows no locks, nobody learns of the writer, and nothing else is lost.
WriterLock::WriterLock(const std::string& path) : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct flock lock = far_byte(F_RDLCK);
    if (file_ >= 0) fcntl(file_, F_OFD_SETLK, &lock);
}
WriterLock::WriterLock(WriterLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
WriterLock& WriterLock::operator=(WriterLock&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
}
WriterLock::~WriterLock() {
    if (file_ >= 0) close(file_);
}

bool is_being_written(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    struct flock lock = far_byte(F_WRLCK);
    const bool locked = fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    close(file);
    return locked;
}

}  // namespace jamiton
