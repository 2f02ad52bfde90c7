// What the lanes of a warp do together: shuffles, votes, matches, reductions, elections.
// It must not know how they come to meet.
#include <algorithm>
#include <bit>

#include "ptx/float_bits.h"
#include "ptx/integer_lanes.h"
#include "ptx/warp_sync.h"

namespace fuseboard::ptx {
namespace {

using Lanes32 = std::array<uint32_t, kLanes>;

enum ShuffleMode : uint8_t { kUp, kDown, kButterfly, kIndex };

/// As the PTX ISA's pseudo-code of shfl: c holds the clamp in its low five bits, the segment mask above.
Flow run_shuffle(Execution& x, const MicroOp& op) {
  const Flow flow = meet(x, op, op.s[3], false);
  if (flow != Flow::next) return flow;
  const LaneSource<uint32_t> a(x, op.s[0]), b(x, op.s[1]), c(x, op.s[2]);
  alignas(64) Lanes32 values;
  uint32_t in_range = 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const uint32_t by = b[lane] & 31, clamp = c[lane] & 31, segment = c[lane] >> 8 & 31;
    const uint32_t most = (lane & segment) | (clamp & ~segment), least = lane & segment;
    uint32_t from = 0;
    bool inside = false;
    switch (op.mode) {
      case kUp:
        from = lane - by;
        inside = static_cast<int32_t>(from) >= static_cast<int32_t>(most);
        break;
      case kDown:
        from = lane + by;
        inside = from <= most;
        break;
      case kButterfly:
        from = lane ^ by;
        inside = from <= most;
        break;
      case kIndex:
        from = least | (by & ~segment);
        inside = from <= most;
        break;
    }
    if (!inside) from = lane;
    in_range |= inside ? kLaneBits[lane] : 0;
    values[lane] = a[from & 31];
  }
  keep(x, op.d, values.data());
  x.set_predicate(op.d2, in_range);
  return Flow::next;
}

enum VoteMode : uint8_t { kAll, kAny, kUniform, kBallot };

Flow run_vote(Execution& x, const MicroOp& op) {
  const Flow flow = meet(x, op, op.s[1], false);
  if (flow != Flow::next) return flow;
  const uint32_t votes = x.predicate(op.s[0]) & x.active;
  switch (op.mode) {
    case kAll:
      x.set_predicate(op.d, votes == x.active ? kAllLanes : 0);
      break;
    case kAny:
      x.set_predicate(op.d, votes != 0 ? kAllLanes : 0);
      break;
    case kUniform:
      x.set_predicate(op.d, votes == x.active || votes == 0 ? kAllLanes : 0);
      break;
    case kBallot:
      splat<uint32_t>(x, op.d, votes);
      break;
  }
  return Flow::next;
}

/// match.any and match.all; op.mode: 1 for all.
template <class T>
Flow run_match(Execution& x, const MicroOp& op) {
  const Flow flow = meet(x, op, op.s[1], false);
  if (flow != Flow::next) return flow;
  const LaneSource<T> a(x, op.s[0]);
  alignas(64) Lanes32 values{};
  for (uint32_t left = x.active; left != 0; left &= left - 1) {
    const uint32_t lane = first_lane(left);
    for (uint32_t rest = x.active; rest != 0; rest &= rest - 1)
      if (a[first_lane(rest)] == a[lane]) values[lane] |= 1U << first_lane(rest);
  }
  if (op.mode == 1) {
    const bool all = values[first_lane(x.active)] == x.active;
    values.fill(all ? x.active : 0);
    x.set_predicate(op.d2, all ? kAllLanes : 0);
  }
  keep(x, op.d, values.data());
  return Flow::next;
}

uint32_t smaller_float(uint32_t a, uint32_t b, bool greatest, bool propagate) {
  if (is_nan32(a) || is_nan32(b)) {
    if (propagate || (is_nan32(a) && is_nan32(b))) return kNaN32;
    return is_nan32(a) ? b : a;
  }
  const auto key = [](uint32_t bits) {
    return static_cast<int32_t>(bits ^ ((bits >> 31) != 0 ? 0x7fffffffU : 0));
  };
  return (greatest ? key(a) >= key(b) : key(a) <= key(b)) ? a : b;
}

uint32_t reduced(const Modifiers& modifiers, Type type, uint32_t a, uint32_t b) {
  if (modifiers.has(Modifier::add)) return a + b;
  if (modifiers.has(Modifier::and_)) return a & b;
  if (modifiers.has(Modifier::or_)) return a | b;
  if (modifiers.has(Modifier::xor_)) return a ^ b;
  const bool greatest = modifiers.has(Modifier::max);
  if (type == Type::f32) return smaller_float(a, b, greatest, modifiers.has(Modifier::NaN));
  if (type == Type::s32) {
    const auto u = static_cast<int32_t>(a), v = static_cast<int32_t>(b);
    return static_cast<uint32_t>(greatest ? std::max(u, v) : std::min(u, v));
  }
  return greatest ? std::max(a, b) : std::min(a, b);
}

Flow run_reduce(Execution& x, const MicroOp& op) {
  const Flow flow = meet(x, op, op.s[1], false);
  if (flow != Flow::next) return flow;
  const LaneSource<uint32_t> a(x, op.s[0]);
  const Modifiers& modifiers = op.source->modifiers;
  const Type type = op.source->type();
  const uint32_t keep_bits = modifiers.has(Modifier::abs) ? 0x7fffffff : 0xffffffff;
  uint32_t sum = a[first_lane(x.active)] & keep_bits;
  for (uint32_t left = x.active & (x.active - 1); left != 0; left &= left - 1)
    sum = reduced(modifiers, type, sum, a[first_lane(left)] & keep_bits);
  splat<uint32_t>(x, op.d, sum);
  return Flow::next;
}

/// The lowest lane is elected.
Flow run_elect(Execution& x, const MicroOp& op) {
  const Flow flow = meet(x, op, op.s[0], false);
  if (flow != Flow::next) return flow;
  const uint32_t leader = first_lane(x.active);
  splat<uint32_t>(x, op.d, leader);
  x.set_predicate(op.d2, 1U << leader);
  return Flow::next;
}

Flow run_active_mask(Execution& x, const MicroOp& op) {
  splat<uint32_t>(x, op.d, x.active);
  return Flow::next;
}

void bind_shuffle(Binding& b) {
  MicroOp& op = b.op;
  op.d = b.destination(0, Type::b32);
  op.d2 = b.predicate_destination(1);
  for (uint32_t n = 0; n < 4; ++n) op.s[n] = b.source(n + 2, Type::b32);
  op.mode = b.has(Modifier::up)     ? kUp
            : b.has(Modifier::down) ? kDown
            : b.has(Modifier::bfly) ? kButterfly
                                    : kIndex;
  op.run = run_shuffle;
}

}  // namespace

