// Reading the op table's attributes and PTX columns for one op.
// It must not know kernels, nor what the statements mean.
#include "launch/lowering.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>

#include "base/words.h"

namespace fuseboard {
namespace {

std::optional<double> number_of_word(std::string_view word) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  if (word == "inf" || word == "+inf" || word == "infinity") return kInf;
  if (word == "-inf" || word == "-infinity") return -kInf;
  if (word == "nan" || word == "-nan") return std::numeric_limits<double>::quiet_NaN();
  const std::string copy(word);  // std::from_chars of a double came late to libc++
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (copy.empty() || end != copy.c_str() + copy.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string_view arithmetic_text(Arithmetic arithmetic) {
  switch (arithmetic) {
    case Arithmetic::f32:
      return "f32";
    case Arithmetic::pred:
      return "pred";
  }
  return "";
}

std::string_view alternative(std::string_view column, Arithmetic arithmetic) {
  constexpr Arithmetic kAll[] = {Arithmetic::f32, Arithmetic::pred};
  while (!column.empty()) {
    std::string_view statements = trimmed(take_until(column, '|'));
    Arithmetic tagged = Arithmetic::f32;
    for (const Arithmetic each : kAll) {
      const std::string_view tag = arithmetic_text(each);
      if (!statements.starts_with(tag) || statements.substr(tag.size(), 1) != ":") continue;
      tagged = each;
      statements = trimmed(statements.substr(tag.size() + 1));
      break;
    }
    if (tagged == arithmetic) return statements;
  }
  return {};
}

DType operand_dtype(const FusionGraph& graph, const FusionOp& op) {
  if (op.inputs.empty()) return op.dtype;
  size_t first = 0;
  size_t last = op.inputs.size();
  switch (op_info(op.kind).dtype_rule) {
    case DTypeRule::First:
      last = 1;
      break;
    case DTypeRule::Select:
      first = std::min<size_t>(1, last - 1);
      break;
    case DTypeRule::Given:
    case DTypeRule::Promote:
    case DTypeRule::Float:
    case DTypeRule::Bool:
    case DTypeRule::Clamp:
      break;
  }
  DType dtype = graph.op(op.inputs[first]).dtype;
  for (size_t i = first + 1; i < last; ++i) dtype = promote(dtype, graph.op(op.inputs[i]).dtype);
  return dtype;
}

Lowering lowering_of(const FusionGraph& graph, const FusionOp& op, Math math) {
  const OpInfo& info = op_info(op.kind);
  const std::string_view column = math == Math::fast ? info.ptx_fast : info.ptx_precise;
  if (operand_dtype(graph, op) == DType::boolean) {
    const std::string_view statements = alternative(column, Arithmetic::pred);
    if (!statements.empty()) return {Arithmetic::pred, statements};
  }
  return {Arithmetic::f32, alternative(column, Arithmetic::f32)};
}

std::optional<double> as_number(const AttributeValue& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? 1.0 : 0.0;
  if (const int64_t* integer = std::get_if<int64_t>(&value)) return static_cast<double>(*integer);
  if (const uint64_t* natural = std::get_if<uint64_t>(&value)) return static_cast<double>(*natural);
  if (const double* real = std::get_if<double>(&value)) return *real;
  if (const std::string* word = std::get_if<std::string>(&value)) return number_of_word(*word);
  return std::nullopt;
}

std::vector<AttributeUse> attribute_uses(const FusionOp& op) {
  std::vector<AttributeUse> uses;
  std::string_view rest = op_info(op.kind).attributes;
  while (!rest.empty()) {
    std::string_view word = take_until(rest, ' ');
    AttributeUse use;
    use.name = take_until(word, ':');
    use.type = take_until(word, '=');
    if (!word.empty()) use.value = number_of_word(word);
    use.given = use.value.has_value();
    if (use.type.ends_with('?')) {
      use.optional = true;
      use.type.remove_suffix(1);
    }
    if (const AttributeValue* own = op.attribute(use.name)) {
      use.given = true;
      use.value = as_number(*own);
    }
    uses.push_back(use);
  }
  return uses;
}

std::string_view unknown_scalar(const FusionOp& op) {
  if (op_info(op.kind).attributes.empty()) return {};
  for (const AttributeUse& use : attribute_uses(op)) {
    if (use.type == "number" && use.optional && !use.given) return use.name;
  }
  return {};
}

}  // namespace fuseboard
