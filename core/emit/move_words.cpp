// Choosing words: bytes and halves alone in 32-bit registers, everything else in words of 4 or 8 bytes.
// It must not know ops, nor where elements lie.
#include "emit/move_words.h"

namespace fuseboard {

MoveWords move_words(uint32_t bytes, uint32_t elements) {
  const uint32_t all = bytes * elements;
  MoveWords words;
  words.bytes = bytes == 8 ? 8 : all < 4 ? all : 4;
  words.count = all / words.bytes;
  words.register_class = words.bytes == 8 ? RegisterClass::b64 : RegisterClass::b32;
  const char* scalar = words.bytes < 4 ? "u" : "b";
  words.type = (words.count > 1 ? "v" + std::to_string(words.count) + "." : "") + scalar +
               std::to_string(8 * words.bytes);
  return words;
}

std::string vector_of(const std::vector<std::string>& registers) {
  if (registers.size() == 1) return registers[0];
  std::string list;
  for (const std::string& each : registers) list += (list.empty() ? "{" : ", ") + each;
  return list + "}";
}

std::string at_address(const std::string& address, uint64_t offset) {
  return offset == 0 ? "[" + address + "]" : "[" + address + "+" + std::to_string(offset) + "]";
}

uint64_t repeated_bits(uint64_t bits, uint32_t bytes, uint32_t word_bytes) {
  uint64_t out = bits;
  for (uint32_t have = bytes; have < word_bytes; have *= 2) out |= out << (8 * have);
  return out;
}

}  // namespace fuseboard
