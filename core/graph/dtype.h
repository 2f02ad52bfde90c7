// Element types: their names, sizes and how two of them promote.
// It must not know ops or shapes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fuseboard {

enum class DType : uint8_t {
#define DTYPE(identifier, text, bytes, dtype_class, names) identifier,
#include "graph/dtypes.def"
  foreign,  ///< known by size only (complex, fp8, 4-bit, a tuple's bytes): planned, never emitted
};

enum class DTypeClass : uint8_t { Bool, Unsigned, Signed, Float, Foreign };

/// "f32"; "" for foreign, whose name the op keeps.
std::string_view dtype_text(DType dtype);
uint32_t dtype_bytes(DType dtype);  ///< 0 for foreign
DTypeClass dtype_class(DType dtype);

/// A dtype by its text or a name elsewhere ("float32", "s32", "pred").
std::optional<DType> dtype_from_text(std::string_view text);

/// Bytes of an element whose type has no row but is known: complex, fp8, 4-bit (a byte each, as XLA
/// keeps them unpacked). 0 where the name is unknown.
uint32_t foreign_dtype_bytes(std::string_view text);

/// What a size alone means: 4 reads as f32, 2 as f16, 8 as f64, 1 as i8, others are foreign (design 6).
DType dtype_from_bytes(uint64_t bytes);

/// Result type of mixed operands, as torch.promote_types: bool < integers < floats; foreign wins.
DType promote(DType a, DType b);

}  // namespace fuseboard
