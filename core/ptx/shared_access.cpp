// Shared memory for a warp: bounds, races told in words, bank conflicts.
// It must not know registers, nor other spaces.
#include <algorithm>
#include <bit>

#include "ptx/launch_state.h"
#include "ptx/memory_access.h"

namespace fuseboard::ptx {
namespace {

/// How many passes 32 banks of 4 bytes need: in each pass a bank serves one word, to all who want it.
/// Accesses of 8 bytes go by half warps, of 16 by quarters.
uint32_t passes(const Execution& x, uint32_t lanes, uint32_t bytes) {
  const uint32_t words = std::max(bytes / 4, 1U);
  const uint32_t together = kLanes / std::min(words, 4U);
  uint32_t sum = 0;
  for (uint32_t first = 0; first < kLanes; first += together) {
    std::array<uint32_t, kLanes> in_bank{};
    std::array<uint32_t, kLanes * 4> seen;
    uint32_t count = 0, most = 0;
    for (uint32_t lane = first; lane < first + together; ++lane) {
      if ((lanes >> lane & 1) == 0) continue;
      for (uint32_t n = 0; n < std::min(words, 4U); ++n) {
        const auto word = static_cast<uint32_t>(x.addresses[lane] / 4 + n);
        if (std::find(seen.begin(), seen.begin() + count, word) != seen.begin() + count) continue;
        seen[count++] = word;
        most = std::max(most, ++in_bank[word % 32]);
      }
    }
    sum += most != 0 ? most - 1 : 0;
  }
  return sum;
}

Flow tell(Execution& x, const MicroOp& op, uint32_t lane, const SharedProblem& problem, bool writes) {
  const std::string at = "shared memory at " + std::to_string(problem.address);
  if (problem.kind == FaultKind::never_written)
    return x.fault(op, problem.kind, lane, "A read of " + at + ", where nothing was written.",
                   problem.address);
  const std::string line =
      problem.other && problem.other->source ? std::to_string(problem.other->source->line) : "?";
  std::string message = std::string(writes ? "A write to " : "A read of ") + at + " that ";
  if (problem.other_pending)
    message += "the cp.async of " + x.launch->thread_text(problem.other_warp, problem.other_lane) +
               " in line " + line + " still fills: nobody has waited for it.";
  else
    message += x.launch->thread_text(problem.other_warp, problem.other_lane) +
               (problem.other_wrote ? " wrote" : " read") + " in line " + line +
               ", with nothing that orders the two.";
  return x.fault(op, problem.kind, lane, std::move(message), problem.address);
}

template <class Data, class Step>
Flow each_lane(Execution& x, const MicroOp& op, const LaneAccess& access, uint32_t lanes, Data* data,
               bool writes, Step step) {
  count_shared(x, access, lanes);
  SharedAccess one;
  one.warp = x.warp->index;
  one.step = x.warp->step;
  one.bytes = access.bytes;
  one.strong = access.strong;
  one.op = &op;
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    one.lane = first_lane(left);
    const uint64_t address = x.addresses[one.lane];
    if (shared_bounds(x, op, one.lane, address, access.bytes) == Flow::fault) return Flow::fault;
    one.address = static_cast<uint32_t>(address);
    if (const auto problem = step(one, data + one.lane * access.bytes))
      return tell(x, op, one.lane, *problem, writes);
  }
  return Flow::next;
}

}  // namespace

void count_shared(Execution& x, const LaneAccess& access, uint32_t lanes) {
  if (!access.counted) return;
  Counters& counters = x.launch->counters;
  ++counters.shared_requests;
  // 32 words in a row, the commonest access, have no conflict.
  bool row = lanes == kAllLanes && access.bytes == 4;
  for (uint32_t i = 1; i < kLanes && row; ++i) row = x.addresses[i] == x.addresses[0] + 4 * i;
  if (!row) counters.shared_bank_conflicts += passes(x, lanes, access.bytes);
}

Flow shared_bounds(Execution& x, const MicroOp& op, uint32_t lane, uint64_t address, uint32_t bytes) {
  const uint32_t size = x.block->shared.size();
  if (address <= size && bytes <= size - address) return Flow::next;
  return x.fault(op, FaultKind::out_of_bounds, lane,
                 "An access to shared memory at " + std::to_string(address) + ": the block has " +
                     std::to_string(size) + " bytes of it.",
                 address);
}

Flow load_shared(Execution& x, const MicroOp& op, const LaneAccess& access, uint32_t lanes, uint8_t* data) {
  SharedMemory& shared = x.block->shared;
  const Flow flow = each_lane(x, op, access, lanes, data, false,
                              [&](const SharedAccess& one, uint8_t* to) { return shared.load(one, to); });
  if (flow == Flow::next && access.strong)
    for (uint32_t left = lanes; left != 0; left &= left - 1)
      shared.order().acquire(x.addresses[first_lane(left)], x.warp->index, first_lane(left));
  return flow;
}

Flow store_shared(Execution& x, const MicroOp& op, const LaneAccess& access, uint32_t lanes,
                  const uint8_t* data) {
  SharedMemory& shared = x.block->shared;
  const Flow flow =
      each_lane(x, op, access, lanes, data, true,
                [&](const SharedAccess& one, const uint8_t* from) { return shared.store(one, from); });
  if (flow == Flow::next && access.strong)
    for (uint32_t left = lanes; left != 0; left &= left - 1)
      shared.order().release(x.addresses[first_lane(left)], x.warp->index, first_lane(left));
  return flow;
}

}  // namespace fuseboard::ptx
