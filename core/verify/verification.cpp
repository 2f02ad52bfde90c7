// Kernel after kernel in the order of launch: run, held, its results kept for those that read them.
// It must not know pages, texts or JSON.
#include "verify/verification.h"

#include <algorithm>
#include <utility>

#include "graph/storage.h"
#include "launch/lower.h"
#include "plan/fusion_planner.h"
#include "verify/block_sample.h"
#include "verify/kernel_check.h"
#include "verify/library_call.h"
#include "verify/promised_bytes.h"
#include "verify/shrunk_check.h"
#include "verify/tensor_values.h"
#include "verify/unfused_check.h"

namespace fuseboard {
namespace {

/// Of all buffers of one kernel that runs in full.
constexpr uint64_t kMostBytes = uint64_t{1} << (sizeof(size_t) > 4 ? 32 : 29);
constexpr uint64_t kMostBufferBytes = uint64_t{1} << 47;
constexpr uint64_t kSampledElements = uint64_t{1} << 20;
constexpr uint64_t kLibraryStep = 10000;  ///< what a library call counts as

uint64_t elements_of(const Kernel& kernel) {
  uint64_t sum = 0;
  for (const KernelLoop& loop : kernel.loops) sum = std::max(sum, loop.elements);
  if (kernel.move) sum = kernel.parameters.back().elements;
  return kernel.rows ? kernel.rows->domain.elements() : sum;
}

/// Elements of a Move that a thread of a block stores, at most.
uint32_t slots_of_blocks(const MoveShape& move) {
  uint32_t slots = 1;
  for (const MovePart& each : move.parts) slots = std::max(slots, each.slots);
  return move.tile ? slots * slots * kTileWords / kTileWarps : slots;
}

/// Of all buffers; of the largest.
std::pair<uint64_t, uint64_t> bytes_of(const Kernel& kernel) {
  uint64_t sum = 0;
  uint64_t most = 0;
  for (const KernelParameter& each : kernel.parameters) {
    const uint64_t bytes = std::min(each.elements, kMostBufferBytes) * std::max(dtype_bytes(each.dtype), 1U);
    most = std::max(most, bytes);
    sum += std::min(bytes, kMostBufferBytes);
  }
  return {sum, most};
}

}  // namespace

bool VerifyReport::verified() const {
  if (!finished || cancelled || !passed()) return false;
  bool any = false;
  for (const KernelRun& each : kernels) {
    const bool is_ours = each.kind != RunKind::library && each.kind != RunKind::fresh;
    if (is_ours && each.verdict != RunVerdict::verified) return false;
    any = any || is_ours;
  }
  return any;
}

bool VerifyReport::passed() const {
  if (!unfused.holds()) return false;
  return std::none_of(kernels.begin(), kernels.end(), [](const KernelRun& each) {
    return each.verdict == RunVerdict::failed || each.verdict == RunVerdict::faulted;
  });
}

struct Verification::State {
  State(const FusionGraph& its_graph, const FusionPlan& its_plan, const std::vector<Kernel>& its_kernels,
        const std::vector<uint32_t>& its_launched, const EmitOptions& its_emit_options,
        const VerifyOptions& its_options)
      : graph(its_graph),
        plan(its_plan),
        kernels(its_kernels),
        launched(its_launched),
        emit_options(its_emit_options),
        options(its_options),
        storage(storages(its_graph)),
        values(its_graph, its_options.seed) {}

  const FusionGraph& graph;
  const FusionPlan& plan;
  const std::vector<Kernel>& kernels;
  const std::vector<uint32_t>& launched;
  EmitOptions emit_options;
  VerifyOptions options;
  Storages storage;
  TensorValues values;
  std::vector<std::vector<uint32_t>> released;  ///< by position in launched: storages that nobody reads later
  std::vector<Kernel> unfused;                  ///< one an op, once they are needed
  VerifyReport report;
  size_t next = 0;
  uint64_t elements_in_full = 0;  ///< of the kernels so far

  EmittedKernel emitted;
  std::optional<KernelCheck> check;
  std::optional<UnfusedCheck> unfused_check;
  std::unique_ptr<ShrunkCheck> shrunk_check;

  const Kernel& kernel() const { return kernels[launched[next]]; }
  KernelRun& run() { return report.kernels[next]; }
  bool is_fast() const { return emit_options.math == Math::fast; }

