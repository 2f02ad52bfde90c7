// A number and an operand as they stand in the text, names looked up.
// It must not know instructions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ptx/module.h"
#include "ptx/problems.h"
#include "ptx/scopes.h"

namespace fuseboard::ptx {

/// A number that was read.
struct Constant {
  enum class Kind : uint8_t { integer, f32, f64 };
  Kind kind = Kind::integer;
  bool is_unsigned = false;
  uint64_t bits = 0;  ///< of f32 in the low half
};

/// One operand of the text, whose name was looked up.
struct WrittenOperand {
  enum class Kind : uint8_t {
    reg,
    special,
    constant,
    address,
    vector,
    variable,
    function,
    symbol,
    unknown,
    sink
  };
  Kind kind = Kind::sink;
  bool negated = false;
  bool is_second = false;  ///< behind a bar
  Type type = Type::none;  ///< of a register
  uint32_t index = kNone;  ///< a register, variable or function; of a vector: its first element
  uint32_t count = 0;      ///< of a vector
  bool is_variable = false;
  int64_t addend = 0;
  Constant constant;
  Symbol symbol;          ///< of Kind::symbol: a label, targets or a prototype
  std::string_view name;  ///< as it was written
  Span span;
};

struct WrittenOperands {
  std::vector<WrittenOperand> all;
  std::vector<WrittenOperand> elements;  ///< of vectors
};

}  // namespace fuseboard::ptx
