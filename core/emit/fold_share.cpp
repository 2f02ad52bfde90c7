// Writing butterflies, partial values, the barrier between them.
// It must not know ops, nor how a row is walked.
#include "emit/fold_share.h"

#include <algorithm>
#include <utility>

#include "emit/division.h"

namespace fuseboard {
namespace {

constexpr uint32_t kWarp = 32;

/// from, from / 2, ..., least.
std::vector<uint32_t> halves(uint32_t from, uint32_t least) {
  std::vector<uint32_t> out;
  for (uint32_t lanes = from; lanes >= least && lanes > 0; lanes /= 2) out.push_back(lanes);
  return out;
}

uint32_t groups_of(const RowShape& shape) { return shape.rows_in_block / shape.slots; }

uint32_t block_of(const RowShape& shape) {
  return shape.threads * (shape.along_rows ? groups_of(shape) : shape.rows_in_block);
}

}  // namespace

FoldShare::Route FoldShare::route_of(const RowShape& shape) {
  Route route;
  if (!shape.along_rows) {
    route.first = halves(std::min(shape.threads, kWarp) / 2, 1);
    route.places = shape.partial_places();
    if (route.places == 0) return route;
    route.behind = halves(shape.threads / kWarp / 2, 1);
    return route;
  }
  const uint32_t groups = groups_of(shape);
  const uint32_t block = block_of(shape);
  if (shape.threads == 1) return route;
  if (groups < kWarp) route.first = halves(std::min(block, kWarp) / 2, groups);
  route.places = shape.partial_places();
  if (route.places == 0) return route;
  const uint32_t parts = route.places / groups;
  const uint32_t at_once = groups < kWarp ? std::min(kWarp / groups, parts) : 1;
  route.reads = parts / at_once;
  route.read_step = at_once * groups;
  if (at_once > 1) route.behind = halves(groups * at_once / 2, groups);
  return route;
}

FoldShare::FoldShare(PtxWriter& writer, const RowShape& shape, const RowIndex& index)
    : writer_(writer), shape_(shape), index_(index), route_(route_of(shape)) {}

/// A value and an index lie as far apart, so that one address serves both.
uint32_t FoldShare::stride_of(const FoldCode& code) {
  return code.has_index() ? FoldCode::kIndexBytes : code.value_bytes();
}

uint64_t FoldShare::bytes_of(std::span<const FoldCode* const> folds) const {
  uint64_t bytes = 0;
  const uint64_t slots = shape_.along_rows ? shape_.slots : 1;
  for (const FoldCode* code : folds) {
    bytes += uint64_t{route_.places} * slots * stride_of(*code) * (code->has_index() ? 2 : 1);
    bytes = (bytes + 7) / 8 * 8;
  }
  return bytes;
}

void FoldShare::declare(uint64_t bytes_of_area, uint32_t areas) {
  area_bytes_ = bytes_of_area;
  areas_ = areas;
  if (area_bytes_ == 0) return;
  writer_.line("    .shared .align 8 .b8 partials[" + std::to_string(area_bytes_ * areas_) + "];");
}

std::string FoldShare::masked(const std::string& reg, uint32_t mask) {
  if (mask == 0) return "0";
  std::string out = writer_.fresh(RegisterClass::b32);
  writer_.instruction("and.b32", {out, reg, std::to_string(mask)});
  return out;
}

std::string FoldShare::shifted(const std::string& reg, uint32_t by) {
  if (by == 0) return reg;
  std::string out = writer_.fresh(RegisterClass::b32);
  writer_.instruction("shr.u32", {out, reg, std::to_string(by)});
  return out;
}

/// high * factor + low.
std::string FoldShare::scaled_sum(const std::string& high, uint32_t factor, const std::string& low) {
  if (high == "0") return low;
  std::string out = writer_.fresh(RegisterClass::b32);
  writer_.instruction("mad.lo.u32", {out, high, std::to_string(factor), low});
  return out;
}

/// Which lanes write, where, and which part each reads (first).
void FoldShare::find_places() {
  if (!write_place_.empty()) return;
  const std::string& thread = index_.thread();
  const std::string lane = masked(thread, kWarp - 1);
  const bool is_led = !shape_.along_rows || groups_of(shape_) < kWarp;  // a warp's first lanes write
  const uint32_t leaders = shape_.along_rows ? groups_of(shape_) : 1;
  if (is_led) {
    writes_ = writer_.fresh(RegisterClass::pred);
    writer_.instruction("setp.lt.u32", {writes_, lane, std::to_string(leaders)});
  }
  const std::string warp = is_led ? shifted(thread, 5) : std::string();
  if (!shape_.along_rows) {
    const uint32_t warps = shape_.threads / kWarp;
    const std::string row =
        shape_.rows_in_block == 1 ? "0" : shifted(thread, exact_log2(shape_.threads).value_or(0));
    write_place_ = warp;
    read_place_ = scaled_sum(row, warps, masked(thread, warps - 1));
    return;
  }
  const uint32_t groups = groups_of(shape_);
  const std::string group = masked(thread, groups - 1);
  write_place_ = is_led ? scaled_sum(warp, groups, lane) : thread;
  read_place_ = route_.read_step > groups ? masked(thread, route_.read_step - 1) : group;
}

std::string FoldShare::address(const std::string& place, uint32_t bytes) {
  std::string& made = addresses_[{place, bytes}];
  if (!made.empty()) return made;
  const std::string base = writer_.fresh(RegisterClass::b32);
  writer_.instruction("mov.u32", {base, "partials"});
  made = base;
  if (place == "0") return made;
  made = writer_.fresh(RegisterClass::b32);
  writer_.instruction("mad.lo.u32", {made, place, std::to_string(bytes), base});
  return made;
}

void FoldShare::exchange(FoldedSlots& fold, const std::vector<uint32_t>& distances) {
  for (const uint32_t lanes : distances) {
    for (Folded& slot : fold.slots) {
      slot = fold.code->both(slot, fold.code->exchanged(slot, lanes, "0xFFFFFFFF"));
    }
  }
}

void FoldShare::share(std::span<FoldedSlots> folds) {
  for (FoldedSlots& fold : folds) exchange(fold, route_.first);
  if (route_.places == 0 || folds.empty()) return;
  find_places();
  uint64_t at = areas_ == 0 ? 0 : area_bytes_ * (times_++ % areas_);
  std::vector<uint64_t> begins;
  for (FoldedSlots& fold : folds) {
    const uint64_t bytes = uint64_t{route_.places} * stride_of(*fold.code);
    const std::string to = address(write_place_, stride_of(*fold.code));
    begins.push_back(at);
    for (const Folded& slot : fold.slots) {
      fold.code->store(slot, to, at, at + bytes, writes_);
      at += bytes * (fold.code->has_index() ? 2 : 1);
    }
    at = (at + 7) / 8 * 8;
  }
  writer_.instruction("bar.sync 0");
  for (size_t i = 0; i < folds.size(); ++i) {
    FoldCode& code = *folds[i].code;
    const uint64_t stride = stride_of(code);
    const uint64_t bytes = route_.places * stride;
    const std::string from = address(read_place_, stride_of(code));
    for (size_t slot = 0; slot < folds[i].slots.size(); ++slot) {
      const uint64_t begin = begins[i] + slot * bytes * (code.has_index() ? 2 : 1);
      for (uint32_t k = 0; k < route_.reads; ++k) {
        const uint64_t behind = begin + k * uint64_t{route_.read_step} * stride;
        const Folded part = code.load(from, behind, behind + bytes);
        folds[i].slots[slot] = k == 0 ? part : code.both(folds[i].slots[slot], part);
      }
    }
    exchange(folds[i], route_.behind);
  }
}

}  // namespace fuseboard
