// What every part of the reader shares while a PTX text becomes a module.
// It must not know how any part reads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ptx/forms.h"
#include "ptx/lexer.h"
#include "ptx/module.h"
#include "ptx/problems.h"
#include "ptx/scopes.h"
#include "ptx/written_operand.h"

namespace fuseboard::ptx {

/// An opcode with its words, as often as the text repeats it.
struct Spelling {
  bool is_known = false;
  Opcode opcode{};
  Words words;
  uint32_t forms = 0;  ///< bit i: form i takes the words
};

/// A name of a label that may still come.
struct LabelUse {
  std::string_view name;
  uint32_t offset = 0;
  bool in_elements = false;  ///< Function::elements, otherwise Function::operands
  uint32_t index = 0;
};

struct Reading {
  explicit Reading(std::string_view text) : lexer(text) {}

  Lexer lexer;
  Problems problems;
  Scopes scopes;
  Module module;
  std::unordered_map<std::string_view, Spelling> spellings;
  std::vector<LabelUse> label_uses;                    ///< of the open scopes
  std::vector<std::pair<uint32_t, uint32_t>> aliases;  ///< a header, and the function that it stands for
  uint64_t registers = 0;                              ///< of all functions
  uint64_t initial_bytes = 0;                          ///< of all variables
  uint32_t open_function = kNone;  ///< the index of the one that is being read; it is not in the module yet
  WrittenOperands written;         ///< of the instruction that is being read: its memory is used again

  bool failed_at(Code code, Span span, std::string message, std::string hint = {}) {
    problems.add(code, span, std::move(message), std::move(hint));
    return false;
  }
  /// "expected X, not Y" at the next token; false.
  bool expected(std::string_view what);
  /// As expected, but at the token before where the next one is on another line; false.
  bool missing(std::string_view what);
  /// Takes the mark, or complains; then false.
  bool require(std::string_view mark);
  /// Takes a word that is a name.
  std::optional<Token> require_name(std::string_view what);
  /// Takes a constant expression: an integer from 0 to `most`.
  std::optional<uint64_t> require_number(std::string_view what, uint64_t most);
  /// Takes a number without operators: of `.reg .b32 %r<12>`.
  std::optional<uint64_t> require_count(uint64_t most);
  /// Past the next `;`, or up to the next brace.
  void skip_statement();
};

// How much of anything one module may hold: far over what compilers write.
constexpr uint64_t kMostFunctionRegisters = uint64_t{1} << 18;
constexpr uint64_t kMostRegisters = uint64_t{1} << 20;
constexpr uint64_t kMostVariableBytes = uint64_t{1} << 32;
constexpr uint64_t kMostInitialBytes = uint64_t{1} << 26;  ///< of all variables
constexpr uint64_t kMostSharedBytes =
    227 * 1024;  ///< of a block, sm_90 (CUDA C++ Programming Guide, Compute Capabilities)
constexpr uint64_t kMostLocalBytes = 512 * 1024;  ///< of a thread (the same)
constexpr uint64_t kMostParameterBytes = 32764;   ///< PTX ISA, Kernel Function Parameters
constexpr uint32_t kMostDepth = 64;               ///< of braces

/// A constant expression (PTX ISA, Constant Expressions), without ?:. Iterative, at most 64 operators deep.
std::optional<Constant> read_constant(Reading& reading);

/// One literal (PTX ISA, Constants): 12, 0x1f, 0b101, 017, 1.5, 0f3F800000, 0d3FF0000000000000, with U
/// behind.
std::optional<Constant> number_from_text(std::string_view text);

/// As wide as `type` wants it: integers cut, floats converted; empty where `type` takes no such literal.
std::optional<int64_t> constant_as(const Constant& constant, Type type);

// Each reads one construct whose first token is next, and returns whether it could; what is wrong is told.
bool read_register_declaration(Reading& reading, Function& function);
/// `space` was taken.
bool read_variable(Reading& reading, StateSpace space, bool is_extern, bool in_body);
/// One parameter of a function's header; its index in Module::variables.
std::optional<uint32_t> read_parameter(Reading& reading);
/// `.entry` or `.func` was taken.
bool read_function(Reading& reading, bool is_entry);
bool read_instruction(Reading& reading, Function& function);
/// .branchtargets, .calltargets or .callprototype, whose directive is next, under the name before it.
bool read_named_list(Reading& reading, Function& function, const Token& name);

/// Gives shared variables, parameters and frames their offsets, and entries their sizes.
void lay_out(Reading& reading);

/// Up to the next multiple of `align`, a power of two.
inline uint64_t aligned(uint64_t offset, uint64_t align) { return (offset + align - 1) & ~(align - 1); }

}  // namespace fuseboard::ptx
