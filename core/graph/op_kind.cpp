// Look-ups over the op table.
// It must not know graphs.
#include "graph/op_kind.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "base/nearest_word.h"
#include "base/words.h"

namespace fuseboard {
namespace {

constexpr OpInfo kRows[] = {
#define OP(identifier, text, op_class, least, most, attributes, dtype_rule, shape_rule, names, reference, \
           fast, precise, f64, slack, source, ptx)                                                        \
  {OpKind::identifier,                                                                                    \
   text,                                                                                                  \
   OpClass::op_class,                                                                                     \
   least,                                                                                                 \
   most,                                                                                                  \
   attributes,                                                                                            \
   DTypeRule::dtype_rule,                                                                                 \
   ShapeRule::shape_rule,                                                                                 \
   names,                                                                                                 \
   #reference,                                                                                            \
   fast,                                                                                                  \
   precise,                                                                                               \
   f64,                                                                                                   \
   #slack,                                                                                                \
   source,                                                                                                \
   ptx},
#include "graph/ops.def"
};

using Index = std::unordered_map<std::string_view, OpKind>;

Index index_of_names() {
  Index index;
  for (const OpInfo& row : kRows) {
    std::string_view names = row.names;
    while (!names.empty()) {
      index.emplace(take_until(names, ' '), row.kind);
    }
  }
  return index;
}

Index index_of_texts() {
  Index index;
  for (const OpInfo& row : kRows) {
    if (row.kind != OpKind::foreign) index.emplace(row.text, row.kind);
  }
  return index;
}

std::optional<OpKind> find(const Index& index, std::string_view key) {
  const auto found = index.find(key);
  return found == index.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

const OpInfo& op_info(OpKind kind) { return kRows[static_cast<size_t>(kind)]; }
uint32_t op_kind_count() { return static_cast<uint32_t>(std::size(kRows)); }
std::string_view op_text(OpKind kind) { return op_info(kind).text; }

std::string_view op_class_text(OpClass op_class) {
  switch (op_class) {
    case OpClass::Source:
      return "source";
    case OpClass::Point:
      return "point";
    case OpClass::View:
      return "view";
    case OpClass::Reduce:
      return "reduce";
    case OpClass::Move:
      return "move";
    case OpClass::Opaque:
      return "opaque";
  }
  return "";
}

std::optional<OpKind> op_kind_from_text(std::string_view text) {
  static const Index index = index_of_texts();
  return find(index, text);
}

std::optional<OpKind> op_kind_from_name(std::string_view system, std::string_view name) {
  static const Index index = index_of_names();
  std::string key(system);
  key += ':';
  key += name;
  return find(index, key);
}

std::string likely_kind(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  NearestWord near(lower);
  for (const OpInfo& row : kRows) {
    if (row.kind != OpKind::foreign) near.offer(row.text);
  }
  return near.best();
}

}  // namespace fuseboard
