// Parsing the attributes column, and values by its types.
// It must not know graphs.
#include "formats/op_attributes.h"

#include <algorithm>
#include <limits>

#include "base/words.h"

namespace fuseboard {
namespace {

std::optional<double> number(const JsonTape& tape, uint32_t node) {
  if (tape.is(node, JsonTape::Type::number)) return tape.as_double(node);
  if (!tape.is(node, JsonTape::Type::string)) return std::nullopt;
  const std::string word = tape.string(node);
  if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (word == "inf") return std::numeric_limits<double>::infinity();
  if (word == "-inf") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

std::optional<AttributeValue> scalar(const JsonTape& tape, uint32_t node) {
  if (const std::optional<bool> value = tape.as_bool(node)) return AttributeValue(*value);
  if (const std::optional<int64_t> value = tape.as_i64(node)) return AttributeValue(*value);
  if (const std::optional<uint64_t> value = tape.as_u64(node)) return AttributeValue(*value);
  if (const std::optional<double> value = number(tape, node)) return AttributeValue(*value);
  return std::nullopt;
}

std::optional<AttributeValue> ints(const JsonTape& tape, uint32_t node) {
  if (!tape.is(node, JsonTape::Type::array)) return std::nullopt;
  std::vector<int64_t> values;
  for (uint32_t at = node + 1; at < tape[node].end; at = tape[at].end) {
    const std::optional<int64_t> value = tape.as_i64(at);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return AttributeValue(std::move(values));
}

}  // namespace

std::vector<AttributeRule> attribute_rules(const OpInfo& info) {
  std::vector<AttributeRule> rules;
  std::string_view rest = info.attributes;
  while (!rest.empty()) {
    const std::string_view word = take_until(rest, ' ');
    const size_t colon = word.find(':');
    const size_t type_end = std::min(word.find_first_of("?=", colon), word.size());
    rules.push_back(
        {word.substr(0, colon), word.substr(colon + 1, type_end - colon - 1), type_end < word.size()});
  }
  return rules;
}

AttributeRule attribute_rule(const OpInfo& info, std::string_view name) {
  if (info.attributes.empty()) return {};
  for (const AttributeRule& rule : attribute_rules(info)) {
    if (rule.name == name) return rule;
  }
  return {};
}

std::optional<AttributeValue> attribute_value(const JsonTape& tape, uint32_t node, std::string_view type) {
  if (type == "scalar") return scalar(tape, node);
  if (type == "ints") return ints(tape, node);
  if (type == "number") {
    const std::optional<double> value = number(tape, node);
    return value ? std::optional<AttributeValue>(*value) : std::nullopt;
  }
  if (type == "int") {
    const std::optional<int64_t> value = tape.as_i64(node);
    return value ? std::optional<AttributeValue>(*value) : std::nullopt;
  }
  if (type == "bool") {
    const std::optional<bool> value = tape.as_bool(node);
    return value ? std::optional<AttributeValue>(*value) : std::nullopt;
  }
  if (type == "word" && tape.is(node, JsonTape::Type::string)) return AttributeValue(tape.string(node));
  return std::nullopt;
}

std::optional<AttributeValue> foreign_attribute_value(const JsonTape& tape, uint32_t node) {
  if (tape.is(node, JsonTape::Type::string)) return AttributeValue(tape.string(node));
  if (tape.is(node, JsonTape::Type::array)) return ints(tape, node);
  return scalar(tape, node);
}

}  // namespace fuseboard
