// A dataset written chunk by chunk, past the library's filters: shuffle and deflate as every HDF5 reader undoes them,
// but several times faster than the library does them.
// A chunk that is written before it is full is stored plain and later overwritten in place: in SWMR mode a chunk whose
// size changes would leave its old place in the file unused, at every flush.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "data/h5.hpp"

struct libdeflate_compressor;

namespace jamiton {

// Byte i of every element, for each i: what HDF5's shuffle filter does.
void shuffle(const std::byte* from, std::byte* to, std::size_t count, std::size_t element_bytes);

// Packs one chunk after the other with buffers of its own; level 0 packs nothing.
class ChunkPacker {
  public:
    explicit ChunkPacker(int level);
    ~ChunkPacker();
    ChunkPacker(const ChunkPacker&) = delete;
    ChunkPacker& operator=(const ChunkPacker&) = delete;

    static constexpr std::uint32_t no_filter = 3;  // neither shuffle nor deflate
    struct Packed {
        const std::byte* data;
        std::size_t bytes;
        std::uint32_t filter_mask;  // bit i: filter i of the dataset was left out
    };
    Packed pack(const std::byte* chunk, std::size_t bytes, std::size_t element_bytes);

  private:
    libdeflate_compressor* compressor_ = nullptr;
    std::vector<std::byte> shuffled_, deflated_;
};

// How a dataset of [rows] or [rows, width] elements is cut into chunks.
struct ChunkShape {
    std::size_t element_bytes = 4;
    hsize_t width = 1;  // elements of a row
    hsize_t chunk_rows = 1, chunk_width = 1;
};
ChunkShape shape_of(hid_t dataset);

// The chunk [rows, width] for a table of that width that grows by rows.
std::array<hsize_t, 2> table_chunk(hsize_t width);

class ChunkedDataset {
  public:
    ChunkedDataset(h5::Handle dataset, ChunkPacker& packer);

    // Adds rows at the end; whole chunks go to the file, the rest with the next ones or with flush().
    void append(const void* rows, std::size_t count);

    // Makes all rows visible. `last`: no more rows will come, so the last chunk may be compressed.
    void flush(bool last);

    // Writes all rows of a dataset of fixed size, those chunks only that changed since the last call.
    void overwrite(const void* rows, std::size_t count, bool last);

    hsize_t rows() const { return rows_; }
    hsize_t width() const { return shape_.width; }
    std::size_t element_bytes() const { return shape_.element_bytes; }
    hid_t id() const { return dataset_; }
    void abandon() { dataset_.release(); }  // never to be closed

  private:
    void extend();
    void write_chunk(hsize_t chunk, bool may_change);
    void write_tile(hsize_t chunk, hsize_t tile, bool may_change);
    std::size_t row_bytes() const { return shape_.element_bytes * shape_.width; }

    h5::Handle dataset_;
    std::string name_;
    ChunkShape shape_;
    ChunkPacker* packer_;
    hsize_t rows_ = 0, shown_rows_ = 0;
    std::vector<std::byte> buffer_, tile_;  // the open chunk over the full width; one chunk of it
    bool plain_ = false;                    // the open chunk is in the file already
    std::vector<std::uint64_t> digests_;    // of the chunks that overwrite() wrote
};

}  // namespace jamiton
