// Writing a transpose's tile: lines of the operand into shared memory, turned, then lines of the result.
// It must not know the module around it.
#include "emit/move_code.h"
#include "launch/launch_shape.h"

namespace fuseboard {
namespace {

constexpr uint32_t kPitch = kTileWords + 1;  ///< words of a line in shared memory: one more than banks
constexpr uint32_t kSteps = kTileWords / kTileWarps;

/// Accesses through one register with offsets that an instruction can hold.
class FarAddress {
 public:
  FarAddress(PtxWriter& writer, std::string address)
      : writer_(writer), first_(address), base_(std::move(address)) {}

  std::string at(uint64_t offset) {
    if (offset - base_offset_ > 0x7fffffff) {  // signed 32 bits
      base_ = writer_.fresh(RegisterClass::b64);
      base_offset_ = offset;
      writer_.instruction("add.s64", {base_, first_, std::to_string(static_cast<int64_t>(offset))});
    }
    return at_address(base_, offset - base_offset_);
  }

 private:
  PtxWriter& writer_;
  std::string first_, base_;
  uint64_t base_offset_ = 0;
};

/// Words of `pack` elements, one of each of `pack` lines, become words of one element of each line.
std::vector<std::string> turned(PtxWriter& writer, const std::vector<std::string>& words) {
  const auto merge = [&](const std::string& a, const std::string& b, const char* selector) {
    std::string out = writer.fresh(RegisterClass::b32);
    writer.instruction("prmt.b32", {out, a, b, selector});
    return out;
  };
  if (words.size() == 1) return words;
  if (words.size() == 2) return {merge(words[0], words[1], "0x5410"), merge(words[0], words[1], "0x7632")};
  // Pairs of lines first, bytes interleaved; then pairs of pairs.
  const std::string low01 = merge(words[0], words[1], "0x5140");
  const std::string high01 = merge(words[0], words[1], "0x7362");
  const std::string low23 = merge(words[2], words[3], "0x5140");
  const std::string high23 = merge(words[2], words[3], "0x7362");
  return {merge(low01, low23, "0x5410"), merge(low01, low23, "0x7632"), merge(high01, high23, "0x5410"),
          merge(high01, high23, "0x7632")};
}

std::string guarded(const std::string& guard, const std::string& opcode) {
  return guard.empty() ? opcode : "@" + guard + " " + opcode;
}

}  // namespace

void MoveCode::write_tile() {
  const MovePart& part = shape_.parts[0];
  const uint32_t pack = shape_.tile->pack;
  const MoveDim& column = part.dims[shape_.tile->column];
  const MoveDim& row = part.dims.back();
  const uint32_t side = kTileWords * pack;
  const MoveWords words = move_words(shape_.bytes, pack);
  const uint32_t word = words.bytes == 8 ? 8 : 4;  // in shared memory
  writer_.line("    // tiles of " + std::to_string(side) + " x " + std::to_string(side) +
               " elements, lines of " + std::to_string(kPitch) +
               " words in shared memory: no two lanes meet in a bank");
  writer_.line("    .shared .align 8 .b8 tile[" + std::to_string(shape_.shared_bytes) + "];");

  // Which tile is this block's?
  Shape tiles;
  uint64_t all = 1;
  for (const MoveDim& dim : part.dims) {
    const bool is_side = &dim == &column || &dim == &row;
    tiles.push_back(is_side ? (dim.extent - 1) / side + 1 : dim.extent);
    all *= tiles.back();
  }
  IndexMaps maps(all);
  std::vector<uint32_t> digits;
  for (uint32_t k = 0; k < tiles.size(); ++k) digits.push_back(maps.along(0, tiles, k));
  IndexCode index(writer_, maps, block_, false);
  std::vector<Term> from;
  std::vector<Term> to;
  std::string first_row, first_column;
  for (size_t k = 0; k < tiles.size(); ++k) {
    const MoveDim& dim = part.dims[k];
    std::string digit = tiles[k] == 1 ? "0" : index.offset(digits[k]);
    if (shape_.wide && digit != "0") {
      const std::string wide = writer_.fresh(RegisterClass::b64);
      writer_.instruction("cvt.u64.u32", {wide, digit});
      digit = wide;
    }
    const bool is_side = &dim == &column || &dim == &row;
    if (is_side) digit = sum(0, {{digit, side}});
    if (&dim == &column) first_column = digit;
    if (&dim == &row) first_row = digit;
    from.push_back({digit, dim.from});
    to.push_back({digit, dim.to});
  }

  std::string lane = writer_.fresh(RegisterClass::b32);
  std::string warp = writer_.fresh(RegisterClass::b32);
  writer_.instruction("and.b32", {lane, thread_, "31"});
  writer_.instruction("shr.u32", {warp, thread_, "5"});
  const std::string tile = writer_.fresh(RegisterClass::b32);
  const std::string into = writer_.fresh(RegisterClass::b32);
  const std::string out_of = writer_.fresh(RegisterClass::b32);
  writer_.instruction("mov.u32", {tile, "tile"});
  writer_.instruction("mad.lo.u32", {into, lane, std::to_string(kPitch * word), tile});
  writer_.instruction("mad.lo.u32", {into, warp, std::to_string(word), into});
  writer_.instruction("mad.lo.u32", {out_of, warp, std::to_string(kPitch * word), tile});
  writer_.instruction("mad.lo.u32", {out_of, lane, std::to_string(word), out_of});
  if (shape_.wide) {
    for (std::string* each : {&lane, &warp}) {
      const std::string wide = writer_.fresh(RegisterClass::b64);
      writer_.instruction("cvt.u64.u32", {wide, *each});
      *each = wide;
    }
  }

  // Lines of the operand: a warp a line, a word of it a lane.
  const auto end_guard = [&](const MoveDim& dim, const std::string& first, const std::string& inside) {
    return dim.extent % side == 0 ? std::string() : below(sum(0, {{first, 1}, {inside, pack}}), dim.extent);
  };
  const auto line_guard = [&](const MoveDim& dim, const std::string& first, uint32_t step) {
    if (dim.extent % side == 0) return std::string();
    return below(sum(uint64_t{step} * kTileWarps * pack, {{first, 1}, {warp, pack}}), dim.extent);
  };
  std::vector<Term> start = from;
  start.push_back({warp, row.from * pack});
  start.push_back({lane, pack});
  const std::string read_at = sum(part.from, start);
  FarAddress source(writer_, address(operand_pointer(0), read_at, shape_.bytes));
  const std::string has_column = end_guard(column, first_column, lane);
  for (uint32_t step = 0; step < kSteps; ++step) {
    const std::string guard = both(has_column, line_guard(row, first_row, step));
    std::vector<std::string> lines;
    for (uint32_t j = 0; j < pack; ++j) {
      const uint64_t line = uint64_t{step} * kTileWarps * pack + j;
      lines.push_back(writer_.fresh(words.register_class));
      const std::string at = source.at(line * row.from * shape_.bytes);
      writer_.instruction(guarded(guard, "ld.global.nc." + words.type), {lines.back(), at});
    }
    registers_.emplace_back(id_, lines[0]);
    const std::vector<std::string> columns = turned(writer_, lines);
    for (uint32_t j = 0; j < pack; ++j) {
      const uint64_t at = (uint64_t{j} * kTileWords * kPitch + uint64_t{step} * kTileWarps) * word;
      writer_.instruction(guarded(guard, word == 8 ? "st.shared.b64" : "st.shared.b32"),
                          {at_address(into, at), columns[j]});
    }
  }
  writer_.instruction("bar.sync 0");

  // Lines of the result.
  start = to;
  start.push_back({warp, column.to * pack});
  start.push_back({lane, pack});
  const std::string written_at = sum(part.to, start);
  FarAddress result(writer_, address(pointer(ParameterRole::output, id_), written_at, shape_.bytes));
  const std::string has_row = end_guard(row, first_row, lane);
  for (uint32_t step = 0; step < kSteps; ++step) {
    const std::string guard = both(has_row, line_guard(column, first_column, step));
    for (uint32_t j = 0; j < pack; ++j) {
      const uint64_t line = uint64_t{step} * kTileWarps * pack + j;
      const std::string value = writer_.fresh(words.register_class);
      const uint64_t at = uint64_t{j * kTileWords + step * kTileWarps} * kPitch * word;
      writer_.instruction(guarded(guard, word == 8 ? "ld.shared.b64" : "ld.shared.b32"),
                          {value, at_address(out_of, at)});
      writer_.instruction(guarded(guard, "st.global." + words.type),
                          {result.at(line * column.to * shape_.bytes), value});
    }
  }
}

}  // namespace fuseboard
