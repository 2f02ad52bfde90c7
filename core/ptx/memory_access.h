// How the lanes of a warp reach memory: which space, checks, counting, and the bytes.
// It must not know registers, nor what is done with the bytes.
#pragma once

#include <cstdint>

#include "ptx/execution.h"

namespace fuseboard::ptx {

/// The largest access of a lane.
constexpr uint32_t kMostLaneBytes = 32;

/// One warp's access: the active lanes at Execution::addresses, `bytes` each.
struct LaneAccess {
  StateSpace space = StateSpace::generic;
  uint32_t bytes = 0;
  bool strong = false;  ///< atomic, volatile, or with an order
  bool counted = true;  ///< as a request
};

/// Lane i's bytes are data[i * bytes ...). The address of every active lane must be a multiple of the
/// access's `align` bytes. A fault stops the launch.
Flow load_lanes(Execution& x, const MicroOp& op, const LaneAccess& access, uint32_t align, uint8_t* data);
Flow store_lanes(Execution& x, const MicroOp& op, const LaneAccess& access, uint32_t align,
                 const uint8_t* data);

/// Counts an atomic access as one request to load and, of global memory, one to store.
void count_atomic(Execution& x, const LaneAccess& access);
void count_shared(Execution& x, const LaneAccess& access, uint32_t lanes);

/// The addresses of all lanes, into Execution::addresses: op.s[n] + op.immediate.
void find_addresses(Execution& x, const MicroOp& op, uint32_t n, int64_t offset);

// Of each space; `lanes` of the active ones, addresses in that space.
Flow load_shared(Execution& x, const MicroOp& op, const LaneAccess& access, uint32_t lanes, uint8_t* data);
Flow store_shared(Execution& x, const MicroOp& op, const LaneAccess& access, uint32_t lanes,
                  const uint8_t* data);
/// Where a lane's access to shared memory faults.
Flow shared_bounds(Execution& x, const MicroOp& op, uint32_t lane, uint64_t address, uint32_t bytes);

/// Where a generic address lies; what is said of another space is that space.
enum class ReachedSpace : uint8_t { global, shared, local, param };
ReachedSpace reached_space(StateSpace space, uint64_t address);

}  // namespace fuseboard::ptx
