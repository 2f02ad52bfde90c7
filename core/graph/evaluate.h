// Reference values: what the op table's reference column says of an element, an op, a graph.
// It must not know plans, kernels or PTX: it is what they are held against.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/fusion_graph.h"

namespace fuseboard {

/// One element: a float's value in `real` (f64 and all narrower floats exactly), an integer's in `bits`
/// (sign- or zero-extended to 64 bits as its dtype says), a bool's in `bits` (0 or 1).
struct Element {
  double real = 0;
  uint64_t bits = 0;
};

/// Bytes of memory (little endian) as an element and back; to_bytes rounds to nearest even. Not for foreign.
Element element_from_bytes(DType dtype, const uint8_t* bytes);
void element_to_bytes(DType dtype, Element element, uint8_t* bytes);

/// "0.25", "-7", "true", "nan", "0x1p-1074" where decimal would lie: for people.
std::string element_text(DType dtype, Element element);

/// A value of one dtype as another, as `cast` does: floats round to nearest even; to integers they are cut
/// towards zero, saturate, and NaN gives 0 (as XLA); integers wrap; bool is "not zero".
Element converted(DType from, DType to, Element element);

/// The linear offset, in the operand's own shape, of the element that element `offset` (linear, row-major) of
/// a Point, View or Move reads, by the row's rule and NumPy's broadcasting. Nothing where the operand is not
/// read: the first of a pad where the element is padding (and the second elsewhere), the other operands of a
/// concat. Not for gather. O(rank), no allocation.
std::optional<uint64_t> operand_offset(const FusionGraph& graph, uint32_t op, uint32_t input,
                                       uint64_t offset);

/// How far a value is from the row's reference on its operands.
struct Held {
  bool holds = false;  ///< within the bound: NaN for NaN; where the bound is 0, bit for bit
  double ulps = 0;     ///< the distance to the unrounded reference in units in the last place of the result's
                       ///< arithmetic type; 0 where equal to the rounded one
  double bound = 0;    ///< in such units: the row's, with its slack where the value is not equal
  Element expected;
};

/// The reference column of one Point op, made ready to be asked for many elements. Operand values are as
/// their ops' dtypes have them (a float operand of f16 or bf16 may hold more than its dtype can: inside a
/// kernel it stays f32). Mixed operands promote as in PyTorch. A row of bound 0 is computed in the type
/// itself; f32 and narrower otherwise in double, f64 in long double. Then it is rounded to what the op's
/// value is inside a kernel: f32 for f16 and bf16 unless the op is a cast, else its dtype.
class PointReference {
 public:
  /// `scalar`: the value of an attribute that comes as a kernel parameter.
  PointReference(const FusionGraph& graph, uint32_t op, std::optional<double> scalar = {});
  PointReference(PointReference&&) noexcept;
  PointReference& operator=(PointReference&&) noexcept;
  ~PointReference();

  /// `offset` of the element: iota needs it.
  Element value(std::span<const Element> operands, uint64_t offset) const;
  Held hold(std::span<const Element> operands, uint64_t offset, bool fast, Element got) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The same for one element.
struct PointQuestion {
  uint32_t op = 0;
  std::span<const Element> operands;
  uint64_t offset = 0;
  std::optional<double> scalar;
};
Element point_value(const FusionGraph& graph, const PointQuestion& question);
Held hold(const FusionGraph& graph, const PointQuestion& question, bool fast, Element got);

/// The tensors of every op, each rounded to its own dtype; library calls included where they have a reference
/// (matmul, reduce, the moves). An op without one (conv, sort, scatter, call, foreign, a gather without
/// `axis`), or whose tensor is too large, is left empty, as is whoever depends on it, unless `given` has it.
/// Iterative. O(elements), times the folded length for matmul and reduce.
struct Tensor {
  bool known = false;
  std::vector<uint8_t> bytes;  ///< row-major, little endian
};
struct EvaluateOptions {
  uint64_t most_elements = uint64_t{1} << 24;  ///< of one tensor, and of the products of a matmul or reduce
  double scalar = 1;                           ///< the value of attributes that come as kernel parameters
};
std::vector<Tensor> evaluate(const FusionGraph& graph, std::vector<Tensor> given,
                             const EvaluateOptions& options = {});

/// One op from its operands' tensors; nothing where it has no reference.
std::optional<Tensor> evaluate_op(const FusionGraph& graph, uint32_t op,
                                  std::span<const Tensor* const> operands,
                                  const EvaluateOptions& options = {});

}  // namespace fuseboard
