// Scratch JSON: what one launch of a pasted PTX module asked for and showed; and what a module can launch.
// It must not know pages, nor how a kernel runs.
//
// clang-format off
// A request, read by the facade:
// {
//   "ptx": text, "entry": name, or absent: the first, "grid": [x, y, z], "block": [x, y, z], "shared_bytes": n,
//   "seed": n, "most_steps": n: warp instructions past which the run faults (step-budget),
//   "parameters": in order [{"dtype": "f32", "value": number or text}: a scalar, or
//                  {"dtype": "f32", "count", "fill": "random" | "zeros" | "iota" | "none" | number or text}: a buffer]
// }
// Only "ptx" must be there; grid and block are [1, 1, 1], counts and values 0, the seed 1, the fill random unless
// given. A fill of none leaves the buffer unwritten: reading it is a fault. A value as text may be
// "0x7f800000", the bits themselves.
// The answer:
// {
//   "state": "running" | "finished" | "faulted" | "failed": it could not start,
//   "diagnostics": [as in plan JSON, places in the PTX], "fault": FAULT | null, "counters": COUNTERS | null,
//   "blocks_finished", "blocks", "steps",
//   "buffers": [{"parameter": index, "name", "dtype", "count", "values": [text, at most 4096; "-": never written],
//   "bytes_read", "bytes_written"}]
// }
// Entries: {"diagnostics": [...], "entries": [{"name", "parameters": [{"name", "type": "u64", "bytes"}],
//   "block": [x, y, z] | null: what .reqntid asks for, "shared_bytes": static}]}
// clang-format on
#pragma once

#include <string>
#include <string_view>

#include "verify/scratch_launch.h"

namespace fuseboard {

/// O(size of the answer).
std::string scratch_json(const ScratchLaunch& launch);

/// Of any text; O(text).
std::string entries_json(std::string_view ptx);

}  // namespace fuseboard
