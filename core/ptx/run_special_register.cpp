// What the special registers hold here, and the addresses of variables.
// It must not know which instruction reads them.
#include "ptx/integer_lanes.h"
#include "ptx/launch_state.h"

namespace fuseboard::ptx {
namespace {

void give(Execution& x, const MicroOp& op, const std::array<uint64_t, kLanes>& values) {
  if (op.size == 8) {
    keep(x, op.d, values.data());
    return;
  }
  alignas(64) std::array<uint32_t, kLanes> narrow;
  for (uint32_t i = 0; i < kLanes; ++i) narrow[i] = static_cast<uint32_t>(values[i]);
  keep(x, op.d, narrow.data());
}

/// The lanes' value of one that depends on the lane; false where it does not.
bool of_lane(Execution& x, SpecialRegister which, std::array<uint64_t, kLanes>& values) {
  for (uint32_t i = 0; i < kLanes; ++i) {
    const uint32_t bit = 1U << i;
    if (which == SpecialRegister::tid_x)
      values[i] = x.warp->thread[0][i];
    else if (which == SpecialRegister::tid_y)
      values[i] = x.warp->thread[1][i];
    else if (which == SpecialRegister::tid_z)
      values[i] = x.warp->thread[2][i];
    else if (which == SpecialRegister::laneid)
      values[i] = i;
    else if (which == SpecialRegister::lanemask_eq)
      values[i] = bit;
    else if (which == SpecialRegister::lanemask_lt)
      values[i] = bit - 1;
    else if (which == SpecialRegister::lanemask_le)
      values[i] = (bit - 1) | bit;
    else if (which == SpecialRegister::lanemask_gt)
      values[i] = ~((bit - 1) | bit);
    else if (which == SpecialRegister::lanemask_ge)
      values[i] = static_cast<uint32_t>(~(bit - 1));
    else
      return false;
    values[i] &= 0xffffffff;
  }
  return true;
}

struct Known {
  SpecialRegister which;
  uint64_t value;
};

/// Clusters are of one block; clocks count the warp's steps; there is one multiprocessor.
std::optional<uint64_t> of_block(const Execution& x, SpecialRegister which) {
  using S = SpecialRegister;
  const Launch& launch = x.launch->launch;
  const Block& block = *x.block;
  const uint64_t clock = x.warp->step;
  const Known all[] = {
      {S::ntid_x, launch.block[0]},
      {S::ntid_y, launch.block[1]},
      {S::ntid_z, launch.block[2]},
      {S::ctaid_x, block.index[0]},
      {S::ctaid_y, block.index[1]},
      {S::ctaid_z, block.index[2]},
      {S::nctaid_x, launch.grid[0]},
      {S::nctaid_y, launch.grid[1]},
      {S::nctaid_z, launch.grid[2]},
      {S::clusterid_x, block.index[0]},
      {S::clusterid_y, block.index[1]},
      {S::clusterid_z, block.index[2]},
      {S::nclusterid_x, launch.grid[0]},
      {S::nclusterid_y, launch.grid[1]},
      {S::nclusterid_z, launch.grid[2]},
      {S::warpid, x.warp->index},
      {S::nwarpid, block.warps.size()},
      {S::smid, 0},
      {S::nsmid, 1},
      {S::gridid, 0},
      {S::cluster_ctaid_x, 0},
      {S::cluster_ctaid_y, 0},
      {S::cluster_ctaid_z, 0},
      {S::cluster_nctaid_x, 1},
      {S::cluster_nctaid_y, 1},
      {S::cluster_nctaid_z, 1},
      {S::cluster_ctarank, 0},
      {S::cluster_nctarank, 1},
      {S::clock, clock},
      {S::clock_hi, clock >> 32},
      {S::clock64, clock},
      {S::globaltimer, clock},
      {S::globaltimer_lo, clock},
      {S::globaltimer_hi, clock >> 32},
      {S::total_smem_size, block.shared.size()},
      {S::aggr_smem_size, block.shared.size()},
      {S::dynamic_smem_size, launch.shared_bytes},
  };
  for (const Known& each : all)
    if (each.which == which) return each.value;
  return std::nullopt;
}

}  // namespace

Flow run_special_register(Execution& x, const MicroOp& op) {
  const auto which = static_cast<SpecialRegister>(op.target);
  alignas(64) std::array<uint64_t, kLanes> values;
  if (!of_lane(x, which, values)) {
    const std::optional<uint64_t> value = of_block(x, which);
    if (!value)
      return x.fault(
          op, FaultKind::unsupported, first_lane(x.active),
          "The special register %" + std::string(special_register_text(which)) + " is not known here.");
    values.fill(*value);
  }
  give(x, op, values);
  return Flow::next;
}

Flow run_variable_address(Execution& x, const MicroOp& op) {
  const Variable& variable = x.launch->module->variables[op.target];
  const Frame& frame = x.warp->frame();
  const Program& program = *frame.program;
  uint64_t address = 0;
  switch (variable.space) {
    case StateSpace::generic:
    case StateSpace::global:
    case StateSpace::constant:
      address = x.launch->variable_address[op.target];
      break;
    case StateSpace::shared:
      address = variable.bytes == 0 ? x.launch->entry->dynamic_shared_offset : variable.offset;
      break;
    case StateSpace::local:
      address = frame.local_base + program.frame_base + variable.offset;
      break;
    case StateSpace::param:
      if (variable.in_frame)
        address = kFrameParameters + frame.local_base + program.frame_base + variable.offset;
      else if (program.function->is_entry)
        address = variable.offset;
      else
        address = kFrameParameters + frame.local_base + variable.offset;
      break;
  }
  address += static_cast<uint64_t>(op.immediate);
  if (op.size == 8)
    splat<uint64_t>(x, op.d, address);
  else
    splat<uint32_t>(x, op.d, static_cast<uint32_t>(address));
  return Flow::next;
}

}  // namespace fuseboard::ptx
