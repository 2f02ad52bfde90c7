// Node after node: counted, and carried out over buffers that all launches share.
// It must not know op graphs, plans or pages.
#include "verify/sequential_simulator.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/checked.h"
#include "launch/memory_use.h"
#include "ptx/machine.h"
#include "ptx/memory.h"
#include "ptx/read.h"
#include "verify/launch_parameters.h"

namespace fuseboard {
namespace {

constexpr uint64_t kMostBytes = uint64_t{1} << 28;  ///< of all buffers together, to be executed
constexpr size_t kPiece = 4096;                     ///< bytes that a copy moves at a time

std::string title(const ComputeNode& node, uint32_t id) {
  const std::string& own = node.function_name.empty() ? node.name : node.function_name;
  return (own.empty() ? std::string(node_kind_text(node.kind)) : own) + " (" + std::to_string(id) + ")";
}

/// The launch that goes on.
struct Running {
  ptx::Module module;
  std::optional<ptx::Machine> machine;
};

}  // namespace

struct SequentialSimulator::State {
  State(const ComputeGraph& its_graph, SimulatorOptions its_options)
      : graph(its_graph), options(std::move(its_options)), order(stream_order(its_graph)) {
    skip_branches();
    add_buffers();
  }

  const ComputeGraph& graph;
  SimulatorOptions options;
  std::vector<uint32_t> order;
  std::vector<uint8_t> is_skipped;
  size_t next = 0;
  Simulation result;
  bool executes = false;
  std::unordered_map<uint32_t, const LaunchProgram*> program_of;
  ptx::Memory memory;
  std::unordered_map<uint64_t, uint32_t> buffer_of;
  std::unique_ptr<Running> running;

  bool is_over() const {
    return result.is_finished || !result.fault.empty() || has_errors(result.diagnostics);
  }

