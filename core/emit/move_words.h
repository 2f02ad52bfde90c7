// The accesses of a Move: some neighbouring elements as words, moved by their size and never converted.
// It must not know ops, nor where elements lie.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emit/ptx_writer.h"

namespace fuseboard {

/// How elements side by side pass between memory and registers.
struct MoveWords {
  uint32_t count = 1;  ///< words
  uint32_t bytes = 4;  ///< of a word
  RegisterClass register_class = RegisterClass::b32;
  std::string type;  ///< "u8", "b32", "v4.b32", "v2.b64"
};

/// `elements` of `bytes` bytes each, both powers of two, at most 16 bytes together.
MoveWords move_words(uint32_t bytes, uint32_t elements);

/// "%r1", or "{%r1, %r2}".
std::string vector_of(const std::vector<std::string>& registers);

/// "[%rd1]", or "[%rd1+16]".
std::string at_address(const std::string& address, uint64_t offset);

/// The bits of an element of `bytes` bytes, repeated to fill `word_bytes`.
uint64_t repeated_bits(uint64_t bits, uint32_t bytes, uint32_t word_bytes);

}  // namespace fuseboard
