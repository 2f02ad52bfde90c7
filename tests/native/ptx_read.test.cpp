// What a PTX text says stands decoded in the module: names, offsets, types, operands, labels.
// It must not know how a module runs.
#include "ptx_checks.h"

using namespace ptx_checks;

namespace {

const Variable& variable(const Module& module, std::string_view name) {
  for (const Variable& each : module.variables) {
    if (each.name == name) return each;
  }
  FAIL("no variable is named " << name);
  return module.variables.front();
}

std::string bytes(const Variable& variable) {
  std::string all;
  for (const uint8_t each : variable.initial) all += (all.empty() ? "" : " ") + std::to_string(each);
  return all;
}

}  // namespace

TEST_CASE("PTX: a module's head and a kernel's header") {
  const Module module = module_of(
      ".version 8.6\n.target sm_90a, debug\n.address_size 64\n.file 1 \"a.cu\", 12, 34\n"
      ".visible .entry k(.param .u8 a, .param .u64 .ptr .global .align 16 b,\n"
      "  .param .align 8 .b8 c[12], .param .f32 d)\n"
      ".maxntid 256, 2\n.minnctapersm 2\n.reqntid 32\n.pragma \"nounroll\";\n{ .loc 1 5 3, function_name "
      "$L_info, "
      "inlined_at 1 2 3\n ret; }\n"
      ".section .debug_str { $L_info: .b8 95, 90 }\n");
  CHECK(module.version == 86);
  CHECK(module.target == "sm_90a");
  const Function& kernel = *module.entry("k");
  CHECK(kernel.line == 5);
  CHECK(kernel.parameters.size() == 4);
  CHECK(variable(module, "a").offset == 0);
  CHECK(variable(module, "b").offset == 8);
  CHECK(variable(module, "c").offset == 16);
  CHECK(variable(module, "c").bytes == 12);
  CHECK(variable(module, "d").offset == 28);
  CHECK(kernel.parameter_bytes == 32);
  CHECK(kernel.most_block == std::array<uint32_t, 3>{256, 2, 1});
  CHECK(kernel.required_block == std::array<uint32_t, 3>{32, 1, 1});
  CHECK(kernel.instructions.at(0).line == 12);
  CHECK(module.entry("other") == nullptr);
}

TEST_CASE("PTX: an instruction stands decoded") {
  const Function kernel = kernel_of(
      "  @!%p1 ld.global.L1::evict_last.v4.f32 {%f1, %f2, _, %r4}, [%rd3 + -16];\n"
      "cvt.rn.f16.f32 %rs1, %f1;\nsetp.ltu.and.f32 %p1|%p2, %f1, 0f00000000, !%p3;");
  const Instruction& load = kernel.instructions.at(0);
  CHECK(load.opcode == Opcode::ld);
  CHECK(load.space == StateSpace::global);
  CHECK(load.vector == 4);
  CHECK(load.type() == Type::f32);
  CHECK(load.modifiers == Modifiers{Modifier::L1_evict_last});
  CHECK(load.guard_negated);
  CHECK(kernel.registers.at(load.guard).name == "%p1");
  CHECK(load.line == kFirstLine);
  CHECK(load.column == 9);
  const Operand& list = operand(kernel, 0, 0);
  REQUIRE(list.kind == OperandKind::vector);
  REQUIRE(list.count == 4);
  CHECK(register_name(kernel, kernel.elements.at(list.index)) == "%f1");
  CHECK(kernel.elements.at(list.index + 2).kind == OperandKind::sink);
  const Operand& address = operand(kernel, 0, 1);
  CHECK(address.kind == OperandKind::address);
  CHECK_FALSE(address.is_variable);
  CHECK(kernel.registers.at(address.index).name == "%rd3");
  CHECK(address.bits == -16);

  CHECK(kernel.instructions.at(1).types == std::array<Type, 4>{Type::f16, Type::f32, Type::none, Type::none});
  CHECK(kernel.instructions.at(1).modifiers.has(Modifier::rn));

  CHECK(kernel.instructions.at(2).operand_count == 5);
  CHECK(register_name(kernel, operand(kernel, 2, 1)) == "%p2");
  CHECK(operand(kernel, 2, 3).kind == OperandKind::immediate);
  CHECK(operand(kernel, 2, 4).negated);
}

