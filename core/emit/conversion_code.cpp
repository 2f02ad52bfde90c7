// Conversions between registers (PTX ISA, Data Movement and Conversion Instructions: cvt, selp).
// It must not know ops, templates or loops.
#include "emit/conversion_code.h"

#include <bit>
#include <cmath>

namespace fuseboard {
namespace {

std::string hexadecimal(std::string_view prefix, uint64_t bits, int digits) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string text(prefix);
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) text += kHex[bits >> shift & 15U];
  return text;
}

bool is_wide(Arithmetic arithmetic) { return arithmetic == Arithmetic::s64 || arithmetic == Arithmetic::u64; }

/// "s8", "u64": an integer dtype as PTX spells it.
std::string ptx_integer(DType dtype) {
  return (dtype_class(dtype) == DTypeClass::Unsigned ? "u" : "s") + std::to_string(8 * dtype_bytes(dtype));
}

std::string cvt(std::string_view rounding, std::string_view to, std::string_view from) {
  std::string text = "cvt";
  for (const std::string_view part : {rounding, to, from}) {
    if (part.empty()) continue;
    text += '.';
    text += part;
  }
  return text;
}

}  // namespace

RegisterClass register_class_of(Arithmetic arithmetic) {
  switch (arithmetic) {
    case Arithmetic::pred:
      return RegisterClass::pred;
    case Arithmetic::s32:
    case Arithmetic::u32:
      return RegisterClass::b32;
    case Arithmetic::s64:
    case Arithmetic::u64:
      return RegisterClass::b64;
    case Arithmetic::f32:
      return RegisterClass::f32;
    case Arithmetic::f64:
      return RegisterClass::f64;
  }
  return RegisterClass::b32;
}

std::string literal(Arithmetic arithmetic, const Element& element) {
  switch (arithmetic) {
    case Arithmetic::pred:
      return element.bits != 0 ? "1" : "0";
    case Arithmetic::s32:
    case Arithmetic::s64:
      if (element.bits == uint64_t{1} << 63) return "0x8000000000000000";
      return std::to_string(static_cast<int64_t>(element.bits));
    case Arithmetic::u32:
    case Arithmetic::u64:
      return std::to_string(element.bits);
    case Arithmetic::f32: {
      uint8_t bytes[4];
      element_to_bytes(DType::f32, element, bytes);
      return hexadecimal(
          "0f", bytes[0] | bytes[1] << 8U | bytes[2] << 16U | static_cast<uint32_t>(bytes[3]) << 24U, 8);
    }
    case Arithmetic::f64:
      return hexadecimal("0d", __builtin_bit_cast(uint64_t, element.real), 16);
  }
  return "0";
}

std::string ConversionCode::made(RegisterClass register_class, std::string_view opcode, std::string_view a) {
  std::string out = writer_.fresh(register_class);
  writer_.instruction(opcode, {out, a});
  return out;
}

std::string ConversionCode::made(RegisterClass register_class, std::string_view opcode, std::string_view a,
                                 std::string_view b) {
  std::string out = writer_.fresh(register_class);
  writer_.instruction(opcode, {out, a, b});
  return out;
}

/// Cut towards zero and saturated, NaN 0: cvt gives NaN the lowest value instead where either side has 64
/// bits.
std::string ConversionCode::to_integer(Arithmetic from, const std::string& reg, DType to) {
  const bool wide = dtype_bytes(to) == 8;
  const RegisterClass target = wide ? RegisterClass::b64 : RegisterClass::b32;
  std::string cut = made(target, cvt("rzi", ptx_integer(to), arithmetic_text(from)), reg);
  if (!wide && from == Arithmetic::f32) return cut;
  const std::string is_number = writer_.fresh(RegisterClass::pred);
  std::string out = writer_.fresh(target);
  writer_.instruction(from == Arithmetic::f64 ? "setp.num.f64" : "setp.num.f32", {is_number, reg, reg});
  writer_.instruction(wide ? "selp.b64" : "selp.b32", {out, cut, "0", is_number});
  return out;
}

