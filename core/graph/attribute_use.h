// An op's attributes as its row asks for them: what is given, what the row says otherwise, as numbers and
// flags. It must not know the texts that attributes come from, nor PTX.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "graph/evaluate.h"
#include "graph/fusion_graph.h"

namespace fuseboard {

/// One attribute of a row, for one op.
struct AttributeUse {
  std::string_view name;
  std::string_view type;        ///< "number", "int", "ints", ...
  bool optional = false;        ///< it may be absent
  bool given = false;           ///< the op has it, or the row has a default
  std::optional<double> value;  ///< given and one number
};

/// The row's attributes in its order.
std::vector<AttributeUse> attribute_uses(const FusionOp& op);

/// The attribute that must come as a kernel parameter: a number that neither op nor row gives. "" where none.
std::string_view unknown_scalar(const FusionOp& op);

/// A number, or true and false, or the words inf, -inf, nan.
std::optional<double> as_number(const AttributeValue& value);

/// A bool attribute that is there and true.
bool has_flag(const FusionOp& op, std::string_view name);

/// The one element of a constant as its dtype has it; nothing where its value is not known or no number.
std::optional<Element> known_value(const FusionOp& op);

}  // namespace fuseboard
