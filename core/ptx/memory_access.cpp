// Global, local and parameter memory for a warp, and the way to the right space.
// It must not know registers, nor what is done with the bytes.
#include "ptx/memory_access.h"

#include <algorithm>
#include <bit>

#include "ptx/binding.h"
#include "ptx/lanes.h"
#include "ptx/launch_state.h"

namespace fuseboard::ptx {
namespace {

std::string hexadecimal(uint64_t value) {
  std::string text;
  do {
    text.insert(text.begin(), "0123456789abcdef"[value & 15]);
    value >>= 4;
  } while (value != 0);
  return "0x" + text;
}

/// Whether lane i of all 32 starts where lane i - 1 ends.
bool in_a_row(const Execution& x, uint32_t bytes) {
  if (x.active != kAllLanes) return false;
  uint64_t different = 0;
  const uint64_t first = x.addresses[0];
  for (uint32_t i = 0; i < kLanes; ++i)
    different |= x.addresses[i] ^ (first + static_cast<uint64_t>(i) * bytes);
  return different == 0;
}

/// Distinct 32-byte sectors of the lanes' accesses.
uint32_t sectors(const Execution& x, uint32_t lanes, uint32_t bytes) {
  std::array<uint64_t, 2 * kLanes> all;
  uint32_t count = 0;
  bool sorted = true;
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    const uint64_t address = x.addresses[first_lane(left)];
    for (uint64_t sector = address / 32; sector <= (address + bytes - 1) / 32; ++sector) {
      if (count != 0 && all[count - 1] == sector) continue;
      sorted = sorted && (count == 0 || all[count - 1] < sector);
      if (count < all.size()) all[count++] = sector;
    }
  }
  if (sorted) return count;
  std::sort(all.begin(), all.begin() + count);
  return static_cast<uint32_t>(std::unique(all.begin(), all.begin() + count) - all.begin());
}

void count_global(Execution& x, const LaneAccess& access, uint32_t lanes, bool is_store,
                  uint32_t row_sectors) {
  if (!access.counted) return;
  Counters& counters = x.launch->counters;
  const uint32_t found = row_sectors != 0 ? row_sectors : sectors(x, lanes, access.bytes);
  const auto active = static_cast<uint32_t>(std::popcount(lanes));
  ++(is_store ? counters.global_store_requests : counters.global_load_requests);
  (is_store ? counters.global_store_sectors : counters.global_load_sectors) += found;
  (is_store ? counters.global_store_bytes : counters.global_load_bytes) += uint64_t{active} * access.bytes;
  if (access.bytes == 16) counters.vector_accesses += active;
}

Flow global_fault(Execution& x, const MicroOp& op, uint32_t lane, Memory::Access problem, uint32_t bytes) {
  const uint64_t address = x.addresses[lane];
  const std::string where = x.launch->memory->describe(address);
  const std::string what = std::to_string(bytes) + (bytes == 1 ? " byte at " : " bytes at ") +
                           hexadecimal(address) + " (" + where + ")";
  if (problem == Memory::Access::read_only)
    return x.fault(op, FaultKind::read_only, lane, "A store to " + what + ", which may only be read.",
                   address);
  if (problem == Memory::Access::never_written)
    return x.fault(op, FaultKind::never_written, lane, "A read of " + what + ", where nothing was written.",
                   address);
  return x.fault(op, FaultKind::out_of_bounds, lane, "An access to " + what + ": outside every buffer.",
                 address);
}

/// Runs of lanes whose bytes follow one another in both memory and `data`: one access each.
template <class Step>
Flow by_runs(Execution& x, const MicroOp& op, uint32_t lanes, uint32_t bytes, Step step) {
  for (uint32_t lane = 0; lane < kLanes;) {
    if ((lanes >> lane & 1) == 0) {
      ++lane;
      continue;
    }
    uint32_t end = lane + 1;
    while (end < kLanes && (lanes >> end & 1) != 0 && x.addresses[end] == x.addresses[end - 1] + bytes) ++end;
    Memory::Access done = step(lane, (end - lane) * bytes);
    if (done != Memory::Access::ok) {
      // Which lane it was: one by one, up to the first that fails.
      for (; lane < end; ++lane)
        if ((done = step(lane, bytes)) != Memory::Access::ok) return global_fault(x, op, lane, done, bytes);
    }
    lane = end;
  }
  return Flow::next;
}

Flow load_global(Execution& x, const MicroOp& op, const LaneAccess& access, uint32_t lanes, uint8_t* data) {
  Memory& memory = *x.launch->memory;
  const uint32_t bytes = access.bytes;
  if (lanes == kAllLanes && in_a_row(x, bytes) &&
      memory.load(x.addresses[0], bytes * kLanes, data) == Memory::Access::ok) {
    const uint64_t end = x.addresses[0] + uint64_t{bytes} * kLanes - 1;
    count_global(x, access, lanes, false, static_cast<uint32_t>(end / 32 - x.addresses[0] / 32 + 1));
    return Flow::next;
  }
  count_global(x, access, lanes, false, 0);
  uint64_t last = ~uint64_t{0};
  uint32_t last_lane = 0;
  return by_runs(x, op, lanes, bytes, [&](uint32_t lane, uint32_t count) {
    if (count == bytes && x.addresses[lane] == last) {  // all read the same
      std::memcpy(data + lane * bytes, data + last_lane * bytes, bytes);
      return Memory::Access::ok;
    }
    const Memory::Access done = memory.load(x.addresses[lane], count, data + lane * bytes);
    last = count == bytes && done == Memory::Access::ok ? x.addresses[lane] : ~uint64_t{0};
    last_lane = lane;
    return done;
  });
}

Flow store_global(Execution& x, const MicroOp& op, const LaneAccess& access, uint32_t lanes,
                  const uint8_t* data) {
  Memory& memory = *x.launch->memory;
  const uint32_t bytes = access.bytes;
  if (lanes == kAllLanes && in_a_row(x, bytes) &&
      memory.store(x.addresses[0], bytes * kLanes, data) == Memory::Access::ok) {
    const uint64_t end = x.addresses[0] + uint64_t{bytes} * kLanes - 1;
    count_global(x, access, lanes, true, static_cast<uint32_t>(end / 32 - x.addresses[0] / 32 + 1));
    return Flow::next;
  }
  count_global(x, access, lanes, true, 0);
  return by_runs(x, op, lanes, bytes, [&](uint32_t lane, uint32_t count) {
    return memory.store(x.addresses[lane], count, data + lane * bytes);
  });
}

/// A lane's own bytes, in its local memory: null and a fault where there are none.
uint8_t* local_at(Execution& x, const MicroOp& op, uint32_t lane, uint32_t bytes, bool is_store) {
  Warp& warp = *x.warp;
  const uint64_t address = x.addresses[lane];
  if (address > warp.local_bytes || bytes > warp.local_bytes - address) {
    x.fault(op, FaultKind::out_of_bounds, lane,
            "An access to local memory at " + hexadecimal(address) + ": the thread has " +
                std::to_string(warp.local_bytes) + " bytes of it.",
            address);
    return nullptr;
  }
  const size_t at = static_cast<size_t>(lane) * warp.local_bytes + address;
  uint8_t* const marks = &warp.local_written[at];
  if (is_store) {
    std::memset(marks, 1, bytes);
  } else if (std::memchr(marks, 0, bytes) != nullptr) {
    x.fault(op, FaultKind::never_written, lane,
            "A read of local memory at " + hexadecimal(address) + ", where nothing was written.", address);
    return nullptr;
  }
  return &warp.local[at];
}

Flow access_local(Execution& x, const MicroOp& op, uint32_t lanes, uint32_t bytes, bool is_store,
                  uint8_t* out, const uint8_t* from) {
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    const uint32_t lane = first_lane(left);
    uint8_t* const place = local_at(x, op, lane, bytes, is_store);
    if (!place) return Flow::fault;
    if (is_store)
      std::memcpy(place, from + lane * bytes, bytes);
    else
      std::memcpy(out + lane * bytes, place, bytes);
  }
  return Flow::next;
}

