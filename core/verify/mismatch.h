// What a check of a kernel found: the first element that is not what the graph says, the worst that still is.
// It must not know how it was found.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fuseboard {

/// One element that is not what the graph says. Values as text: a value of f16 or bf16 is f32 in a kernel.
struct Mismatch {
  enum class What : uint8_t {
    value,      ///< an op's value is not its reference's on the operands that it had
    load,       ///< the address or the value of a load is not the graph's
    store,      ///< a store's address or bytes are not, or an element was stored more than once
    unwritten,  ///< an element was never stored
    differs_from_unfused,
  } what = What::value;
  uint32_t op = 0;
  uint64_t element = 0;                                    ///< linear offset in the op's shape
  uint32_t line = 0;                                       ///< of the PTX; 0: of no line
  std::vector<std::pair<uint32_t, std::string>> operands;  ///< op, value
  std::string expected, got;
  double ulps = 0, bound = 0;
  std::string message;  ///< one sentence
};

/// The value with the largest share of its row's bound in ulps; those that only its absolute part allows
/// aside.
struct WorstError {
  uint32_t op = 0;
  uint64_t element = 0;
  double ulps = 0, bound = 0;
};

}  // namespace fuseboard
