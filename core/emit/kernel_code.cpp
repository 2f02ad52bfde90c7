// Writing a kernel's loops: what does not depend on the index before the loop, then loads, computations and
// stores. It must not know the module around it.
#include "emit/kernel_code.h"

#include <algorithm>

#include "launch/lower.h"
#include "launch/lowering.h"
#include "launch/names.h"

namespace fuseboard {
namespace {

constexpr uint64_t kMostNarrow = uint64_t{1} << 31;
constexpr size_t kLoadsAhead = 32;  ///< up to so many loads stand before the first computation

}  // namespace

KernelCode::KernelCode(const FusionGraph& graph, const Kernel& kernel, const EmitOptions& options)
    : graph_(graph),
      kernel_(kernel),
      options_(options),
      members_(kernel.order),
      ops_(graph, writer_, options.target, options.math, scalars_) {
  std::sort(members_.begin(), members_.end());
}

std::string KernelCode::title(uint32_t op) const { return comment_of(graph_.name_of(op), 32); }

void KernelCode::begin_op(uint32_t op, const std::string& comment) {
  writer_.belong_to(op);
  writer_.line("    // " + comment);
  if (op >= options_.source_lines.size() || options_.source_lines[op].line == 0) return;
  const SourceLine at = options_.source_lines[op];
  writer_.line("    .loc 1 " + std::to_string(at.line) + " " + std::to_string(at.column));
}

void KernelCode::load_parameters() {
  for (const KernelParameter& parameter : kernel_.parameters) {
    writer_.belong_to(parameter.op);
    const std::string source = "[" + parameter.name + "]";
    if (parameter.role == ParameterRole::scalar) {
      const std::string value = writer_.fresh(RegisterClass::f32);
      writer_.instruction("ld.param.f32", {value, source});
      scalars_[parameter.op] = value;
      continue;
    }
    const std::string generic = writer_.fresh(RegisterClass::b64);
    const std::string pointer = writer_.fresh(RegisterClass::b64);
    writer_.instruction("ld.param.u64", {generic, source});
    writer_.instruction("cvta.to.global.u64", {pointer, generic});
    (parameter.role == ParameterRole::input ? inputs_ : outputs_)[parameter.op] = pointer;
  }
  writer_.belong_to(-1);
}

void KernelCode::load_indices() {
  const auto word = [&] { return writer_.fresh(RegisterClass::b32); };
  const std::string block = word();
  const std::string threads = word();
  const std::string thread = word();
  const std::string blocks = word();
  first_ = word();
  stride_ = word();
  writer_.instruction("mov.u32", {block, "%ctaid.x"});
  writer_.instruction("mov.u32", {threads, "%ntid.x"});
  writer_.instruction("mov.u32", {thread, "%tid.x"});
  writer_.instruction("mad.lo.s32", {first_, block, threads, thread});
  writer_.instruction("mov.u32", {blocks, "%nctaid.x"});
  writer_.instruction("mul.lo.s32", {stride_, blocks, threads});
  const bool any_wide = std::any_of(kernel_.loops.begin(), kernel_.loops.end(),
                                    [](const KernelLoop& loop) { return loop.elements >= kMostNarrow; });
  if (!any_wide) return;
  wide_first_ = writer_.fresh(RegisterClass::b64);
  wide_stride_ = writer_.fresh(RegisterClass::b64);
  writer_.instruction("cvt.u64.u32", {wide_first_, first_});
  writer_.instruction("cvt.u64.u32", {wide_stride_, stride_});
}

void KernelCode::write_load(const Step& step, IndexCode& index, PtxValue& value) {
  const FusionOp& op = graph_.op(step.op);
  begin_op(step.op, title(step.op) + ": " + comment_of(op.dtype_name(), 8) +
                        comment_of(shape_text(op.output_shape), 48) + " is read");
  const std::string at = "[" + index.address(step.map, inputs_.at(step.op), op.dtype_bytes) + "]";
  if (op.dtype == DType::boolean) {
    const std::string byte = writer_.fresh(RegisterClass::b32);
    writer_.instruction("ld.global.nc.u8", {byte, at});
    value.pred = writer_.fresh(RegisterClass::pred);
    writer_.instruction("setp.ne.s32", {value.pred, byte, "0"});
  } else {
    value.f32 = writer_.fresh(RegisterClass::f32);
    writer_.instruction("ld.global.nc.f32", {value.f32, at});
  }
}

void KernelCode::write_step(const LoopSchedule& schedule, uint32_t number, IndexCode& index) {
  const Step& step = schedule.steps[number];
  const FusionOp& op = graph_.op(step.op);
  PtxValue& value = values_[number];
  switch (step.kind) {
    case StepKind::immediate:
      value.is_immediate = true;
      value.number = as_number(*op.attribute("value")).value_or(0);
      if (op.dtype == DType::boolean) value.number = value.number != 0 ? 1 : 0;
      return;
    case StepKind::load:
      write_load(step, index, value);
      break;
    case StepKind::compute: {
      std::string comment = title(step.op) + " = " + comment_of(op.kind_text(), 24) + "(";
      std::vector<PtxValue*> operands;
      for (uint32_t i = 0; i < step.operand_count; ++i) {
        operands.push_back(&values_[schedule.operands[step.operands + i]]);
        comment += (i == 0 ? "" : ", ") + title(op.inputs[i]);
      }
      begin_op(step.op, comment + ")");
      const std::string at = op.inputs.empty() ? index.offset(step.map) : std::string();
      value = ops_.apply(step.op, operands, at, index.is_wide());
      break;
    }
  }
  registers_.emplace_back(step.op, value.pred.empty() ? value.f32 : value.pred);
}

void KernelCode::write_store(uint32_t op, PtxValue& value, IndexCode& index) {
  begin_op(op, title(op) + " is stored");
  const FusionOp& stored = graph_.op(op);
  std::string source = value.f32;
  if (stored.dtype == DType::boolean) {
    source = writer_.fresh(RegisterClass::b32);
    writer_.instruction("selp.b32", {source, "1", "0", value.pred});
  }
  const std::string at = "[" + index.address(0, outputs_.at(op), stored.dtype_bytes) + "]";
  writer_.instruction(stored.dtype == DType::boolean ? "st.global.u8" : "st.global.f32", {at, source});
}

bool KernelCode::write_loop(size_t number) {
  const KernelLoop& loop = kernel_.loops[number];
  const auto schedule = schedule_loop(graph_, members_, loop, kMostSteps);
  if (!schedule) return false;
  const bool wide = loop.elements >= kMostNarrow;
  const std::string count = std::to_string(loop.elements);
  const std::string begin = "$loop" + std::to_string(number);
  const std::string end = "$end" + std::to_string(number);
  const std::string past = writer_.fresh(RegisterClass::pred);
  const std::string index = writer_.fresh(wide ? RegisterClass::b64 : RegisterClass::b32);
  writer_.belong_to(-1);
  writer_.line("    // over " + comment_of(shape_text(loop.domain), 60) + ", " + count + " elements");
  writer_.instruction(wide ? "mov.u64" : "mov.u32", {index, wide ? wide_first_ : first_});
  writer_.instruction(wide ? "setp.ge.u64" : "setp.ge.u32", {past, index, count});
  writer_.instruction("@" + past + " bra " + end);

  IndexCode code(writer_, schedule->maps, index, wide);
  values_.assign(schedule->steps.size(), {});
  const uint32_t steps = static_cast<uint32_t>(schedule->steps.size());
  const auto is_fixed = [&](uint32_t i) { return schedule->maps[schedule->steps[i].map].digits.empty(); };
  const auto is_load = [&](uint32_t i) { return schedule->steps[i].kind == StepKind::load; };
  std::vector<uint32_t> body;
  size_t loads = 0;
  for (uint32_t i = 0; i < steps; ++i) {
    if (!is_fixed(i)) {
      body.push_back(i);
      loads += is_load(i) ? 1 : 0;
    }
  }
  if (loads <= kLoadsAhead) std::stable_partition(body.begin(), body.end(), is_load);
  for (uint32_t i = 0; i < steps; ++i) {
    if (is_fixed(i)) write_step(*schedule, i, code);
  }
  writer_.belong_to(-1);
  if (loop.elements > 1) writer_.label(begin);
  for (const uint32_t i : body) write_step(*schedule, i, code);
  for (size_t i = 0; i < loop.stores.size(); ++i) {
    write_store(loop.stores[i], values_[schedule->stored[i]], code);
  }
  writer_.belong_to(-1);
  if (loop.elements > 1) {
    const std::string more = writer_.fresh(RegisterClass::pred);
    writer_.instruction(wide ? "add.s64" : "add.s32", {index, index, wide ? wide_stride_ : stride_});
    writer_.instruction(wide ? "setp.lt.u64" : "setp.lt.u32", {more, index, count});
    writer_.instruction("@" + more + " bra " + begin);
  }
  writer_.label(end);
  return true;
}

bool KernelCode::write() {
  load_parameters();
  load_indices();
  for (size_t i = 0; i < kernel_.loops.size(); ++i) {
    if (!write_loop(i)) return false;
  }
  writer_.instruction("ret");
  return true;
}

}  // namespace fuseboard
