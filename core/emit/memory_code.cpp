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

size_t elements_of_access(DType dtype, size_t count) {
  return std::min<size_t>(count, kWidestAccess / dtype_bytes(dtype));
}

std::string vector_suffix(size_t count) { return count == 1 ? "" : ".v" + std::to_string(count); }

std::string at_offset(const std::string& address, uint64_t offset) {
  return offset == 0 ? "[" + address + "]" : "[" + address + "+" + std::to_string(offset) + "]";
}

}  // namespace

/// Narrow elements come in words where a register each would mean several accesses, and halves in pairs.
size_t MemoryCode::elements_per_register(DType dtype, size_t count) {
  const size_t bytes = dtype_bytes(dtype);
  const size_t together = elements_of_access(dtype, count);
  const bool in_words =
      bytes < kWord && together * bytes >= kWord && (together > 4 || (is_half(dtype) && together > 1));
  return in_words ? kWord / bytes : 1;
}

bool MemoryCode::unpacks(DType dtype, size_t count) {
  return is_half(dtype) || dtype == DType::boolean || elements_per_register(dtype, count) > 1;
}

uint32_t MemoryCode::access(const char* opcode, const char* type, std::span<const std::string> registers,
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

LoadedElements MemoryCode::load(DType dtype, const std::string& address, uint64_t stride, size_t count,
                                uint64_t behind) {
  LoadedElements out;
  out.dtype = dtype;
  const size_t chunk = stride == 1 ? elements_of_access(dtype, count) : 1;
  out.per_register = stride == 1 ? elements_per_register(dtype, count) : 1;
  std::string base = address;
  uint64_t base_offset = 0;
  for (size_t at = 0; at < count; at += chunk) {
    const uint64_t offset = behind + at * stride * dtype_bytes(dtype);
    if (offset - base_offset > 0x7fffffff) {  // an immediate offset has 32 bits, signed
      base = fresh(RegisterClass::b64);
      base_offset = offset;
      writer_.instruction("add.s64", {base, address, std::to_string(offset)});
    }
    load_chunk(base, offset - base_offset, chunk, out);
  }
  return out;
}

void MemoryCode::load_chunk(const std::string& address, uint64_t offset, size_t count, LoadedElements& out) {
  const bool in_words = out.per_register > 1;
  std::vector<std::string> raw;
  for (size_t i = 0; i < count; i += out.per_register) {
    raw.push_back(fresh(in_words ? RegisterClass::b32 : memory_class(out.dtype)));
  }
  const char* type = in_words ? "b32" : memory_type(out.dtype);
  const uint32_t access_line = access("ld.global.nc", type, raw, at_offset(address, offset));
  for (uint32_t i = 0; i < count; ++i) out.accesses.push_back({access_line, i * dtype_bytes(out.dtype)});
  out.registers.insert(out.registers.end(), raw.begin(), raw.end());
}

std::vector<UnpackedElement> MemoryCode::unpack(const LoadedElements& loaded, size_t first, size_t count) {
  std::vector<UnpackedElement> out;
  for (size_t i = first; i < first + count; i += loaded.per_register) {
    const std::string& raw = loaded.registers[i / loaded.per_register];
    if (loaded.per_register > 1) {
      unpack_word(loaded.dtype, raw, out);
    } else if (unpacks(loaded.dtype, 1)) {
      out.push_back(widened(loaded.dtype, raw));
    } else {
      out.push_back({raw, loaded.accesses[i].line});
    }
  }
  return out;
}

/// From a register of its own as memory has it to how the dtype stands in registers.
UnpackedElement MemoryCode::widened(DType dtype, const std::string& raw) {
  std::string reg = raw;
  if (dtype == DType::boolean) {
    reg = fresh(RegisterClass::pred);
    writer_.instruction("setp.ne.s32", {reg, raw, "0"});
  } else if (is_half(dtype)) {
    reg = fresh(RegisterClass::f32);
    if (dtype == DType::f16) writer_.instruction("cvt.f32.f16", {reg, raw});
    if (dtype == DType::bf16) writer_.instruction("shl.b32", {reg, raw, "16"});
  }
  return {reg, line()};
}

void MemoryCode::unpack_word(DType dtype, const std::string& word, std::vector<UnpackedElement>& out) {
  if (dtype == DType::f16) {
    const std::string low = fresh(RegisterClass::b16);
    const std::string high = fresh(RegisterClass::b16);
    writer_.instruction("mov.b32", {"{" + low + ", " + high + "}", word});
    out.push_back(widened(dtype, low));
    out.push_back(widened(dtype, high));
    return;
  }
  if (dtype == DType::bf16) {
    out.push_back(widened(dtype, word));
    const std::string high = fresh(RegisterClass::f32);
    writer_.instruction("and.b32", {high, word, "0xFFFF0000"});
    out.push_back({high, line()});
    return;
  }
  const uint32_t bits = 8 * dtype_bytes(dtype);
  for (uint32_t at = 0; at < 8 * kWord; at += bits) {
    const std::string raw = fresh(RegisterClass::b32);
    writer_.instruction(is_signed(dtype) ? "bfe.s32" : "bfe.u32",
                        {raw, word, std::to_string(at), std::to_string(bits)});
    out.push_back(widened(dtype, raw));
  }
}

void MemoryCode::pack(DType dtype, size_t count, std::span<const std::string> elements,
                      std::vector<std::string>& packed) {
  const size_t per_register = elements_per_register(dtype, count);
  for (size_t i = 0; i < elements.size(); i += per_register) {
    packed.push_back(per_register > 1 ? packed_word(dtype, elements.subspan(i, per_register))
                                      : stored_form(dtype, elements[i]));
  }
}

std::vector<ElementAccess> MemoryCode::store(DType dtype, const std::string& address, size_t count,
                                             std::span<const std::string> packed, uint64_t behind) {
  const size_t chunk = elements_of_access(dtype, count);
  const size_t per_register = elements_per_register(dtype, count);
  const char* type = per_register > 1 ? "b32" : dtype_bytes(dtype) == 2 ? "b16" : memory_type(dtype);
  std::vector<ElementAccess> accesses;
  for (size_t at = 0; at < count; at += chunk) {
    const std::span<const std::string> registers = packed.subspan(at / per_register, chunk / per_register);
    const uint32_t access_line =
        access("st.global", type, registers, at_offset(address, behind + at * dtype_bytes(dtype)));
    for (uint32_t i = 0; i < chunk; ++i) accesses.push_back({access_line, i * dtype_bytes(dtype)});
  }
  return accesses;
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
std::string MemoryCode::packed_word(DType dtype, std::span<const std::string> elements) {
  if (is_half(dtype) && target_.sm >= 80) {
    std::string word = fresh(RegisterClass::b32);
    writer_.instruction(dtype == DType::f16 ? "cvt.rn.f16x2.f32" : "cvt.rn.bf16x2.f32",
                        {word, elements[1], elements[0]});
    return word;
  }
  std::vector<std::string> parts;
  parts.reserve(elements.size());
  for (const std::string& element : elements) parts.push_back(stored_form(dtype, element));
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