TEST_CASE("PTX: operands lie in the slots of their form, a destination that is not written is a sink") {
  const Function kernel = kernel_of(
      "setp.lt.s32 %p1, %r1, 5;\nshfl.sync.up.b32 %r1, %r2, 1, 0, -1;\n"
      "shfl.sync.up.b32 %r1|%p1, %r2, 1, 0, -1;\nsetp.lt.f16 %p1, %rs1, %rs2;\n"
      "bar.sync 1;\nbar.sync 1, 64;\nld.global.b32 {%r1}, [g];");
  CHECK(kernel.instructions.at(0).operand_count == 4);
  CHECK(operand(kernel, 0, 1).kind == OperandKind::sink);
  CHECK(operand(kernel, 0, 3).bits == 5);
  CHECK(operand(kernel, 1, 1).kind == OperandKind::sink);
  CHECK(operand(kernel, 1, 5).bits == -1);
  CHECK(operand(kernel, 2, 1).kind == OperandKind::reg);
  CHECK(kernel.instructions.at(3).operand_count == 4);
  CHECK(operand(kernel, 3, 1).kind == OperandKind::sink);
  CHECK(kernel.instructions.at(4).operand_count == 1);
  CHECK(kernel.instructions.at(5).operand_count == 2);
  CHECK(register_name(kernel, operand(kernel, 6, 0)) == "%r1");
}

TEST_CASE("PTX: immediates come as wide as their slot") {
  const Function kernel = kernel_of(
      "add.f32 %f1, %f2, 1.5;\nadd.f64 %fd1, %fd2, 0f3F800000;\nadd.s16 %rs1, %rs2, 70000;\n"
      "mov.u32 %r1, 4294967295;\nmov.s32 %r1, 0xffffffff;\nmad.wide.u32 %rd1, %r2, 3, "
      "0xffffffffff;\nmov.pred %p1, 7;\nmul.lo.s32 %r1, %r2, WARP_SZ*2;");
  CHECK(operand(kernel, 0, 2).bits == 0x3fc00000);
  CHECK(operand(kernel, 1, 2).bits == 0x3ff0000000000000);
  CHECK(operand(kernel, 2, 2).bits == 70000 - 65536);
  CHECK(operand(kernel, 3, 1).bits == 4294967295);
  CHECK(operand(kernel, 4, 1).bits == -1);
  CHECK(operand(kernel, 5, 3).bits == 0xffffffffff);
  CHECK(operand(kernel, 6, 1).bits == 1);
  CHECK(operand(kernel, 7, 2).bits == 64);
}

TEST_CASE("PTX: mov takes special registers, addresses, and packs and unpacks") {
  const Module module =
      module_of(in_kernel("mov.u32 %r1, %tid.x;\nmov.u64 %rd1, g+4;\nmov.b64 %rd1, {%r1, 5};\n"
                          "mov.b32 {%rs1, _}, %r1;\nmov.u64 %rd1, k;"));
  const Function& kernel = *module.entry("k");
  CHECK(operand(kernel, 0, 1).kind == OperandKind::special);
  CHECK(static_cast<SpecialRegister>(operand(kernel, 0, 1).index) == SpecialRegister::tid_x);
  CHECK(operand(kernel, 1, 1).kind == OperandKind::variable);
  CHECK(module.variables.at(operand(kernel, 1, 1).index).name == "g");
  CHECK(operand(kernel, 1, 1).bits == 4);
  CHECK(kernel.elements.at(operand(kernel, 2, 1).index + 1).bits == 5);
  CHECK(operand(kernel, 3, 0).count == 2);
  CHECK(operand(kernel, 4, 1).kind == OperandKind::function);
}

TEST_CASE(
    "PTX: labels are indices of instructions, whether they come before or after, and scopes hide them") {
  const Function kernel = kernel_of("bra L;\nA: bra A;\n{ bra A; A: bra A;\n{ bra A; bra L; } }\nbra B;\nB:");
  const auto target = [&](size_t instruction) { return operand(kernel, instruction, 0).index; };
  CHECK(target(0) == 7);
  CHECK(target(1) == 1);
  CHECK(target(2) == 3);
  CHECK(target(3) == 3);
  CHECK(target(4) == 3);
  CHECK(target(5) == 7);
  CHECK(target(6) == 7);
}

TEST_CASE("PTX: a label at the end of a body stands behind the last instruction") {
  const Module module = module_of(kHead + ".entry k() { bra E; E: }");
  CHECK(module.functions.at(0).operands.at(0).index == 1);
}

