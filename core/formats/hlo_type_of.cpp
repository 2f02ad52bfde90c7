// The type of an instruction: what its shape says, or where it is left out what its operands and computations
// say. It must not know inlining.
#include "formats/hlo_type_of.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <tuple>
#include <utility>

#include "base/checked.h"
#include "formats/hlo_attributes.h"
#include "formats/hlo_op.h"

namespace fuseboard {
namespace {

constexpr int kShapeHops = 64;  ///< shapes left out in a row that are followed

}  // namespace

uint32_t HloTypeOf::computation(const HloInstruction& instruction, std::string_view key) {
  const HloAttribute* found = module_.attribute(instruction, key);
  if (found == nullptr) return kHloNone;
  if (found->computation != kHloNone) return found->computation;
  std::string_view name = lexer_.view(found->value);
  if (name.starts_with("%")) name.remove_prefix(1);
  const auto index = module_.by_name.find(name);
  if (index != module_.by_name.end()) return index->second;
  problems_.error(Code::dangling_input, found->value, lexer_.view(instruction.name),
                  std::string(lexer_.view(instruction.name).substr(0, 80)) + " applies " +
                      std::string(name.substr(0, 80)) + ", which is no computation of the module",
                  "Paste the whole module.");
  return kHloNone;
}

HloSpan HloTypeOf::shape(const HloInstruction& instruction) {
  const HloInstruction* at = &instruction;
  for (int hop = 0; hop < kShapeHops; ++hop) {
    if (at->shape.length > 0) return at->shape;
    const std::string_view opcode = lexer_.view(at->opcode);
    if (opcode != "fusion" && opcode != "conditional") return {};
    const uint32_t callee = computation(*at, opcode == "fusion" ? "calls" : "true_computation");
    if (callee == kHloNone || module_.computations[callee].root == kHloNone) return {};
    at = &module_.instructions[module_.computations[callee].first + module_.computations[callee].root];
  }
  return {};
}

bool HloTypeOf::yields_operand(std::string_view opcode) {
  constexpr std::string_view kThese[] = {"while",
                                         "opt-barrier",
                                         "domain",
                                         "add-dependency",
                                         "all-reduce",
                                         "collective-permute",
                                         "dynamic-update-slice",
                                         "scatter",
                                         "sort",
                                         "cholesky"};
  return std::find(std::begin(kThese), std::end(kThese), opcode) != std::end(kThese);
}

bool HloTypeOf::is_tuple(HloSpan shape) const {
  if (shape.length == 0) return false;
  if (lexer_.at(shape.offset) == '(') return true;
  return lexer_.at(shape.offset) == 'b' && lexer_.at(shape.offset + 1) == '(' &&
         lexer_.at(lexer_.skip_space(shape.offset + 2)) == '(';
}

std::optional<HloArray> HloTypeOf::array(const HloInstruction& instruction, const FusionGraph& graph,
                                         const FusionOp& op) {
  const std::string_view path = lexer_.view(instruction.name);
  const HloSpan text = shape(instruction);
  if (text.length > 0) return read_array(lexer_, text, path, problems_);
  const std::string_view opcode = lexer_.view(instruction.opcode);
  if (opcode == "after-all" || opcode == "create-token") {
    HloArray token;
    token.dtype = DType::foreign;
    token.dtype_bytes = 1;
    token.foreign_dtype = "token";
    token.shape = {0};
    return token;
  }
  if (std::find(op.inputs.begin(), op.inputs.end(), kNoOp) != op.inputs.end())
    return std::nullopt;  // said already
  if (yields_operand(opcode) && !op.inputs.empty()) return array_of(graph.op(op.inputs[0]));
  std::optional<HloArray> inferred =
      opcode == "dot" ? dot(instruction, graph, op) : infer_hlo_array(graph, op);
  if (!inferred) {
    problems_.error(Code::syntax, instruction.opcode, path,
                    std::string(opcode.substr(0, 80)) + " " + std::string(path.substr(0, 80)) +
                        " has no shape, and its operands do not tell it",
                    "Write the shape between = and the opcode.");
  }
  return inferred;
}

std::optional<HloArray> HloTypeOf::dot(const HloInstruction& instruction, const FusionGraph& graph,
                                       const FusionOp& op) {
  if (op.inputs.size() != 2) return std::nullopt;
  const FusionOp& a = graph.op(op.inputs[0]);
  const FusionOp& b = graph.op(op.inputs[1]);
  HloArray array;
  array.dtype = promote(a.dtype, b.dtype);
  array.dtype_bytes = std::max(a.dtype_bytes, b.dtype_bytes);
  array.foreign_dtype = array.dtype == DType::foreign ? a.foreign_dtype : std::string();
  Shape free;
  for (const auto& [side, batch_key, contracting_key] :
       {std::tuple(&a, "lhs_batch_dims", "lhs_contracting_dims"),
        std::tuple(&b, "rhs_batch_dims", "rhs_contracting_dims")}) {
    const std::vector<int64_t> batch = read_ints(lexer_, module_, instruction, batch_key, problems_);
    const std::vector<int64_t> contracting =
        read_ints(lexer_, module_, instruction, contracting_key, problems_);
    const auto& dims = side->output_shape;
    for (const int64_t i : batch) {
      if (i < 0 || static_cast<uint64_t>(i) >= dims.size()) return std::nullopt;
      if (side == &a) array.shape.push_back(dims[static_cast<size_t>(i)]);
    }
    std::vector<bool> used(dims.size(), false);
    for (const std::vector<int64_t>* list : {&batch, &contracting}) {
      for (const int64_t i : *list) {
        if (i < 0 || static_cast<uint64_t>(i) >= dims.size()) return std::nullopt;
        used[static_cast<size_t>(i)] = true;
      }
    }
    for (size_t i = 0; i < dims.size(); ++i) {
      if (!used[i]) free.push_back(dims[i]);
    }
  }
  array.shape.insert(array.shape.end(), free.begin(), free.end());
  return array;
}

std::optional<uint32_t> HloTypeOf::tree(const HloInstruction& instruction, HloSpan shape) {
  const auto found = trees_.find(&instruction);
  if (found != trees_.end()) return found->second;
  const auto first = static_cast<uint32_t>(types_.nodes.size());
  const std::optional<uint32_t> root =
      read_type(lexer_, shape, lexer_.view(instruction.name), types_, problems_);
  trees_.emplace(&instruction, root);
  if (root) first_node_.emplace(*root, first);
  return root;
}

uint64_t HloTypeOf::bytes(uint32_t first, uint32_t root, const HloInstruction& instruction) {
  uint64_t total = 0;
  for (uint32_t node = first; node <= root; ++node) {
    if (types_.nodes[node].is_tuple) continue;
    const HloArray& array = types_.arrays[types_.nodes[node].array];
    const std::optional<uint64_t> own = tensor_bytes(array.shape, array.dtype_bytes);
    const std::optional<uint64_t> sum = own ? checked_add(total, *own) : std::nullopt;
    if (!sum) {
      problems_.error(Code::overflow, instruction.whole, lexer_.view(instruction.name),
                      "The results of " + std::string(lexer_.view(instruction.name).substr(0, 80)) +
                          " take more bytes than 64 bits count",
                      "Use smaller shapes.");
      return UINT64_MAX;
    }
    total = *sum;
  }
  return total;
}

HloArray HloTypeOf::array_of(const FusionOp& op) {
  return {op.dtype, op.dtype_bytes, op.foreign_dtype, op.output_shape, {}};
}

void HloTypeOf::give(const HloArray& array, FusionOp& op) {
  op.dtype = array.dtype;
  op.dtype_bytes = array.dtype_bytes;
  op.foreign_dtype = array.foreign_dtype;
  op.output_shape = array.shape;
}

}  // namespace fuseboard