  void skip_branches();
  void add_buffers();
  void fail(Code code, std::string message);
  void add_to(uint64_t& sum, const ComputeNode& node);
  void begin(uint32_t id);
  void advance_launch(uint64_t& steps);
  void count(uint32_t id);
  void launch(uint32_t id);
  void start(uint32_t id, const LaunchProgram& program);
  std::optional<std::vector<LaunchBits>> bits_of(const LaunchProgram& program);
  void copy(const ComputeNode& node);
  void fill(uint64_t buffer, uint64_t most, bool zeros);
  void move(uint32_t from, uint32_t to, uint64_t most);
  bool require_values(const ComputeNode& node, uint64_t buffer, uint64_t most);
};

/// Nodes of branches that are not taken, and of all branches of a conditional that is itself such a node.
void SequentialSimulator::State::skip_branches() {
  is_skipped.assign(graph.size(), 0);
  std::vector<uint32_t> left;  // conditionals whose branches are all skipped
  const auto skip = [&](const std::vector<uint32_t>& branch, const std::unordered_set<uint32_t>& but) {
    for (const uint32_t each : branch) {
      if (each >= graph.size() || is_skipped[each] != 0 || but.contains(each)) continue;
      is_skipped[each] = 1;
      left.push_back(each);
    }
  };
  for (uint32_t id = 0; id < graph.size(); ++id) {
    if (graph.node(id).kind != NodeKind::conditional) continue;
    const std::vector<std::vector<uint32_t>>& branches = graph.node(id).branches;
    const uint32_t taken = id < options.taken.size() ? options.taken[id] : 0;
    std::unordered_set<uint32_t> runs;
    if (taken < branches.size()) runs.insert(branches[taken].begin(), branches[taken].end());
    for (const std::vector<uint32_t>& branch : branches) skip(branch, runs);
  }
  while (!left.empty()) {
    const uint32_t id = left.back();
    left.pop_back();
    if (graph.node(id).kind != NodeKind::conditional) continue;
    for (const std::vector<uint32_t>& branch : graph.node(id).branches) skip(branch, {});
  }
}

void SequentialSimulator::State::add_buffers() {
  if (options.programs.empty()) return;
  const MemoryUse use = memory_use(graph, order);
  uint64_t sum = 0;
  for (const BufferLifetime& each : use.lifetimes)
    sum = checked_add(sum, each.bytes.value_or(0)).value_or(UINT64_MAX);
  if (sum > kMostBytes) {
    result.note = "the buffers have " + std::to_string(sum) + " bytes together; up to " +
                  std::to_string(kMostBytes) + " are executed";
    return;
  }
  executes = true;
  for (const BufferLifetime& each : use.lifetimes) {
    if (!each.bytes) continue;
    const std::string name = "buffer " + std::to_string(each.buffer);
    buffer_of[each.buffer] =
        !each.is_resident ? memory.add(name, *each.bytes)
                          : memory.add_filled(name, *each.bytes,
                                              [this, id = each.buffer](uint64_t at, std::span<uint8_t> out) {
                                                std::fill(out.begin(), out.end(), uint8_t{0});
                                                if (options.fill) options.fill(id, at, out);
                                              });
  }
  for (const LaunchProgram& each : options.programs) program_of[each.node] = &each;
}

void SequentialSimulator::State::fail(Code code, std::string message) {
  result.diagnostics.push_back({Severity::error, code, std::move(message), {}, ""});
}

void SequentialSimulator::State::add_to(uint64_t& sum, const ComputeNode& node) {
  if (!node.bytes) {
    ++result.unknown_sizes;
    return;
  }
  const std::optional<uint64_t> total = checked_add(sum, *node.bytes);
  if (!total) fail(Code::overflow, "the bytes copied or set leave 64 bits at " + node.name);
  sum = total.value_or(sum);
}

void SequentialSimulator::State::count(uint32_t id) {
  const ComputeNode& node = graph.node(id);
  switch (node.kind) {
    case NodeKind::kernel_launch:
      if (node.config && !node.threads())
        fail(Code::overflow, "the threads of " + title(node, id) + " leave 64 bits");
      ++result.kernels_launched;
      break;
    case NodeKind::memcpy:
      add_to(result.bytes_copied, node);
      break;
    case NodeKind::memset:
      add_to(result.bytes_set, node);
      break;
    case NodeKind::event_record:
    case NodeKind::event_wait:
    case NodeKind::host_callback:
    case NodeKind::barrier:
    case NodeKind::conditional:
      break;
  }
}

/// Counts a node and, but for a launch that has a program, carries it out.
void SequentialSimulator::State::begin(uint32_t id) {
  const ComputeNode& node = graph.node(id);
  result.nodes.push_back({id, false});
  count(id);
  if (is_over() || !executes) return;
  result.nodes.back().is_executed = true;
  const uint64_t bytes = node.bytes.value_or(UINT64_MAX);
  switch (node.kind) {
    case NodeKind::kernel_launch:
      return launch(id);
    case NodeKind::memcpy:
      return copy(node);
    case NodeKind::memset:
      for (const uint64_t buffer : node.outputs) fill(buffer, bytes, true);
      return;
    case NodeKind::event_record:
    case NodeKind::event_wait:
    case NodeKind::host_callback:
    case NodeKind::barrier:
    case NodeKind::conditional:
      return;
  }
}

void SequentialSimulator::State::launch(uint32_t id) {
  const ComputeNode& node = graph.node(id);
  const auto program = program_of.find(id);
  if (program != program_of.end() && node.config) return start(id, *program->second);
  result.nodes.back().is_executed = false;
  for (const uint64_t buffer : node.inputs) {
    if (!require_values(node, buffer, UINT64_MAX)) return;
  }
  for (const uint64_t buffer : node.outputs) fill(buffer, UINT64_MAX, false);
}

std::optional<std::vector<LaunchBits>> SequentialSimulator::State::bits_of(const LaunchProgram& program) {
  std::vector<LaunchBits> out;
  for (const ProgramArgument& each : program.arguments) {
    if (!each.buffer) {
      out.push_back({each.bits, each.bytes});
      continue;
    }
    const auto found = buffer_of.find(*each.buffer);
    if (found == buffer_of.end()) {
      fail(Code::bad_option,
           program.entry + " is given buffer " + std::to_string(*each.buffer) + ", whose size is unknown");
      return std::nullopt;
    }
    out.push_back({memory.address(found->second), 8});
  }
  return out;
}

void SequentialSimulator::State::start(uint32_t id, const LaunchProgram& program) {
  const KernelConfig& config = *graph.node(id).config;
  const std::optional<std::vector<LaunchBits>> arguments = bits_of(program);
  if (!arguments) return;
  Result<ptx::Module> module = ptx::read_module(program.ptx);
  if (!module) {
    result.diagnostics.insert(result.diagnostics.end(), module.diagnostics.begin(), module.diagnostics.end());
    return;
  }
  running = std::make_unique<Running>();
  running->module = std::move(*module.value);
  const ptx::Function* entry = running->module.entry(program.entry);
  if (entry == nullptr) return fail(Code::bad_option, "the module has no entry " + program.entry);
  std::string why;
  std::optional<std::vector<uint8_t>> parameters =
      launch_parameters(running->module, *entry, *arguments, why);
  if (!parameters) return fail(Code::bad_option, std::move(why));
  Result<ptx::Machine> made =
      ptx::Machine::make(running->module, memory,
                         {entry->name, config.grid, config.block, config.shared_mem_bytes, *parameters});
  if (made) {
    running->machine = std::move(*made.value);
  } else {
    result.diagnostics.insert(result.diagnostics.end(), made.diagnostics.begin(), made.diagnostics.end());
  }
}

void SequentialSimulator::State::advance_launch(uint64_t& steps) {
  ptx::Machine& machine = *running->machine;
  const uint64_t before = machine.steps();
  const ptx::RunState state = machine.run(std::min(steps, options.most_steps - before));
  steps -= std::min(steps, std::max<uint64_t>(machine.steps() - before, 1));
  const uint32_t id = result.nodes.back().node;
  switch (state) {
    case ptx::RunState::running:
      if (machine.steps() < options.most_steps) return;
      result.fault = title(graph.node(id), id) + " took more than " + std::to_string(options.most_steps) +
                     " warp instructions";
      break;
    case ptx::RunState::finished:
      break;
    case ptx::RunState::faulted:
      result.fault = title(graph.node(id), id) + ", line " + std::to_string(machine.fault()->line) + ": " +
                     machine.fault()->message;
      break;
  }
  running.reset();
}

bool SequentialSimulator::State::require_values(const ComputeNode& node, uint64_t buffer, uint64_t most) {
  const auto found = buffer_of.find(buffer);
  if (found == buffer_of.end()) return true;
  if (memory.holds_values(found->second, 0, std::min(most, memory.bytes(found->second)))) return true;
  result.fault = title(node, result.nodes.back().node) + " reads buffer " + std::to_string(buffer) +
                 ", which was never written";
  return false;
}

void SequentialSimulator::State::copy(const ComputeNode& node) {
  const uint64_t bytes = node.bytes.value_or(UINT64_MAX);
  for (const uint64_t buffer : node.inputs) {
    if (!require_values(node, buffer, bytes)) return;
  }
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (i >= node.inputs.size()) {
      fill(node.outputs[i], bytes, false);
      continue;
    }
    const auto from = buffer_of.find(node.inputs[i]);
    const auto to = buffer_of.find(node.outputs[i]);
    if (from != buffer_of.end() && to != buffer_of.end()) move(from->second, to->second, bytes);
  }
}