std::string ConversionCode::to_arithmetic(Arithmetic from, const std::string& reg, Arithmetic to) {
  const RegisterClass target = register_class_of(to);
  if (from == to) return reg;
  if (from == Arithmetic::pred) {
    const char* opcode = is_wide(to)             ? "selp.b64"
                         : to == Arithmetic::f32 ? "selp.f32"
                         : to == Arithmetic::f64 ? "selp.f64"
                                                 : "selp.b32";
    std::string out = writer_.fresh(target);
    writer_.instruction(opcode, {out, is_float(to) ? literal(to, {1, 1}) : "1",
                                 is_float(to) ? literal(to, {0, 0}) : "0", reg});
    return out;
  }
  if (to == Arithmetic::pred) {
    std::string out = writer_.fresh(target);
    const std::string opcode =
        std::string(is_float(from) ? "setp.neu." : "setp.ne.") + std::string(arithmetic_text(from));
    writer_.instruction(opcode, {out, reg, is_float(from) ? literal(from, {0, 0}) : "0"});
    return out;
  }
  if (is_float(from) && is_float(to)) {
    return made(target, to == Arithmetic::f64 ? "cvt.f64.f32" : "cvt.rn.f32.f64", reg);
  }
  if (is_float(from)) return to_integer(from, reg, dtype_of(to));
  if (is_float(to)) return made(target, cvt("rn", arithmetic_text(to), arithmetic_text(from)), reg);
  if (is_wide(from) == is_wide(to)) return reg;
  if (is_wide(from)) return made(target, "cvt.u32.u64", reg);
  return made(target, from == Arithmetic::s32 ? "cvt.s64.s32" : "cvt.u64.u32", reg);
}

void ConversionCode::wrap(DType dtype, const std::string& reg) {
  const DTypeClass kind = dtype_class(dtype);
  if ((kind != DTypeClass::Signed && kind != DTypeClass::Unsigned) || dtype_bytes(dtype) >= 4) return;
  writer_.instruction(cvt("", ptx_integer(dtype), kind == DTypeClass::Signed ? "s32" : "u32"), {reg, reg});
}

std::string ConversionCode::through_f16(Arithmetic from, const std::string& reg) {
  const std::string half = made(RegisterClass::b16, cvt("rn", "f16", arithmetic_text(from)), reg);
  return made(RegisterClass::f32, "cvt.f32.f16", half);
}

/// As f32, inexact values with the last bit set: rounding that once more to fewer bits is rounding once.
std::string ConversionCode::rounded_to_odd(Arithmetic from, const std::string& reg) {
  const std::string cut = made(RegisterClass::f32, cvt("rz", "f32", arithmetic_text(from)), reg);
  const std::string inexact = writer_.fresh(RegisterClass::pred);
  if (from == Arithmetic::f64) {
    const std::string back = made(RegisterClass::f64, "cvt.f64.f32", cut);
    writer_.instruction("setp.ne.f64", {inexact, back, reg});
  } else {
    const RegisterClass own = register_class_of(from);
    const std::string back = made(own, cvt("rzi", arithmetic_text(from), "f32"), cut);
    writer_.instruction(is_wide(from) ? "setp.ne.s64" : "setp.ne.s32", {inexact, back, reg});
  }
  const std::string word = made(RegisterClass::b32, "mov.b32", cut);
  const std::string odd = made(RegisterClass::b32, "or.b32", word, "1");
  std::string out = writer_.fresh(RegisterClass::f32);
  const std::string chosen = writer_.fresh(RegisterClass::b32);
  writer_.instruction("selp.b32", {chosen, odd, word, inexact});
  writer_.instruction("mov.b32", {out, chosen});
  return out;
}

