// Short words for tests of the PTX reader: wrap instructions into a module, read, tell what is wrong where.
// It must not know what is tested.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "catch.h"
#include "ptx/read.h"

namespace ptx_checks {

using namespace fuseboard;
using namespace fuseboard::ptx;

inline const std::string kHead = ".version 8.6\n.target sm_90\n.address_size 64\n";

/// The line of the first instruction that `in_kernel` is given.
constexpr uint32_t kFirstLine = 14;

/// An entry with registers of every kind, a variable of every space and the label L at its end.
inline std::string in_kernel(const std::string& body) {
  return kHead +
         ".global .align 16 .b8 g[64];\n"
         ".const .align 16 .b8 c[64];\n"
         ".visible .entry k(.param .u64 a, .param .f32 b)\n"
         "{\n"
         ".reg .pred %p<9>; .reg .b16 %rs<19>; .reg .b32 %r<19>; .reg .b64 %rd<19>; .reg .b128 %rq<19>;\n"
         ".reg .f32 %f<19>; .reg .f64 %fd<19>; .reg .s32 %s<9>; .reg .u32 %u<9>; .reg .u16 %us<9>;\n"
         ".reg .f16 %h<9>; .reg .f16x2 %hh<9>;\n"
         ".shared .align 16 .b8 sh[64];\n"
         ".local .align 16 .b8 loc[64];\n"
         "// the instructions\n" +
         body + "\nL: ret;\n}\n";
}

inline uint32_t line_of(std::string_view text, uint32_t offset) {
  return 1 + static_cast<uint32_t>(std::count(text.begin(), text.begin() + offset, '\n'));
}

/// "line code `token`: message" of every diagnostic.
inline std::string told(std::string_view text, const std::vector<Diagnostic>& diagnostics) {
  std::string all;
  for (const Diagnostic& each : diagnostics) {
    all += std::to_string(line_of(text, each.place.offset)) + " " + std::string(code_text(each.code)) + " `" +
           std::string(text.substr(each.place.offset, each.place.length)) + "`: " + each.message + "\n";
  }
  return all;
}

/// What is wrong with a text; "" where it reads.
inline std::string wrong(const std::string& text) { return told(text, read_module(text).diagnostics); }

/// The module of a text that must read.
inline Module module_of(const std::string& text) {
  Result<Module> read = read_module(text);
  INFO(told(text, read.diagnostics));
  REQUIRE(read);
  return std::move(*read.value);
}

/// The kernel of `in_kernel` that must read, without its last instruction, a ret.
inline Function kernel_of(const std::string& body) {
  Function kernel = *module_of(in_kernel(body)).entry("k");
  kernel.instructions.pop_back();
  return kernel;
}

inline const Operand& operand(const Function& function, size_t instruction, size_t index) {
  const Instruction& of = function.instructions.at(instruction);
  REQUIRE(index < of.operand_count);
  return function.operands.at(of.first_operand + index);
}

inline std::string register_name(const Function& function, const Operand& operand) {
  REQUIRE(operand.kind == OperandKind::reg);
  return function.registers.at(operand.index).name;
}

}  // namespace ptx_checks
