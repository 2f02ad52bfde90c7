// Which kernels a plan needs: kinds, parameters in order, loops, names, and what is refused.
// It must not know PTX.
#include "launch/lower.h"

#include <chrono>
#include <set>

#include "catch.h"
#include "graph_builder.h"
#include "plan/fusion_planner.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

std::vector<Kernel> lowered(const FusionGraph& graph, Math math = Math::fast) {
  REQUIRE_FALSE(has_errors(graph.validate()));
  return lower(graph, FusionPlanner().plan(graph), {math});
}

/// The one kernel of a graph that runs as one.
Kernel only_kernel(const FusionGraph& graph, Math math = Math::fast) {
  Kernel found;
  size_t count = 0;
  for (Kernel& kernel : lowered(graph, math)) {
    if (kernel.kind != LaunchKind::kernel) continue;
    found = std::move(kernel);
    ++count;
  }
  REQUIRE(count == 1);
  return found;
}

/// "in:0 out:3 alpha:2".
std::string parameters(const Kernel& kernel) {
  std::string text;
  for (const KernelParameter& each : kernel.parameters) {
    const char* role = each.role == ParameterRole::input    ? "in"
                       : each.role == ParameterRole::output ? "out"
                                                            : "scalar";
    text += (text.empty() ? "" : " ") + std::string(role) + ":" + std::to_string(each.op);
  }
  return text;
}

double milliseconds(const std::chrono::steady_clock::time_point& since) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - since).count();
}

}  // namespace

TEST_CASE("resident data and views alone run nothing; a call is a library call, a transpose a kernel") {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {4, 8});
  const uint32_t c = b.add("c", OpKind::constant, {}, {8});
  const uint32_t flat = b.add("flat", OpKind::reshape, {x}, {32});
  const uint32_t t = b.add("t", OpKind::transpose, {x}, {8, 4});
  const uint32_t r = b.add("r", OpKind::sort, {t}, {8});
  const uint32_t f = b.add("f", OpKind::call, {r, c, r}, {8});
  const FusionPlan plan = FusionPlanner().plan(b.graph);
  const std::vector<Kernel> kernels = lower(b.graph, plan);
  REQUIRE(kernels.size() == plan.groups.size());
  CHECK(kernels[plan.group_of[x]].kind == LaunchKind::none);
  CHECK(kernels[plan.group_of[c]].kind == LaunchKind::none);
  CHECK(kernels[plan.group_of[flat]].kind == LaunchKind::none);
  CHECK(kernels[plan.group_of[t]].kind == LaunchKind::kernel);
  CHECK(kernels[plan.group_of[t]].move.has_value());
  CHECK(kernels[plan.group_of[t]].entry == "transpose_t_" + std::to_string(plan.group_of[t]));
  CHECK(parameters(kernels[plan.group_of[t]]) == "in:0 out:3");
  CHECK(kernels[plan.group_of[r]].kind == LaunchKind::library);
  CHECK(kernels[plan.group_of[f]].kind == LaunchKind::library);
  CHECK(kernels[plan.group_of[f]].name == "call");
  CHECK(parameters(kernels[plan.group_of[f]]) == "in:4 in:1 out:5");
  CHECK(kernels[plan.group_of[f]].diagnostics.empty());
}

