// Writing a kernel's loops: passes over whole slots, then the rest of the elements one by one.
// It must not know the module around it.
#include "emit/kernel_code.h"

#include <algorithm>

#include "emit/division.h"
#include "emit/row_code.h"
#include "launch/lowering.h"
#include "launch/names.h"
#include "launch/row_closure.h"
#include "launch/row_words.h"

namespace fuseboard {
namespace {

constexpr uint64_t kMostNarrow = uint64_t{1} << 31;

}  // namespace

KernelCode::KernelCode(const FusionGraph& graph, const Kernel& kernel, const EmitOptions& options)
    : graph_(graph),
      kernel_(kernel),
      options_(options),
      members_(kernel.order),
      ops_(graph, writer_, options.target, options.math, scalars_),
      parts_{graph_, options_, writer_, ops_, inputs_, outputs_} {
  std::sort(members_.begin(), members_.end());
}

void KernelCode::load_parameters() {
  for (const KernelParameter& parameter : kernel_.parameters) {
    writer_.belong_to(parameter.op);
    const std::string source = "[" + parameter.name + "]";
    if (parameter.role == ParameterRole::scalar) {
      const Arithmetic arithmetic = arithmetic_of(parameter.dtype);
      const std::string value = writer_.fresh(register_class_of(arithmetic));
      writer_.instruction("ld.param." + std::string(arithmetic_text(arithmetic)), {value, source});
      scalars_[parameter.op] = value;
      continue;
    }
    const std::string pointer = writer_.fresh(RegisterClass::b64);
    writer_.instruction("ld.param.u64", {pointer, source});
    (parameter.role == ParameterRole::input ? inputs_ : outputs_)[parameter.op] = pointer;
  }
  writer_.belong_to(-1);
}

void KernelCode::load_thread() {
  const std::string block = writer_.fresh(RegisterClass::b32);
  const std::string in_block = writer_.fresh(RegisterClass::b32);
  thread_ = writer_.fresh(RegisterClass::b32);
  writer_.instruction("mov.u32", {block, "%ctaid.x"});
  writer_.instruction("mov.u32", {in_block, "%tid.x"});
  writer_.instruction("mad.lo.u32", {thread_, block, std::to_string(kernel_.config.block[0]), in_block});
}

void KernelCode::skip_unless(const std::string& reg, uint64_t most, const std::string& label) {
  const std::string past = writer_.fresh(RegisterClass::pred);
  writer_.instruction("setp.ge.u32", {past, reg, std::to_string(most)});
  writer_.instruction("@" + past + " bra " + label);
}

/// The first element of this thread's first pass, in a register that may change.
std::string KernelCode::first_index(const BodyFrame& frame) {
  std::string index = writer_.fresh(frame.wide ? RegisterClass::b64 : RegisterClass::b32);
  const std::string slots = std::to_string(frame.slots);
  if (frame.wide) {
    writer_.instruction("mul.wide.u32", {index, thread_, slots});
  } else if (frame.slots == 1) {
    writer_.instruction("mov.u32", {index, thread_});
  } else {
    writer_.instruction("shl.b32", {index, thread_, std::to_string(exact_log2(frame.slots).value_or(0))});
  }
  return index;
}

void KernelCode::write_passes(const BodyFrame& frame, const LoopPasses& passes, const std::string& past,
                              BodyCode& body) {
  if (passes.vectors < passes.threads) skip_unless(thread_, passes.vectors, past);
  const bool is_one = frame.loop.elements == 1;
  const std::string index = is_one ? "0" : first_index(frame);
  body.begin(index);
  const std::string label = "$loop" + std::to_string(&frame.loop - kernel_.loops.data());
  writer_.belong_to(-1);
  if (passes.stride != 0) writer_.label(label);
  body.write_pass();
  writer_.belong_to(-1);
  if (passes.stride == 0) return;
  body.advance();
  const std::string more = writer_.fresh(RegisterClass::pred);
  const std::string end = std::to_string(passes.vectors * frame.slots);
  writer_.instruction(frame.wide ? "add.s64" : "add.s32", {index, index, std::to_string(passes.stride)});
  writer_.instruction(frame.wide ? "setp.lt.u64" : "setp.lt.u32", {more, index, end});
  writer_.instruction("@" + more + " bra " + label);
}

void KernelCode::write_rest(const BodyFrame& frame, const LoopPasses& passes, const std::string& end,
                            BodyCode& body) {
  skip_unless(thread_, passes.rest, end);
  std::string index = writer_.fresh(frame.wide ? RegisterClass::b64 : RegisterClass::b32);
  const std::string first = std::to_string(frame.loop.elements - passes.rest);
  if (frame.wide) {
    writer_.instruction("cvt.u64.u32", {index, thread_});
    writer_.instruction("add.s64", {index, index, first});
  } else {
    writer_.instruction("add.s32", {index, thread_, first});
  }
  body.begin(index);
  body.write_pass();
  writer_.belong_to(-1);
}

void KernelCode::finish(const BodyCode& body, size_t loop_number) {
  bodies_.push_back(body.traced(static_cast<uint32_t>(loop_number)));
  traces_.insert(traces_.end(), body.traces().begin(), body.traces().end());
  registers_.insert(registers_.end(), body.registers().begin(), body.registers().end());
}

bool KernelCode::write_loop(size_t number) {
  const KernelLoop& loop = kernel_.loops[number];
  const auto schedule = schedule_loop(graph_, members_, loop, kMostSteps);
  if (!schedule) return false;
  const Contractions contractions = contractions_of(graph_, *schedule, options_.math);
  const LoopPasses passes = passes_of(loop, kernel_.config);
  BodyFrame frame{loop, *schedule, contractions};
  frame.slots = loop.slots;
  frame.stride = passes.stride;
  frame.wide = loop.elements >= kMostNarrow;
  frame.number = static_cast<uint32_t>(bodies_.size());
  writer_.belong_to(-1);
  writer_.line("    // over " + comment_of(shape_text(loop.domain), 60) + ", " +
               std::to_string(loop.elements) + " elements, " + std::to_string(loop.slots) + " at a time");
  const std::string end = "$end" + std::to_string(number);
  const std::string rest = "$rest" + std::to_string(number);
  BodyCode main(parts_, frame);
  main.write_scalars();
  BodyFrame rest_frame = frame;
  rest_frame.slots = 1;
  rest_frame.stride = 0;
  ++rest_frame.number;
  BodyCode one(parts_, rest_frame);
  if (passes.rest != 0) one.adopt_scalars(main);
  write_passes(frame, passes, passes.rest == 0 ? end : rest, main);
  finish(main, number);
  if (passes.rest != 0) {
    if (passes.vectors < passes.threads) writer_.label(rest);
    write_rest(rest_frame, passes, end, one);
    finish(one, number);
  }
  if (passes.rest != 0 || passes.vectors < passes.threads) writer_.label(end);
  return true;
}

namespace {

constexpr uint32_t kMostRegisters = 64;  ///< of a thread where a multiprocessor has room for 1024
constexpr uint64_t kFewKept = 24;        ///< words of a row with which ptxas stays below that by itself

/// Held rows with room for what lives at once of one access: there ptxas would take more registers for loads
/// that it moves ahead, and with them fewer threads fit a multiprocessor. 0 for others.
uint32_t registers_to_ask_for(const FusionGraph& graph, const RowSchedule& schedule, const RowShape& shape) {
  if (shape.walk != RowWalk::held) return 0;
  const RowWords words = row_words(graph, schedule, row_placement(schedule, RowWalk::held));
  const uint64_t kept = shape.passes * shape.slots * words.kept;
  const bool has_room = kept >= kFewKept && kept + shape.slots * words.within <= kMostRegisters;
  return has_room ? kMostRegisters : 0;
}

}  // namespace

bool KernelCode::write_rows(const RowShape& shape) {
  std::string fault;
  const auto schedule = schedule_rows(graph_, members_, shape, kMostSteps, fault);
  if (!schedule) return false;
  const Contractions contractions = contractions_of(graph_, *schedule, options_.math);
  writer_.line("    // " + std::to_string(shape.domain.rows()) + " rows of " +
               std::to_string(shape.domain.columns()) + " columns, " + std::to_string(shape.threads) +
               " threads a row, " + std::to_string(shape.slots) + " elements at a time");
  most_registers_ = registers_to_ask_for(graph_, *schedule, shape);
  RowCode code(parts_, shape, *schedule, contractions);
  code.write();
  rows_ = code.traced();
  traces_ = code.take_traces();
  registers_ = code.take_registers();
  return true;
}

bool KernelCode::write() {
  load_parameters();
  if (kernel_.rows) {
    if (!write_rows(*kernel_.rows)) return false;
  } else {
    load_thread();
    for (size_t i = 0; i < kernel_.loops.size(); ++i) {
      if (!write_loop(i)) return false;
    }
  }
  writer_.instruction("ret");
  std::stable_sort(traces_.begin(), traces_.end(),
                   [](const Trace& a, const Trace& b) { return a.line < b.line; });
  return true;
}

}  // namespace fuseboard
