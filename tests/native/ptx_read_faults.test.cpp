// What is wrong with a PTX text is told with its code, its line and its token.
// It must not know how the reader goes on.
#include "ptx_checks.h"

using namespace ptx_checks;

namespace {

/// Instructions of a kernel, one of which is wrong; the beginning of what must be told.
struct Fault {
  const char* body;
  const char* told;
};

void check(const std::vector<Fault>& faults) {
  for (const Fault& fault : faults) {
    INFO(fault.body);
    const std::string text = in_kernel(std::string("add.s32 %r1, %r2, %r3;\n") + fault.body);
    const std::string all = wrong(text);
    INFO(all);
    CHECK(std::count(all.begin(), all.end(), '\n') == 1);
    CHECK(all.starts_with(std::to_string(kFirstLine + 1) + " " + fault.told));
  }
}

/// Whole modules; the beginning of what must be told.
void check_modules(const std::vector<std::pair<std::string, std::string>>& faults) {
  for (const auto& [text, expected] : faults) {
    INFO(text);
    const std::string all = wrong(text);
    INFO(all);
    CHECK(all.starts_with(expected));
  }
}

}  // namespace

TEST_CASE("PTX faults: instructions and their words") {
  check(
      {{"ad.s32 %r1, %r2, %r3;", "ptx-unknown-instruction `ad`: no instruction is named \"ad\""},
       {"tex.1d.v4.f32.s32 {%f1}, [%r1];", "ptx-unknown-instruction `tex`"},
       {"add.s31 %r1, %r2, %r3;", "ptx-unknown-instruction `.s31`: add does not take \".s31\""},
       {"add.wide.s32 %r1, %r2, %r3;", "ptx-unknown-instruction `.wide`"},
       {"add.sat.u32 %r1, %r2, %r3;", "ptx-unknown-instruction `add.sat.u32`"},
       {"add.rn.rn.f32 %f1, %f2, %f3;", "ptx-unknown-instruction `.rn`"},
       {"add.rn.rz.f32 %f1, %f2, %f3;",
        "ptx-unknown-instruction `add.rn.rz.f32`: add takes only one of .rn .rz"},
       {"mul.s32 %r1, %r2, %r3;", "ptx-unknown-instruction `mul.s32`: mul needs one of .lo .hi"},
       {"fma.f32 %f1, %f2, %f3, %f4;", "ptx-unknown-instruction `fma.f32`: fma needs one of .rn .rz .rm .rp"},
       {"cvt.f32.s32 %f1, %r1;", "ptx-unknown-instruction `cvt.f32.s32`: cvt needs one of .rn .rz .rm .rp"},
       {"setp.lo.s32 %p1, %r1, %r2;", "ptx-unknown-instruction `setp.lo.s32`"},
       {"setp.lt.b32 %p1, %r1, %r2;", "ptx-unknown-instruction `setp.lt.b32`"},
       {"shl.s32 %r1, %r2, 1;", "ptx-unknown-instruction `.s32`"},
       {"ld.shared.local.f32 %f1, [sh];", "ptx-unknown-instruction `ld.shared.local.f32`"},
       {"bar 0;", "ptx-unknown-instruction `bar`: bar needs"}});
}

TEST_CASE("PTX faults: operands of the wrong number, kind and type") {
  check({{"add.s32 %r1, %r2;", "ptx-operand `add.s32`: add: operand 3 is missing"},
         {"add.s32 %r1, %r2, %r3, %r4;", "ptx-operand `%r4`: add: there are more than the 3 operands"},
         {"add.f32 %f1, %f2, 1;", "ptx-operand `1`: add: this is an integer, where the instruction takes"},
         {"add.s32 %r1, %r2, 1.5;", "ptx-operand `1.5`: add: this is a fraction"},
         {"add.u32 %f1, %r2, %r3;", "ptx-operand `%f1`: add: \"%f1\" is a register of type .f32"},
         {"add.s32 %r1, %rd1, %r2;", "ptx-operand `%rd1`: add: \"%rd1\" is a register of type .b64"},
         {"add.f16 %h1, %us1, %h2;", "ptx-operand `%us1`"},
         {"add.s32 %r1, %tid.x, 5;", "ptx-operand `%tid.x`: add: \"%tid.x\" is a special register"},
         {"add.s32 _, %r1, %r2;", "ptx-operand `_`"},
         {"add.s32 5, %r1, %r2;", "ptx-operand `5`"},
         {"add.f32 %f1, %f2, -%f3;", "ptx-syntax `%f3`: expected a number"},
         {"and.b32 %r1, !%r2, %r3;", "ptx-operand `!%r2`"},
         {"setp.eq.s32 %r1, %r1, %r2;", "ptx-operand `%r1`"},
         {"shl.b64 %rd1, %rd2, %rd1;", "ptx-operand `%rd1`"},
         {"mul.wide.s32 %r1, %r2, %r3;", "ptx-operand `%r1`"},
         {"lop3.b32 %r1, %r2, %r3, %r4, %r5;", "ptx-operand `%r5`"},
         {"mov.u32 %f1, %r1;", "ptx-operand `%f1`"},
         {"mov.u64 %rd1, %tid.x;", "ptx-operand `%tid.x`"},
         {"mov.b64 {%rs1, %rs2}, %rd1;", "ptx-operand `{%rs1, %rs2}`: mov: \"%rs1\" is a register"},
         {"cvt.rzi.s32.f32 %f1, %f1;", "ptx-operand `%f1`"},
         {"@%r1 bra L;", "ptx-operand `%r1`: \"%r1\" is no predicate register"}});
}

