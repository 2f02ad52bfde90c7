// Reading one attribute.
// It must not know what reducers do.
#include "graph/reducer_of.h"

#include <string>
#include <variant>

#include "graph/reducer.h"

namespace fuseboard {

std::string_view reducer_of(const FusionOp& reduce) {
  const AttributeValue* named = reduce.attribute("reducer");
  const std::string* name = named == nullptr ? nullptr : std::get_if<std::string>(named);
  return name == nullptr ? std::string_view() : std::string_view(*name);
}

bool has_known_reducer(const FusionOp& reduce) { return Reducer::is_known(reducer_of(reduce)); }

}  // namespace fuseboard
