// The memory that a launch's pointers reach: buffers far apart, each byte with its history.
// It must not know instructions.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace fuseboard::ptx {

constexpr uint32_t kNoBuffer = 0xffffffff;

/// Gives a byte that was never written its value: for memory too large to hold. Pure: the same address, the
/// same value. Fills `out` with the bytes from `offset` of the buffer on.
using Fill = std::function<void(uint64_t offset, std::span<uint8_t> out)>;

/// Allocations whose pages come into being when touched, so that a buffer of 2^40 bytes costs what is touched
/// of it. Every byte knows whether it holds a value, was read by a kernel, was written by one.
/// Buffers at addresses that never touch each other (at least 4 KiB apart, 256-byte aligned), so that every
/// access past an end is seen. O(1) to find the buffer of an address that the last access also hit.
class Memory {
 public:
  Memory();
  ~Memory();
  Memory(Memory&&) noexcept;
  Memory& operator=(Memory&&) noexcept;

  /// A buffer of `bytes` bytes (at most 2^48), none of which holds a value. Its id: 0, 1, 2, ...
  uint32_t add(std::string name, uint64_t bytes);
  /// A buffer whose every byte holds what `fill` says until it is written.
  uint32_t add_filled(std::string name, uint64_t bytes, Fill fill);

  /// The buffer of that name that was added last; kNoBuffer where there is none.
  uint32_t find(std::string_view name) const;
  /// From now on kernels may only read it.
  void protect(uint32_t buffer);

  uint64_t address(uint32_t buffer) const;
  uint64_t bytes(uint32_t buffer) const;
  const std::string& name(uint32_t buffer) const;

  /// As a host would copy: no counting.
  void write(uint32_t buffer, uint64_t offset, std::span<const uint8_t> from);
  void read(uint32_t buffer, uint64_t offset, std::span<uint8_t> out) const;
  bool holds_values(uint32_t buffer, uint64_t offset,
                    uint64_t count) const;  ///< every byte was written or filled

  /// Distinct bytes that kernels have read or written since the last reset.
  uint64_t bytes_read(uint32_t buffer) const;
  uint64_t bytes_written(uint32_t buffer) const;
  void reset_history();
  /// What the pages that were touched take of the host's memory. O(buffers).
  uint64_t bytes_held() const;

  enum class Access : uint8_t { ok, out_of_bounds, never_written, read_only };
  /// A kernel's access to `count` bytes of one buffer; marks them. A load fills `data`, a store takes it.
  /// O(count), and O(1) to find a buffer or page that the last access to it also hit.
  Access load(uint64_t address, uint32_t count, uint8_t* data);
  Access store(uint64_t address, uint32_t count, const uint8_t* data);
  /// "b + 16", or "16 bytes past the end of b", or "no buffer is near".
  std::string describe(uint64_t address) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fuseboard::ptx
