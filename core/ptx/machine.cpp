// Checks a launch, then runs its blocks one after the other.
// It must not know what instructions do.
#include "ptx/machine.h"

#include <algorithm>
#include <set>

#include "base/in_quotes.h"
#include "ptx/binding.h"
#include "ptx/launch_state.h"

namespace fuseboard::ptx {
namespace {

constexpr uint32_t kMostThreads = 1024;
constexpr uint32_t kMostShared = 227 * 1024;
constexpr uint64_t kMostFrames = uint64_t{1} << 29;  // bytes of registers and local memory of a block
constexpr uint64_t kWarpTurn = 1U << 16;             // micro-ops until another warp gets a turn

std::string of_three(const std::array<uint32_t, 3>& size) {
  return std::to_string(size[0]) + " x " + std::to_string(size[1]) + " x " + std::to_string(size[2]);
}

/// The first thing that forbids the launch; "" where nothing does.
std::string objection(const Function& entry, const Launch& launch) {
  const auto& block = launch.block;
  const auto& grid = launch.grid;
  const uint64_t threads = uint64_t{block[0]} * block[1] * block[2];
  if (block[0] == 0 || block[1] == 0 || block[2] == 0 || grid[0] == 0 || grid[1] == 0 || grid[2] == 0)
    return "a grid and a block have at least one of each dimension, not " + of_three(grid) + " and " +
           of_three(block);
  if (block[0] > kMostThreads || block[1] > kMostThreads || block[2] > 64 || threads > kMostThreads)
    return "a block has at most 1024 threads (1024 x 1024 x 64 in each dimension), not " + of_three(block);
  if (grid[0] > 0x7fffffff || grid[1] > 0xffff || grid[2] > 0xffff)
    return "a grid has at most 2147483647 x 65535 x 65535 blocks, not " + of_three(grid);
  if (entry.required_block[0] != 0)
    for (uint32_t axis = 0; axis < 3; ++axis)
      if (block[axis] != std::max(entry.required_block[axis], 1U))
        return "the entry wants blocks of " + of_three(entry.required_block) + ", not " + of_three(block);
  if (entry.most_block[0] != 0 && threads > uint64_t{entry.most_block[0]} *
                                                std::max(entry.most_block[1], 1U) *
                                                std::max(entry.most_block[2], 1U))
    return "the entry takes blocks of at most " + of_three(entry.most_block) + ", not " + of_three(block);
  for (const uint32_t extent : entry.cluster)
    if (extent > 1)
      return "the entry wants clusters of " + of_three(entry.cluster) + " blocks, which are not run here";
  const uint64_t shared =
      launch.shared_bytes == 0 ? entry.shared_bytes : entry.dynamic_shared_offset + launch.shared_bytes;
  if (shared > kMostShared)
    return "a block has at most 232448 bytes of shared memory, not " + std::to_string(shared);
  if (launch.parameters.size() != entry.parameter_bytes)
    return "the entry's parameters take " + std::to_string(entry.parameter_bytes) + " bytes, not " +
           std::to_string(launch.parameters.size());
  const uint64_t blocks = uint64_t{grid[0]} * grid[1] * grid[2];
  for (size_t i = 0; i < launch.blocks.size(); ++i)
    if (launch.blocks[i] >= blocks || (i != 0 && launch.blocks[i] <= launch.blocks[i - 1]))
      return "the blocks to run are numbers below " + std::to_string(blocks) + ", ascending";
  return "";
}

/// The least access to shared memory that the programs make: histories are kept by that many bytes.
uint32_t shared_granule(const LaunchState& state) {
  uint32_t least = 4;
  for (const auto& program : state.programs) {
    if (!program) continue;
    for (const Instruction& each : program->function->instructions) {
      const bool touches = each.opcode == Opcode::ld || each.opcode == Opcode::st ||
                           each.opcode == Opcode::atom || each.opcode == Opcode::red;
      if (touches && (each.space == StateSpace::shared || each.space == StateSpace::generic))
        least = std::min(least, std::max(type_bits(each.type()) / 8, 1U));
    }
  }
  return least;
}

/// Global and constant variables lie in the memory, under their names: a second launch finds what the first
/// left.
void place_variables(LaunchState& state) {
  const std::vector<Variable>& variables = state.module->variables;
  state.variable_address.assign(variables.size(), 0);
  std::vector<uint32_t> fresh;
  std::vector<uint32_t> buffers(variables.size(), kNoBuffer);
  std::set<std::string> names;  // bodies may declare the same name, each for itself
  for (uint32_t i = 0; i < variables.size(); ++i) {
    const Variable& variable = variables[i];
    if (variable.space != StateSpace::global && variable.space != StateSpace::constant) continue;
    std::string name = (variable.space == StateSpace::global ? ".global " : ".const ") + variable.name;
    if (!names.insert(name).second) name += "#" + std::to_string(i);
    buffers[i] = state.memory->find(name);
    if (buffers[i] == kNoBuffer || state.memory->bytes(buffers[i]) != variable.bytes) {
      buffers[i] = state.memory->add_filled(
          name, variable.bytes, [initial = variable.initial](uint64_t offset, std::span<uint8_t> out) {
            for (size_t k = 0; k < out.size(); ++k)
              out[k] = offset + k < initial.size() ? initial[offset + k] : 0;
          });
      fresh.push_back(i);
    }
    state.variable_address[i] = state.memory->address(buffers[i]);
  }
  for (const uint32_t i : fresh) {
    const Variable& variable = variables[i];
    for (const Variable::Pointer& pointer : variable.pointers) {
      const uint64_t base = pointer.is_function ? kFunctionWindow + uint64_t{16} * pointer.variable
                            : variables[pointer.variable].space == StateSpace::shared
                                ? variables[pointer.variable].offset
                                : state.variable_address[pointer.variable];
      const uint64_t value = (base + static_cast<uint64_t>(pointer.addend)) >> pointer.shift;
      std::array<uint8_t, 8> bytes{};
      for (uint32_t k = 0; k < 8; ++k) bytes[k] = static_cast<uint8_t>(value >> (8 * k));
      state.memory->write(buffers[i], pointer.offset, {bytes.data(), std::min<size_t>(pointer.bytes, 8)});
    }
    if (variable.space == StateSpace::constant) state.memory->protect(buffers[i]);
  }
}

Diagnostic refused(std::string message) {
  Diagnostic diagnostic;
  diagnostic.code = Code::bad_option;
  diagnostic.message = std::move(message);
  return diagnostic;
}

}  // namespace

std::string LaunchState::thread_text(uint32_t warp, uint32_t lane) const {
  const auto& thread = block.warps[warp].thread;
  return "thread (" + std::to_string(thread[0][lane]) + ", " + std::to_string(thread[1][lane]) + ", " +
         std::to_string(thread[2][lane]) + ")";
}

struct WarpView::State {
  Execution& x;
};

struct Machine::State : LaunchState {
  /// Stands for the handler of a micro-op that an observer watches.
  static Flow watched(Execution& x, const MicroOp& op) {
    const Flow flow = op.watched(x, op);
    if (flow == Flow::next) {
      const WarpView::State seen{x};
      x.launch->observer->executed(WarpView(seen), op.instruction);
    }
    return flow;
  }