TEST_CASE("PTX faults: addresses and vectors") {
  check({{"ld.global.f32 %f1, %rd1;", "ptx-operand `%rd1`"},
         {"ld.global.f32 %f1, [%r1];", "ptx-operand `[%r1]`"},
         {"ld.global.f32 %f1, [%f1];", "ptx-operand `[%f1]`"},
         {"ld.global.f32 %f1, [%rd1-4];", "ptx-syntax `-`: an offset is added"},
         {"ld.global.f32 %f1, [%rd1+%rd2];", "ptx-syntax `%rd2`"},
         {"ld.global.f32 %f1, [%rd1+1.5];", "ptx-operand `1.5`: an offset of an address is an integer"},
         {"ld.global.f32 %f1, [sh];", "ptx-operand `[sh]`: ld: \"sh\" is a variable of another state space"},
         {"ld.global.f32 %f1, [16];", "ptx-operand `[16]`"},
         {"ld.global.f32 %f1, [nowhere];", "ptx-unknown-name `nowhere`"},
         {"ld.global.f32 %f1, [%rd1;", "ptx-syntax `;`: expected `]`"},
         {"ld.global.v4.f32 {%f1, %f2}, [%rd1];", "ptx-operand `{%f1, %f2}`"},
         {"ld.global.v2.f32 %f1, [%rd1];", "ptx-operand `%f1`"},
         {"ld.global.v2.u8 {%rs1, %r1}, [%rd1];", "ptx-operand `{%rs1, %r1}`"},
         {"ld.global.u32 %rs1, [%rd1];", "ptx-operand `%rs1`"},
         {"ld.global.u8 %f1, [%rd1];", "ptx-operand `%f1`"},
         {"st.global.f32 [%rd1], 5;", "ptx-operand `5`"}});
}

TEST_CASE("PTX faults: names") {
  check({{"add.s32 %r1, %r2, %r99;", "ptx-unknown-name `%r99`: add: nothing is named \"%r99\" here"},
         {"bra M;", "ptx-unknown-name `M`: no label is named \"M\""},
         {"N: N: ret;", "ptx-duplicate-name `N`: \"N\" is declared twice"},
         {".reg .b32 %r1; .reg .b32 x; .reg .b32 x;", "ptx-duplicate-name `x`"},
         {"@%q bra L;", "ptx-unknown-name `%q`"},
         {"call nothing;", "ptx-unknown-name `nothing`: no function is named"},
         {"brx.idx %r1, nothing;", "ptx-unknown-name `nothing`"}});
}

TEST_CASE("PTX faults: statements") {
  check({{"add.s32 %r1, %r2, %r3", "ptx-syntax `3`: expected `,` or `;` behind this"},
         {".reg .b32 %x<4000000000>;", "ptx-limit `4000000000`"},
         {".reg .b32 %x<300000>;", "ptx-limit `300000`"},
         {".reg .b32 %x<0>;", "ptx-syntax `0`"},
         {".reg .c32 %x;", "ptx-syntax `.c32`: expected a type"},
         {".local .b8 x[600000];", "ptx-limit `.local`"},
         {".shared .b8 x[5000000000];", "ptx-limit `5000000000`"},
         {".shared .b32 x = 5;", "ptx-syntax `=`: only global and constant variables"},
         {".maxntid 5;", "ptx-syntax `.maxntid`"},
         {"5;", "ptx-syntax `5`: expected a statement"},
         {"\x01;", "ptx-syntax"}});
}