TEST_CASE("parameters are the storages read, resident members, the storages written, then unknown scalars") {
  GraphBuilder b;
  const uint32_t y = b.add("y", OpKind::input, {}, {8});
  const uint32_t x = b.add("x", OpKind::input, {}, {4, 8});
  const uint32_t two = b.add("two", OpKind::constant, {}, {}, DType::f32, {{"value", 2.0}});
  const uint32_t table = b.add("table", OpKind::constant, {}, {8});
  const uint32_t resident = b.add("resident", OpKind::relu, {}, {4, 8});
  const uint32_t known = b.add("known", OpKind::scale, {x}, {4, 8}, DType::f32, {{"alpha", 0.5}});
  const uint32_t unknown = b.add("unknown", OpKind::axpy, {known, y}, {4, 8});
  const uint32_t view = b.add("view", OpKind::reshape, {x}, {4, 8});
  const uint32_t m = b.add("m", OpKind::mul, {unknown, two}, {4, 8});
  const uint32_t n = b.add("n", OpKind::add, {m, view}, {4, 8});
  const uint32_t o = b.add("o", OpKind::add, {n, table}, {4, 8});
  const uint32_t p = b.add("p", OpKind::add, {o, resident}, {4, 8});
  b.graph.add_output(m);
  const Kernel kernel = only_kernel(b.graph);
  CHECK(kernel.emittable);
  CHECK(parameters(kernel) == "in:0 in:1 in:3 in:4 out:8 out:11 scalar:6");
  REQUIRE(kernel.parameters.size() == 7);
  CHECK(kernel.parameters[6].attribute == "alpha");
  CHECK(kernel.parameters[0].name == "in0_y");
  CHECK(kernel.parameters[5].elements == 32);
  REQUIRE(kernel.loops.size() == 1);
  CHECK(kernel.loops[0].stores == std::vector<uint32_t>{m, p});
  CHECK(kernel.config.block[0] == 256);
  CHECK(kernel.config.grid[0] == 1);
}

TEST_CASE("an external output that is a view is stored as the storage behind it, once, or not at all") {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {4, 8});
  const uint32_t r = b.add("r", OpKind::relu, {x}, {4, 8});
  b.add("v", OpKind::reshape, {r}, {32});
  b.add("w", OpKind::reshape, {r}, {8, 4});
  const uint32_t alias = b.add("alias", OpKind::reshape, {x}, {2, 16});
  b.add("s", OpKind::neg, {alias}, {2, 16});
  b.graph.add_output(alias);
  for (const Kernel& kernel : lowered(b.graph)) {
    for (const KernelLoop& loop : kernel.loops) {
      for (const uint32_t store : loop.stores) CHECK((store == r || store == 5));
    }
    for (const KernelParameter& each : kernel.parameters)
      CHECK((each.op == x || each.op == r || each.op == 5));
  }
}

TEST_CASE("a group with several domains gets one loop for each") {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {16, 8});
  const uint32_t y = b.add("y", OpKind::input, {}, {8});
  const uint32_t e = b.add("e", OpKind::exp, {y}, {8});
  const uint32_t s = b.add("s", OpKind::add, {x, e}, {16, 8});
  const uint32_t flat = b.add("flat", OpKind::reshape, {s}, {128});
  const uint32_t n = b.add("n", OpKind::neg, {flat}, {128});
  b.graph.add_output(e);
  b.graph.add_output(s);
  const Kernel kernel = only_kernel(b.graph);
  REQUIRE(kernel.loops.size() == 2);
  CHECK(kernel.loops[0].stores == std::vector<uint32_t>{s, n});  // as many elements: one walk
  CHECK(kernel.loops[0].domain == Shape{16, 8});
  CHECK(kernel.loops[1].stores == std::vector<uint32_t>{e});
  CHECK(kernel.loops[1].elements == 8);
}

TEST_CASE("an empty domain is no launch") {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {4, 0});
  b.add("r", OpKind::relu, {x}, {4, 0});
  b.add("m", OpKind::matmul, {x, x}, {4, 0});
  for (const Kernel& kernel : lowered(b.graph)) CHECK(kernel.kind == LaunchKind::none);
}

