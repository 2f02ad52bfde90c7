// Named PTX sequences: what the op table's rows share, and what is too long to stand in a row.
// It must not know ops or kernels.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fuseboard {

/// One row of emit/math/*.def. In the language of the op table's PTX column (graph/ops.def), with operands a
/// b c, results d d1 d2, temporaries i j f w p and labels of its own, and no other free name. Rows and
/// sequences `use` it in place, or `call` it as a device function. Those that write a result before they last
/// read an operand (quarter_turns and turn) must be given different registers for them.
struct Sequence {
  std::string_view name;
  std::string_view results;   ///< one letter each: s f32, w f64, i b32, j b64
  std::string_view operands;  ///< likewise
  std::string_view text;
};

/// nullptr where there is none.
const Sequence* sequence_named(std::string_view name);

std::span<const Sequence> sequences();

/// A table of constants in PTX: $name in a text is its address.
struct ConstantTable {
  std::string_view name;
  std::string_view type;  ///< "b64"
  std::string_view values;
  uint32_t count;
};
const ConstantTable* constant_table_named(std::string_view name);

}  // namespace fuseboard
