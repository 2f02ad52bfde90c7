// A kernel's text read back, its buffers filled, its parameters laid out, its blocks run.
// It must not know plans, nor which kernels run before or after.
#include "verify/kernel_check.h"

#include <algorithm>
#include <utility>

#include "ptx/machine.h"
#include "ptx/memory.h"
#include "ptx/read.h"
#include "verify/counter_sum.h"
#include "verify/launch_arguments.h"
#include "verify/move_check.h"
#include "verify/pass_check.h"
#include "verify/register_value.h"
#include "verify/row_check.h"
#include "verify/row_table.h"
#include "verify/seeded_values.h"
#include "verify/trace_table.h"
#include "verify/unset_register.h"

namespace fuseboard {
namespace {

constexpr uint64_t kStepsAtOnce = 4096;            ///< before the memory that they took is looked at
constexpr uint64_t kMostHeld = uint64_t{2} << 30;  ///< wasm has 4 GiB
constexpr uint64_t kMostHeldOfSample = uint64_t{512} << 20;  ///< a sample is to be quick

ptx::Fault unreadable(std::string message, uint32_t line = 0) {
  ptx::Fault fault;
  fault.kind = ptx::FaultKind::unsupported;
  fault.message = std::move(message);
  fault.line = line;
  return fault;
}

std::string first_error(const std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& each : diagnostics) {
    if (each.severity == Severity::error) return each.message;
  }
  return "it cannot be run";
}

/// The line of a byte of the text, from 1.
uint32_t line_at(std::string_view text, uint32_t offset) {
  const std::string_view before = text.substr(0, offset);
  return 1 + static_cast<uint32_t>(std::count(before.begin(), before.end(), '\n'));
}

uint64_t blocks_of(const Kernel& kernel) {
  return uint64_t{kernel.config.grid[0]} * kernel.config.grid[1] * kernel.config.grid[2];
}

}  // namespace

struct KernelCheck::State {
  explicit State(KernelCheckSetup given) : setup(std::move(given)) {}

  KernelCheckSetup setup;
  ptx::Module module;
  const ptx::Function* entry = nullptr;
  ptx::Memory memory;
  std::vector<uint32_t> buffers;
  std::vector<uint8_t> parameters;
  std::unique_ptr<PassCheck> check;
  std::unique_ptr<TraceTable> table;
  std::unique_ptr<MoveCheck> move_check;  ///< of a Move's kernel, in place of both
  std::unique_ptr<RowTable> row_table;    ///< of a kernel that reduces, in place of `table`
  std::optional<ptx::Machine> machine;
  size_t next_block = 0;        ///< of setup.blocks
  uint64_t block_begun_at = 0;  ///< steps of the machine when its block began
  uint64_t blocks_before = 0;   ///< that the machine had finished then
  bool is_finished = false;
  std::optional<ptx::Fault> fault;
  std::optional<Mismatch> mismatch;
  ptx::Counters counters;
  uint64_t blocks_run = 0, blocks_cut = 0;

  const Kernel& kernel() const { return setup.kernel; }
  uint64_t bytes_of(const KernelParameter& parameter) const {
    return parameter.elements * dtype_bytes(parameter.dtype);
  }
  uint64_t sum_of(uint64_t (ptx::Memory::*bytes)(uint32_t) const) const {
    uint64_t sum = 0;
    for (size_t i = 0; i < buffers.size(); ++i) {
      if (kernel().parameters[i].role != ParameterRole::scalar) sum += (memory.*bytes)(buffers[i]);
    }
    return sum;
  }
  uint64_t elements_stored(size_t parameter) const {
    if (move_check) return parameter + 1 == buffers.size() ? move_check->elements_stored() : 0;
    return check ? check->elements_stored(parameter) : 0;
  }
  void end(ptx::Fault why) {
    fault = std::move(why);
    is_finished = true;
  }

