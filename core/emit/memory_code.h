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

/// Where an element passes between memory and registers.
struct ElementAccess {
  uint32_t line = 0;    ///< of the writer's lines, from 1: the instruction on memory
  uint32_t offset = 0;  ///< bytes from the address of that instruction
};

/// Elements that were loaded, as they lie in memory: one in each register, or whole words of narrow ones.
struct LoadedElements {
  DType dtype = DType::f32;
  size_t per_register = 1;
  std::vector<std::string> registers;
  std::vector<ElementAccess> accesses;  ///< by element
};

/// One element in a register, as arithmetic_of(dtype) says.
struct UnpackedElement {
  std::string reg;
  uint32_t ready_line = 0;  ///< after this line `reg` holds it
};

class MemoryCode {
 public:
  MemoryCode(PtxWriter& writer, const Target& target) : writer_(writer), target_(target) {}

  /// Reads `count` elements (a power of two), `stride` elements apart, from `behind` bytes behind the address
  /// in a register on.
  /// Neighbours (stride 1; then the address must be a multiple of all their bytes, or of 16) come in accesses
  /// of up to 16 bytes.
  LoadedElements load(DType dtype, const std::string& address, uint64_t stride, size_t count,
                      uint64_t behind = 0);

  /// Elements `first` .. first + count - 1 in registers of their own: whole registers of what was loaded.
  std::vector<UnpackedElement> unpack(const LoadedElements& loaded, size_t first, size_t count);

  /// Whether `unpack` writes instructions.
  static bool unpacks(DType dtype, size_t count);

  /// Appends the registers that a store of `count` neighbours takes for some of them, which must fill whole
  /// words where elements_per_word() is not 1.
  void pack(DType dtype, size_t count, std::span<const std::string> elements,
            std::vector<std::string>& packed);

  /// Of a store of `count` neighbours: elements in each register.
  static size_t elements_per_register(DType dtype, size_t count);

  /// Writes `count` neighbours that `pack` has prepared, in accesses of up to 16 bytes.
  std::vector<ElementAccess> store(DType dtype, const std::string& address, size_t count,
                                   std::span<const std::string> packed, uint64_t behind = 0);

 private:
  void load_chunk(const std::string& address, uint64_t offset, size_t count, LoadedElements& out);
  void unpack_word(DType dtype, const std::string& word, std::vector<UnpackedElement>& out);
  UnpackedElement widened(DType dtype, const std::string& raw);
  std::string stored_form(DType dtype, const std::string& reg);
  std::string packed_word(DType dtype, std::span<const std::string> elements);
  std::string rounded_to_bf16(const std::string& reg);
  uint32_t access(const char* opcode, const char* type, std::span<const std::string> registers,
                  const std::string& at);
  uint32_t line() const { return static_cast<uint32_t>(writer_.lines().size()); }
  std::string fresh(RegisterClass register_class) { return writer_.fresh(register_class); }

  PtxWriter& writer_;
  const Target& target_;
};

}  // namespace fuseboard