Flow load_parameters(Execution& x, const MicroOp& op, uint32_t lanes, uint32_t bytes, uint8_t* data) {
  const std::vector<uint8_t>& parameters = x.launch->launch.parameters;
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    const uint32_t lane = first_lane(left);
    const uint64_t address = x.addresses[lane];
    if (address > parameters.size() || bytes > parameters.size() - address)
      return x.fault(op, FaultKind::out_of_bounds, lane,
                     "A read of parameters at " + hexadecimal(address) + ": there are " +
                         std::to_string(parameters.size()) + " bytes of them.",
                     address);
    std::memcpy(data + lane * bytes, parameters.data() + address, bytes);
  }
  return Flow::next;
}

uint64_t window_of(ReachedSpace space) {
  return space == ReachedSpace::shared  ? kSharedWindow
         : space == ReachedSpace::local ? kLocalWindow
         : space == ReachedSpace::param ? kParamWindow
                                        : 0;
}

Flow misaligned(Execution& x, const MicroOp& op, uint32_t align) {
  uint32_t lane = first_lane(x.active);
  while ((x.active >> lane & 1) == 0 || x.addresses[lane] % align == 0) ++lane;
  return x.fault(
      op, FaultKind::misaligned, lane,
      "The address " + hexadecimal(x.addresses[lane]) + " is no multiple of " + std::to_string(align) + ".",
      x.addresses[lane]);
}

