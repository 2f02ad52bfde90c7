// Element types: names, sizes, and torch.promote_types for all thirteen with all thirteen.
// It must not know ops or shapes.
#include "graph/dtype.h"

#include <set>
#include <sstream>
#include <string>

#include "catch.h"

namespace {

using namespace fuseboard;

constexpr DType kAll[] = {DType::f64, DType::f32, DType::f16,    DType::bf16, DType::i64,
                          DType::i32, DType::i16, DType::i8,     DType::u64,  DType::u32,
                          DType::u16, DType::u8,  DType::boolean};

/// torch.promote_types, row by row in the order of kAll. PyTorch promotes uint16, uint32 and uint64 with
/// themselves, bool and the floats alone; beside other integers the table goes on as PyTorch's does for
/// uint8: the next wider signed, i64 at the widest.
constexpr const char* kTable[] = {
    "f64 f64 f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64",   // f64
    "f64 f32 f32  f32  f32  f32  f32  f32  f32  f32  f32  f32  f32",   // f32
    "f64 f32 f16  f32  f16  f16  f16  f16  f16  f16  f16  f16  f16",   // f16
    "f64 f32 f32  bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16",  // bf16
    "f64 f32 f16  bf16 i64  i64  i64  i64  i64  i64  i64  i64  i64",   // i64
    "f64 f32 f16  bf16 i64  i32  i32  i32  i64  i64  i32  i32  i32",   // i32
    "f64 f32 f16  bf16 i64  i32  i16  i16  i64  i64  i32  i16  i16",   // i16
    "f64 f32 f16  bf16 i64  i32  i16  i8   i64  i64  i32  i16  i8",    // i8
    "f64 f32 f16  bf16 i64  i64  i64  i64  u64  u64  u64  u64  u64",   // u64
    "f64 f32 f16  bf16 i64  i64  i64  i64  u64  u32  u32  u32  u32",   // u32
    "f64 f32 f16  bf16 i64  i32  i32  i32  u64  u32  u16  u16  u16",   // u16
    "f64 f32 f16  bf16 i64  i32  i16  i16  u64  u32  u16  u8   u8",    // u8
    "f64 f32 f16  bf16 i64  i32  i16  i8   u64  u32  u16  u8   bool",  // bool
};

}  // namespace

TEST_CASE("two dtypes promote as in PyTorch") {
  for (size_t a = 0; a < std::size(kAll); ++a) {
    std::istringstream row(kTable[a]);
    for (const DType b : kAll) {
      std::string expected;
      row >> expected;
      INFO(dtype_text(kAll[a]) << " with " << dtype_text(b));
      CHECK(dtype_text(promote(kAll[a], b)) == expected);
    }
  }
}

TEST_CASE("a foreign type wins over all others") {
  for (const DType each : kAll) {
    CHECK(promote(DType::foreign, each) == DType::foreign);
    CHECK(promote(each, DType::foreign) == DType::foreign);
  }
}

TEST_CASE("each dtype has a text of its own, a size and a class") {
  std::set<std::string_view> texts;
  for (const DType each : kAll) {
    INFO(dtype_text(each));
    CHECK(texts.insert(dtype_text(each)).second);
    CHECK(dtype_from_text(dtype_text(each)) == each);
    CHECK(dtype_class(each) != DTypeClass::Foreign);
  }
  CHECK(dtype_bytes(DType::f64) == 8);
  CHECK(dtype_bytes(DType::bf16) == 2);
  CHECK(dtype_bytes(DType::boolean) == 1);
  CHECK(dtype_text(DType::foreign).empty());
  CHECK(dtype_bytes(DType::foreign) == 0);
  CHECK(dtype_class(DType::foreign) == DTypeClass::Foreign);
}

TEST_CASE("names elsewhere are known, parts of names are not") {
  CHECK(dtype_from_text("float32") == DType::f32);
  CHECK(dtype_from_text("half") == DType::f16);
  CHECK(dtype_from_text("pred") == DType::boolean);
  CHECK(dtype_from_text("s64") == DType::i64);
  CHECK(dtype_from_text("uint8") == DType::u8);
  for (const char* each : {"", " ", "f", "floa", "F32", "f32 ", "int64 s64", "float64 double"}) {
    INFO(each);
    CHECK_FALSE(dtype_from_text(each).has_value());
  }
}

TEST_CASE("a size alone means a dtype, or a foreign one") {
  CHECK(dtype_from_bytes(1) == DType::i8);
  CHECK(dtype_from_bytes(2) == DType::f16);
  CHECK(dtype_from_bytes(4) == DType::f32);
  CHECK(dtype_from_bytes(8) == DType::f64);
  for (const uint32_t bytes : {0U, 3U, 5U, 16U, 0xffffffffU})
    CHECK(dtype_from_bytes(bytes) == DType::foreign);
}

TEST_CASE("types without a row are known by size") {
  CHECK(foreign_dtype_bytes("c64") == 8);
  CHECK(foreign_dtype_bytes("complex128") == 16);
  CHECK(foreign_dtype_bytes("f8e4m3fn") == 1);
  CHECK(foreign_dtype_bytes("float8_e5m2") == 1);
  CHECK(foreign_dtype_bytes("s4") == 1);
  for (const char* each : {"", "f32", "f8", "tuple"}) CHECK(foreign_dtype_bytes(each) == 0);
}