TEST_CASE("entries are unique identifiers whatever the ops are called") {
  GraphBuilder b;
  const std::string hostile[] = {"",
                                 "\"};\n ret; //",
                                 "\xE6\x97\xA5\xE6\x9C\xAC",
                                 std::string(1000000, 'x'),
                                 "a b",
                                 "a.b",
                                 "1x",
                                 "*/",
                                 "$",
                                 "add"};
  for (const std::string& name : hostile) {
    const uint32_t x = b.add("", OpKind::input, {}, {8});
    b.add(name, OpKind::add, {x, x}, {8});
  }
  std::set<std::string> entries;
  for (const Kernel& kernel : lower(b.graph, FusionPlanner::plan_unfused(b.graph))) {
    if (kernel.kind != LaunchKind::kernel) continue;
    CHECK(entries.insert(kernel.entry).second);
    CHECK(kernel.entry.size() < 80);
    for (const char c : kernel.entry) CHECK((std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'));
    CHECK(std::isalpha(static_cast<unsigned char>(kernel.entry[0])) != 0);
  }
  CHECK(entries.size() == 10);
}

TEST_CASE("what has no PTX says so, with the first op in the way and its place") {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {8});
  const uint32_t s = b.add("s", OpKind::add, {x, x}, {8});
  b.add("n", OpKind::neg, {s}, {8});
  for (uint32_t id = 0; id < b.graph.size(); ++id) {
    b.graph.op(id).dtype = DType::foreign;
    b.graph.op(id).dtype_bytes = 16;
  }
  const Kernel kernel = only_kernel(b.graph);
  CHECK_FALSE(kernel.emittable);
  REQUIRE(kernel.diagnostics.size() == 1);
  const Diagnostic& said = kernel.diagnostics[0];
  CHECK(said.code == Code::not_emitted);
  CHECK(said.severity == Severity::warning);
  CHECK(said.place.path == "x");
  CHECK(said.message.find("16 bytes") != std::string::npos);
  CHECK(said.message.find("2 more") != std::string::npos);
}

TEST_CASE("reasons not to write a kernel") {
  const auto reason = [](OpKind kind, std::vector<Shape> operands, Shape shape, DType dtype, Math math) {
    GraphBuilder b;
    std::vector<uint32_t> inputs;
    for (const Shape& each : operands) inputs.push_back(b.add("", OpKind::input, {}, each, dtype));
    b.add("op", kind, inputs, std::move(shape), dtype);
    const Kernel kernel = only_kernel(b.graph, math);
    return kernel.diagnostics.empty() ? std::string() : kernel.diagnostics[0].message;
  };
  const auto says = [](const std::string& message, const char* part) {
    return message.find(part) != std::string::npos;
  };
  CHECK(reason(OpKind::exp, {{8}}, {8}, DType::f32, Math::fast).empty());
  CHECK(reason(OpKind::exp, {{8}}, {8}, DType::f32, Math::precise).empty());
  CHECK(says(reason(OpKind::relu, {{8}, {8}}, {8}, DType::f32, Math::fast), "2 operands"));
  CHECK(says(reason(OpKind::add, {{8}, {7}}, {8}, DType::f32, Math::fast), "does not stretch"));
  CHECK(says(reason(OpKind::and_, {{8}, {8}}, {8}, DType::f32, Math::fast), "no PTX"));
  CHECK(reason(OpKind::and_, {{8}, {8}}, {8}, DType::boolean, Math::fast).empty());
  CHECK(says(reason(OpKind::reduce_precision, {{8}}, {8}, DType::f32, Math::fast), "exponent_bits"));
  CHECK(reason(OpKind::neg, {{8}}, {8}, DType::f16, Math::fast).empty());
  CHECK(reason(OpKind::relu, {}, {8}, DType::f32, Math::fast).empty());
  CHECK(says(reason(OpKind::iota, {}, {}, DType::f32, Math::fast), "axis"));
}

TEST_CASE("a view that contradicts its operand is named") {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {8});
  const uint32_t v = b.add("v", OpKind::reshape, {x}, {9});
  b.add("n", OpKind::neg, {v}, {9});
  const Kernel kernel = only_kernel(b.graph);
  REQUIRE(kernel.diagnostics.size() == 1);
  CHECK(kernel.diagnostics[0].place.path == "v");
}