TEST_CASE("PTX: branch targets are labels in the elements") {
  const Function kernel = kernel_of("table: .branchtargets A, L, A;\nbrx.idx %r1, table;\nA: exit;");
  const Operand& targets = operand(kernel, 0, 1);
  CHECK(targets.kind == OperandKind::vector);
  REQUIRE(targets.count == 3);
  CHECK(kernel.elements.at(targets.index).index == 1);
  CHECK(kernel.elements.at(targets.index + 1).index == 2);
  CHECK(kernel.elements.at(targets.index + 2).index == 1);
}

TEST_CASE("PTX: registers of inner scopes hide the outer ones") {
  const Function kernel = kernel_of(
      ".reg .b32 x;\nmov.b32 x, 1;\n{ .reg .f32 x; mov.f32 x, 1.0; "
      ".reg .b64 %r<3>; mov.b64 %r2, 1; mov.b32 %r3, 1; }\nmov.b32 x, 2;\nmov.b32 %r2, 1;");
  const auto type = [&](size_t instruction) {
    return kernel.registers.at(operand(kernel, instruction, 0).index).type;
  };
  CHECK(type(0) == Type::b32);
  CHECK(type(1) == Type::f32);
  CHECK(type(2) == Type::b64);
  CHECK(type(3) == Type::b32);
  CHECK(type(4) == Type::b32);
  CHECK(type(5) == Type::b32);
  CHECK(kernel.register_named("%rs18") != kNone);
  CHECK(kernel.register_named("%rs19") == kNone);
}

TEST_CASE("PTX: ranges whose prefixes end in digits, and vector registers") {
  const Function kernel = kernel_of(
      ".reg .b32 a1<20>, q;\n.reg .v4 .f32 v;\nmov.b32 a119, q;\nmov.f32 v.x, v.w;\n"
      "ld.global.v4.f32 v, [g];");
  CHECK(register_name(kernel, operand(kernel, 0, 0)) == "a119");
  CHECK(register_name(kernel, operand(kernel, 1, 1)) == "v.w");
  CHECK(operand(kernel, 2, 0).count == 4);
  CHECK(wrong(in_kernel("mov.b32 %r01, %r1;")) != "");
}

TEST_CASE("PTX: variables have their initial bytes and addresses") {
  const Module module =
      module_of(kHead +
                ".func f() { ret; }\n"
                ".global .align 4 .b32 a[2][3] = {{1, 2}, {-1}};\n"
                ".const .f32 b[2] = {0f3F800000, 1.5};\n"
                ".global .b8 s[6] = \"hi\";\n"
                ".global .align 8 .u64 p[3] = {generic(a)+8, f, 5};\n"
                ".global .align 8 .b8 m[3] = {0xff(generic(a)), 0xff00(a), 7};\n"
                ".global .b16 z[] = {1, 2, 3};\n"
                ".visible .global .attribute(.managed) .align 16 .f64 d = 0d4000000000000000;\n"
                ".extern .shared .align 16 .b8 dyn[];\n"
                ".global .v2 .f32 v = {1.0, 2.0};\n");
  CHECK(variable(module, "a").bytes == 24);
  CHECK(bytes(variable(module, "a")) == "1 0 0 0 2 0 0 0 0 0 0 0 255 255 255 255");
  CHECK(bytes(variable(module, "b")) == "0 0 128 63 0 0 192 63");
  CHECK(bytes(variable(module, "s")) == "104 105");
  const std::vector<Variable::Pointer>& pointers = variable(module, "p").pointers;
  REQUIRE(pointers.size() == 2);
  CHECK(module.variables.at(pointers[0].variable).name == "a");
  CHECK(pointers[0].addend == 8);
  CHECK(pointers[1].is_function);
  CHECK(pointers[1].offset == 8);
  CHECK(variable(module, "p").initial.at(16) == 5);
  const std::vector<Variable::Pointer>& parts = variable(module, "m").pointers;
  REQUIRE(parts.size() == 2);
  CHECK(parts[1].offset == 1);
  CHECK(parts[1].shift == 8);
  CHECK(parts[1].bytes == 1);
  CHECK(variable(module, "z").bytes == 6);
  CHECK(variable(module, "d").align == 16);
  CHECK(variable(module, "dyn").bytes == 0);
  CHECK(variable(module, "dyn").is_extern);
  CHECK(variable(module, "v").bytes == 8);
  CHECK(variable(module, "v").align == 8);
}

