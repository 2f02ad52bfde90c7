// The op table's PTX columns, read: statements with operands to be bound (the language is in graph/ops.def's
// legend). It must not know kernels or registers.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace fuseboard {

enum class TokenKind : uint8_t {
  operand,            ///< a b c: operand `index` as f32
  operand_predicate,  ///< A B C
  result,             ///< d
  result_predicate,   ///< D
  temporary,          ///< t0 ...: f32
  predicate,          ///< p0 ...
  bits,               ///< i0 ...: b32
  label,              ///< L0 ...
  iota_index,         ///< index
  number,             ///< 0.5 inf nan
  attribute,          ///< alpha: its name is `text`
};

struct Token {
  TokenKind kind = TokenKind::number;
  uint32_t index = 0;
  double value = 0;
  std::string_view text;
};

struct Statement {
  int label = -1;  ///< L<label>: stands before it
  bool has_guard = false;
  bool guard_negated = false;
  uint32_t guard = 0;       ///< @p<guard>
  std::string_view opcode;  ///< empty: a label alone
  std::vector<Token> operands;
};

using PtxTemplate = std::vector<Statement>;

/// Reads one alternative of a PTX column. `text` must outlive the result.
PtxTemplate parse_ptx_template(std::string_view text);

/// As parse_ptx_template, read once for each alternative of the op table.
const PtxTemplate& ptx_template(std::string_view alternative);

}  // namespace fuseboard
