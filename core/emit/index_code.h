// Instructions that turn a loop's index into offsets and addresses, each distinct one once.
// It must not know ops.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "emit/ptx_writer.h"
#include "launch/index_map.h"

namespace fuseboard {

class IndexCode {
 public:
  /// `index` holds the loop's index in a register of 32 bits, or 64 where wide.
  IndexCode(PtxWriter& writer, const IndexMaps& maps, std::string index, bool wide);

  /// Takes a register as the offset of a map, which was made elsewhere.
  void know(uint32_t map, const std::string& offset) { offsets_[map] = offset; }

  /// The offset that a map gives: a register, or "0".
  std::string offset(uint32_t map);

  /// A register with `offset` + `ahead`; offset itself where that is 0.
  std::string ahead(const std::string& offset, uint64_t ahead);

  /// A register with the address of the element of `bytes` bytes at a map's offset behind the pointer `base`.
  std::string address(uint32_t map, const std::string& base, uint32_t bytes);

 private:
  std::string quotient(uint32_t base, uint64_t divisor);  ///< offset(base) / divisor
  std::string digit(uint32_t base, Digit digit);
  void make_offset(uint32_t map);
  std::string fresh() { return writer_.fresh(wide_ ? RegisterClass::b64 : RegisterClass::b32); }
  std::string typed(const char* opcode, const char* type) const;

  PtxWriter& writer_;
  const IndexMaps& maps_;
  bool wide_;
  std::vector<std::string> offsets_;  ///< of each map; empty where not made yet
  std::map<std::pair<uint32_t, uint64_t>, std::string> quotients_;
  std::map<std::tuple<uint32_t, uint64_t, uint64_t>, std::string> digits_;
};

}  // namespace fuseboard
