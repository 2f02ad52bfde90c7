// Plain loops over tensors.
// It must not know plans or kernels.
#include "graph/library_reference.h"

#include <algorithm>
#include <string>

#include "graph/infer.h"
#include "graph/reducer.h"
#include "graph/reducer_of.h"

namespace fuseboard {
namespace {

class Reader {
 public:
  Reader(const FusionGraph& graph, uint32_t op, const Tensor& tensor)
      : dtype_(graph.op(op).dtype), bytes_(dtype_bytes(dtype_)), tensor_(tensor) {}
  DType dtype() const { return dtype_; }
  uint64_t size() const { return bytes_ == 0 ? 0 : tensor_.bytes.size() / bytes_; }
  Element operator[](uint64_t at) const {
    return element_from_bytes(dtype_, tensor_.bytes.data() + at * bytes_);
  }

 private:
  DType dtype_;
  uint32_t bytes_;
  const Tensor& tensor_;
};

Tensor made(const FusionOp& op) {
  Tensor out;
  out.known = true;
  out.bytes.resize(element_count(op.output_shape).value_or(0) * dtype_bytes(op.dtype));
  return out;
}

void put(const FusionOp& op, Tensor& out, uint64_t at, const Element& element) {
  element_to_bytes(op.dtype, element, out.bytes.data() + at * dtype_bytes(op.dtype));
}

/// A sum of products of elements of one dtype, wider than they are.
struct Fold {
  long double wide = 0;
  double narrow = 0;
  uint64_t bits = 0;
};

bool fits(const FusionGraph& graph, const FusionOp& op) {
  const InferredShape inferred = infer_shape(graph, op);
  return inferred.shape && *inferred.shape == op.output_shape;
}

}  // namespace

std::optional<Tensor> reduced(const FusionGraph& graph, uint32_t id, std::span<const Tensor* const> operands,
                              const EvaluateOptions& options) {
  const FusionOp& op = graph.op(id);
  const std::string_view name = reducer_of(op);
  if (!Reducer::is_known(name) || op.inputs.size() > 2 || !fits(graph, op)) return std::nullopt;
  const Shape& shape = graph.op(op.inputs[0]).output_shape;
  const Reader values(graph, op.inputs[0], *operands[0]);
  if (values.size() > options.most_elements) return std::nullopt;
  std::vector<bool> folded(shape.size(), op.ints("axes") == nullptr);
  if (const std::vector<int64_t>* axes = op.ints("axes")) {
    for (const int64_t axis : *axes)
      folded[static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(shape.size()) : axis)] = true;
  }
  uint64_t kept = 1;
  uint64_t length = 1;
  for (size_t k = 0; k < shape.size(); ++k) (folded[k] ? length : kept) *= shape[k];
  /// Where the element lies whose dimensions of one kind, folded or kept, make the row-major number `rest`.
  const auto place = [&](bool of_folded, uint64_t rest) {
    uint64_t out = 0;
    uint64_t stride = 1;
    for (size_t k = shape.size(); k-- > 0;) {
      if (folded[k] == of_folded) {
        out += rest % shape[k] * stride;
        rest /= shape[k];
      }
      stride *= shape[k];
    }
    return out;
  };
  std::optional<Element> initial;
  if (op.inputs.size() == 2) {
    const Reader reader(graph, op.inputs[1], *operands[1]);
    if (reader.size() != 1) return std::nullopt;
    initial = converted(reader.dtype(), values.dtype(), reader[0]);
  }
  std::vector<uint64_t> places(length);
  for (uint64_t i = 0; i < length && kept != 0; ++i) places[i] = place(true, i);
  Reducer reducer(name, values.dtype());
  Tensor out = made(op);
  for (uint64_t at = 0; at < kept; ++at) {
    reducer.begin();
    if (initial) reducer.take(*initial, 0);
    const uint64_t base = length == 0 ? 0 : place(false, at);
    for (uint64_t i = 0; i < length; ++i) reducer.take(values[base + places[i]], i);
    put(op, out, at, reducer.result(op.dtype));
  }
  return out;
}

