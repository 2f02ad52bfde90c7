// Bytes as a graph of any kinds, arities, shapes, dtypes and names: validate, plan, lower and emit never
// break a promise. It must not know formats.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "emit/ptx.h"
#include "launch/lower.h"
#include "plan/fusion_planner.h"

namespace {

using namespace fuseboard;

void expect(bool holds) {
  if (!holds) std::abort();
}

class Bytes {
 public:
  Bytes(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  bool empty() const { return at_ >= size_; }
  uint8_t next() { return empty() ? uint8_t{0} : data_[at_++]; }

 private:
  const uint8_t* data_;
  size_t size_;
  size_t at_ = 0;
};

Shape shape_from(Bytes& bytes) {
  constexpr uint64_t kDims[] = {1, 2, 3, 4, 5, 8, 1, 0, 1024, 65536, uint64_t{1} << 31, uint64_t{1} << 40,
                                7, 2, 1, 3};
  Shape shape(bytes.next() % 5);
  for (uint64_t& dim : shape) dim = kDims[bytes.next() % 16];
  return shape;
}

void add_attributes(FusionOp& op, Bytes& bytes) {
  constexpr const char* kNames[] = {"axes",          "alpha",         "axis",          "value",
                                    "exponent_bits", "mantissa_bits", "negative_slope"};
  for (uint8_t count = bytes.next() % 4; count > 0; --count) {
    Attribute attribute;
    attribute.name = kNames[bytes.next() % 7];
    const uint8_t choice = bytes.next();
    const int64_t number = static_cast<int8_t>(bytes.next());
    switch (choice % 6) {
      case 0:
        attribute.value = number;
        break;
      case 1:
        attribute.value = static_cast<double>(number) * 1e37;
        break;
      case 2:
        attribute.value = std::string(number % 2 == 0 ? "nan" : "x");
        break;
      case 3:
        attribute.value = static_cast<uint64_t>(number);
        break;
      default: {
        std::vector<int64_t> list(choice / 6 % 5);
        for (int64_t& each : list) each = static_cast<int8_t>(bytes.next()) / 16;
        attribute.value = list;
        break;
      }
    }
    op.attributes.push_back(std::move(attribute));
  }
}

/// Half the ops are made to fit their operands, or almost nothing would be emitted.
FusionGraph graph_from(Bytes& bytes) {
  FusionGraph graph;
  while (!bytes.empty() && graph.size() < 200) {
    FusionOp op;
    op.kind = static_cast<OpKind>(bytes.next() % op_kind_count());
    const uint8_t flags = bytes.next();
    const bool fits = flags % 2 == 0;
    for (uint8_t length = flags / 16; length > 0; --length) op.name += static_cast<char>(bytes.next());
    if (!op.name.empty()) op.name += std::to_string(graph.size());
    op.dtype = fits || flags % 8 == 1 ? DType::f32 : static_cast<DType>(bytes.next() % 14);
    if (fits && flags % 8 == 4) op.dtype = DType::boolean;
    op.dtype_bytes = op.dtype == DType::foreign ? bytes.next() % 20U : dtype_bytes(op.dtype);
    const uint32_t least = op_info(op.kind).least_arity;
    const uint32_t arity = fits ? least : bytes.next() % 5U;
    for (uint32_t i = 0; i < arity && (graph.size() > 0 || !fits); ++i) {
      const uint32_t pick = bytes.next();
      op.inputs.push_back(fits ? graph.size() - 1 - pick % graph.size() : pick % (graph.size() + 2));
    }
    op.output_shape = shape_from(bytes);
    if (fits && !op.inputs.empty() && flags % 16 < 12) op.output_shape = graph.op(op.inputs[0]).output_shape;
    if (flags % 16 == 0) op.output_shape.insert(op.output_shape.begin(), 3);
    add_attributes(op, bytes);
    graph.add_op(std::move(op));
    if (bytes.next() % 8 == 0) graph.add_output(graph.size() - 1);
  }
  return graph;
}

void check_partition(const FusionGraph& graph, const FusionPlan& plan) {
  std::vector<uint32_t> seen(graph.size(), 0);
  for (uint32_t g = 0; g < plan.groups.size(); ++g) {
    expect(!plan.groups[g].members.empty());
    for (const uint32_t id : plan.groups[g].members) {
      expect(plan.group_of[id] == g);
      ++seen[id];
    }
  }
  for (const uint32_t times : seen) expect(times == 1);
  expect(plan.bytes_fused <= plan.bytes_unfused);
}

void check_kernels(const FusionGraph& graph, const FusionPlan& plan, Math math, uint8_t choice) {
  const std::vector<Kernel> kernels = lower(graph, plan, {math});
  expect(kernels.size() == plan.groups.size());
  const Target target = targets()[choice % targets().size()];
  const std::vector<SourceLine> lines(choice % 2 == 0 ? graph.size() : 0, SourceLine{1, 1});
  for (const Kernel& kernel : kernels) {
    const EmittedKernel emitted = emit(graph, kernel, {target, math, lines, "pasted"});
    const bool runs = kernel.kind == LaunchKind::kernel;
    expect(kernel.emittable == !emitted.text.empty());
    expect(!kernel.emittable || runs);
    expect(!runs || kernel.emittable || kernel.diagnostics.size() == 1);
    size_t newlines = 0;
    for (const char c : emitted.text) {
      newlines += c == '\n' ? 1 : 0;
      expect(c == '\n' || (c >= ' ' && c <= '~'));
    }
    expect(newlines == emitted.lines.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes bytes(data, size);
  const uint8_t choice = bytes.next();
  const FusionGraph graph = graph_from(bytes);
  if (has_errors(graph.validate())) return 0;
  const FusionPlan plan = FusionPlanner().with_broadcast(choice % 16 != 0).plan(graph);
  check_partition(graph, plan);
  const Math math = choice % 4 == 1 ? Math::precise : Math::fast;
  check_kernels(graph, plan, math, choice);
  check_kernels(graph, FusionPlanner::plan_unfused(graph), math, choice);
  return 0;
}