  void prepare();
  void advance(uint64_t& steps);
  void begin(uint64_t& steps);
  void call();
  void begin_kernel();
  void end_kernel();
  void begin_unfused();
  void end_unfused();
  void end_shrunk();
  void end_run();
  void finish();
};

void Verification::State::prepare() {
  report.kernels.resize(launched.size());
  released.resize(launched.size());
  std::vector<uint32_t> last_reader(graph.size(), kNoOp);
  for (uint32_t i = 0; i < launched.size(); ++i) {
    report.kernels[i].kernel = i;
    for (const KernelParameter& each : kernels[launched[i]].parameters) last_reader[each.op] = i;
  }
  for (uint32_t op = 0; op < graph.size(); ++op) {
    if (last_reader[op] != kNoOp) released[last_reader[op]].push_back(op);
  }
  const bool is_precise = emit_options.math == Math::precise;
  report.unfused.equal = is_precise;
  if (!is_precise) report.unfused.why_not = "math: fast may contract a multiply and an add inside a kernel";
}

void Verification::State::advance(uint64_t& steps) {
  while (steps > 0 && next < launched.size()) {
    if (shrunk_check) {
      if (shrunk_check->advance(steps)) end_shrunk();
    } else if (unfused_check) {
      if (unfused_check->advance(steps)) end_unfused();
    } else if (check) {
      if (check->advance(steps)) end_kernel();
    } else {
      begin(steps);
    }
  }
  if (next == launched.size()) finish();
}

void Verification::State::begin(uint64_t& steps) {
  switch (kernel().kind) {
    case LaunchKind::kernel:
      begin_kernel();
      steps -= 1;
      return;
    case LaunchKind::library:
      call();
      steps -= std::min(steps, kLibraryStep);
      return;
    case LaunchKind::none:
      break;
  }
  end_run();
}

void Verification::State::call() {
  const auto output =
      std::find_if(kernel().parameters.begin(), kernel().parameters.end(),
                   [](const KernelParameter& each) { return each.role == ParameterRole::output; });
  std::string why = output == kernel().parameters.end() ? "has no result" : "";
  for (const uint32_t op : kernel().order) {  // transposes that a matmul takes with it come first
    if (why.empty()) why = call_library(graph, op, options.scalar, values);
  }
  run().kind = why.empty() ? RunKind::library : RunKind::fresh;
  run().verdict = RunVerdict::skipped;
  run().note =
      kernel().name + (why.empty() ? " is a library call, computed by reference"
                                   : " is a library call that " + why + ": its results are fresh values");
  end_run();
}

void Verification::State::begin_kernel() {
  const auto [bytes, most] = bytes_of(kernel());
  emitted = emit(graph, kernel(), emit_options);
  run().blocks = uint64_t{kernel().config.grid[0]} * kernel().config.grid[1] * kernel().config.grid[2];
  if (emitted.text.empty() || most >= kMostBufferBytes) {
    run().kind = RunKind::none;
    run().verdict = RunVerdict::skipped;
    run().note = emitted.text.empty() ? "its PTX is not written" : "a buffer of it passes 2^47 bytes";
    if (emitted.text.empty() && !kernel().diagnostics.empty()) run().note = kernel().diagnostics[0].message;
    return end_run();
  }
  KernelCheckSetup setup{graph, kernel(), emitted, values};
  setup.fast = is_fast();
  setup.scalar = options.scalar;
  setup.most_steps_per_block = options.most_steps_per_block;
  const uint64_t elements = elements_of(kernel());
  const bool is_short = options.full || (elements <= options.most_elements &&
                                         elements_in_full + elements <= 4 * options.most_elements);
  run().kind = is_short && bytes <= kMostBytes ? RunKind::full : RunKind::sampled;
  if (run().kind == RunKind::full) elements_in_full += elements;
  if (run().kind == RunKind::sampled) {
    uint32_t slots = 1;
    for (const TracedBody& each : emitted.bodies) slots = std::max(slots, each.slots);
    if (kernel().move) slots = slots_of_blocks(*kernel().move);
    BlockSample sample =
        sample_blocks(kernel(), slots, options.seed, std::min(kSampledElements, options.most_elements));
    setup.blocks = std::move(sample.blocks);
    setup.most_steps_per_block = options.most_steps_per_sampled_block;
    run().note = (is_short ? "its buffers pass this machine's memory; " : "") + sample.text;
  }
  check.emplace(setup);
}

void Verification::State::end_kernel() {
  KernelRun& each = run();
  each.mismatch = check->mismatch();
  each.fault = check->fault();
  each.worst = check->worst();
  each.values_held = check->values_held();
  each.elements_held = check->elements_held();
  each.output_elements = check->elements_stored();
  each.blocks_run = check->blocks_run();
  each.counters = check->counters();
  promise_bytes(graph, plan.groups[kernel().group], each);
  each.read.measured = check->bytes_read();
  each.written.measured = check->bytes_written();
  const bool is_full = each.kind == RunKind::full;
  if (check->blocks_cut() > 0) {
    each.note += "; " + std::to_string(check->blocks_cut()) + " of them only for their first " +
                 std::to_string(options.most_steps_per_sampled_block) + " warp instructions";
  }
  if (each.fault) {
    each.verdict = RunVerdict::faulted;
  } else if (each.mismatch || (is_full && (!each.read.holds() || !each.written.holds()))) {
    each.verdict = RunVerdict::failed;
  } else {
    each.verdict = is_full ? RunVerdict::verified : RunVerdict::held;
  }
  const bool is_held = is_full && !each.fault && !each.mismatch;
  for (size_t i = 0; is_held && i < kernel().parameters.size(); ++i) {
    const KernelParameter& parameter = kernel().parameters[i];
    if (parameter.role == ParameterRole::output) values.hold(parameter.op, check->bytes_of(i));
  }
  check.reset();
  if (each.kind == RunKind::sampled && each.verdict == RunVerdict::held) {
    shrunk_check = std::make_unique<ShrunkCheck>(graph, plan.groups[kernel().group], emit_options, options);
  } else if (is_held && emit_options.math == Math::precise) {
    begin_unfused();
  } else {
    end_run();
  }
}

void Verification::State::begin_unfused() {
  if (unfused.empty()) {
    LowerOptions lower_options;
    lower_options.math = emit_options.math;
    unfused = lower(graph, FusionPlanner::plan_unfused(graph), lower_options);
  }
  EmitOptions without_lines = emit_options;
  without_lines.source_lines = {};
  unfused_check.emplace(graph, storage, kernel(), unfused, without_lines, options.scalar, values);
}

void Verification::State::end_unfused() {
  FusedUnfused& all = report.unfused;
  all.tensors += unfused_check->tensors();
  all.left_out += unfused_check->left_out();
  all.reordered += unfused_check->reordered();
  all.compared = all.tensors > 0;
  if (!unfused_check->fault().empty()) {  // an op's own kernel did what it must not
    all.compared = true;
    all.equal = false;
    all.why_not = unfused_check->fault();
  }
  if (unfused_check->mismatch()) {
    all.equal = false;
    run().mismatch = unfused_check->mismatch();
    run().verdict = RunVerdict::failed;
  }
  unfused_check.reset();
  end_run();
}

void Verification::State::end_shrunk() {
  run().shrunk = shrunk_check->run();
  const RunVerdict verdict = shrunk_check->run().verdict;
  if (verdict == RunVerdict::failed || verdict == RunVerdict::faulted) {
    run().verdict = RunVerdict::failed;
    run().mismatch = shrunk_check->mismatch();
  }
  shrunk_check.reset();
  end_run();
}

void Verification::State::end_run() {
  if (run().verdict == RunVerdict::skipped) promise_bytes(graph, plan.groups[kernel().group], run());
  for (const uint32_t op : released[next]) values.release(op);
  emitted = {};
  ++next;
}

void Verification::State::finish() {
  if (report.finished) return;
  report.finished = true;
  FusedUnfused& all = report.unfused;
  if (all.left_out > 0 && all.why_not.empty()) {
    all.why_not = std::to_string(all.left_out) +
                  " tensors have f16 or bf16 values behind them that stay f32 inside their kernel";
  }
  if (all.reordered > 0) {
    all.why_not += (all.why_not.empty() ? "" : "; ") + std::to_string(all.reordered) +
                   " tensors have float sums behind them that are added up in another order when unfused";
  }
  if (!all.compared && all.why_not.empty()) all.why_not = "no kernel that ran in full has several ops";
}

Verification::Verification(const FusionGraph& graph, const FusionPlan& plan,
                           const std::vector<Kernel>& kernels, const std::vector<uint32_t>& launched,
                           const EmitOptions& emit_options, const VerifyOptions& options)
    : state_(std::make_unique<State>(graph, plan, kernels, launched, emit_options, options)) {
  state_->prepare();
}

Verification::Verification(Verification&&) noexcept = default;
Verification::~Verification() = default;

bool Verification::advance(uint64_t most_steps) {
  if (state_->report.finished) return true;
  uint64_t steps = most_steps;
  state_->advance(steps);
  VerifyReport& report = state_->report;
  double within = 0;
  if (state_->check && state_->run().blocks > 0 && state_->run().kind == RunKind::full) {
    within = static_cast<double>(state_->check->blocks_run()) / static_cast<double>(state_->run().blocks);
  }
  report.progress = report.finished ? 1
                                    : (static_cast<double>(state_->next) + within) /
                                          static_cast<double>(report.kernels.size());
  return report.finished;
}

void Verification::cancel() {
  VerifyReport& report = state_->report;
  if (report.finished) return;
  report.finished = true;
  report.cancelled = true;
  for (KernelRun& each : report.kernels) {
    if (each.verdict == RunVerdict::pending) each.verdict = RunVerdict::cancelled;
  }
}

const VerifyReport& Verification::report() const { return state_->report; }

}  // namespace fuseboard
