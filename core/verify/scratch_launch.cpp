// A pasted module read, its buffers filled, its parameters laid out, run in slices.
// It must not know graphs, nor the text that asked for it.
#include "verify/scratch_launch.h"

#include <algorithm>
#include <utility>

#include "ptx/machine.h"
#include "ptx/memory.h"
#include "ptx/read.h"
#include "verify/launch_parameters.h"
#include "verify/seeded_values.h"

namespace fuseboard {
namespace {

constexpr uint64_t kMostBufferBytes = uint64_t{1} << 47;

/// The index in the dtype; its low bits where the dtype does not reach so far.
uint64_t iota_bits(DType dtype, uint64_t index) {
  if (dtype_class(dtype) != DTypeClass::Float) return dtype == DType::boolean ? index & 1 : index;
  return bits_from_text(dtype, std::to_string(index)).value_or(0);
}

void fill_bytes(const ScratchParameter& parameter, uint64_t seed, uint32_t number, uint64_t offset,
                std::span<uint8_t> out) {
  if (parameter.fill == ScratchFill::random) return seeded_bytes(seed, number, parameter.dtype, offset, out);
  const uint64_t size = std::max(dtype_bytes(parameter.dtype), 1U);
  for (size_t i = 0; i < out.size(); ++i) {
    const uint64_t index = (offset + i) / size;
    const uint64_t bits =
        parameter.fill == ScratchFill::iota ? iota_bits(parameter.dtype, index) : parameter.bits;
    out[i] = static_cast<uint8_t>(bits >> (8 * ((offset + i) % size)));
  }
}

}  // namespace

struct ScratchLaunch::State {
  ScratchRequest request;
  std::vector<Diagnostic> diagnostics;
  ptx::Module module;
  const ptx::Function* entry = nullptr;
  ptx::Memory memory;
  std::vector<uint32_t> buffers;  ///< by parameter
  std::optional<ptx::Machine> machine;
  std::optional<ptx::Fault> fault;
  ScratchState state = ScratchState::running;

  void fail(std::string message, std::string hint = "") {
    Diagnostic diagnostic;
    diagnostic.code = Code::bad_option;
    diagnostic.message = std::move(message);
    diagnostic.hint = std::move(hint);
    diagnostics.push_back(std::move(diagnostic));
    state = ScratchState::failed;
  }
  bool is_buffer(size_t parameter) const {
    return parameter < buffers.size() && request.parameters[parameter].is_buffer;
  }

