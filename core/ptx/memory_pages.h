// The bytes of one buffer, page by page, each byte with its history: held, read, written.
// It must not know addresses, nor other buffers.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace fuseboard::ptx {

/// A bit for each byte of a page.
class ByteMarks {
 public:
  void set(uint32_t from, uint32_t count);
  bool all(uint32_t from, uint32_t count) const;
  uint64_t count() const;
  void fill(bool value);

 private:
  static constexpr uint32_t kWords = (1U << 14) / 64;
  std::array<uint64_t, kWords> words_{};
};

/// Pages of 16 KiB that come into being when touched; ranges must lie inside `bytes`.
class MemoryPages {
 public:
  using Fill = std::function<void(uint64_t offset, std::span<uint8_t> out)>;
  MemoryPages(uint64_t bytes, Fill fill);

  void write(uint64_t offset, std::span<const uint8_t> from);  ///< the host
  void read(uint64_t offset, std::span<uint8_t> out);          ///< the host; zero where nothing is held
  bool holds(uint64_t offset, uint64_t count) const;

  bool load(uint64_t offset, uint32_t count, uint8_t* data);  ///< false: a byte holds no value
  void store(uint64_t offset, uint32_t count, const uint8_t* data);

  uint64_t bytes_read() const;
  uint64_t bytes_written() const;
  uint64_t bytes_held() const { return pages_held_ * sizeof(Page); }  ///< of the host's memory, by its pages
  void reset_history();

 private:
  static constexpr uint32_t kPage = 1U << 14;
  static constexpr uint64_t kMostDense = 1U << 12;  ///< pages; above, a map finds them
  struct Page {
    std::array<uint8_t, kPage> data;
    ByteMarks held, read, written;
  };
  Page* page(uint64_t number) const;  ///< null where it was never touched
  Page& touch(uint64_t number);

  uint64_t bytes_;
  Fill fill_;
  std::vector<std::unique_ptr<Page>> dense_;
  std::unordered_map<uint64_t, std::unique_ptr<Page>> sparse_;
  uint64_t pages_held_ = 0;
  mutable uint64_t last_number_ = ~uint64_t{0};
  mutable Page* last_ = nullptr;
};

}  // namespace fuseboard::ptx
