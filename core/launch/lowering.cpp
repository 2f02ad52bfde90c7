// Reading the op table's PTX column for one op.
// It must not know kernels, nor what the statements mean.
#include "launch/lowering.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "base/words.h"
#include "graph/infer.h"

namespace fuseboard {
namespace {

/// Cuts "fast f32:" off; "" where the statements stand without a tag.
std::string_view take_tag(std::string_view& statements) {
  const size_t colon = statements.find(':');
  if (colon == std::string_view::npos) return {};
  const std::string_view tag = statements.substr(0, colon);
  const bool is_words = std::all_of(tag.begin(), tag.end(), [](char c) {
    return c == ' ' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  });
  if (!is_words) return {};  // a label, or one behind it
  statements = trimmed(statements.substr(colon + 1));
  return tag;
}

/// Whether one word of a tag holds.
bool holds(std::string_view word, const LoweringQuestion& question) {
  const std::string_view text = arithmetic_text(question.arithmetic);
  const bool is_integer = text[0] == 's' || text[0] == 'u';
  if (word == "fast") return question.math == Math::fast;
  if (word == "precise") return question.math == Math::precise;
  if (word == "narrow") return question.is_narrow;
  if (word == "constant") return question.by_constant;
  if (word == "exact") return question.by_power;
  if (word == "two") return question.known_b && *question.known_b == 2;
  if (word == "three") return question.known_b && *question.known_b == 3;
  if (word == "float") return text[0] == 'f';
  if (word == "int") return is_integer;
  if (word == "signed") return text[0] == 's';
  if (word == "unsigned") return text[0] == 'u';
  if (word == "int32") return is_integer && text.ends_with("32");
  if (word == "int64") return is_integer && text.ends_with("64");
  return word == text;
}

/// Whether all of a tag's words hold; bool has to be named.
bool is_meant(std::string_view tag, const LoweringQuestion& question) {
  if (question.arithmetic == Arithmetic::pred) return tag == "pred";
  while (!tag.empty()) {
    if (!holds(take_until(tag, ' '), question)) return false;
  }
  return true;
}

}  // namespace

std::string_view arithmetic_text(Arithmetic arithmetic) {
  constexpr std::string_view kTexts[kArithmetics] = {"pred", "s32", "u32", "s64", "u64", "f32", "f64"};
  return kTexts[static_cast<size_t>(arithmetic)];
}

bool is_float(Arithmetic arithmetic) {
  return arithmetic == Arithmetic::f32 || arithmetic == Arithmetic::f64;
}

Arithmetic arithmetic_of(DType dtype) {
  const bool wide = dtype_bytes(dtype) == 8;
  switch (dtype_class(dtype)) {
    case DTypeClass::Bool:
      return Arithmetic::pred;
    case DTypeClass::Unsigned:
      return wide ? Arithmetic::u64 : Arithmetic::u32;
    case DTypeClass::Signed:
      return wide ? Arithmetic::s64 : Arithmetic::s32;
    case DTypeClass::Float:
      return wide ? Arithmetic::f64 : Arithmetic::f32;
    case DTypeClass::Foreign:
      break;
  }
  return Arithmetic::f32;
}

DType dtype_of(Arithmetic arithmetic) {
  constexpr DType kDTypes[kArithmetics] = {DType::boolean, DType::i32, DType::u32, DType::i64,
                                           DType::u64,     DType::f32, DType::f64};
  return kDTypes[static_cast<size_t>(arithmetic)];
}

std::string_view alternative(std::string_view column, const LoweringQuestion& question) {
  while (!column.empty()) {
    std::string_view statements = trimmed(take_until(column, '|'));
    if (is_meant(take_tag(statements), question)) return statements;
  }
  return {};
}

Lowering lowering_of(const FusionGraph& graph, const FusionOp& op, Math math, std::optional<double> known_b) {
  const std::string_view column = op_info(op.kind).ptx;
  Lowering out;
  out.dtype = computing_dtype(graph, op);
  out.arithmetic = arithmetic_of(out.dtype);
  out.operands = out.arithmetic;
  const AttributeValue* total_order = op.attribute("total_order");
  const bool* by_bits = total_order == nullptr ? nullptr : std::get_if<bool>(total_order);
  if (by_bits != nullptr && *by_bits && dtype_class(out.dtype) == DTypeClass::Float) {
    out.arithmetic = out.arithmetic == Arithmetic::f64 ? Arithmetic::s64 : Arithmetic::s32;
    out.dtype = dtype_of(out.arithmetic);
  }
  LoweringQuestion question{out.arithmetic, math, dtype_bytes(out.dtype) < 4, false, false, known_b};
  if (known_b && std::isnormal(*known_b)) {
    const double inverse = 1 / *known_b;
    const double least = out.arithmetic == Arithmetic::f32 ? 0x1p-126 : 0x1p-1022;
    const double most = out.arithmetic == Arithmetic::f32 ? 0x1p126 : 0x1p1022;
    int exponent = 0;
    question.by_constant = std::fabs(inverse) >= least && std::fabs(inverse) <= most;
    question.by_power = question.by_constant && std::fabs(std::frexp(*known_b, &exponent)) == 0.5;
  }
  out.statements = alternative(column, question);
  if (out.arithmetic != Arithmetic::pred || !out.statements.empty()) return out;
  return {Arithmetic::f32, Arithmetic::f32, DType::f32,
          alternative(column, {Arithmetic::f32, math, false, false, false, {}})};
}

DType scalar_dtype(const FusionGraph& graph, const FusionOp& op) {
  const Arithmetic own = arithmetic_of(computing_dtype(graph, op));
  return own == Arithmetic::pred ? DType::f32 : dtype_of(own);
}

}  // namespace fuseboard