  bool read();
  bool add_buffers();
  std::optional<std::vector<uint8_t>> laid_out();
  void start();
};

bool ScratchLaunch::State::read() {
  Result<ptx::Module> result = ptx::read_module(request.ptx);
  diagnostics = std::move(result.diagnostics);
  if (!result) {
    state = ScratchState::failed;
    return false;
  }
  module = std::move(*result.value);
  for (const ptx::Function& each : module.functions) {
    if (!each.is_entry || entry != nullptr) continue;
    if (request.entry.empty() || each.name == request.entry) entry = &each;
  }
  if (entry == nullptr)
    fail(request.entry.empty() ? "the module has no entry" : "the module has no entry " + request.entry);
  return entry != nullptr;
}

bool ScratchLaunch::State::add_buffers() {
  for (uint32_t i = 0; i < request.parameters.size(); ++i) {
    const ScratchParameter& each = request.parameters[i];
    const uint64_t size = std::max(dtype_bytes(each.dtype), 1U);
    if (each.is_buffer && each.count > kMostBufferBytes / size) {
      fail("parameter " + std::to_string(i) + " would have more than 2^47 bytes");
      return false;
    }
    const std::string name = i < entry->parameters.size() ? module.variables[entry->parameters[i]].name : "";
    if (!each.is_buffer) {
      buffers.push_back(ptx::kNoBuffer);
    } else if (each.fill == ScratchFill::none) {
      buffers.push_back(memory.add(name, each.count * size));
    } else {
      buffers.push_back(memory.add_filled(
          name, each.count * size, [each, seed = request.seed, i](uint64_t offset, std::span<uint8_t> out) {
            fill_bytes(each, seed, i, offset, out);
          }));
    }
  }
  return true;
}

std::optional<std::vector<uint8_t>> ScratchLaunch::State::laid_out() {
  std::vector<LaunchBits> arguments;
  for (size_t i = 0; i < buffers.size(); ++i) {
    const ScratchParameter& each = request.parameters[i];
    arguments.push_back(each.is_buffer ? LaunchBits{memory.address(buffers[i]), 8}
                                       : LaunchBits{each.bits, std::max(dtype_bytes(each.dtype), 1U)});
  }
  std::string why;
  std::optional<std::vector<uint8_t>> bytes = launch_parameters(module, *entry, arguments, why);
  if (!bytes) fail(std::move(why));
  return bytes;
}

void ScratchLaunch::State::start() {
  if (!read() || !add_buffers()) return;
  std::optional<std::vector<uint8_t>> parameters = laid_out();
  if (!parameters) return;
  Result<ptx::Machine> made = ptx::Machine::make(
      module, memory,
      {entry->name, request.grid, request.block, request.shared_bytes, std::move(*parameters)});
  diagnostics.insert(diagnostics.end(), made.diagnostics.begin(), made.diagnostics.end());
  if (made) {
    machine = std::move(*made.value);
  } else {
    state = ScratchState::failed;
  }
}

ScratchLaunch::ScratchLaunch(ScratchRequest request) : state_(std::make_unique<State>()) {
  state_->request = std::move(request);
  state_->start();
}

ScratchLaunch::ScratchLaunch(ScratchLaunch&&) noexcept = default;
ScratchLaunch::~ScratchLaunch() = default;

ScratchState ScratchLaunch::advance(uint64_t steps) {
  if (state_->state != ScratchState::running) return state_->state;
  ptx::Machine& machine = *state_->machine;
  const uint64_t left = state_->request.most_steps - std::min(state_->request.most_steps, machine.steps());
  switch (machine.run(std::min(steps, left))) {
    case ptx::RunState::running:
      if (machine.steps() < state_->request.most_steps) break;
      state_->fault = machine.stopped(
          ptx::FaultKind::step_budget,
          "the launch took more than " + std::to_string(state_->request.most_steps) + " warp instructions");
      state_->state = ScratchState::faulted;
      break;
    case ptx::RunState::finished:
      state_->state = ScratchState::finished;
      break;
    case ptx::RunState::faulted:
      state_->fault = machine.fault();
      state_->state = ScratchState::faulted;
      break;
  }
  return state_->state;
}

ScratchState ScratchLaunch::state() const { return state_->state; }
const std::vector<Diagnostic>& ScratchLaunch::diagnostics() const { return state_->diagnostics; }
const std::optional<ptx::Fault>& ScratchLaunch::fault() const { return state_->fault; }

ptx::Counters ScratchLaunch::counters() const {
  return state_->machine ? state_->machine->counters() : ptx::Counters{};
}

uint64_t ScratchLaunch::steps() const { return state_->machine ? state_->machine->steps() : 0; }

uint64_t ScratchLaunch::blocks_finished() const {
  return state_->machine ? state_->machine->blocks_finished() : 0;
}

uint64_t ScratchLaunch::blocks() const {
  const std::array<uint32_t, 3>& grid = state_->request.grid;
  return uint64_t{grid[0]} * grid[1] * grid[2];
}

const ScratchRequest& ScratchLaunch::request() const { return state_->request; }

std::string ScratchLaunch::name(size_t parameter) const {
  const ptx::Function* entry = state_->entry;
  if (entry == nullptr || parameter >= entry->parameters.size()) return "";
  return state_->module.variables[entry->parameters[parameter]].name;
}

void ScratchLaunch::write(size_t parameter, std::span<const uint8_t> bytes) {
  if (!state_->is_buffer(parameter)) return;
  const uint32_t buffer = state_->buffers[parameter];
  const uint64_t count = std::min<uint64_t>(bytes.size(), state_->memory.bytes(buffer));
  state_->memory.write(buffer, 0, bytes.first(static_cast<size_t>(count)));
}

std::vector<uint8_t> ScratchLaunch::read(size_t parameter, uint64_t offset, uint64_t count) const {
  if (!state_->is_buffer(parameter)) return {};
  const uint64_t bytes = state_->memory.bytes(state_->buffers[parameter]);
  std::vector<uint8_t> out(static_cast<size_t>(std::min(count, bytes - std::min(offset, bytes))));
  state_->memory.read(state_->buffers[parameter], offset, out);
  return out;
}

bool ScratchLaunch::holds_values(size_t parameter, uint64_t offset, uint64_t count) const {
  return state_->is_buffer(parameter) &&
         state_->memory.holds_values(state_->buffers[parameter], offset, count);
}

uint64_t ScratchLaunch::bytes_read(size_t parameter) const {
  return state_->is_buffer(parameter) ? state_->memory.bytes_read(state_->buffers[parameter]) : 0;
}

uint64_t ScratchLaunch::bytes_written(size_t parameter) const {
  return state_->is_buffer(parameter) ? state_->memory.bytes_written(state_->buffers[parameter]) : 0;
}

}  // namespace fuseboard