std::optional<Tensor> multiplied(const FusionGraph& graph, uint32_t id,
                                 std::span<const Tensor* const> operands, const EvaluateOptions& options) {
  const FusionOp& op = graph.op(id);
  if (!fits(graph, op)) return std::nullopt;
  Shape a_shape = graph.op(op.inputs[0]).output_shape;
  Shape b_shape = graph.op(op.inputs[1]).output_shape;
  const bool vector_a = a_shape.size() == 1;
  const bool vector_b = b_shape.size() == 1;
  if (vector_a) a_shape.insert(a_shape.begin(), 1);
  if (vector_b) b_shape.push_back(1);
  const uint64_t depth = a_shape.back();
  const uint64_t rows = a_shape[a_shape.size() - 2];
  const uint64_t columns = b_shape.back();
  Tensor out = made(op);
  const uint64_t elements = element_count(op.output_shape).value_or(0);
  if (depth != 0 && elements > options.most_elements * 64 / depth) return std::nullopt;
  const Reader a(graph, op.inputs[0], *operands[0]);
  const Reader b(graph, op.inputs[1], *operands[1]);
  const DType dtype = promote(a.dtype(), b.dtype());
  const bool is_float = dtype_class(dtype) == DTypeClass::Float;
  for (uint64_t at = 0; at < elements; ++at) {
    const uint64_t column = at % columns;
    const uint64_t row = at / columns % rows;
    uint64_t batch = at / columns / rows;
    uint64_t a_batch = 0, b_batch = 0, a_stride = 1, b_stride = 1;
    const size_t batches = std::max(a_shape.size(), b_shape.size()) - 2;
    for (size_t i = 0; i < batches; ++i) {  // trailing batch dimensions first
      const uint64_t a_size = i + 2 < a_shape.size() ? a_shape[a_shape.size() - 3 - i] : 1;
      const uint64_t b_size = i + 2 < b_shape.size() ? b_shape[b_shape.size() - 3 - i] : 1;
      const uint64_t size = a_size == 1 ? b_size : a_size;
      if (size == 0) break;
      a_batch += (a_size == 1 ? 0 : batch % size) * a_stride;
      b_batch += (b_size == 1 ? 0 : batch % size) * b_stride;
      a_stride *= a_size;
      b_stride *= b_size;
      batch /= size;
    }
    Fold fold;
    for (uint64_t k = 0; k < depth; ++k) {
      const Element x = converted(a.dtype(), dtype, a[(a_batch * rows + row) * depth + k]);
      const Element y = converted(b.dtype(), dtype, b[(b_batch * depth + k) * columns + column]);
      if (!is_float) {
        fold.bits += x.bits * y.bits;
      } else if (dtype == DType::f64) {
        fold.wide += static_cast<long double>(x.real) * static_cast<long double>(y.real);
      } else {
        fold.narrow += x.real * y.real;
      }
    }
    const double real = dtype == DType::f64 ? static_cast<double>(fold.wide) : fold.narrow;
    put(op, out, at,
        is_float ? converted(DType::f64, op.dtype, {real, 0}) : converted(dtype, op.dtype, {0, fold.bits}));
  }
  return out;
}

std::optional<Tensor> gathered(const FusionGraph& graph, uint32_t id,
                               std::span<const Tensor* const> operands) {
  const FusionOp& op = graph.op(id);
  const AttributeValue* given = op.attribute("axis");
  const int64_t* attribute = given == nullptr ? nullptr : std::get_if<int64_t>(given);
  const Shape& shape = graph.op(op.inputs[0]).output_shape;
  const FusionOp& indices = graph.op(op.inputs[1]);
  const DTypeClass index_class = dtype_class(indices.dtype);
  if (attribute == nullptr || (index_class != DTypeClass::Signed && index_class != DTypeClass::Unsigned))
    return std::nullopt;
  const int64_t rank = static_cast<int64_t>(shape.size());
  const int64_t axis = *attribute < 0 ? *attribute + rank : *attribute;
  if (axis < 0 || axis >= rank) return std::nullopt;
  Shape expected(shape.begin(), shape.begin() + axis);
  expected.insert(expected.end(), indices.output_shape.begin(), indices.output_shape.end());
  expected.insert(expected.end(), shape.begin() + axis + 1, shape.end());
  if (expected != op.output_shape) return std::nullopt;
  uint64_t inner = 1;
  for (auto k = static_cast<size_t>(axis) + 1; k < shape.size(); ++k) inner *= shape[k];
  const Reader values(graph, op.inputs[0], *operands[0]);
  const Reader places(graph, op.inputs[1], *operands[1]);
  const auto size = static_cast<int64_t>(shape[static_cast<size_t>(axis)]);
  Tensor out = made(op);
  const uint64_t elements = element_count(op.output_shape).value_or(0);
  for (uint64_t at = 0; at < elements; ++at) {
    int64_t index = static_cast<int64_t>(places[at / inner % places.size()].bits);
    if (index < 0 && index_class == DTypeClass::Signed) index += size;
    if (index < 0 || index >= size) return std::nullopt;
    const uint64_t outer = at / inner / places.size();
    const uint64_t from =
        (outer * static_cast<uint64_t>(size) + static_cast<uint64_t>(index)) * inner + at % inner;
    put(op, out, at, converted(values.dtype(), op.dtype, values[from]));
  }
  return out;
}

}  // namespace fuseboard