  bool read();
  void add_buffers();
  bool lay_out_parameters();
  bool watch();
  bool watch_rows(const PassCheckSetup& watched, std::string& why);
  bool launch();
  void end_machine(bool is_cut);
  void hold_outputs();
  void hold_output(size_t parameter);
  void hold_stored_bytes();
  void hold_banks();
  void advance(uint64_t& steps);
};

bool KernelCheck::State::read() {
  Result<ptx::Module> read_module = ptx::read_module(setup.emitted.text);
  if (!read_module) {
    const uint32_t offset = read_module.diagnostics.empty() ? 0 : read_module.diagnostics[0].place.offset;
    end(unreadable(first_error(read_module.diagnostics), line_at(setup.emitted.text, offset)));
    return false;
  }
  module = std::move(*read_module.value);
  entry = module.entry(kernel().entry);
  if (entry == nullptr) {
    end(unreadable("the text has no entry " + kernel().entry));
    return false;
  }
  const std::optional<UnsetRegister> unset = unset_register(*entry);
  if (unset) end(unreadable("register " + unset->name + " is read, but nothing sets it", unset->line));
  return !unset;
}

void KernelCheck::State::add_buffers() {
  for (const KernelParameter& each : kernel().parameters) {
    const uint64_t bytes = bytes_of(each);
    switch (each.role) {
      case ParameterRole::scalar:
        buffers.push_back(0);
        break;
      case ParameterRole::output:
        buffers.push_back(memory.add(each.name, bytes));
        break;
      case ParameterRole::input: {
        const TensorValues& values = setup.values;
        const uint32_t op = each.op;
        buffers.push_back(memory.add_filled(
            each.name, bytes,
            [&values, op](uint64_t offset, std::span<uint8_t> out) { values.read(op, offset, out); }));
        memory.protect(buffers.back());
        break;
      }
    }
  }
}

bool KernelCheck::State::lay_out_parameters() {
  std::vector<LaunchArgument> arguments;
  for (size_t i = 0; i < buffers.size(); ++i) {
    const KernelParameter& each = kernel().parameters[i];
    const bool is_scalar = each.role == ParameterRole::scalar;
    arguments.push_back({is_scalar, is_scalar ? scalar_of(setup.scalar, each.op) : 0,
                         is_scalar ? 0 : memory.address(buffers[i])});
  }
  LaunchArguments laid_out = lay_out(module, *entry, arguments);
  if (!laid_out.fault.empty()) end(unreadable(std::move(laid_out.fault), laid_out.line));
  parameters = std::move(laid_out.bytes);
  return !fault;
}

bool KernelCheck::State::watch() {
  if (!setup.holds) return true;
  if (kernel().move) {
    move_check = std::make_unique<MoveCheck>(
        MoveCheckSetup{setup.graph, kernel(), *entry, memory, buffers, setup.values});
    return true;
  }
  std::string why;
  const PassCheckSetup watched{setup.graph, kernel(),     setup.emitted, memory,
                               buffers,     setup.values, setup.fast,    setup.scalar};
  if (kernel().rows) {
    if (watch_rows(watched, why)) return true;
    end(unreadable("the text and its traces disagree: " + why));
    return false;
  }
  check = PassCheck::make(watched, why);
  if (check) table = TraceTable::make(setup.emitted, *entry, *check, why);
  if (check && table && check->use(*table, why)) return true;
  end(unreadable("the text and its traces disagree: " + why));
  return false;
}

bool KernelCheck::State::watch_rows(const PassCheckSetup& watched, std::string& why) {
  std::unique_ptr<RowCheck> rows = RowCheck::make(watched, why);
  if (rows) row_table = RowTable::make(setup.emitted, *kernel().rows, *entry, *rows, why);
  const bool holds = rows && row_table && rows->use(*row_table, why);
  check = std::move(rows);
  return holds;
}