Flow access_space(Execution& x, const MicroOp& op, const LaneAccess& access, ReachedSpace space,
                  uint32_t lanes, uint8_t* out, const uint8_t* from) {
  const bool is_store = from != nullptr;
  switch (space) {
    case ReachedSpace::global:
      return is_store ? store_global(x, op, access, lanes, from) : load_global(x, op, access, lanes, out);
    case ReachedSpace::shared:
      return is_store ? store_shared(x, op, access, lanes, from) : load_shared(x, op, access, lanes, out);
    case ReachedSpace::local:
      return access_local(x, op, lanes, access.bytes, is_store, out, from);
    case ReachedSpace::param: {
      const uint64_t address = x.addresses[first_lane(lanes)];
      if (address >= kFrameParameters) {
        for (uint64_t& each : x.addresses) each -= kFrameParameters;
        const Flow flow = access_local(x, op, lanes, access.bytes, is_store, out, from);
        for (uint64_t& each : x.addresses) each += kFrameParameters;
        return flow;
      }
      if (!is_store) return load_parameters(x, op, lanes, access.bytes, out);
      return x.fault(op, FaultKind::read_only, first_lane(lanes), "A store to the entry's parameters.",
                     address);
    }
  }
  return Flow::next;
}

Flow access_lanes(Execution& x, const MicroOp& op, const LaneAccess& access, uint32_t align, uint8_t* out,
                  const uint8_t* from) {
  uint64_t low = 0;
  for (uint32_t i = 0; i < kLanes; ++i) low |= (x.active & kLaneBits[i]) != 0 ? x.addresses[i] : 0;
  if ((low & (align - 1)) != 0) return misaligned(x, op, align);
  if (from) x.warp->stored |= x.active;
  if (access.space != StateSpace::generic)
    return access_space(x, op, access, reached_space(access.space, 0), x.active, out, from);
  for (uint32_t left = x.active; left != 0;) {
    const ReachedSpace space = reached_space(access.space, x.addresses[first_lane(left)]);
    uint32_t same = 0;
    for (uint32_t rest = left; rest != 0; rest &= rest - 1)
      if (reached_space(access.space, x.addresses[first_lane(rest)]) == space) same |= 1U << first_lane(rest);
    const uint64_t window = window_of(space);
    for (uint64_t& each : x.addresses) each -= window;
    const Flow flow = access_space(x, op, access, space, same, out, from);
    for (uint64_t& each : x.addresses) each += window;
    if (flow != Flow::next) return flow;
    left &= ~same;
  }
  return Flow::next;
}

}  // namespace

ReachedSpace reached_space(StateSpace space, uint64_t address) {
  switch (space) {
    case StateSpace::global:
    case StateSpace::constant:
      return ReachedSpace::global;
    case StateSpace::shared:
      return ReachedSpace::shared;
    case StateSpace::local:
      return ReachedSpace::local;
    case StateSpace::param:
      return ReachedSpace::param;
    case StateSpace::generic:
      break;
  }
  const uint64_t window = address / kWindow;
  return window == kSharedWindow / kWindow  ? ReachedSpace::shared
         : window == kLocalWindow / kWindow ? ReachedSpace::local
         : window == kParamWindow / kWindow ? ReachedSpace::param
                                            : ReachedSpace::global;
}

void count_atomic(Execution& x, const LaneAccess& access) {
  uint32_t global = 0, shared = 0;
  for (uint32_t left = x.active; left != 0; left &= left - 1) {
    const ReachedSpace space = reached_space(access.space, x.addresses[first_lane(left)]);
    if (space == ReachedSpace::global) global |= 1U << first_lane(left);
    if (space == ReachedSpace::shared) shared |= 1U << first_lane(left);
  }
  LaneAccess request = access;
  request.counted = true;
  if (shared != 0) count_shared(x, request, shared);
  if (global == 0) return;
  count_global(x, request, global, false, 0);
  count_global(x, request, global, true, 0);
}

Flow load_lanes(Execution& x, const MicroOp& op, const LaneAccess& access, uint32_t align, uint8_t* data) {
  return access_lanes(x, op, access, align, data, nullptr);
}

Flow store_lanes(Execution& x, const MicroOp& op, const LaneAccess& access, uint32_t align,
                 const uint8_t* data) {
  return access_lanes(x, op, access, align, nullptr, data);
}

void find_addresses(Execution& x, const MicroOp& op, uint32_t n, int64_t offset) {
  const auto add = static_cast<uint64_t>(offset);
  if (op.address_64) {
    const LaneSource<uint64_t> base(x, op.s[n]);
    for (uint32_t i = 0; i < kLanes; ++i) x.addresses[i] = base[i] + add;
  } else {
    const LaneSource<uint32_t> base(x, op.s[n]);
    for (uint32_t i = 0; i < kLanes; ++i) x.addresses[i] = (base[i] + add) & 0xffffffff;
  }
}

}  // namespace fuseboard::ptx
