// The op table's PTX column and the math sequences, read: statements with operands to be bound (the language
// is in graph/ops.def's legend). It must not know kernels or registers.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace fuseboard {

enum class TokenKind : uint8_t {
  operand,            ///< a b c: operand `index`
  operand_predicate,  ///< A B C
  result,             ///< d, and d1 d2 ... of a sequence with several
  result_predicate,   ///< D
  temporary,          ///< t0 ...: of the arithmetic
  predicate,          ///< p0 ...
  bits32,             ///< i0 ...: b32
  bits64,             ///< j0 ...: b64
  single,             ///< f0 ...: f32
  wide,               ///< w0 ...: f64
  label,              ///< L0 ...
  iota_index,         ///< index
  number,             ///< 0.5 inf nan 0x7fffffff
  attribute,          ///< alpha: its name is `text`
  table,              ///< $two_over_pi: the address of a constant table; `text` without the $
};
constexpr size_t kTokenKinds = 15;

struct Token {
  TokenKind kind = TokenKind::number;
  bool is_memory = false;  ///< [j0+8]: the operand is an address
  bool is_whole = false;   ///< a number that is an integer: `bits` has it
  uint32_t index = 0;
  uint32_t offset = 0;  ///< bytes, of an address
  double value = 0;
  uint64_t bits = 0;
  std::string_view text;
};

struct Statement {
  int64_t label = -1;  ///< L<label>: stands before it
  bool has_guard = false;
  bool guard_negated = false;
  uint32_t guard = 0;       ///< @p<guard>
  std::string_view opcode;  ///< empty: a label alone
  std::string_view name;    ///< of the function that `call` calls
  std::vector<Token> operands;
};

using PtxTemplate = std::vector<Statement>;

/// Reads one alternative of a PTX column, or the text of a sequence, with what it uses in its place. The text
/// must outlive the result. O(statements).
PtxTemplate parse_ptx_template(std::string_view text);

/// As parse_ptx_template, read once for each text.
const PtxTemplate& ptx_template(std::string_view text);

}  // namespace fuseboard