void SequentialSimulator::State::fill(uint64_t buffer, uint64_t most, bool zeros) {
  const auto found = buffer_of.find(buffer);
  if (found == buffer_of.end()) return;
  std::array<uint8_t, kPiece> piece{};
  const uint64_t bytes = std::min(most, memory.bytes(found->second));
  for (uint64_t at = 0; at < bytes; at += kPiece) {
    const std::span<uint8_t> part(piece.data(), static_cast<size_t>(std::min<uint64_t>(kPiece, bytes - at)));
    if (!zeros && options.fill) options.fill(buffer, at, part);
    memory.write(found->second, at, part);
  }
}

void SequentialSimulator::State::move(uint32_t from, uint32_t to, uint64_t most) {
  std::array<uint8_t, kPiece> piece{};
  const uint64_t bytes = std::min({most, memory.bytes(from), memory.bytes(to)});
  for (uint64_t at = 0; at < bytes; at += kPiece) {
    const std::span<uint8_t> part(piece.data(), static_cast<size_t>(std::min<uint64_t>(kPiece, bytes - at)));
    memory.read(from, at, part);
    memory.write(to, at, part);
  }
}

SequentialSimulator::SequentialSimulator(const ComputeGraph& graph, SimulatorOptions options)
    : state_(std::make_unique<State>(graph, std::move(options))) {}
SequentialSimulator::SequentialSimulator(SequentialSimulator&&) noexcept = default;
SequentialSimulator::~SequentialSimulator() = default;

bool SequentialSimulator::advance(uint64_t steps) {
  State& state = *state_;
  while (steps > 0 && !state.is_over()) {
    if (state.running) {
      state.advance_launch(steps);
    } else if (state.next == state.order.size()) {
      state.result.is_finished = true;
    } else {
      const uint32_t id = state.order[state.next++];
      if (state.is_skipped[id] == 0) state.begin(id);
      --steps;
    }
  }
  return state.is_over();
}

const Simulation& SequentialSimulator::result() const { return state_->result; }

std::vector<uint8_t> SequentialSimulator::read(uint64_t buffer) const {
  const auto found = state_->buffer_of.find(buffer);
  if (found == state_->buffer_of.end()) return {};
  std::vector<uint8_t> out(static_cast<size_t>(state_->memory.bytes(found->second)));
  state_->memory.read(found->second, 0, out);
  return out;
}

bool SequentialSimulator::holds_values(uint64_t buffer) const {
  const auto found = state_->buffer_of.find(buffer);
  return found != state_->buffer_of.end() &&
         state_->memory.holds_values(found->second, 0, state_->memory.bytes(found->second));
}

}  // namespace fuseboard
