// Writing a thread's place: its row, its columns, the tests of both, addresses.
// It must not know ops.
#include "emit/row_index.h"

#include "emit/division.h"

namespace fuseboard {
namespace {

constexpr uint64_t kMostNarrow = uint64_t{1} << 31;
constexpr uint64_t kMostImmediate = uint64_t{1} << 30;
constexpr uint32_t kRowPass = 0xffffffff;  ///< stands for the place of a whole row

/// The extents of a domain's kept or reduced parts, outermost first.
std::vector<uint64_t> extents_of(const RowDomain& domain, bool of_columns) {
  std::vector<uint64_t> out;
  for (const RowDomain::Part& part : domain.parts) {
    if (part.is_reduced == of_columns) out.push_back(part.extent);
  }
  return out;
}

}  // namespace

RowIndex::RowIndex(PtxWriter& writer, const RowShape& shape, const IndexMaps& maps, uint32_t row_map)
    : writer_(writer),
      shape_(shape),
      maps_(maps),
      row_map_(row_map),
      walks_(row_walks(maps, shape)),
      wide_(shape.domain.elements() >= kMostNarrow) {}

std::string RowIndex::widened(const std::string& reg) {
  if (!wide_) return reg;
  std::string out = fresh();
  writer_.instruction("cvt.u64.u32", {out, reg});
  return out;
}

/// lane_: among the threads of its row; row_ still counts within the block.
void RowIndex::split_thread() {
  const uint32_t unit = shape_.along_rows ? shape_.rows_in_block / shape_.slots : shape_.threads;
  const bool has_both = shape_.along_rows ? shape_.threads > 1 : shape_.rows_in_block > 1;
  std::string low = thread_;
  std::string high = "0";
  if (unit == 1) {
    low = "0";
    high = thread_;
  } else if (has_both) {
    low = writer_.fresh(RegisterClass::b32);
    high = writer_.fresh(RegisterClass::b32);
    const auto shift = exact_log2(unit);
    const std::string operand = std::to_string(shift ? unit - 1 : unit);
    writer_.instruction(shift ? "and.b32" : "rem.u32", {low, thread_, operand});
    writer_.instruction(shift ? "shr.u32" : "div.u32",
                        {high, thread_, std::to_string(shift ? *shift : unit)});
  }
  lane_ = shape_.along_rows ? high : low;
  row_ = shape_.along_rows ? low : high;
}

void RowIndex::begin() {
  const std::string block = writer_.fresh(RegisterClass::b32);
  thread_ = writer_.fresh(RegisterClass::b32);
  writer_.instruction("mov.u32", {block, "%ctaid.x"});
  writer_.instruction("mov.u32", {thread_, "%tid.x"});
  split_thread();
  const std::string slots = std::to_string(shape_.slots);
  if (shape_.along_rows && shape_.slots > 1 && row_ != "0") {
    const std::string first = writer_.fresh(RegisterClass::b32);
    writer_.instruction("mul.lo.u32", {first, row_, slots});
    row_ = first;
  }
  if (shape_.rows_in_block == 1) {
    row_ = widened(block);
  } else {
    const std::string in_block = row_;
    row_ = fresh();
    const std::string rows = std::to_string(shape_.rows_in_block);
    if (wide_) {
      writer_.instruction("mul.wide.u32", {row_, block, rows});
      if (in_block != "0") writer_.instruction("add.s64", {row_, row_, widened(in_block)});
    } else {
      writer_.instruction("mad.lo.u32", {row_, block, rows, in_block});
    }
  }
  first_column_ = lane_;
  if (lane_ != "0" && !shape_.along_rows && shape_.slots > 1) {
    first_column_ = writer_.fresh(RegisterClass::b32);
    writer_.instruction("mul.lo.u32", {first_column_, lane_, slots});
  }
  if (first_column_ == "0") {
    first_column_ = fresh();
    writer_.instruction(wide_ ? "mov.u64" : "mov.u32", {first_column_, "0"});
  } else {
    first_column_ = widened(first_column_);
  }
}

std::string RowIndex::digit(bool of_columns, size_t kind_part, const std::string& number) {
  const std::vector<uint64_t> extents = extents_of(shape_.domain, of_columns);
  if (extents.size() == 1 || number == "0") return number;
  IndexMaps maps(of_columns ? shape_.domain.columns() : shape_.domain.rows());
  const uint32_t map = maps.along(0, extents, static_cast<uint32_t>(kind_part));
  return IndexCode(writer_, maps, number, wide_).offset(map);
}

std::string RowIndex::element(const std::string& row, const std::string& column) {
  std::string sum;
  size_t seen[2] = {0, 0};
  for (const RowDomain::Part& part : shape_.domain.parts) {
    const std::string value =
        digit(part.is_reduced, seen[part.is_reduced ? 1 : 0]++, part.is_reduced ? column : row);
    if (sum.empty()) {
      sum = value;
      continue;
    }
    const std::string next = fresh();
    writer_.instruction(wide_ ? "mad.lo.u64" : "mad.lo.u32", {next, sum, std::to_string(part.extent), value});
    sum = next;
  }
  return sum.empty() ? "0" : sum;
}

std::string RowIndex::moved(const std::string& reg, uint64_t ahead) {
  if (ahead == 0) return reg;
  std::string out = fresh();
  writer_.instruction(wide_ ? "add.s64" : "add.s32", {out, reg, std::to_string(ahead)});
  return out;
}

std::string RowIndex::column_at(uint32_t pass, uint32_t slot) {
  const uint64_t ahead = (in_loop_ ? 0 : pass * step()) + (shape_.along_rows ? 0 : slot);
  return moved(in_loop_ ? column_ : first_column_, ahead);
}

IndexCode& RowIndex::code(uint32_t pass, uint32_t slot) {
  if (at_row_) pass = kRowPass;
  const auto found = codes_.find({pass, slot});
  if (found != codes_.end()) return found->second;
  const std::string row = moved(row_, shape_.along_rows ? slot : 0);
  const std::string column = at_row_ ? "0" : column_at(pass, slot);
  IndexCode made(writer_, maps_, element(row, column), wide_);
  if (row_map_ != 0) made.know(row_map_, row);
  for (uint32_t map = 1; map < maps_.size(); ++map) {  // a vector along the columns needs no division
    const IndexMap& each = maps_[map];
    if (each.base != 0 || each.digits.size() != 1 || !shape_.domain.is_innermost_reduced()) continue;
    const size_t parts = shape_.domain.parts.size();
    const bool is_column = each.digits[0].divisor == 1 && each.digits[0].extent == shape_.domain.columns();
    if (parts <= 2 && is_column) made.know(map, column);
  }
  return codes_.emplace(Place{pass, slot}, std::move(made)).first->second;
}

bool RowIndex::walks_on(uint32_t map) const { return walks_[map].pass != PassWalk::recomputed; }

std::string RowIndex::offset(uint32_t map, uint32_t pass, uint32_t slot) {
  const MapWalk& walk = walks_[map];
  const uint32_t from_slot = walk.is_affine ? 0 : slot;
  const uint64_t ahead = walk.is_affine ? slot * walk.slot_stride : 0;
  const bool stays = walk.pass == PassWalk::fixed || (walk.pass == PassWalk::walks && !in_loop_);
  IndexCode& index = code(stays && !in_loop_ ? 0 : pass, from_slot);
  const std::string at = index.offset(map);
  const uint64_t passed = stays && !in_loop_ ? pass * walk.pass_stride : 0;
  return at == "0" && ahead + passed == 0 ? at : moved(at, ahead + passed);
}

/// A product and a sum: ptxas makes one multiply-add of them, where of a mad by a power of two it makes three
/// instructions.
std::string RowIndex::address_at(uint32_t map, const std::string& pointer, uint32_t bytes, uint32_t pass,
                                 uint32_t slot) {
  IndexCode& index = code(pass, slot);
  const std::string at = index.offset(map);
  if (wide_ || at == "0") return index.address(map, pointer, bytes);
  std::string& distance = distances_[{at, bytes}];
  if (distance.empty()) {
    distance = writer_.fresh(RegisterClass::b64);
    writer_.instruction("mul.wide.u32", {distance, at, std::to_string(bytes)});
  }
  std::string out = writer_.fresh(RegisterClass::b64);
  writer_.instruction("add.s64", {out, pointer, distance});
  return out;
}

void RowIndex::prepare(uint32_t map, const std::string& pointer, uint32_t bytes) {
  const MapWalk& walk = walks_[map];
  if (!walk.is_affine || !walks_on(map) || addresses_.contains({map, pointer})) return;
  std::string base = address_at(map, pointer, bytes, 0, 0);
  if (walk.pass == PassWalk::walks && shape_.walk == RowWalk::looped) {
    const std::string moving = writer_.fresh(RegisterClass::b64);
    writer_.instruction("mov.u64", {moving, base});
    base = moving;
    walking_.emplace_back(moving, walk.pass_stride * bytes);
  }
  addresses_[{map, pointer}] = base;
}

RowAddress RowIndex::address(uint32_t map, const std::string& pointer, uint32_t bytes, uint32_t pass,
                             uint32_t slot) {
  const MapWalk& walk = walks_[map];
  if (walk.is_affine && walks_on(map)) {
    prepare(map, pointer, bytes);
    const uint64_t passed = in_loop_ ? 0 : pass * walk.pass_stride;
    const uint64_t offset = (passed + slot * walk.slot_stride) * bytes;
    const std::string& base = addresses_.at({map, pointer});
    if (offset < kMostImmediate) return {base, offset};
    std::string far = writer_.fresh(RegisterClass::b64);
    writer_.instruction("add.s64", {far, base, std::to_string(offset)});
    return {far, 0};
  }
  const uint32_t from_slot = walk.is_affine ? 0 : slot;
  const uint64_t ahead = walk.is_affine ? slot * walk.slot_stride * bytes : 0;
  const uint32_t from_pass = walk.pass == PassWalk::recomputed ? pass : 0;
  return {address_at(map, pointer, bytes, from_pass, from_slot), ahead};
}

void RowIndex::enter_loop() {
  walking_.clear();
  addresses_.clear();
  column_ = fresh();
  writer_.instruction(wide_ ? "mov.u64" : "mov.u32", {column_, first_column_});
}

void RowIndex::begin_pass() {
  in_loop_ = true;
  codes_.clear();
  distances_.clear();
  column_tests_.clear();
  both_tests_.clear();
}

void RowIndex::advance() {
  for (const auto& [reg, bytes] : walking_) {
    writer_.instruction("add.s64", {reg, reg, std::to_string(bytes)});
  }
  writer_.instruction(wide_ ? "add.s64" : "add.s32", {column_, column_, std::to_string(step())});
}

std::string RowIndex::has_more() { return less(column_, shape_.domain.columns()); }

void RowIndex::leave_loop() {
  in_loop_ = false;
  codes_.clear();
  distances_.clear();
  addresses_.clear();
  column_tests_.clear();
  both_tests_.clear();
}

std::string RowIndex::less(const std::string& reg, uint64_t end) {
  std::string out = writer_.fresh(RegisterClass::pred);
  writer_.instruction(wide_ ? "setp.lt.u64" : "setp.lt.u32", {out, reg, std::to_string(end)});
  return out;
}

std::string RowIndex::both(const std::string& a, const std::string& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  std::string out = writer_.fresh(RegisterClass::pred);
  writer_.instruction("and.pred", {out, a, b});
  return out;
}

std::string RowIndex::has_row(uint32_t slot) {
  const uint64_t rows = shape_.domain.rows();
  if (rows % shape_.rows_in_block == 0) return {};
  if (!shape_.along_rows || rows % shape_.slots == 0) slot = 0;
  std::string& made = row_tests_[{0, slot}];
  if (made.empty()) made = less(moved(row_, slot), rows);
  return made;
}

std::string RowIndex::has_column(uint32_t pass, uint32_t slot) {
  const uint64_t columns = shape_.domain.columns();
  if (shape_.along_rows || columns % shape_.slots == 0) slot = 0;
  const bool is_whole =
      in_loop_ ? shape_.along_rows || columns % shape_.slots == 0 : (pass + uint64_t{1}) * step() <= columns;
  if (is_whole) return {};
  std::string& made = column_tests_[{pass, slot}];
  if (made.empty()) made = less(column_at(pass, slot), columns);
  return made;
}

std::string RowIndex::has_element(uint32_t pass, uint32_t slot) {
  const std::string row = in_loop_ ? std::string() : has_row(slot);
  const std::string column = has_column(pass, slot);
  if (row.empty() || column.empty()) return row.empty() ? column : row;
  std::string& made = both_tests_[{pass, slot}];
  if (made.empty()) made = both(row, column);
  return made;
}

std::string RowIndex::is_first_lane() {
  if (shape_.threads == 1) return {};
  if (first_lane_.empty()) {
    first_lane_ = writer_.fresh(RegisterClass::pred);
    writer_.instruction("setp.eq.u32", {first_lane_, lane_, "0"});
  }
  return first_lane_;
}

}  // namespace fuseboard
