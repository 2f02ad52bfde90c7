// Writing a Move's walk over elements: blocks to parts, threads to accesses, digits to offsets.
// It must not know the module around it, nor tiles.
#include "emit/move_code.h"

#include "emit/division.h"
#include "graph/attribute_use.h"
#include "graph/evaluate.h"
#include "graph/storage.h"
#include "launch/launch_shape.h"
#include "launch/loop_schedule.h"
#include "launch/names.h"

namespace fuseboard {
namespace {

std::string part_label(size_t number) { return "$part" + std::to_string(number); }

/// The storage behind an op.
uint32_t root_of(const FusionGraph& graph, uint32_t op) {
  while (is_seen_through(graph.op(op))) op = graph.op(op).inputs[0];
  return op;
}

Shape extents_of(const MovePart& part) {
  Shape extents;
  for (const MoveDim& dim : part.dims) extents.push_back(dim.extent);
  if (!extents.empty()) extents.back() /= part.slots;
  return extents;
}

}  // namespace

MoveCode::MoveCode(const FusionGraph& graph, const Kernel& kernel, const EmitOptions& options)
    : graph_(graph),
      kernel_(kernel),
      options_(options),
      shape_(*kernel.move),
      op_(graph.op(kernel.parameters.back().op)),
      id_(kernel.parameters.back().op) {}

std::string MoveCode::typed(const char* opcode, const char* type) const {
  return std::string(opcode) + "." + type + (shape_.wide ? "64" : "32");
}

std::string MoveCode::immediate(uint64_t value) const {
  return shape_.wide ? std::to_string(static_cast<int64_t>(value))
                     : std::to_string(static_cast<int32_t>(static_cast<uint32_t>(value)));
}

std::string MoveCode::pointer(ParameterRole role, uint32_t op) {
  for (const KernelParameter& each : kernel_.parameters) {
    if (each.role != role || each.op != op) continue;
    std::string reg = writer_.fresh(RegisterClass::b64);
    writer_.instruction("ld.param.u64", {reg, "[" + each.name + "]"});
    return reg;
  }
  return "";
}

std::string MoveCode::operand_pointer(uint32_t operand) {
  return pointer(ParameterRole::input, root_of(graph_, op_.inputs[operand]));
}

std::string MoveCode::sum(uint64_t base, const std::vector<Term>& terms) {
  std::string total;
  for (const Term& term : terms) {
    if (term.value == "0" || term.factor == 0) continue;
    const bool is_first = total.empty();
    if (is_first && term.factor == 1 && base == 0) {
      total = term.value;
      continue;
    }
    std::string next = fresh_offset();
    const std::string to = is_first ? immediate(base) : total;
    if (term.factor == 1) {
      writer_.instruction(typed("add", "s"), {next, term.value, to});
    } else {
      writer_.instruction(typed("mad.lo", "s"), {next, term.value, immediate(term.factor), to});
    }
    total = std::move(next);
  }
  if (!total.empty() || base == 0) return total.empty() ? "0" : total;
  total = fresh_offset();
  writer_.instruction(typed("mov", "b"), {total, immediate(base)});
  return total;
}

std::string MoveCode::address(const std::string& pointer, const std::string& offset, uint32_t bytes) {
  if (offset == "0") return pointer;
  std::string reg = writer_.fresh(RegisterClass::b64);
  writer_.instruction(shape_.wide ? "mad.lo.s64" : "mad.wide.u32",
                      {reg, offset, std::to_string(bytes), pointer});
  return reg;
}

std::string MoveCode::below(const std::string& reg, uint64_t limit) {
  std::string is_below = writer_.fresh(RegisterClass::pred);
  writer_.instruction(typed("setp.lt", "u"), {is_below, reg, std::to_string(limit)});
  return is_below;
}

std::string MoveCode::both(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  std::string all = writer_.fresh(RegisterClass::pred);
  writer_.instruction("and.pred", {all, a, b});
  return all;
}

std::string MoveCode::storage_offset(uint32_t operand, const std::string& offset) {
  if (offset == "0") return offset;
  uint32_t at = op_.inputs[operand];
  IndexMaps maps(element_count(graph_.op(at).output_shape).value_or(1));
  uint32_t map = 0;
  while (is_seen_through(graph_.op(at))) {
    const FusionOp& view = graph_.op(at);
    at = view.inputs[0];
    if (op_info(view.kind).shape_rule == ShapeRule::Reshape) continue;
    map = maps.stretch(map, view.output_shape, graph_.op(at).output_shape, view.ints("axes"));
  }
  if (maps[map].digits.empty()) return "0";
  return IndexCode(writer_, maps, offset, shape_.wide).offset(map);
}

std::string MoveCode::padded_index(const MovePadding& padding, const std::string& index, std::string& guard) {
  std::string moved = fresh_offset();
  writer_.instruction(typed("sub", "s"), {moved, index, immediate(padding.low)});  // below low it wraps
  guard = both(guard, below(moved, padding.limit));
  if (padding.step == 1) return moved;
  std::string at = fresh_offset();
  const std::optional<uint32_t> shift = exact_log2(padding.step);
  const std::optional<Reciprocal> magic =
      shift ? std::nullopt : reciprocal_of(padding.step, padding.limit - 1, shape_.wide ? 64 : 32);
  if (shift) {
    writer_.instruction(typed("shr", "u"), {at, moved, std::to_string(*shift)});
  } else if (magic) {
    writer_.instruction(typed("mul.hi", "u"), {at, moved, std::to_string(magic->multiplier)});
    if (magic->shift > 0) writer_.instruction(typed("shr", "u"), {at, at, std::to_string(magic->shift)});
  } else {
    writer_.instruction(typed("div", "u"), {at, moved, std::to_string(padding.step)});
  }
  const std::string back = fresh_offset();
  const std::string is_multiple = writer_.fresh(RegisterClass::pred);
  writer_.instruction(typed("mul.lo", "s"), {back, at, immediate(padding.step)});
  writer_.instruction(typed("setp.eq", "s"), {is_multiple, back, moved});
  guard = both(guard, is_multiple);
  return at;
}

/// An index as its dtype has it, in a register of 32 or 64 bits.
std::string MoveCode::load_index(const std::string& address, bool in_64_bits) {
  const uint32_t bytes = dtype_bytes(shape_.index->dtype);
  const std::string sign = dtype_class(shape_.index->dtype) == DTypeClass::Signed ? "s" : "u";
  std::string raw = writer_.fresh(bytes == 8 ? RegisterClass::b64 : RegisterClass::b32);
  writer_.instruction("ld.global.nc." + sign + std::to_string(8 * bytes), {raw, "[" + address + "]"});
  if (!in_64_bits || bytes == 8) return raw;
  std::string wide = writer_.fresh(RegisterClass::b64);
  writer_.instruction("cvt." + sign + "64." + sign + "32", {wide, raw});
  return wide;
}

std::string MoveCode::gathered_index(const std::string& place) {
  const MoveIndex& index = *shape_.index;
  const bool in_64_bits = shape_.wide || dtype_bytes(index.dtype) == 8;
  const std::string suffix = in_64_bits ? "64" : "32";
  const RegisterClass register_class = in_64_bits ? RegisterClass::b64 : RegisterClass::b32;
  const std::string offset = storage_offset(1, place);
  const std::string at = address(operand_pointer(1), offset, dtype_bytes(index.dtype));
  std::string value = load_index(at, in_64_bits);
  const std::string last = std::to_string(index.size - 1);
  std::string clamped = writer_.fresh(register_class);
  if (dtype_class(index.dtype) == DTypeClass::Signed) {
    const std::string is_negative = writer_.fresh(RegisterClass::pred);
    const std::string from_end = writer_.fresh(register_class);
    const std::string counted = writer_.fresh(register_class);
    const std::string not_below = writer_.fresh(register_class);
    writer_.instruction("setp.lt.s" + suffix, {is_negative, value, "0"});
    writer_.instruction("add.s" + suffix, {from_end, value, std::to_string(index.size)});
    writer_.instruction("selp.b" + suffix, {counted, from_end, value, is_negative});
    writer_.instruction("max.s" + suffix, {not_below, counted, "0"});
    writer_.instruction("min.s" + suffix, {clamped, not_below, last});
  } else {
    writer_.instruction("min.u" + suffix, {clamped, value, last});
  }
  if (!in_64_bits || shape_.wide) return clamped;
  std::string narrow = writer_.fresh(RegisterClass::b32);
  writer_.instruction("cvt.u32.u64", {narrow, clamped});
  return narrow;
}

/// The words of an access whose elements are all the same.
std::vector<std::string> MoveCode::load_splat(const MovePart& part) {
  const MoveWords words = move_words(shape_.bytes, part.slots);
  const uint32_t root = root_of(graph_, op_.inputs[part.operand]);
  std::string word = writer_.fresh(words.register_class);
  if (is_immediate(graph_.op(root))) {
    uint8_t bytes[8] = {};
    element_to_bytes(op_.dtype, known_value(graph_.op(root)).value_or(Element{}), bytes);
    uint64_t bits = 0;
    for (uint32_t i = 0; i < shape_.bytes; ++i) bits |= uint64_t{bytes[i]} << (8 * i);
    writer_.instruction(
        words.bytes == 8 ? "mov.b64" : "mov.b32",
        {word, std::to_string(static_cast<int64_t>(repeated_bits(bits, shape_.bytes, words.bytes)))});
  } else {
    writer_.instruction("ld.global.nc." + move_words(shape_.bytes, 1).type,
                        {word, "[" + operand_pointer(part.operand) + "]"});
    if (words.bytes > shape_.bytes) {
      const std::string filled = writer_.fresh(words.register_class);
      writer_.instruction("prmt.b32", {filled, word, word, shape_.bytes == 1 ? "0x0000" : "0x1010"});
      word = filled;
    }
  }
  return std::vector<std::string>(words.count, word);
}

void MoveCode::write_access(const MovePart& part, IndexCode& index, const std::vector<uint32_t>& digits) {
  std::vector<Term> from;
  std::vector<Term> to;
  std::string guard;
  for (size_t k = 0; k < part.dims.size(); ++k) {
    const MoveDim& dim = part.dims[k];
    const uint64_t step = k + 1 == part.dims.size() ? part.slots : 1;
    const std::string digit = index.offset(digits[k]);
    to.push_back({digit, dim.to * step});
    if (part.is_splat) continue;
    if (shape_.index && k == 1) from.push_back({gathered_index(digit), shape_.index->stride});
    from.push_back({dim.padding ? padded_index(*dim.padding, digit, guard) : digit, dim.from * step});
  }
  const MoveWords words = move_words(shape_.bytes, part.slots);
  std::vector<std::string> loaded;
  if (part.is_splat) {
    loaded = load_splat(part);
  } else {
    std::vector<std::string> fill;
    if (!guard.empty()) {
      MovePart filler = part;
      filler.operand = 1;
      fill = load_splat(filler);
    }
    const std::string offset = storage_offset(part.operand, sum(part.from, from));
    const std::string at = address(operand_pointer(part.operand), offset, shape_.bytes);
    for (uint32_t i = 0; i < words.count; ++i) {
      loaded.push_back(writer_.fresh(words.register_class));
      if (!fill.empty()) writer_.instruction(words.bytes == 8 ? "mov.b64" : "mov.b32", {loaded[i], fill[i]});
    }
    writer_.instruction((guard.empty() ? "" : "@" + guard + " ") + "ld.global.nc." + words.type,
                        {vector_of(loaded), "[" + at + "]"});
  }
  registers_.emplace_back(id_, loaded[0]);
  const std::string offset = sum(part.to, to);  // before the pointer, whatever a compiler begins with
  const std::string at = address(pointer(ParameterRole::output, id_), offset, shape_.bytes);
  writer_.instruction("st.global." + words.type, {"[" + at + "]", vector_of(loaded)});
}

void MoveCode::write_part(size_t number) {
  const MovePart& part = shape_.parts[number];
  const bool is_last = number + 1 == shape_.parts.size();
  if (number != 0) writer_.label(part_label(number));
  if (shape_.parts.size() > 1) {
    writer_.line("    // from " + comment_of(graph_.name_of(op_.inputs[part.operand]), 60) + ": blocks " +
                 std::to_string(part.first_block) + " to " +
                 std::to_string(part.first_block + part.blocks - 1));
  }
  if (!is_last) {
    const std::string is_behind = writer_.fresh(RegisterClass::pred);
    writer_.instruction("setp.ge.u32", {is_behind, block_, std::to_string(part.first_block + part.blocks)});
    writer_.instruction("@" + is_behind + " bra " + part_label(number + 1));
  }
  std::string block = block_;
  if (part.first_block != 0) {
    block = writer_.fresh(RegisterClass::b32);
    writer_.instruction("sub.s32", {block, block_, std::to_string(part.first_block)});
  }
  const std::string index = fresh_offset();
  const std::string threads = std::to_string(kThreads);
  if (shape_.wide) {
    const std::string thread = writer_.fresh(RegisterClass::b64);
    writer_.instruction("cvt.u64.u32", {thread, thread_});
    writer_.instruction("mad.wide.u32", {index, block, threads, thread});
  } else {
    writer_.instruction("mad.lo.u32", {index, block, threads, thread_});
  }
  if (part.passes != uint64_t{part.blocks} * kThreads) {
    const std::string is_past = writer_.fresh(RegisterClass::pred);
    writer_.instruction(typed("setp.ge", "u"), {is_past, index, std::to_string(part.passes)});
    writer_.instruction("@" + is_past + " bra $end");
  }
  const Shape extents = extents_of(part);
  IndexMaps maps(part.passes);
  std::vector<uint32_t> digits;
  for (uint32_t k = 0; k < extents.size(); ++k) digits.push_back(maps.along(0, extents, k));
  IndexCode code(writer_, maps, index, shape_.wide);
  write_access(part, code, digits);
  if (!is_last) writer_.instruction("bra $end");
}

void MoveCode::write() {
  writer_.belong_to(id_);
  if (id_ < options_.source_lines.size() && options_.source_lines[id_].line != 0) {
    const SourceLine& line = options_.source_lines[id_];
    writer_.line("    .loc 1 " + std::to_string(line.line) + " " + std::to_string(line.column));
  }
  block_ = writer_.fresh(RegisterClass::b32);
  thread_ = writer_.fresh(RegisterClass::b32);
  writer_.instruction("mov.u32", {block_, "%ctaid.x"});
  writer_.instruction("mov.u32", {thread_, "%tid.x"});
  switch (shape_.walk) {
    case MoveWalk::elements:
      for (size_t i = 0; i < shape_.parts.size(); ++i) write_part(i);
      break;
    case MoveWalk::tiles:
      write_tile();
      break;
  }
  writer_.belong_to(-1);
  writer_.label("$end");
  writer_.instruction("ret");
}

}  // namespace fuseboard
