// One launch of any PTX module over buffers of its own.
// It must not know graphs, nor the text that asked for it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "graph/dtype.h"
#include "ptx/counters.h"
#include "ptx/fault.h"

namespace fuseboard {

enum class ScratchFill : uint8_t {
  random,    ///< seeded values (verify/seeded_values.h), the parameter's number as the op
  constant,  ///< `bits` in every element
  iota,      ///< 0, 1, 2, ...
  none,      ///< never written: reading it is a fault
};

struct ScratchParameter {
  DType dtype = DType::f32;
  bool is_buffer = false;
  uint64_t bits = 0;   ///< of a scalar, or of every element, little endian
  uint64_t count = 0;  ///< elements of a buffer
  ScratchFill fill = ScratchFill::random;
};

struct ScratchRequest {
  std::string ptx;
  std::string entry;  ///< "": the first
  std::array<uint32_t, 3> grid{1, 1, 1};
  std::array<uint32_t, 3> block{1, 1, 1};
  uint32_t shared_bytes = 0;
  uint64_t seed = 1;
  uint64_t most_steps = uint64_t{1} << 40;  ///< warp instructions; past it a fault: step_budget
  std::vector<ScratchParameter> parameters;
};

enum class ScratchState : uint8_t { running, finished, faulted, failed };

class ScratchLaunch {
 public:
  /// Never fails: a module that cannot be read or launched is `failed`, with diagnostics.
  explicit ScratchLaunch(ScratchRequest request);
  ScratchLaunch(ScratchLaunch&&) noexcept;
  ~ScratchLaunch();

  ScratchState advance(uint64_t steps);
  ScratchState state() const;
  const std::vector<Diagnostic>& diagnostics() const;  ///< places in the PTX
  const std::optional<ptx::Fault>& fault() const;
  ptx::Counters counters() const;
  uint64_t steps() const;
  uint64_t blocks_finished() const;
  uint64_t blocks() const;
  const ScratchRequest& request() const;

  /// A parameter's name in the PTX; "" past the entry's own.
  std::string name(size_t parameter) const;
  void write(size_t parameter,
             std::span<const uint8_t> bytes);  ///< cut at the buffer's end; nothing for a scalar
  /// Bytes of a buffer from `offset` on, at most `count`, those never written as 0.
  std::vector<uint8_t> read(size_t parameter, uint64_t offset, uint64_t count) const;
  bool holds_values(size_t parameter, uint64_t offset, uint64_t count) const;
  uint64_t bytes_read(size_t parameter) const;  ///< distinct, by the kernel
  uint64_t bytes_written(size_t parameter) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A number as its bits in a dtype: "1.5", "-3", "true", "inf", "nan", or "0x7f800000", which are the bits
/// themselves. Nothing for other text, and for a whole number that the dtype cannot hold.
std::optional<uint64_t> bits_from_text(DType dtype, std::string_view text);

}  // namespace fuseboard