void bind_warp(Binding& b) {
  const Opcode opcode = b.i.opcode;
  const Type type = b.i.type();
  MicroOp& op = b.op;
  if (opcode == Opcode::shfl) return bind_shuffle(b);
  if (opcode == Opcode::vote) {
    const bool ballot = b.has(Modifier::ballot);
    op.d = ballot ? b.destination(0, Type::b32) : b.predicate_destination(0);
    op.s[0] = b.predicate(1);
    op.s[1] = b.source(2, Type::b32);
    op.mode = ballot ? kBallot : b.has(Modifier::all) ? kAll : b.has(Modifier::any) ? kAny : kUniform;
    op.run = run_vote;
  }
  if (opcode == Opcode::match) {
    const bool all = b.has(Modifier::all);
    op.d = b.destination(0, Type::b32);
    if (all) op.d2 = b.predicate_destination(1);
    op.s[0] = b.source(all ? 2 : 1, type);
    op.s[1] = b.source(all ? 3 : 2, Type::b32);
    op.mode = all ? 1 : 0;
    op.run = type_bits(type) == 64 ? run_match<uint64_t> : run_match<uint32_t>;
  }
  if (opcode == Opcode::redux) {
    op.d = b.destination(0, type);
    op.s[0] = b.source(1, type);
    op.s[1] = b.source(2, Type::b32);
    op.run = run_reduce;
  }
  if (opcode == Opcode::elect) {
    op.d = b.destination(0, Type::b32);
    op.d2 = b.predicate_destination(1);
    op.s[0] = b.source(2, Type::b32);
    op.run = run_elect;
  }
  if (opcode == Opcode::activemask) {
    op.d = b.destination(0, Type::b32);
    op.run = run_active_mask;
  }
}

}  // namespace fuseboard::ptx