TEST_CASE("PTX: shared memory of the module and of device functions comes first, then an entry's own") {
  const Module module =
      module_of(kHead +
                ".shared .align 4 .b8 common[40];\n.extern .shared .align 128 .b8 dyn[];\n"
                ".func f() { .shared .b64 inner; ret; }\n"
                ".entry a() { .reg .b32 %r; .shared .b32 own; ld.shared.b32 %r, [own]; ret; }\n"
                ".entry b() { .reg .b32 %r; .shared .b32 mine; ld.shared.b32 %r, [common]; ret; }\n"
                ".entry c() { .shared .b64 last; call f; ret; }\n");
  CHECK(module.entry("a")->shared_bytes == 4);
  CHECK(module.entry("b")->shared_bytes == 44);
  CHECK(module.entry("c")->shared_bytes == 56);
  CHECK(variable(module, "inner").offset == 40);
  CHECK(variable(module, "last").offset == 48);
  CHECK(module.entry("a")->dynamic_shared_offset == 128);
}

TEST_CASE("PTX: local variables and the parameters of calls lie in the frame, calls one over another") {
  const Module module = module_of(kHead +
                                  ".extern .func (.param .b32 r) f (.param .b64 x);\n"
                                  ".entry k() { .local .align 8 .b8 depot[24];\n"
                                  "{ .param .b64 p1; .param .b32 r1; call.uni (r1), f, (p1); }\n"
                                  "{ .param .b64 p2; .param .b32 r2; call.uni (r2), f, (p2); }\nret; }\n");
  const Function& kernel = *module.entry("k");
  CHECK(variable(module, "depot").offset == 0);
  CHECK(variable(module, "p1").offset == 32);
  CHECK(variable(module, "r1").offset == 40);
  CHECK(variable(module, "p2").offset == 32);
  CHECK(variable(module, "p2").in_frame);
  CHECK(kernel.local_bytes == 48);
  const Instruction& call = kernel.instructions.at(0);
  CHECK(call.operand_count == 3);
  CHECK(operand(kernel, 0, 0).count == 1);
  CHECK(operand(kernel, 0, 1).kind == OperandKind::function);
  CHECK(module.functions.at(operand(kernel, 0, 1).index).is_declaration);
  CHECK(operand(kernel, 0, 2).count == 1);
  CHECK(module.variables.at(kernel.elements.at(operand(kernel, 0, 2).index).index).name == "p1");
}

TEST_CASE("PTX: a function that was declared first is one function, and may call itself") {
  const Module module =
      module_of(kHead +
                ".func (.param .b32 r) f (.param .b32 x);\n.func g() { .param .b32 a, b; "
                "call (a), f, (b); ret; }\n"
                ".func (.param .b32 r) f (.param .b32 x) { .param .b32 p, q; call (p), f, (q); ret; }\n");
  REQUIRE(module.functions.size() == 2);
  CHECK_FALSE(module.functions[0].is_declaration);
  CHECK(module.functions[0].parameter_bytes == 8);
  CHECK(module.functions[0].name == "f");
  CHECK(operand(module.functions[0], 0, 1).index == 0);
  CHECK(operand(module.functions[1], 0, 1).index == 0);
}

TEST_CASE("PTX: an alias is its function, whether its own header stands before or not") {
  const Module module = module_of(kHead +
                                  ".func f() { ret; }\n.func g();\n.func user() { call g; ret; }\n"
                                  ".alias g, f;\n.alias h, f;\n.func other() { call h; ret; }\n");
  CHECK(operand(module.functions[2], 0, 1).index == 0);
  CHECK(operand(module.functions[3], 0, 1).index == 0);
  CHECK(wrong(kHead + ".func f() { ret; }\n.func g() { ret; }\n.alias g, f;\n") != "");
}

TEST_CASE("PTX: a call through a register needs a prototype, of which nothing is kept") {
  const Function kernel = kernel_of(
      ".param .b32 r; .param .b64 x;\n"
      "proto : .callprototype (.param .b32 _) _ (.param .b64 _);\n"
      "call (r), %rd1, (x), proto;\ncall %rd2, proto;");
  CHECK(register_name(kernel, operand(kernel, 0, 1)) == "%rd1");
  CHECK(operand(kernel, 1, 2).count == 0);
}

TEST_CASE("PTX: the text of a line is what messages show") {
  const std::string text = "one\n  add.s32 %r1, %r2, %r3;  \r\n\n";
  CHECK(instruction_text(text, 2) == "add.s32 %r1, %r2, %r3;");
  CHECK(instruction_text(text, 3) == "");
  CHECK(instruction_text(text, 99) == "");
}
