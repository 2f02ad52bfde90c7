// A template's statements written with registers in the place of its tokens.
// It must not know ops, graphs or loops.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emit/conversion_code.h"
#include "emit/ptx_template.h"
#include "emit/ptx_writer.h"
#include "emit/target.h"
#include "launch/lowering.h"

namespace fuseboard {

/// Device functions and constant tables ("$two_over_pi") that a text needs, each after what it needs itself.
using FunctionList = std::vector<std::string>;

/// A register, or a known value that is written as the instruction's type wants.
struct TemplateOperand {
  std::string reg;
  std::optional<Element> immediate;
  Arithmetic arithmetic = Arithmetic::f32;
};

/// What the tokens stand for. Results are made when they are first written.
struct TemplateBinding {
  Arithmetic arithmetic = Arithmetic::f32;  ///< of t0 ..., d and .type
  DType dtype = DType::f32;                 ///< what `wrap` and the word `bits` speak of
  std::vector<TemplateOperand> operands;
  std::vector<std::string> operand_predicates;
  std::function<TemplateOperand(std::string_view name)> attribute;
  std::string index;
  bool wide_index = false;
  std::vector<RegisterClass> result_classes;
  std::vector<std::string> results;
  std::string result_predicate;
};

class TemplateCode {
 public:
  TemplateCode(PtxWriter& writer, const Target& target, FunctionList& functions)
      : writer_(writer), target_(target), functions_(functions), conversion_(writer, target) {}

  void write(const PtxTemplate& statements, TemplateBinding& binding);

 private:
  std::string bound(const Token& token, std::string_view type);
  std::string numbered(TokenKind kind, RegisterClass register_class, uint32_t index);
  void write_statement(const Statement& statement);
  void write_nan_propagating(std::string_view opcode, const std::vector<std::string>& operands);
  void write_call(const Statement& statement);
  std::string typed(std::string_view opcode) const;

  PtxWriter& writer_;
  const Target& target_;
  FunctionList& functions_;
  ConversionCode conversion_;
  TemplateBinding* binding_ = nullptr;
  std::map<std::pair<TokenKind, uint32_t>, std::string> names_;
};

/// Adds a function or table, with what it needs before it.
void add_function(FunctionList& functions, std::string_view name);

/// The PTX of a device function, or of a constant table, to stand before the entry.
std::string math_function_text(std::string_view name, const Target& target);

}  // namespace fuseboard