  void sum_counters() {
    Counters& sum = counters;
    sum.warp_instructions = sum.thread_instructions = sum.branches = 0;
    sum.by_class.fill(0);
    for (const auto& program : programs) {
      if (!program) continue;
      for (const MicroOp& op : program->ops) {
        if (!op.counted) continue;
        sum.warp_instructions += op.issued;
        sum.thread_instructions += op.executed;
        sum.by_class[static_cast<size_t>(op.counted_as)] += op.executed;
        const bool conditional = (op.source->opcode == Opcode::bra && op.source->guard != kNone) ||
                                 op.source->opcode == Opcode::brx_idx;
        if (conditional) sum.branches += op.issued;
      }
    }
    sum.barriers = block.barriers_completed;
  }

  /// False where all blocks have run.
  bool begin_block() {
    const uint64_t all = launch.blocks.empty() ? uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2]
                                               : launch.blocks.size();
    if (next_block == all) return false;
    const uint64_t linear = launch.blocks.empty() ? next_block : launch.blocks[next_block];
    ++next_block;
    const uint64_t row = launch.grid[0], plane = row * launch.grid[1];
    block.begin(linear,
                {static_cast<uint32_t>(linear % row), static_cast<uint32_t>(linear / row % launch.grid[1]),
                 static_cast<uint32_t>(linear / plane)},
                launch.block, *programs[static_cast<size_t>(entry - module->functions.data())]);
    counters.threads += block.threads;
    in_block = true;
    next_warp = 0;
    pass_ran = false;
    return true;
  }
};

Machine::Machine(std::unique_ptr<State> state) : state_(std::move(state)) {}
Machine::Machine(Machine&&) noexcept = default;
Machine& Machine::operator=(Machine&&) noexcept = default;
Machine::~Machine() = default;

Result<Machine> Machine::make(const Module& module, Memory& memory, Launch launch) {
  Result<Machine> result;
  const Function* const entry = module.entry(launch.entry);
  if (!entry) {
    result.diagnostics.push_back(refused("the module has no entry " + in_quotes(launch.entry)));
    return result;
  }
  std::string problem = objection(*entry, launch);
  if (!problem.empty()) {
    result.diagnostics.push_back(refused(entry->name + ": " + problem));
    return result;
  }
  auto state = std::make_unique<State>();
  state->module = &module;
  state->memory = &memory;
  state->entry = entry;
  state->launch = std::move(launch);
  state->launch.entry = entry->name;
  decode_all(*state);
  const Program& program = *state->programs[static_cast<size_t>(entry - module.functions.data())];
  const uint64_t threads = uint64_t{state->launch.block[0]} * state->launch.block[1] * state->launch.block[2];
  const uint64_t warps = (threads + kWarp - 1) / kWarp;
  const uint64_t frame = uint64_t{program.frame_lines} * 64 + uint64_t{2} * kWarp * program.local_bytes;
  if (uint64_t{program.frame_lines} * 64 >= kMostFrame || frame * warps > kMostFrames) {
    result.diagnostics.push_back(refused(entry->name + ": its registers and local memory take " +
                                         std::to_string(frame * warps) +
                                         " bytes a block, more than fit here"));
    return result;
  }
  place_variables(*state);
  const uint64_t shared = state->launch.shared_bytes == 0
                              ? entry->shared_bytes
                              : entry->dynamic_shared_offset + state->launch.shared_bytes;
  state->block.shared.resize(static_cast<uint32_t>(shared), shared_granule(*state));
  result.value.emplace(Machine(std::move(state)));
  return result;
}