std::string ConversionCode::through_bf16(Arithmetic from, const std::string& reg) {
  const std::string single = from == Arithmetic::f32 ? reg : rounded_to_odd(from, reg);
  if (target_.sm >= 80) {  // the upper half of a pair is the f32 of its value
    const std::string pair = made(RegisterClass::b32, "cvt.rn.bf16x2.f32", single, "0f00000000");
    return made(RegisterClass::f32, "mov.b32", pair);
  }
  const std::string word = made(RegisterClass::b32, "mov.b32", single);
  const std::string last = made(RegisterClass::b32, "shr.u32", word, "16");
  const std::string odd = made(RegisterClass::b32, "and.b32", last, "1");
  const std::string half = made(RegisterClass::b32, "add.s32", odd, "32767");
  const std::string sum = made(RegisterClass::b32, "add.s32", word, half);
  const std::string kept = made(RegisterClass::b32, "and.b32", sum, "-65536");
  const std::string is_number = writer_.fresh(RegisterClass::pred);
  const std::string chosen = writer_.fresh(RegisterClass::b32);
  writer_.instruction("setp.num.f32", {is_number, single, single});
  writer_.instruction("selp.b32", {chosen, kept, "2147418112", is_number});  // 7FFF0000
  return made(RegisterClass::f32, "mov.b32", chosen);
}

std::string ConversionCode::to_dtype(Arithmetic from, const std::string& reg, DType to) {
  switch (dtype_class(to)) {
    case DTypeClass::Bool:
      return to_arithmetic(from, reg, Arithmetic::pred);
    case DTypeClass::Float:
      if (to == DType::f32 || to == DType::f64) return to_arithmetic(from, reg, arithmetic_of(to));
      if (from == Arithmetic::pred) return to_arithmetic(from, reg, Arithmetic::f32);
      return to == DType::f16 ? through_f16(from, reg) : through_bf16(from, reg);
    case DTypeClass::Signed:
    case DTypeClass::Unsigned:
      break;
    case DTypeClass::Foreign:
      return reg;
  }
  if (dtype_bytes(to) >= 4 || from == Arithmetic::pred) return to_arithmetic(from, reg, arithmetic_of(to));
  if (is_float(from)) return to_integer(from, reg, to);
  return made(RegisterClass::b32, cvt("", ptx_integer(to), arithmetic_text(from)), reg);
}

std::string ConversionCode::bitcast(DType from, const std::string& reg, DType to) {
  if (from == to || from == DType::boolean || to == DType::boolean) {
    return to_dtype(arithmetic_of(from), reg, to);  // a byte that is 0 or 1 either way
  }
  std::string word = reg;
  if (from == DType::f16) {
    const std::string half = made(RegisterClass::b16, "cvt.rn.f16.f32", reg);
    word = made(RegisterClass::b32, "cvt.u32.u16", half);
  } else if (from == DType::bf16) {
    word = made(RegisterClass::b32, "mov.b32", through_bf16(Arithmetic::f32, reg));
    word = made(RegisterClass::b32, "shr.u32", word, "16");
  } else if (from == DType::f32) {
    word = made(RegisterClass::b32, "mov.b32", reg);
  } else if (from == DType::f64) {
    word = made(RegisterClass::b64, "mov.b64", reg);
  }
  switch (to) {
    case DType::f16:
      return made(RegisterClass::f32, "cvt.f32.f16", made(RegisterClass::b16, "cvt.u16.u32", word));
    case DType::bf16:
      return made(RegisterClass::f32, "mov.b32", made(RegisterClass::b32, "shl.b32", word, "16"));
    case DType::f32:
      return made(RegisterClass::f32, "mov.b32", word);
    case DType::f64:
      return made(RegisterClass::f64, "mov.b64", word);
    case DType::i64:
    case DType::u64:
    case DType::i32:
    case DType::u32:
    case DType::boolean:
    case DType::foreign:
      return word;
    case DType::i16:
    case DType::u16:
    case DType::i8:
    case DType::u8:
      return made(RegisterClass::b32, cvt("", ptx_integer(to), "u32"), word);
  }
  return word;
}

std::string ConversionCode::total_order_key(Arithmetic from, const std::string& reg) {
  const bool wide = from == Arithmetic::f64;
  const RegisterClass bits = wide ? RegisterClass::b64 : RegisterClass::b32;
  const std::string word = made(bits, wide ? "mov.b64" : "mov.b32", reg);
  const std::string sign = made(bits, wide ? "shr.s64" : "shr.s32", word, wide ? "63" : "31");
  const std::string mask = made(bits, wide ? "shr.u64" : "shr.u32", sign, "1");
  return made(bits, wide ? "xor.b64" : "xor.b32", word, mask);
}

}  // namespace fuseboard
