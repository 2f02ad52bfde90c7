// Reading the op table's attributes column for one op.
// It must not know the texts that attributes come from, nor PTX.
#include "graph/attribute_use.h"

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

bool has_flag(const FusionOp& op, std::string_view name) {
  const AttributeValue* value = op.attribute(name);
  const bool* flag = value == nullptr ? nullptr : std::get_if<bool>(value);
  return flag != nullptr && *flag;
}

std::optional<Element> known_value(const FusionOp& op) {
  const AttributeValue* value = op.attribute("value");
  if (value == nullptr) return std::nullopt;
  if (const auto* whole = std::get_if<int64_t>(value))  // a double would round it past 2^53
    return converted(DType::i64, op.dtype, {0, static_cast<uint64_t>(*whole)});
  if (const auto* whole = std::get_if<uint64_t>(value)) return converted(DType::u64, op.dtype, {0, *whole});
  const std::optional<double> number = as_number(*value);
  return number ? std::optional(converted(DType::f64, op.dtype, {*number, 0})) : std::nullopt;
}

}  // namespace fuseboard
