// The dtype table's look-ups and PyTorch's promotion lattice.
// It must not know ops or shapes.
#include "graph/dtype.h"

#include <algorithm>

#include "base/words.h"

namespace fuseboard {
namespace {

struct Row {
  std::string_view text;
  uint32_t bytes;
  DTypeClass dtype_class;
  std::string_view names;
};

constexpr Row kRows[] = {
#define DTYPE(identifier, text, bytes, dtype_class, names) {text, bytes, DTypeClass::dtype_class, names},
#include "graph/dtypes.def"
    {"", 0, DTypeClass::Foreign, ""},
};

const Row& row(DType dtype) { return kRows[static_cast<size_t>(dtype)]; }

/// Whether `word` is one of the space-separated words of `words`.
bool holds_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    if (take_until(words, ' ') == word) return true;
  }
  return false;
}

DType signed_of_bytes(uint32_t bytes) {
  switch (bytes) {
    case 1:
      return DType::i8;
    case 2:
      return DType::i16;
    case 4:
      return DType::i32;
    default:
      return DType::i64;
  }
}

}  // namespace

std::string_view dtype_text(DType dtype) { return row(dtype).text; }
uint32_t dtype_bytes(DType dtype) { return row(dtype).bytes; }
DTypeClass dtype_class(DType dtype) { return row(dtype).dtype_class; }

std::optional<DType> dtype_from_text(std::string_view text) {
  for (size_t i = 0; i < std::size(kRows); ++i) {
    if (text.empty()) break;
    if (kRows[i].text == text || holds_word(kRows[i].names, text)) return static_cast<DType>(i);
  }
  return std::nullopt;
}

uint32_t foreign_dtype_bytes(std::string_view text) {
  if (text == "c64" || text == "complex64") return 8;
  if (text == "c128" || text == "complex128") return 16;
  if (text.starts_with("f8e") || text.starts_with("float8_")) return 1;
  constexpr std::string_view kNarrow[] = {"f4e2m1fn", "s4", "u4", "s2",   "u2",
                                          "s1",       "u1", "i4", "int4", "uint4"};
  return std::find(std::begin(kNarrow), std::end(kNarrow), text) != std::end(kNarrow) ? 1 : 0;
}

DType dtype_from_bytes(uint64_t bytes) {
  switch (bytes) {
    case 1:
      return DType::i8;
    case 2:
      return DType::f16;
    case 4:
      return DType::f32;
    case 8:
      return DType::f64;
    default:
      return DType::foreign;
  }
}

DType promote(DType a, DType b) {
  if (a == b) return a;
  const DTypeClass ca = dtype_class(a);
  const DTypeClass cb = dtype_class(b);
  if (ca == DTypeClass::Foreign) return a;
  if (cb == DTypeClass::Foreign) return b;
  if (ca == DTypeClass::Float && cb == DTypeClass::Float) {
    if (dtype_bytes(a) != dtype_bytes(b)) return dtype_bytes(a) > dtype_bytes(b) ? a : b;
    return DType::f32;  // f16 with bf16
  }
  if (ca == DTypeClass::Float || cb == DTypeClass::Bool) return a;
  if (cb == DTypeClass::Float || ca == DTypeClass::Bool) return b;
  if (ca == cb) return dtype_bytes(a) > dtype_bytes(b) ? a : b;
  const DType wide_unsigned = ca == DTypeClass::Unsigned ? a : b;
  const DType other_signed = ca == DTypeClass::Unsigned ? b : a;
  const uint32_t needed = std::min(2 * dtype_bytes(wide_unsigned), 8U);
  return signed_of_bytes(std::max(needed, dtype_bytes(other_signed)));
}

}  // namespace fuseboard
