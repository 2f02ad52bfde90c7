// HLO types: an array's dtype and dimensions, or a tuple of types.
// It must not know instructions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/hlo_lexer.h"
#include "graph/dtype.h"
#include "graph/shape.h"

namespace fuseboard {

/// The dimensions in the order in which memory runs through them, the fastest first. Those of size 1 take no
/// part: the others are counted without them. Empty where the order is row-major.
using HloLayout = std::vector<uint32_t>;

/// `f32[2,<=3]`; a token or an opaque handle is an empty array of a foreign dtype of one byte.
struct HloArray {
  DType dtype = DType::f32;
  uint64_t dtype_bytes = 4;
  std::string foreign_dtype;  ///< where dtype is foreign
  Shape shape;
  HloLayout layout;
};

struct HloTypeNode {
  bool is_tuple = false;
  uint32_t first_child = 0, child_count = 0;  ///< in HloTypes::children
  /// Of an array: its number among the arrays of the whole type. Of a tuple: kHloNone if it is the whole
  /// type.
  uint32_t leaf = 0;
  uint32_t array = 0;  ///< of an array: in HloTypes::arrays
};

/// All types that were read, as trees in one array; children stand before their parents.
struct HloTypes {
  std::vector<HloTypeNode> nodes;
  std::vector<uint32_t> children;
  std::vector<HloArray> arrays;
};

/// Whether element by element two arrays are the same memory if their dimensions are run through row by row:
/// what a reshape takes a bitcast for.
bool is_same_order(const Shape& a, const HloLayout& a_layout, const Shape& b, const HloLayout& b_layout);

/// The array type in `span`. Complains at the exact dtype or dimension.
std::optional<HloArray> read_array(const HloLexer& lexer, HloSpan span, std::string_view path,
                                   HloProblems& problems);

/// Appends the type in `span`, tuple or array, and returns its root; nothing after a complaint. No recursion.
std::optional<uint32_t> read_type(const HloLexer& lexer, HloSpan span, std::string_view path, HloTypes& types,
                                  HloProblems& problems);

}  // namespace fuseboard
