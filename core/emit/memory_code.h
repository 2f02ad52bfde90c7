// Instructions that move elements between global memory and registers: as wide as they lie, converted between
// how a dtype is stored and how it stands in registers. It must not know ops, loops or index maps.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "emit/ptx_writer.h"
#include "emit/target.h"
#include "graph/dtype.h"

namespace fuseboard {

/// One element of an access.
struct MovedElement {
  std::string reg;             ///< holds it, as arithmetic_of(dtype) says
  uint32_t access_line = 0;    ///< of the writer's lines, from 1: the instruction on memory
  uint32_t access_offset = 0;  ///< bytes from the address of that instruction
  uint32_t ready_line = 0;     ///< of a load: after this line `reg` holds it
};

class MemoryCode {
 public:
  MemoryCode(PtxWriter& writer, const Target& target) : writer_(writer), target_(target) {}

  /// Reads as many elements as there are in `out`, `stride` elements apart, from the address in a register
  /// on. Neighbours (stride 1; then the address must be a multiple of all their bytes, or of 16) come in
  /// accesses of up to 16 bytes.
  void load(DType dtype, const std::string& address, uint64_t stride, std::span<MovedElement> out);

  /// Writes neighbours, whose registers stand in `elements`; sets their access_line.
  void store(DType dtype, const std::string& address, std::span<MovedElement> elements);

 private:
  void load_chunk(DType dtype, const std::string& at, std::span<MovedElement> out);
  void load_words(DType dtype, const std::string& at, std::span<MovedElement> out);
  void extract(DType dtype, const std::string& word, std::span<MovedElement> out);
  void widen(DType dtype, const std::string& raw, MovedElement& out);
  void store_chunk(DType dtype, const std::string& at, std::span<MovedElement> elements);
  std::string stored_form(DType dtype, const std::string& reg);
  std::string packed(DType dtype, std::span<const MovedElement> elements);
  std::string rounded_to_bf16(const std::string& reg);
  uint32_t access(const char* opcode, const char* type, const std::vector<std::string>& registers,
                  const std::string& at);
  uint32_t line() const { return static_cast<uint32_t>(writer_.lines().size()); }
  std::string fresh(RegisterClass register_class) { return writer_.fresh(register_class); }

  PtxWriter& writer_;
  const Target& target_;
};

}  // namespace fuseboard