TEST_CASE("PTX faults: modules") {
  check_modules(
      {{"", "1 ptx-syntax ``: the text holds no PTX module"},
       {".target sm_90\n", "1 ptx-syntax `.target`: a module begins with its .version"},
       {".version x\n", "1 ptx-syntax `x`: expected a version"},
       {".version 8\n", "1 ptx-syntax `8`: a version has the form 8.6"},
       {kHead + "foo", "4 ptx-syntax `foo`: expected a directive"},
       {kHead + ".visible .entry k(.param .u64 a", "4 ptx-syntax ``: expected `)`, not the end"},
       {kHead + ".visible .entry k(.param .u64 a, .param .u32 a) { ret; }", "4 ptx-duplicate-name `a`"},
       {kHead + ".entry k() { ret; }\n.entry k() { ret; }", "5 ptx-duplicate-name `k`: \"k\" has two bodies"},
       {kHead + ".func f(.param .b32 a);\n.func f(.param .b64 a) { ret; }", "5 ptx-duplicate-name `f`"},
       {kHead + ".func (.reg .b32 a) f() { ret; }", "4 ptx-syntax `.reg`: parameters in registers"},
       {kHead + ".entry k() {\nret;\n", "6 ptx-syntax ``: expected `}`"},
       {kHead + ".entry k() .color 5 { ret; }", "4 ptx-syntax `.color`"},
       {kHead + ".global .align 3 .b32 x;", "4 ptx-syntax `3`: an alignment is a power of two"},
       {kHead + ".global .b32 x[2] = {1, 2, 3};", "4 ptx-syntax `3`: there are more values"},
       {kHead + ".global .b32 x[2] = {{1}, 2};", "4 ptx-syntax `{`: there are more braces"},
       {kHead + ".global .b32 x = 1.5;", "4 ptx-operand `1.5`"},
       {kHead + ".global .u64 x = y;", "4 ptx-unknown-name `y`"},
       {kHead + ".global .b32 x;\n.global .b32 x;", "5 ptx-duplicate-name `x`"},
       {kHead + ".global .b8 x[99999999999];", "4 ptx-limit"},
       {kHead + ".global .b8 x[65536][65536][2];", "4 ptx-limit"},
       {kHead + ".global .b8 x[2][2000000000] = {{}, {1}};", "4 ptx-limit `1`: the initial values"},
       {kHead + ".entry k() { .reg .b32 " + std::string(1000, 'n') + "<100000>; ret; }", "4 ptx-limit"},
       {kHead + ".entry k(.param .b8 a[40000]) { ret; }", "4 ptx-limit `k`"},
       {kHead + ".section .debug_info {", "4 ptx-syntax"},
       {kHead + ".entry k() { .shared .b8 a[200000]; .shared .b8 b[200000]; ret; }", "1 ptx-limit"}});
}

TEST_CASE("PTX faults: calls hand over as much as the function takes") {
  const std::string callee = ".extern .func (.param .b32 r) f (.param .b64 x);\n";
  const auto called = [&](const std::string& body) {
    return kHead + callee + ".entry k() {\n.param .b64 x; .param .b32 r; .param .b32 y; .reg .b64 %rd<2>;\n" +
           body + "\nret; }";
  };
  CHECK(wrong(called("call (r), f, (x);")) == "");
  check_modules({{called("call (r), f;"), "7 ptx-operand `call`: \"f\" has 1 parameters, and the call 0"},
                 {called("call f, (x);"), "7 ptx-operand `call`: \"f\" has 1 returns, and the call 0"},
                 {called("call (r), f, (y);"), "7 ptx-operand `call`: \"y\" has 4 bytes, and \"f\" wants 8"},
                 {called("call (r), f, (%rd1);"), "7 ptx-operand `%rd1`"},
                 {called("call (r), %rd1, (x);"), "7 ptx-operand `call`: a call through a register"},
                 {called("call (r), %rd1, (x), proto;"), "7 ptx-unknown-name `proto`"}});
}

TEST_CASE("PTX faults: the reader goes on behind each one, up to fifty") {
  const std::string text = in_kernel(
      "add.s31 %r1, %r2, %r3;\nadd.s32 %r1, %r2, %r3;\nst.x [a], {%r1, %r2};\n{ bra M; }\nld.global.v2.f32 "
      "{%q1, %f2}, [%rd1];");
  CHECK(wrong(text) ==
        "14 ptx-unknown-instruction `.s31`: add does not take \".s31\" here\n"
        "16 ptx-unknown-instruction `.x`: st does not take \".x\" here\n"
        "17 ptx-unknown-name `M`: no label is named \"M\" in this function\n"
        "18 ptx-unknown-name `%q1`: no register is named \"%q1\" here\n");
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "foo;\n";
  CHECK(read_module(in_kernel(many)).diagnostics.size() == 50);
}

TEST_CASE("PTX faults: a misspelled instruction gets a hint") {
  const std::string text = in_kernel("shfll.sync.up.b32 %r1, %r2, %r3, %r4, %r5;");
  CHECK(read_module(text).diagnostics.at(0).hint == "did you mean shfl?");
}