TEST_CASE("views between layouts are not written, total-order comparisons are") {
  for (const bool marked : {false, true}) {
    GraphBuilder b;
    const uint32_t x = b.add("x", OpKind::input, {}, {4, 8});
    const uint32_t v = b.add("v", OpKind::reshape, {x}, {8, 4}, DType::f32, {{"relayout", marked}});
    b.add("n", OpKind::neg, {v}, {8, 4});
    const Kernel view = only_kernel(b.graph);
    CHECK(view.emittable == !marked);
    GraphBuilder c;
    const uint32_t y = c.add("y", OpKind::input, {}, {8});
    c.add("lt", OpKind::lt, {y, y}, {8}, DType::boolean, {{"total_order", marked}});
    const Kernel compare = only_kernel(c.graph);
    CHECK(compare.emittable);
    if (!marked) continue;
    REQUIRE(view.diagnostics.size() == 1);
    CHECK(view.diagnostics[0].place.path == "v");
    CHECK(view.diagnostics[0].message.find("reads its operand in another layout") != std::string::npos);
  }
}

TEST_CASE("a group of more than 10,000 ops or 4,000 parameters is planned but not emitted") {
  GraphBuilder chain;
  uint32_t at = chain.add("x", OpKind::input, {}, {8});
  for (size_t i = 0; i < kMostMembers; ++i) at = chain.add("", OpKind::neg, {at}, {8});
  CHECK(only_kernel(chain.graph).emittable);
  chain.add("", OpKind::neg, {at}, {8});
  const Kernel long_one = only_kernel(chain.graph);
  CHECK_FALSE(long_one.emittable);
  CHECK(long_one.diagnostics.at(0).code == Code::kernel_too_large);

  GraphBuilder wide;
  uint32_t sum = wide.add("", OpKind::input, {}, {8});
  for (size_t i = 0; i < kMostParameters - 2; ++i) {
    sum = wide.add("", OpKind::add, {sum, wide.add("", OpKind::input, {}, {8})}, {8});
  }
  CHECK(only_kernel(wide.graph).emittable);
  wide.add("", OpKind::add, {sum, wide.add("", OpKind::input, {}, {8})}, {8});
  const Kernel wide_one = only_kernel(wide.graph);
  CHECK_FALSE(wide_one.emittable);
  CHECK(wide_one.diagnostics.at(0).code == Code::kernel_too_large);
}

TEST_CASE("broadcasts that need an op at exponentially many indices are refused, quickly") {
  GraphBuilder b;
  constexpr size_t kPairs = 20;
  Shape shape(kPairs, 2);
  uint32_t at = b.add("x", OpKind::input, {}, shape);
  at = b.add("", OpKind::neg, {at}, shape);
  for (size_t i = 0; i < kPairs; ++i) {  // dimension 2 * i becomes the first or the second of a pair
    std::vector<int64_t> first;
    for (size_t k = 0; k < shape.size(); ++k) first.push_back(static_cast<int64_t>(k <= 2 * i ? k : k + 1));
    std::vector<int64_t> second = first;
    ++second[2 * i];
    shape.push_back(2);
    const uint32_t v = b.add("", OpKind::broadcast, {at}, shape, DType::f32, {{"axes", first}});
    const uint32_t w = b.add("", OpKind::broadcast, {at}, shape, DType::f32, {{"axes", second}});
    at = b.add("", OpKind::add, {v, w}, shape);
  }
  const auto begin = std::chrono::steady_clock::now();
  const Kernel kernel = only_kernel(b.graph);
  CHECK_FALSE(kernel.emittable);
  CHECK(kernel.diagnostics.at(0).code == Code::kernel_too_large);
  CHECK(milliseconds(begin) < 5000);
}

TEST_CASE("a million ops are lowered in near-linear time, without recursion") {
  for (const OpKind kind : {OpKind::neg, OpKind::reshape}) {
    GraphBuilder b;
    uint32_t at = b.add("x", OpKind::input, {}, {8});
    for (int i = 0; i < 500000; ++i) at = b.add("", kind, {at}, {8});
    for (int i = 0; i < 500000; ++i) b.add("", OpKind::neg, {at}, {8});
    const FusionPlan fused = FusionPlanner().plan(b.graph);
    const FusionPlan unfused = FusionPlanner::plan_unfused(b.graph);
    const auto begin = std::chrono::steady_clock::now();
    (void)lower(b.graph, fused);
    const std::vector<Kernel> kernels = lower(b.graph, unfused);
    CHECK(kernels.back().emittable);
    CHECK(milliseconds(begin) < 60000);
  }
}
