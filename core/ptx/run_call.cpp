// Calls of device functions: parameters go over and come back by value, lane by lane.
// It must not know branches, nor how groups are chosen.
#include "ptx/integer_lanes.h"
#include "ptx/launch_state.h"

namespace fuseboard::ptx {
namespace {

/// Copies between .param variables of the caller and formals of the callee.
void copy_all(Execution& x, const Frame& caller, const Frame& callee, const Instruction& call, bool back,
              uint32_t lanes) {
  Warp& warp = *x.warp;
  const std::vector<Variable>& variables = x.launch->module->variables;
  const Function& from_function = *caller.program->function;
  const std::vector<uint32_t>& formals =
      back ? callee.program->function->returns : callee.program->function->parameters;
  const Operand& actuals = from_function.operands[call.first_operand + (back ? 0 : 2)];
  for (uint32_t n = 0; n < actuals.count && n < formals.size(); ++n) {
    const Operand& actual = from_function.elements[actuals.index + n];
    if (actual.kind != OperandKind::variable) continue;
    const Variable& outer = variables[actual.index];
    const Variable& inner = variables[formals[n]];
    const uint64_t outer_at =
        caller.local_base + outer.offset + (outer.in_frame ? caller.program->frame_base : 0);
    const uint64_t inner_at = callee.local_base + inner.offset;
    const uint64_t bytes = std::min(outer.bytes, inner.bytes);
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
      const size_t lane = static_cast<size_t>(first_lane(left)) * warp.local_bytes;
      const size_t from = lane + (back ? inner_at : outer_at), to = lane + (back ? outer_at : inner_at);
      std::memmove(&warp.local[to], &warp.local[from], bytes);
      std::memmove(&warp.local_written[to], &warp.local_written[from], bytes);
    }
  }
}

/// Whether what a call hands over, and takes back, is what the function declares.
bool agrees(const Module& module, const Function& caller, const Operand& actuals,
            const std::vector<uint32_t>& formals) {
  if (actuals.count != formals.size()) return false;
  for (uint32_t n = 0; n < actuals.count; ++n) {
    const Operand& actual = caller.elements[actuals.index + n];
    if (actual.kind == OperandKind::variable &&
        module.variables[actual.index].bytes != module.variables[formals[n]].bytes)
      return false;
  }
  return true;
}

Flow call_function(Execution& x, const MicroOp& op, uint32_t function, uint32_t lanes) {
  Warp& warp = *x.warp;
  const auto& programs = x.launch->programs;
  const Program* const callee = function < programs.size() ? programs[function].get() : nullptr;
  if (!callee || callee->function->is_entry) {
    const std::vector<Function>& functions = x.launch->module->functions;
    return x.fault(op, FaultKind::unsupported, first_lane(lanes),
                   function < functions.size()
                       ? "The function " + functions[function].name + " has no body to run."
                       : "The address that is called is no function's.");
  }
  const uint32_t caller = warp.group().frame;
  const Function& from = *warp.frames[caller].program->function;
  const Operand* const lists = &from.operands[op.source->first_operand];
  if (!agrees(*x.launch->module, from, lists[0], callee->function->returns) ||
      !agrees(*x.launch->module, from, lists[2], callee->function->parameters))
    return x.fault(
        op, FaultKind::bad_branch, first_lane(lanes),
        "The function " + callee->function->name + " takes other parameters than this call hands over.");
  if (!warp.call(*callee, op, lanes, x.next + 1))
    return x.fault(
        op, FaultKind::call_depth, first_lane(lanes),
        "Calls nest too deep, or need too much local memory, at the call of " + callee->function->name + ".");
  copy_all(x, warp.frames[caller], warp.frames.back(), *op.source, false, lanes);
  return Flow::regroup;
}

Flow run_call(Execution& x, const MicroOp& op) {
  x.warp->group().pc = x.next + 1;
  return call_function(x, op, op.target, x.active);
}

/// Through a register: lanes part by the function that they call.
Flow run_indirect_call(Execution& x, const MicroOp& op) {
  std::array<uint64_t, kLanes> address{};
  const LaneSource<uint64_t> target(x, op.s[0]);
  for (uint32_t lane = 0; lane < kLanes; ++lane) address[lane] = target[lane];
  const uint32_t caller = x.warp->current;
  x.warp->group().pc = x.next + 1;
  for (uint32_t left = x.active; left != 0;) {
    const uint64_t called = address[first_lane(left)];
    uint32_t same = 0;
    for (uint32_t rest = left; rest != 0; rest &= rest - 1)
      if (address[first_lane(rest)] == called) same |= 1U << first_lane(rest);
    if (called < kFunctionWindow || called % 16 != 0 || called >= kFunctionWindow + kWindow)
      return x.fault(op, FaultKind::bad_branch, first_lane(same),
                     "The address that is called is no function's.", called);
    x.warp->current = caller;
    const auto function = static_cast<uint32_t>((called - kFunctionWindow) / 16);
    if (call_function(x, op, function, same) == Flow::fault) return Flow::fault;
    left &= ~same;
  }
  return Flow::regroup;
}

}  // namespace

void hand_back(Execution& x, uint32_t lanes) {
  const Frame& callee = x.warp->frame();
  copy_all(x, x.warp->frames[callee.parent], callee, *callee.call->source, true, lanes);
}

void bind_call(Binding& b) {
  MicroOp& op = b.op;
  const Operand& called = b.operand(1);
  // The lists must be variables of this function's frame: what an entry was launched with is not local.
  for (const uint32_t n : {0U, 2U}) {
    const Operand& list = b.operand(n);
    for (uint32_t k = 0; k < list.count; ++k) {
      const Operand& one = b.element(list, k);
      const bool is_local = one.kind == OperandKind::variable &&
                            (b.frame().module.variables[one.index].in_frame || !b.frame().function.is_entry);
      if (!is_local && one.kind != OperandKind::sink) return b.refuse();
    }
  }
  if (called.kind == OperandKind::function) {
    op.target = called.index;
    op.run = run_call;
    return;
  }
  op.s[0] = b.source(called, Type::u64);
  op.run = run_indirect_call;
}

}  // namespace fuseboard::ptx