void Machine::watch(std::span<const uint32_t> lines, Observer& observer) {
  state_->observer = &observer;
  Program& program = *state_->programs[static_cast<size_t>(state_->entry - state_->module->functions.data())];
  for (size_t i = 0; i < program.ops.size(); ++i) {
    MicroOp& op = program.ops[i];
    // The last micro-op of the instruction: behind it the result stands where it belongs.
    const bool last = i + 1 == program.ops.size() || program.ops[i + 1].instruction != op.instruction;
    if (!last || !op.source || op.watched || !std::binary_search(lines.begin(), lines.end(), op.source->line))
      continue;
    op.watched = op.run;
    op.run = State::watched;
  }
}

RunState Machine::run(uint64_t most_steps) {
  State& s = *state_;
  const uint64_t end = most_steps > ~s.steps ? ~uint64_t{0} : s.steps + most_steps;
  while (!s.fault) {
    if (!s.in_block && !s.begin_block()) return RunState::finished;
    Block& block = s.block;
    while (s.next_warp < block.warps.size()) {
      if (s.steps >= end) return RunState::running;
      Warp& warp = block.warps[s.next_warp];
      WarpStop stop = WarpStop::ended;
      if (!warp.ended()) {
        const uint64_t before = s.steps;
        stop = run_warp(s, warp, std::min(end - before, kWarpTurn - s.turn_used));
        s.turn_used += s.steps - before;
        s.pass_ran = s.pass_ran || s.steps != before;
        if (stop == WarpStop::fault) return RunState::faulted;
      }
      if (stop == WarpStop::spent && s.turn_used < kWarpTurn) continue;
      s.turn_used = 0;
      ++s.next_warp;
    }
    const bool completed = block.complete_barriers();
    if (block.ended()) {
      ++s.blocks_finished;
      s.in_block = false;
    } else if (!s.pass_ran && !completed) {
      s.fault = deadlock(s);
    }
    s.next_warp = 0;
    s.pass_ran = false;
    if (s.steps >= end && !s.fault) return RunState::running;
  }
  return RunState::faulted;
}

uint64_t Machine::steps() const { return state_->steps; }
uint64_t Machine::blocks_finished() const { return state_->blocks_finished; }
const Counters& Machine::counters() const {
  state_->sum_counters();
  return state_->counters;
}
const std::optional<Fault>& Machine::fault() const { return state_->fault; }

Fault Machine::stopped(FaultKind kind, std::string message) const {
  Fault fault;
  fault.kind = kind;
  fault.message = std::move(message);
  const Block& block = state_->block;
  if (!state_->in_block) return fault;
  fault.block = block.index;
  for (size_t i = 0; i < block.warps.size(); ++i) {
    const Warp& warp = block.warps[(state_->next_warp + i) % block.warps.size()];
    if (warp.ended() || warp.current >= warp.groups.size()) continue;
    const Group& group = warp.groups[warp.current];
    const std::vector<MicroOp>& ops = warp.frames[group.frame].program->ops;
    if (group.lanes == 0 || group.pc >= ops.size()) continue;
    if (ops[group.pc].source) fault.line = ops[group.pc].source->line;
    const uint32_t lane = first_lane(group.lanes);
    for (uint32_t axis = 0; axis < 3; ++axis) fault.thread[axis] = warp.thread[axis][lane];
    return fault;
  }
  return fault;
}

uint64_t WarpView::block() const { return state_.x.block->linear; }
uint32_t WarpView::warp() const { return state_.x.warp->index; }
uint32_t WarpView::active() const { return state_.x.active; }

void WarpView::lanes(uint32_t reg, std::array<uint64_t, kWarp>& out) const {
  Execution& x = state_.x;
  out.fill(0);
  const Slot slot = x.program->registers[reg];
  if (slot == kNone) return;
  const Type type = x.program->function->registers[reg].type;
  if (type == Type::pred) {
    const uint32_t bits = x.predicate(slot);
    for (uint32_t i = 0; i < kWarp; ++i) out[i] = bits >> i & 1;
    return;
  }
  const uint32_t bytes = lane_bytes(type);
  for (uint32_t i = 0; i < kWarp; ++i) std::memcpy(&out[i], x.at(slot) + i * bytes, std::min(bytes, 8U));
}

const std::array<uint64_t, kWarp>& WarpView::addresses() const { return state_.x.addresses; }

}  // namespace fuseboard::ptx
