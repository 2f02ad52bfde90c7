// An op's attributes from JSON, checked against the attributes column of its row.
// It must not know graphs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/json_tape.h"
#include "graph/fusion_graph.h"

namespace fuseboard {

/// One entry of an attributes column: "axes:ints?", "negative_slope:number?=0.01".
struct AttributeRule {
  std::string_view name;
  std::string_view type;  ///< scalar number int ints bool word
  bool optional = false;
};

/// The rule for `name` in a row; an empty name where the row has none.
AttributeRule attribute_rule(const OpInfo& info, std::string_view name);

/// All rules of a row.
std::vector<AttributeRule> attribute_rules(const OpInfo& info);

/// The value at `node` as `type`, or nothing where it is of another type. Numbers may be written "nan",
/// "inf", "-inf".
std::optional<AttributeValue> attribute_value(const JsonTape& tape, uint32_t node, std::string_view type);

/// The value of any attribute of a foreign op, as it stands; nothing for what no attribute can hold.
std::optional<AttributeValue> foreign_attribute_value(const JsonTape& tape, uint32_t node);

}  // namespace fuseboard
