// What a kernel did that it must not do: where, by whom, and at which address.
// It must not know how a kernel runs.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace fuseboard::ptx {

enum class FaultKind : uint8_t {
  out_of_bounds,  ///< an access outside every buffer or variable
  misaligned,     ///< an address that is no multiple of the access's bytes
  never_written,  ///< a read of memory that holds no value
  race,           ///< two unordered accesses to shared memory of which one writes
  barrier,        ///< a barrier, or a warp's .sync, that not all can reach
  read_only,      ///< a store to constant or parameter memory
  trap,           ///< trap, or brkpt
  unsupported,    ///< an instruction, or a form of one, that is not run here
  call_depth,     ///< calls nested too deep
  bad_branch,     ///< an index of brx.idx outside its targets, a call of no function
  step_budget,    ///< set by whoever drives the machine, when a run takes too long
};

/// "out-of-bounds", "race", ...
std::string_view fault_kind_text(FaultKind kind);

struct Fault {
  FaultKind kind = FaultKind::unsupported;
  std::string message;  ///< one sentence with the figures of this case
  uint32_t line = 0;    ///< in the module's text, from 1
  std::array<uint32_t, 3> block{};
  std::array<uint32_t, 3> thread{};
  bool has_address = false;
  uint64_t address = 0;
};

}  // namespace fuseboard::ptx