bool KernelCheck::State::launch() {
  ptx::Launch launch{kernel().entry, kernel().config.grid, kernel().config.block,
                     kernel().config.shared_mem_bytes, parameters};
  if (!setup.blocks.empty()) launch.blocks = {setup.blocks[next_block]};
  Result<ptx::Machine> made = ptx::Machine::make(module, memory, std::move(launch));
  if (!made) {
    end(unreadable(first_error(made.diagnostics), entry->line));
    return false;
  }
  machine = std::move(*made.value);
  block_begun_at = 0;
  blocks_before = 0;
  if (table) machine->watch(table->lines(), *table);
  if (move_check) machine->watch(move_check->lines(), *move_check);
  if (row_table) machine->watch(row_table->lines(), *row_table);
  return true;
}

void KernelCheck::State::end_machine(bool is_cut) {
  blocks_run += machine->blocks_finished();
  if (row_table && (is_cut || mismatch || fault)) {
    row_table->drop_block();
  } else if (row_table) {
    row_table->end_block(setup.blocks.empty() ? blocks_of(kernel()) - 1 : setup.blocks[next_block]);
    mismatch = check->mismatch();
  }
  if (move_check) {
    is_cut || fault ? move_check->drop_block() : move_check->end_block();
    mismatch = move_check->mismatch();
  }
  add_counters(counters, machine->counters());
  machine.reset();
  if (++next_block < setup.blocks.size() && !mismatch) return;
  is_finished = true;
  if (!setup.holds || mismatch || fault) return;
  if (move_check) hold_banks();
  if (!mismatch && setup.blocks.empty()) hold_outputs();
  if (!mismatch && blocks_cut == 0) hold_stored_bytes();
}

void KernelCheck::State::hold_outputs() {
  for (size_t i = 0; i < buffers.size() && !mismatch; ++i) {
    if (kernel().parameters[i].role == ParameterRole::output) hold_output(i);
  }
}

void KernelCheck::State::hold_output(size_t index) {
  const KernelParameter& parameter = kernel().parameters[index];
  const std::string name = setup.graph.name_of(parameter.op);
  Mismatch found;
  found.op = parameter.op;
  if (!memory.holds_values(buffers[index], 0, bytes_of(parameter))) {
    const uint32_t bytes = dtype_bytes(parameter.dtype);
    while (memory.holds_values(buffers[index], found.element * bytes, bytes)) ++found.element;
    found.what = Mismatch::What::unwritten;
    found.message = name + coordinates_text(setup.graph.op(parameter.op).output_shape, found.element) +
                    " was never stored";
    mismatch = std::move(found);
  } else if (elements_stored(index) != parameter.elements) {
    found.what = Mismatch::What::store;
    found.message = std::to_string(elements_stored(index)) + " stores were held for the " +
                    std::to_string(parameter.elements) + " elements of " + name;
    mismatch = std::move(found);
  }
}

/// Every byte that was stored, with repeats, was stored where a trace shows it: nothing overwrites what was
/// held.
void KernelCheck::State::hold_stored_bytes() {
  uint64_t held = 0;
  uint32_t output = kNoOp;
  for (size_t i = 0; i < buffers.size(); ++i) {
    const KernelParameter& parameter = kernel().parameters[i];
    if (parameter.role != ParameterRole::output) continue;
    held += elements_stored(i) * dtype_bytes(parameter.dtype);
    output = parameter.op;
  }
  if (counters.global_store_bytes == held) return;
  Mismatch found;
  found.op = output;
  found.what = Mismatch::What::store;
  found.message = std::to_string(counters.global_store_bytes) + " bytes were stored, " +
                  std::to_string(held) + " of them where an op's value was held";
  mismatch = std::move(found);
}

/// A Move's tile is laid out so that lanes never wait for each other.
void KernelCheck::State::hold_banks() {
  if (counters.shared_bank_conflicts == 0) return;
  Mismatch found;
  found.op = kernel().parameters.back().op;
  found.what = Mismatch::What::load;
  found.message = std::to_string(counters.shared_bank_conflicts) +
                  " accesses of its tile in shared memory meet in a bank";
  mismatch = std::move(found);
}

