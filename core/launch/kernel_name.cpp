// Joining the names of a kernel's first ops.
// It must not know loops, rows, nor PTX.
#include "launch/kernel_name.h"

#include "launch/names.h"

namespace fuseboard {
namespace {

std::string word_of(const FusionOp& op) {
  const AttributeValue* given = op.op_class() == OpClass::Reduce ? op.attribute("reducer") : nullptr;
  const std::string* reducer = given == nullptr ? nullptr : std::get_if<std::string>(given);
  const std::string word = reducer == nullptr ? "" : identifier_of(*reducer, 14);
  return word.empty() ? std::string(op.kind_text()) : word;
}

/// "layer_norm" of "LayerNorm", "l2_norm" of "L2Norm".
std::string in_lower_case(std::string_view pattern) {
  std::string out;
  for (const char c : pattern) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    if (is_upper && !out.empty()) out += '_';
    out += is_upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

}  // namespace

KernelName kernel_name(const FusionGraph& graph, std::span<const uint32_t> members, uint32_t group,
                       std::string_view pattern) {
  const std::string number = "_" + std::to_string(group);
  if (!pattern.empty()) return {in_lower_case(pattern), in_lower_case(pattern) + number};
  std::string words;
  std::string names;
  uint32_t computing = 0;
  for (const uint32_t id : members) {
    const FusionOp& op = graph.op(id);
    if (op.op_class() != OpClass::Point && op.op_class() != OpClass::Reduce) continue;
    if (++computing > 4) break;
    if (computing == 4) words += "_etc";
    if (computing == 4) continue;
    const std::string word = word_of(op);
    words += (computing == 1 ? "" : "_") + word;
    const std::string own = identifier_of(op.name, 14);
    names += (computing == 1 ? "" : "_") + (own.empty() ? word : own);
  }
  std::string entry = computing > 1 ? "fused_" + names : words;
  if (computing == 1 && names != words) entry += "_" + names;
  return {words, entry + number};
}

}  // namespace fuseboard
