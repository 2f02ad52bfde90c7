// Makes a module's functions ready: every instruction goes to its family, branches get their places.
// It must not know how any instruction runs.
#include <algorithm>

#include "ptx/binding.h"
#include "ptx/launch_state.h"

namespace fuseboard::ptx {
namespace {

using Family = void (*)(Binding&);

bool is_arithmetic(Opcode opcode) {
  constexpr Opcode kAll[] = {Opcode::add,      Opcode::sub, Opcode::mul, Opcode::mad,
                             Opcode::fma,      Opcode::neg, Opcode::abs, Opcode::min,
                             Opcode::copysign, Opcode::max, Opcode::div};
  return std::find(std::begin(kAll), std::end(kAll), opcode) != std::end(kAll);
}

struct Row {
  Opcode opcode;
  Family family;
};
constexpr Row kFamilies[] = {
    {Opcode::mul24, bind_integer},
    {Opcode::mad24, bind_integer},
    {Opcode::sad, bind_integer},
    {Opcode::rem, bind_integer},
    {Opcode::dp4a, bind_integer},
    {Opcode::dp2a, bind_integer},
    {Opcode::popc, bind_bits},
    {Opcode::clz, bind_bits},
    {Opcode::bfind, bind_bits},
    {Opcode::fns, bind_bits},
    {Opcode::brev, bind_bits},
    {Opcode::bfe, bind_bits},
    {Opcode::bfi, bind_bits},
    {Opcode::szext, bind_bits},
    {Opcode::bmsk, bind_bits},
    {Opcode::and_, bind_bits},
    {Opcode::or_, bind_bits},
    {Opcode::xor_, bind_bits},
    {Opcode::not_, bind_bits},
    {Opcode::cnot, bind_bits},
    {Opcode::lop3, bind_bits},
    {Opcode::shf, bind_bits},
    {Opcode::shl, bind_bits},
    {Opcode::shr, bind_bits},
    {Opcode::addc, bind_carry},
    {Opcode::subc, bind_carry},
    {Opcode::madc, bind_carry},
    {Opcode::rcp, bind_special},
    {Opcode::sqrt, bind_special},
    {Opcode::rsqrt, bind_special},
    {Opcode::sin, bind_special},
    {Opcode::cos, bind_special},
    {Opcode::lg2, bind_special},
    {Opcode::ex2, bind_special},
    {Opcode::tanh, bind_special},
    {Opcode::set, bind_compare},
    {Opcode::setp, bind_compare},
    {Opcode::selp, bind_compare},
    {Opcode::slct, bind_compare},
    {Opcode::testp, bind_compare},
    {Opcode::mov, bind_move},
    {Opcode::prmt, bind_move},
    {Opcode::cvta, bind_move},
    {Opcode::isspacep, bind_move},
    {Opcode::cvt, bind_convert},
    {Opcode::cvt_pack, bind_convert},
    {Opcode::shfl, bind_warp},
    {Opcode::vote, bind_warp},
    {Opcode::match, bind_warp},
    {Opcode::activemask, bind_warp},
    {Opcode::redux, bind_warp},
    {Opcode::elect, bind_warp},
    {Opcode::ld, bind_memory},
    {Opcode::ldu, bind_memory},
    {Opcode::st, bind_memory},
    {Opcode::prefetch, bind_memory},
    {Opcode::prefetchu, bind_memory},
    {Opcode::applypriority, bind_memory},
    {Opcode::createpolicy, bind_memory},
    {Opcode::createpolicy_cvt, bind_memory},
    {Opcode::membar, bind_memory},
    {Opcode::fence, bind_memory},
    {Opcode::fence_proxy, bind_memory},
    {Opcode::griddepcontrol, bind_memory},
    {Opcode::nanosleep, bind_memory},
    {Opcode::pmevent, bind_memory},
    {Opcode::setmaxnreg, bind_memory},
    {Opcode::atom, bind_atomic},
    {Opcode::red, bind_atomic},
    {Opcode::cp_async, bind_async_copy},
    {Opcode::cp_async_commit_group, bind_async_copy},
    {Opcode::cp_async_wait_group, bind_async_copy},
    {Opcode::cp_async_wait_all, bind_async_copy},
    {Opcode::ldmatrix, bind_matrix},
    {Opcode::stmatrix, bind_matrix},
    {Opcode::movmatrix, bind_matrix},
    {Opcode::bra, bind_control},
    {Opcode::brx_idx, bind_control},
    {Opcode::call, bind_control},
    {Opcode::ret, bind_control},
    {Opcode::exit, bind_control},
    {Opcode::trap, bind_control},
    {Opcode::brkpt, bind_control},
    {Opcode::bar, bind_barrier},
    {Opcode::barrier, bind_barrier},
    {Opcode::bar_warp, bind_barrier},
};

Family arithmetic_family(const Instruction& instruction) {
  const Type type = instruction.type();
  const Type last = instruction.types[instruction.type_count == 2 ? 1 : 0];
  if (type == Type::f64) return bind_float64;
  if (type == Type::f32 || type == Type::f32x2)
    return instruction.opcode == Opcode::div ? bind_special : bind_float32;
  if (last == Type::f16 || last == Type::bf16 || last == Type::f16x2 || last == Type::bf16x2)
    return bind_half;
  return instruction.modifiers.has(Modifier::cc) ? bind_carry : bind_integer;
}

Family family_of(const Instruction& instruction) {
  if (is_arithmetic(instruction.opcode)) return arithmetic_family(instruction);
  for (const Row& row : kFamilies)
    if (row.opcode == instruction.opcode) return row.family;
  return nullptr;
}

/// The micro-ops of one instruction, appended.
void decode(FrameLayout& frame, Program& program, uint32_t index) {
  const Instruction& instruction = frame.function.instructions[index];
  MicroOp op;
  op.source = &instruction;
  op.instruction = index;
  op.counted_as = instruction_class(instruction.opcode, instruction.type());
  op.guard = instruction.guard == kNone ? frame.all_true() : frame.register_slot(instruction.guard);
  op.guard_flip = instruction.guard_negated ? 0xffffffff : 0;
  Binding binding(frame, instruction, op);
  if (const Family family = family_of(instruction)) family(binding);
  if (!op.run || !binding.fits()) {
    op.run = run_unsupported;
    binding.before.clear();
    binding.behind.clear();
  }
  for (MicroOp& each : binding.before) {
    each.guard = op.guard;
    each.guard_flip = op.guard_flip;
  }
  program.ops.insert(program.ops.end(), binding.before.begin(), binding.before.end());
  program.ops.push_back(op);
  program.ops.insert(program.ops.end(), binding.behind.begin(), binding.behind.end());
}

std::unique_ptr<Program> decode_function(const Module& module, uint32_t index) {
  const Function& function = module.functions[index];
  auto program = std::make_unique<Program>();
  program->function = &function;
  program->index = index;
  program->frame_base =
      function.is_entry ? 0 : static_cast<uint32_t>((function.parameter_bytes + 15) / 16 * 16);
  program->local_bytes = program->frame_base + static_cast<uint32_t>(function.local_bytes);
  FrameLayout frame(module, function, *program);
  std::vector<uint32_t> places;
  for (uint32_t i = 0; i < function.instructions.size(); ++i) {
    places.push_back(static_cast<uint32_t>(program->ops.size()));
    decode(frame, *program, i);
  }
  // Behind the last instruction every function returns.
  places.push_back(static_cast<uint32_t>(program->ops.size()));
  MicroOp end;
  end.guard = frame.all_true();
  end.run = run_end;
  end.counted = false;
  program->ops.push_back(end);
  for (MicroOp& op : program->ops)
    if (op.counted && op.source->opcode == Opcode::bra && op.run != run_unsupported)
      op.target = places[op.target];
  for (uint32_t& target : program->brx_targets) target = places[target];
  frame.finish();
  return program;
}

}  // namespace

Flow run_unsupported(Execution& x, const MicroOp& op) {
  std::string types;
  for (uint32_t n = 0; n < op.source->type_count; ++n)
    types += "." + std::string(type_text(op.source->types[n]));
  return x.fault(op, FaultKind::unsupported, first_lane(x.active),
                 std::string(mnemonic(op.source->opcode)) + types + " in this form is not run here.");
}

void decode_all(LaunchState& state) {
  const Module& module = *state.module;
  state.programs.resize(module.functions.size());
  for (uint32_t i = 0; i < module.functions.size(); ++i) {
    const Function& function = module.functions[i];
    if (function.is_declaration || (function.is_entry && &function != state.entry)) continue;
    state.programs[i] = decode_function(module, i);
  }
}

}  // namespace fuseboard::ptx
