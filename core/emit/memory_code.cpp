// Choosing the accesses, packing and unpacking words, rounding for storage.
// It must not know ops, loops or index maps.
#include "emit/memory_code.h"

#include <algorithm>

namespace fuseboard {
namespace {

constexpr uint32_t kWidestAccess = 16;
constexpr uint32_t kWord = 4;

bool is_half(DType dtype) { return dtype == DType::f16 || dtype == DType::bf16; }
bool is_signed(DType dtype) { return dtype_class(dtype) == DTypeClass::Signed; }

/// The type of an access whose elements have a register each.
const char* memory_type(DType dtype) {
  switch (dtype_bytes(dtype)) {
    case 8:
      return dtype == DType::f64 ? "f64" : "b64";
    case 4:
      return dtype == DType::f32 ? "f32" : "b32";
    case 2:
      return dtype == DType::f16 ? "b16" : is_signed(dtype) ? "s16" : "u16";
    default:
      return is_signed(dtype) ? "s8" : "u8";
  }
}

RegisterClass memory_class(DType dtype) {
  switch (dtype_bytes(dtype)) {
    case 8:
      return dtype == DType::f64 ? RegisterClass::f64 : RegisterClass::b64;
    case 4:
      return dtype == DType::f32 ? RegisterClass::f32 : RegisterClass::b32;
    default:
      return dtype == DType::f16 ? RegisterClass::b16 : RegisterClass::b32;
  }
}

/// Elements narrower than a word, so many that a register each would mean several accesses or that halves
/// come in pairs.
bool is_packed(DType dtype, size_t elements) {
  const uint32_t bytes = dtype_bytes(dtype);
  return bytes < kWord && elements * bytes >= kWord && (elements > 4 || (is_half(dtype) && elements > 1));
}

std::string vector_suffix(size_t count) { return count == 1 ? "" : ".v" + std::to_string(count); }

void place(DType dtype, uint32_t access_line, std::span<MovedElement> elements) {
  uint32_t offset = 0;
  for (MovedElement& element : elements) {
    element.access_line = access_line;
    element.access_offset = offset;
    offset += dtype_bytes(dtype);
  }
}

std::string at_offset(const std::string& address, uint64_t offset) {
  return offset == 0 ? "[" + address + "]" : "[" + address + "+" + std::to_string(offset) + "]";
}

}  // namespace

uint32_t MemoryCode::access(const char* opcode, const char* type, const std::vector<std::string>& registers,
                            const std::string& at) {
  std::string list;
  for (const std::string& reg : registers) {
    if (!list.empty()) list += ", ";
    list += reg;
  }
  if (registers.size() > 1) list = "{" + list + "}";
  const std::string full = opcode + vector_suffix(registers.size()) + "." + type;
  const bool is_load = opcode[0] == 'l';
  writer_.instruction(full, {is_load ? list : at, is_load ? at : list});
  return line();
}

void MemoryCode::load(DType dtype, const std::string& address, uint64_t stride, std::span<MovedElement> out) {
  const uint64_t bytes = dtype_bytes(dtype);
  const size_t chunk =
      stride == 1 ? std::min<size_t>(out.size(), static_cast<size_t>(kWidestAccess / bytes)) : 1;
  std::string base = address;
  uint64_t base_offset = 0;
  for (size_t at = 0; at < out.size(); at += chunk) {
    const uint64_t offset = at * stride * bytes;
    if (offset - base_offset > 0x7fffffff) {  // an immediate offset has 32 bits, signed
      base = fresh(RegisterClass::b64);
      base_offset = offset;
      writer_.instruction("add.s64", {base, address, std::to_string(offset)});
    }
    load_chunk(dtype, at_offset(base, offset - base_offset), out.subspan(at, chunk));
  }
}

void MemoryCode::load_chunk(DType dtype, const std::string& at, std::span<MovedElement> out) {
  if (is_packed(dtype, out.size())) {
    load_words(dtype, at, out);
    return;
  }
  std::vector<std::string> raw;
  raw.reserve(out.size());
  for (size_t i = 0; i < out.size(); ++i) raw.push_back(fresh(memory_class(dtype)));
  const uint32_t access_line = access("ld.global.nc", memory_type(dtype), raw, at);
  for (size_t i = 0; i < out.size(); ++i) widen(dtype, raw[i], out[i]);
  place(dtype, access_line, out);
}

/// From a register of the access to how the dtype stands in registers.
void MemoryCode::widen(DType dtype, const std::string& raw, MovedElement& out) {
  if (dtype == DType::boolean) {
    out.reg = fresh(RegisterClass::pred);
    writer_.instruction("setp.ne.s32", {out.reg, raw, "0"});
  } else if (dtype == DType::f16) {
    out.reg = fresh(RegisterClass::f32);
    writer_.instruction("cvt.f32.f16", {out.reg, raw});
  } else if (dtype == DType::bf16) {
    out.reg = fresh(RegisterClass::f32);
    writer_.instruction("shl.b32", {out.reg, raw, "16"});
  } else {
    out.reg = raw;
  }
  out.ready_line = line();
}

void MemoryCode::load_words(DType dtype, const std::string& at, std::span<MovedElement> out) {
  const size_t per_word = kWord / dtype_bytes(dtype);
  std::vector<std::string> words;
  for (size_t i = 0; i < out.size(); i += per_word) words.push_back(fresh(RegisterClass::b32));
  const uint32_t access_line = access("ld.global.nc", "b32", words, at);
  for (size_t i = 0; i < words.size(); ++i) extract(dtype, words[i], out.subspan(i * per_word, per_word));
  place(dtype, access_line, out);
}

void MemoryCode::extract(DType dtype, const std::string& word, std::span<MovedElement> out) {
  if (dtype == DType::f16) {
    const std::string low = fresh(RegisterClass::b16);
    const std::string high = fresh(RegisterClass::b16);
    writer_.instruction("mov.b32", {"{" + low + ", " + high + "}", word});
    widen(dtype, low, out[0]);
    widen(dtype, high, out[1]);
    return;
  }
  if (dtype == DType::bf16) {
    widen(dtype, word, out[0]);
    out[1].reg = fresh(RegisterClass::f32);
    writer_.instruction("and.b32", {out[1].reg, word, "0xFFFF0000"});
    out[1].ready_line = line();
    return;
  }
  const uint32_t bits = 8 * dtype_bytes(dtype);
  for (size_t i = 0; i < out.size(); ++i) {
    const std::string raw = fresh(RegisterClass::b32);
    writer_.instruction(is_signed(dtype) ? "bfe.s32" : "bfe.u32",
                        {raw, word, std::to_string(i * bits), std::to_string(bits)});
    widen(dtype, raw, out[i]);
  }
}

void MemoryCode::store(DType dtype, const std::string& address, std::span<MovedElement> elements) {
  const uint64_t bytes = dtype_bytes(dtype);
  const size_t chunk = std::min<size_t>(elements.size(), static_cast<size_t>(kWidestAccess / bytes));
  for (size_t at = 0; at < elements.size(); at += chunk) {
    store_chunk(dtype, at_offset(address, at * bytes), elements.subspan(at, chunk));
  }
}

void MemoryCode::store_chunk(DType dtype, const std::string& at, std::span<MovedElement> elements) {
  std::vector<std::string> registers;
  const char* type = memory_type(dtype);
  if (is_packed(dtype, elements.size())) {
    type = "b32";
    const size_t per_word = kWord / dtype_bytes(dtype);
    for (size_t i = 0; i < elements.size(); i += per_word) {
      registers.push_back(packed(dtype, elements.subspan(i, per_word)));
    }
  } else {
    if (dtype_bytes(dtype) == 2) type = "b16";
    for (const MovedElement& element : elements) registers.push_back(stored_form(dtype, element.reg));
  }
  const uint32_t access_line = access("st.global", type, registers, at);
  place(dtype, access_line, elements);
}

/// A register of which an access stores the low bytes.
std::string MemoryCode::stored_form(DType dtype, const std::string& reg) {
  if (dtype == DType::boolean) {
    std::string byte = fresh(RegisterClass::b32);
    writer_.instruction("selp.b32", {byte, "1", "0", reg});
    return byte;
  }
  if (dtype == DType::bf16 && target_.sm < 80) return rounded_to_bf16(reg);
  if (!is_half(dtype)) return reg;
  std::string half = fresh(RegisterClass::b16);
  writer_.instruction(dtype == DType::f16 ? "cvt.rn.f16.f32" : "cvt.rn.bf16.f32", {half, reg});
  return half;
}

/// To nearest even by integers, where there is no instruction (below sm_80); NaN becomes the one that cvt
/// gives.
std::string MemoryCode::rounded_to_bf16(const std::string& reg) {
  const std::string bits = fresh(RegisterClass::b32);
  const std::string odd = fresh(RegisterClass::b32);
  const std::string sum = fresh(RegisterClass::b32);
  std::string half = fresh(RegisterClass::b32);
  const std::string unordered = fresh(RegisterClass::pred);
  writer_.instruction("mov.b32", {bits, reg});
  writer_.instruction("bfe.u32", {odd, bits, "16", "1"});
  writer_.instruction("add.s32", {sum, odd, "32767"});
  writer_.instruction("add.s32", {sum, sum, bits});
  writer_.instruction("shr.u32", {half, sum, "16"});
  writer_.instruction("setp.nan.f32", {unordered, reg, reg});
  writer_.instruction("selp.b32", {half, "32767", half, unordered});
  return half;
}

/// One word of two halves or four bytes, the first the lowest.
std::string MemoryCode::packed(DType dtype, std::span<const MovedElement> elements) {
  if (is_half(dtype) && target_.sm >= 80) {
    std::string word = fresh(RegisterClass::b32);
    writer_.instruction(dtype == DType::f16 ? "cvt.rn.f16x2.f32" : "cvt.rn.bf16x2.f32",
                        {word, elements[1].reg, elements[0].reg});
    return word;
  }
  std::vector<std::string> parts;
  parts.reserve(elements.size());
  for (const MovedElement& element : elements) parts.push_back(stored_form(dtype, element.reg));
  if (dtype == DType::f16) {
    std::string word = fresh(RegisterClass::b32);
    writer_.instruction("mov.b32", {word, "{" + parts[0] + ", " + parts[1] + "}"});
    return word;
  }
  const auto merge = [&](const std::string& low, const std::string& high, const char* selector) {
    std::string merged = fresh(RegisterClass::b32);
    writer_.instruction("prmt.b32", {merged, low, high, selector});
    return merged;
  };
  if (parts.size() == 2) return merge(parts[0], parts[1], "0x5410");
  return merge(merge(parts[0], parts[1], "0x0040"), merge(parts[2], parts[3], "0x0040"), "0x5410");
}

}  // namespace fuseboard
