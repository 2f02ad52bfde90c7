// Writing index arithmetic: shifts and masks for powers of two, multiply-shift for other extents, nothing
// where a map is the loop's own index. It must not know ops.
#include "emit/index_code.h"

#include "emit/division.h"

namespace fuseboard {

IndexCode::IndexCode(PtxWriter& writer, const IndexMaps& maps, std::string index, bool wide)
    : writer_(writer), maps_(maps), wide_(wide), offsets_(maps.size()) {
  offsets_[0] = std::move(index);
}

std::string IndexCode::typed(const char* opcode, const char* type) const {
  return std::string(opcode) + "." + type + (wide_ ? "64" : "32");
}

std::string IndexCode::quotient(uint32_t base, uint64_t divisor) {
  if (divisor == 1) return offsets_[base];
  std::string& made = quotients_[{base, divisor}];
  if (!made.empty()) return made;
  made = fresh();
  const std::string& dividend = offsets_[base];
  const std::optional<uint32_t> shift = exact_log2(divisor);
  const std::optional<Reciprocal> magic =
      shift ? std::nullopt : reciprocal_of(divisor, maps_[base].total - 1, wide_ ? 64 : 32);
  if (shift) {
    writer_.instruction(typed("shr", "u"), {made, dividend, std::to_string(*shift)});
  } else if (magic) {
    writer_.instruction(typed("mul.hi", "u"), {made, dividend, std::to_string(magic->multiplier)});
    if (magic->shift > 0) writer_.instruction(typed("shr", "u"), {made, made, std::to_string(magic->shift)});
  } else {
    writer_.instruction(typed("div", "u"), {made, dividend, std::to_string(divisor)});
  }
  return made;
}

std::string IndexCode::digit(uint32_t base, Digit digit) {
  if (digit.divisor * digit.extent == maps_[base].total) return quotient(base, digit.divisor);
  std::string& made = digits_[{base, digit.divisor, digit.extent}];
  if (!made.empty()) return made;
  const std::string low = quotient(base, digit.divisor);
  if (exact_log2(digit.extent)) {
    made = fresh();
    writer_.instruction(typed("and", "b"), {made, low, std::to_string(digit.extent - 1)});
    return made;
  }
  const std::string high = quotient(base, digit.divisor * digit.extent);
  made = fresh();
  writer_.instruction(typed("mul.lo", "u"), {made, high, std::to_string(digit.extent)});
  writer_.instruction(typed("sub", "u"), {made, low, made});
  return made;
}

void IndexCode::make_offset(uint32_t map) {
  const IndexMap& wanted = maps_[map];
  std::string sum;
  for (const Digit& each : wanted.digits) {
    const std::string value = digit(wanted.base, each);
    if (sum.empty()) {
      sum = value;
      continue;
    }
    const std::string next = fresh();
    writer_.instruction(typed("mad.lo", "u"), {next, sum, std::to_string(each.extent), value});
    sum = next;
  }
  offsets_[map] = sum.empty() ? "0" : sum;
}

std::string IndexCode::offset(uint32_t map) {
  std::vector<uint32_t> missing;  // bases have smaller ids, so this ends
  for (uint32_t at = map; offsets_[at].empty(); at = maps_[at].base) missing.push_back(at);
  for (size_t i = missing.size(); i-- > 0;) make_offset(missing[i]);
  return offsets_[map];
}

std::string IndexCode::ahead(const std::string& offset, uint64_t ahead) {
  if (ahead == 0) return offset;
  std::string sum = fresh();
  writer_.instruction(typed("add", "s"), {sum, offset, std::to_string(ahead)});
  return sum;
}

std::string IndexCode::address(uint32_t map, const std::string& base, uint32_t bytes) {
  if (maps_[map].digits.empty()) return base;
  const std::string at = offset(map);
  std::string address = writer_.fresh(RegisterClass::b64);
  writer_.instruction(wide_ ? "mad.lo.u64" : "mad.wide.u32", {address, at, std::to_string(bytes), base});
  return address;
}

}  // namespace fuseboard