void KernelCheck::State::advance(uint64_t& steps) {
  while (!is_finished && steps > 0) {
    if (!machine && !launch()) return;
    const uint64_t before = machine->steps();
    const uint64_t left_of_block = setup.most_steps_per_block - (before - block_begun_at);
    const ptx::RunState state = machine->run(std::min({steps, left_of_block, kStepsAtOnce}));
    steps -= std::min(steps, std::max<uint64_t>(machine->steps() - before, 1));
    if (machine->blocks_finished() != blocks_before) {
      blocks_before = machine->blocks_finished();
      block_begun_at = machine->steps();
    }
    if (check) mismatch = check->mismatch();
    if (move_check) mismatch = move_check->mismatch();
    const uint64_t cut_before = blocks_cut;
    const bool is_sampled = !setup.blocks.empty();
    const bool is_too_large = memory.bytes_held() > (is_sampled ? kMostHeldOfSample : kMostHeld);
    const bool is_over_budget =
        is_too_large || machine->steps() - block_begun_at >= setup.most_steps_per_block;
    switch (state) {
      case ptx::RunState::faulted:
        fault = machine->fault();
        break;
      case ptx::RunState::finished:
        break;
      case ptx::RunState::running:
        if (!mismatch && !is_over_budget) continue;
        if (mismatch) break;
        if (is_sampled) {
          ++blocks_cut;
          ++blocks_run;
          if (is_too_large) next_block = setup.blocks.size();
          break;
        }
        fault = machine->stopped(
            ptx::FaultKind::step_budget,
            is_too_large ? "its buffers took more than " + std::to_string(kMostHeld >> 20) + " MiB here"
                         : "a block took more than " + std::to_string(setup.most_steps_per_block) +
                               " warp instructions");
        break;
    }
    if (mismatch || fault) next_block = setup.blocks.size();
    end_machine(blocks_cut != cut_before);
  }
}

KernelCheck::KernelCheck(const KernelCheckSetup& setup) : state_(std::make_unique<State>(setup)) {
  if (!state_->read()) return;
  state_->add_buffers();
  if (state_->lay_out_parameters()) state_->watch();
}

KernelCheck::KernelCheck(KernelCheck&&) noexcept = default;
KernelCheck& KernelCheck::operator=(KernelCheck&&) noexcept = default;
KernelCheck::~KernelCheck() = default;

bool KernelCheck::advance(uint64_t& steps) {
  state_->advance(steps);
  return state_->is_finished;
}

const std::optional<Mismatch>& KernelCheck::mismatch() const { return state_->mismatch; }
const std::optional<ptx::Fault>& KernelCheck::fault() const { return state_->fault; }

std::optional<WorstError> KernelCheck::worst() const {
  return state_->check ? state_->check->worst() : std::nullopt;
}

uint64_t KernelCheck::values_held() const {
  if (state_->move_check) return state_->move_check->elements_held();
  return state_->check ? state_->check->values_held() : 0;
}

uint64_t KernelCheck::elements_held() const {
  if (state_->move_check) return state_->move_check->elements_held();
  return state_->check ? state_->check->elements_held() : 0;
}

uint64_t KernelCheck::elements_stored() const {
  uint64_t sum = 0;
  for (size_t i = 0; i < state_->buffers.size(); ++i) sum += state_->elements_stored(i);
  return sum;
}

uint64_t KernelCheck::blocks_run() const {
  return state_->blocks_run + (state_->machine ? state_->machine->blocks_finished() : 0);
}

uint64_t KernelCheck::blocks_cut() const { return state_->blocks_cut; }
const ptx::Counters& KernelCheck::counters() const { return state_->counters; }

uint64_t KernelCheck::bytes_read() const { return state_->sum_of(&ptx::Memory::bytes_read); }
uint64_t KernelCheck::bytes_written() const { return state_->sum_of(&ptx::Memory::bytes_written); }

std::vector<uint8_t> KernelCheck::bytes_of(size_t parameter) const {
  std::vector<uint8_t> bytes(state_->bytes_of(state_->kernel().parameters[parameter]));
  state_->memory.read(state_->buffers[parameter], 0, bytes);
  return bytes;
}

}  // namespace fuseboard
