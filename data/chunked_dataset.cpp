#include "data/chunked_dataset.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <cstring>

namespace jamiton {
namespace {

// Four planes in one pass, in a form that compilers turn into vector code.
void shuffle_words(const std::uint32_t* from, std::uint8_t* to, std::size_t count) {
    for (int plane = 0; plane < 4; ++plane) {
        std::uint8_t* out = to + plane * count;
        for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<std::uint8_t>(from[i] >> (8 * plane));
    }
}

// 64 bits over 8 bytes at a time; only to see whether a chunk changed.
std::uint64_t digest(const std::byte* data, std::size_t bytes) {
    constexpr std::uint64_t factor = 0x9E3779B97F4A7C15u;
    std::uint64_t sum = bytes * factor, word = 0;
    std::size_t at = 0;
    for (; at + 8 <= bytes; at += 8) {
        std::memcpy(&word, data + at, 8);
        sum = (sum ^ word) * factor;
        sum ^= sum >> 29;
    }
    word = 0;
    std::memcpy(&word, data + at, bytes - at);
    sum = (sum ^ word) * factor;
    return (sum ^ (sum >> 32)) | 1;  // never 0, which stands for "not written"
}

}  // namespace

void shuffle(const std::byte* from, std::byte* to, std::size_t count, std::size_t element_bytes) {
    if (element_bytes == 4) {
        shuffle_words(reinterpret_cast<const std::uint32_t*>(from), reinterpret_cast<std::uint8_t*>(to), count);
        return;
    }
    for (std::size_t byte = 0; byte < element_bytes; ++byte) {
        for (std::size_t i = 0; i < count; ++i) to[byte * count + i] = from[i * element_bytes + byte];
    }
}

ChunkPacker::ChunkPacker(int level) {
    if (level <= 0) return;
    compressor_ = libdeflate_alloc_compressor(std::min(level, 12));
    require(compressor_, "no memory for a compressor");
}

ChunkPacker::~ChunkPacker() {
    if (compressor_) libdeflate_free_compressor(compressor_);
}

ChunkPacker::Packed ChunkPacker::pack(const std::byte* chunk, std::size_t bytes, std::size_t element_bytes) {
    const Packed plain{chunk, bytes, no_filter};
    if (!compressor_) return plain;
    shuffled_.resize(std::max(shuffled_.size(), bytes));
    deflated_.resize(std::max(deflated_.size(), bytes));
    shuffle(chunk, shuffled_.data(), bytes / element_bytes, element_bytes);
    const std::size_t packed = libdeflate_zlib_compress(compressor_, shuffled_.data(), bytes, deflated_.data(), bytes);
    return packed == 0 ? plain : Packed{deflated_.data(), packed, 0};  // 0: it would not have become smaller
}

ChunkShape shape_of(hid_t dataset) {
    const h5::Handle type(H5Dget_type(dataset), H5Tclose, "read a dataset's type");
    const h5::Handle properties(H5Dget_create_plist(dataset), H5Pclose, "read a dataset's chunks");
    ChunkShape shape{.element_bytes = H5Tget_size(type)};
    const std::vector<hsize_t> sizes = h5::extents(dataset);
    if (H5Pget_layout(properties) != H5D_CHUNKED) return shape;  // it has no rows and gets none
    hsize_t chunk[2] = {1, 1};
    h5::check(H5Pget_chunk(properties, 2, chunk), "read a dataset's chunks");
    shape.chunk_rows = chunk[0];
    if (sizes.size() == 2) {
        shape.width = sizes[1];
        shape.chunk_width = chunk[1];
    }
    return shape;
}

// Some 64 KiB, of equal width as nearly as can be, so that little of the last chunk of a row lies outside.
std::array<hsize_t, 2> table_chunk(hsize_t width) {
    constexpr hsize_t elements = 16384, most_rows = 64;
    const hsize_t used = std::max<hsize_t>(width, 1), in_row = (used + elements - 1) / elements;
    const hsize_t chunk_width = (used + in_row - 1) / in_row;
    return {std::clamp<hsize_t>(elements / chunk_width, 1, most_rows), chunk_width};
}

ChunkedDataset::ChunkedDataset(h5::Handle dataset, ChunkPacker& packer)
    : dataset_(std::move(dataset)), shape_(shape_of(dataset_)), packer_(&packer) {
    char name[256] = "";
    H5Iget_name(dataset_, name, sizeof name);
    name_ = name;
    buffer_.resize(shape_.chunk_rows * row_bytes());
    rows_ = shown_rows_ = h5::extents(dataset_).at(0);
    digests_.resize((rows_ + shape_.chunk_rows - 1) / shape_.chunk_rows);
}

void ChunkedDataset::append(const void* rows, std::size_t count) {
    const auto* from = static_cast<const std::byte*>(rows);
    while (count > 0) {
        const hsize_t filled = rows_ % shape_.chunk_rows;
        const std::size_t taken = std::min<std::size_t>(count, shape_.chunk_rows - filled);
        std::memcpy(buffer_.data() + filled * row_bytes(), from, taken * row_bytes());
        rows_ += taken;
        count -= taken;
        from += taken * row_bytes();
        if (rows_ % shape_.chunk_rows == 0) write_chunk(rows_ / shape_.chunk_rows - 1, false);
    }
}

void ChunkedDataset::flush(bool last) {
    if (rows_ == shown_rows_) return;
    if (rows_ % shape_.chunk_rows != 0) {
        std::fill(buffer_.begin() + static_cast<std::ptrdiff_t>(rows_ % shape_.chunk_rows * row_bytes()), buffer_.end(),
                  std::byte{0});
        write_chunk(rows_ / shape_.chunk_rows, !last);
    }
}

void ChunkedDataset::overwrite(const void* rows, std::size_t count, bool last) {
    require(count == rows_, "a table of ", count, " rows for ", rows_);
    const auto* from = static_cast<const std::byte*>(rows);
    for (std::size_t chunk = 0; chunk < digests_.size(); ++chunk) {
        const std::size_t begin = chunk * shape_.chunk_rows,
                          used = std::min<std::size_t>(shape_.chunk_rows, count - begin);
        const std::uint64_t now = digest(from + begin * row_bytes(), used * row_bytes());
        if (now == digests_[chunk]) continue;
        std::fill(buffer_.begin(), buffer_.end(), std::byte{0});
        std::memcpy(buffer_.data(), from + begin * row_bytes(), used * row_bytes());
        plain_ = digests_[chunk] != 0;
        write_chunk(chunk, !last);
        digests_[chunk] = now;
    }
    plain_ = false;
}

void ChunkedDataset::write_chunk(hsize_t chunk, bool may_change) {
    extend();
    const hsize_t tiles = (shape_.width + shape_.chunk_width - 1) / shape_.chunk_width;
    for (hsize_t tile = 0; tile < tiles; ++tile) write_tile(chunk, tile, may_change);
    plain_ = may_change;
}

// The library takes no chunk that lies outside.
void ChunkedDataset::extend() {
    if (rows_ == shown_rows_) return;
    const hsize_t sizes[2] = {rows_, shape_.width};
    h5::check(H5Dset_extent(dataset_, sizes), "extend a dataset");
    shown_rows_ = rows_;
}

void ChunkedDataset::write_tile(hsize_t chunk, hsize_t tile, bool may_change) {
    const std::size_t element = shape_.element_bytes, bytes = shape_.chunk_rows * shape_.chunk_width * element;
    const std::byte* data = buffer_.data();
    if (shape_.chunk_width != shape_.width) {
        const hsize_t first = tile * shape_.chunk_width, used = std::min(shape_.chunk_width, shape_.width - first);
        tile_.assign(bytes, std::byte{0});
        for (hsize_t row = 0; row < shape_.chunk_rows; ++row) {
            std::memcpy(tile_.data() + row * shape_.chunk_width * element,
                        data + (row * shape_.width + first) * element, used * element);
        }
        data = tile_.data();
    }
    const ChunkPacker::Packed packed = may_change || plain_ ? ChunkPacker::Packed{data, bytes, ChunkPacker::no_filter}
                                                            : packer_->pack(data, bytes, element);
    const hsize_t offset[2] = {chunk * shape_.chunk_rows, tile * shape_.chunk_width};
    const herr_t status = H5Dwrite_chunk(dataset_, H5P_DEFAULT, packed.filter_mask, offset, packed.bytes, packed.data);
    if (status < 0) h5::fail("write " + name_);  // no call of the library between: it would clear the reason
}

}  // namespace jamiton
