// Which kernels reductions become: alone or in groups, what they store and take, what they are called, and
// what is refused. It must not know PTX.
#include <chrono>
#include <set>

#include "catch.h"
#include "graph_builder.h"
#include "launch/lower.h"
#include "plan/fusion_planner.h"
#include "reduction_random_graph.h"
#include "row_shape_check.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

struct RowGraph : GraphBuilder {
  uint32_t input(const std::string& name, Shape of, DType dtype = DType::f32) {
    return add(name, OpKind::input, {}, std::move(of), dtype);
  }
  uint32_t fold(const std::string& name, const std::string& reducer, std::vector<uint32_t> inputs,
                std::vector<int64_t> axes, Shape of, DType dtype = DType::f32) {
    return add(name, OpKind::reduce, std::move(inputs), std::move(of), dtype,
               {{"reducer", reducer}, {"axes", std::move(axes)}});
  }
  uint32_t broadcast(uint32_t of, Shape to, std::vector<int64_t> axes) {
    return add("", OpKind::broadcast, {of}, std::move(to), DType::f32, {{"axes", std::move(axes)}});
  }

  std::vector<Kernel> kernels(Policy policy = Policy::rows) const {
    REQUIRE_FALSE(has_errors(graph.validate()));
    std::vector<Kernel> out;
    for (Kernel& kernel : lower(graph, FusionPlanner().with_policy(policy).plan(graph))) {
      if (kernel.kind != LaunchKind::none) out.push_back(std::move(kernel));
    }
    return out;
  }
  Kernel only_kernel(Policy policy = Policy::rows) const {
    std::vector<Kernel> made = kernels(policy);
    REQUIRE(made.size() == 1);
    return std::move(made[0]);
  }
};

/// "in:0 out:3".
std::string parameters(const Kernel& kernel) {
  std::string text;
  for (const KernelParameter& each : kernel.parameters) {
    text += (text.empty() ? "" : " ") + std::string(each.role == ParameterRole::input ? "in:" : "out:") +
            std::to_string(each.op);
  }
  return text;
}

uint32_t add_softmax(RowGraph& r, uint32_t x, Shape full) {
  const Shape kept{full[0]};
  const uint32_t m = r.fold("m", "max", {x}, {1}, kept);
  const uint32_t d = r.add("d", OpKind::sub, {x, r.broadcast(m, full, {0})}, full);
  const uint32_t e = r.add("e", OpKind::exp, {d}, full);
  const uint32_t s = r.fold("s", "sum", {e}, {1}, kept);
  return r.add("y", OpKind::div, {e, r.broadcast(s, full, {0})}, full);
}

}  // namespace

TEST_CASE("a softmax is one kernel over its rows, called what it is") {
  RowGraph r;
  const uint32_t x = r.input("x", {4096, 512});
  const uint32_t y = add_softmax(r, x, {4096, 512});
  const Kernel kernel = r.only_kernel();
  CHECK(kernel.kind == LaunchKind::kernel);
  CHECK(kernel.emittable);
  CHECK(kernel.diagnostics.empty());
  CHECK(kernel.name == "softmax");
  CHECK(kernel.entry == "softmax_" + std::to_string(kernel.group));
  CHECK(parameters(kernel) == "in:" + std::to_string(x) + " out:" + std::to_string(y));
  CHECK(kernel.loops.empty());
  REQUIRE(kernel.rows.has_value());
  CHECK(kernel.rows->stores == std::vector<uint32_t>{y});
  CHECK(kernel.rows->domain.rows() == 4096);
  CHECK(kernel.rows->domain.columns() == 512);
  CHECK(kernel.bytes_reread == 0);
  CHECK(config_fault(*kernel.rows, kernel.config) == "");
}

TEST_CASE("under spec 1 each reduction is a kernel of its own, called by what it folds") {
  RowGraph r;
  add_softmax(r, r.input("x", {64, 96}), {64, 96});
  std::string names;
  for (const Kernel& kernel : r.kernels(Policy::elementwise)) {
    CHECK(kernel.emittable);
    names += kernel.name + " ";
    CHECK(kernel.rows.has_value() == kernel.loops.empty());
  }
  CHECK(names == "max sub_exp sum div ");
}

TEST_CASE("a group known as nothing is called after its first ops") {
  RowGraph r;
  const uint32_t x = r.input("x", {64, 96});
  const uint32_t a = r.add("a", OpKind::neg, {x}, {64, 96});
  const uint32_t s = r.fold("", "prod", {a}, {1}, {64});
  r.add("b", OpKind::exp, {s}, {64});
  const Kernel kernel = r.only_kernel();
  CHECK(kernel.name == "neg_prod_exp");
  CHECK(kernel.entry == "fused_a_prod_b_" + std::to_string(kernel.group));
}

TEST_CASE("a layer norm that keeps its mean stores it by row beside the full result") {
  RowGraph r;
  const Shape full{128, 256};
  const uint32_t x = r.input("x", full);
  const uint32_t gamma = r.input("gamma", {256});
  const uint32_t mean = r.fold("mean", "mean", {x}, {1}, {128});
  const uint32_t d = r.add("d", OpKind::sub, {x, r.broadcast(mean, full, {0})}, full);
  const uint32_t q = r.add("q", OpKind::mul, {d, d}, full);
  const uint32_t v = r.fold("v", "mean", {q}, {1}, {128});
  const uint32_t rstd = r.add("rstd", OpKind::rsqrt, {v}, {128});
  const uint32_t n = r.add("n", OpKind::mul, {d, r.broadcast(rstd, full, {0})}, full);
  const uint32_t y = r.add("y", OpKind::mul, {n, gamma}, full);
  r.graph.add_output(mean);
  r.graph.add_output(rstd);
  const Kernel kernel = r.only_kernel();
  CHECK(kernel.emittable);
  CHECK(kernel.name == "layer_norm");
  REQUIRE(kernel.rows.has_value());
  CHECK(kernel.rows->stores == std::vector<uint32_t>{mean, rstd, y});
  CHECK(parameters(kernel) == "in:" + std::to_string(x) + " in:" + std::to_string(gamma) +
                                  " out:" + std::to_string(mean) + " out:" + std::to_string(rstd) +
                                  " out:" + std::to_string(y));
}

TEST_CASE("a reduction alone is a kernel whatever its axes, reducer, dtype and dimensions of 1") {
  for (const char* reducer : {"sum", "prod", "max", "min", "mean", "any", "all", "argmax", "argmin"}) {
    for (const DType dtype : {DType::f32, DType::bf16, DType::f64, DType::i8, DType::u64, DType::boolean}) {
      for (const std::vector<int64_t>& axes :
           std::vector<std::vector<int64_t>>{{}, {0}, {2}, {0, 1, 2}, {-1, 0}}) {
        RowGraph r;
        const uint32_t x = r.input("x", {6, 1, 40}, dtype);
        Shape kept;
        for (int64_t k = 0; k < 3; ++k) {
          const bool folded =
              std::any_of(axes.begin(), axes.end(), [&](int64_t a) { return a == k || a == k - 3; });
          kept.push_back(folded ? 1 : Shape{6, 1, 40}[static_cast<size_t>(k)]);
        }
        const bool is_index = std::string(reducer).starts_with("arg");
        const uint32_t s = r.fold("s", reducer, {x}, axes, kept, is_index ? DType::i64 : dtype);
        r.graph.op(s).attributes.push_back({"keepdims", true});
        const Kernel kernel = r.only_kernel(Policy::elementwise);
        INFO(reducer << " of " << dtype_text(dtype));
        CHECK(kernel.emittable);
        CHECK(kernel.name == reducer);
        REQUIRE(kernel.rows.has_value());
        CHECK(config_fault(*kernel.rows, kernel.config) == "");
        CHECK(parameters(kernel) == "in:0 out:1");
      }
    }
  }
}

TEST_CASE("an initial value is an immediate where it is known, otherwise a parameter") {
  RowGraph r;
  const uint32_t x = r.input("x", {16, 40});
  const uint32_t zero = r.add("zero", OpKind::constant, {}, {}, DType::f32, {{"value", 0.5}});
  r.fold("s", "sum", {x, zero}, {1}, {16});
  CHECK(parameters(r.only_kernel()) == "in:0 out:2");
  RowGraph q;
  const uint32_t y = q.input("y", {16, 40});
  q.fold("s", "sum", {y, q.input("start", {})}, {1}, {16});
  CHECK(parameters(q.only_kernel()) == "in:0 in:1 out:2");
}

TEST_CASE("what no rows can be told of stays a library call") {
  RowGraph r;
  const uint32_t x = r.input("x", {0, 8});
  const uint32_t y = r.input("y", {4, 8});
  r.fold("empty", "sum", {x}, {0}, {8});
  r.add("unknown", OpKind::reduce, {y}, {4}, DType::f32, {{"axes", std::vector<int64_t>{1}}});
  r.fold("several", "sum", {y, y, y}, {1}, {4});
  const std::vector<Kernel> kernels = r.kernels(Policy::elementwise);
  REQUIRE(kernels.size() == 3);
  for (const Kernel& kernel : kernels) {
    CHECK(kernel.kind == LaunchKind::library);
    CHECK(kernel.name == "reduce");
    CHECK(kernel.diagnostics.empty());
  }
  CHECK(parameters(kernels[2]) == "in:1 out:4");
}

TEST_CASE("a reduction without elements to store is no launch, nor what only it needs") {
  RowGraph r;
  const uint32_t x = r.input("x", {0, 8});
  r.fold("s", "sum", {x}, {1}, {0});
  CHECK(r.kernels().empty());
}

TEST_CASE("reasons not to write a reduction name the op") {
  const auto reason = [](DType operand, DType result) {
    RowGraph r;
    const uint32_t x = r.input("x", {16, 40}, operand);
    const uint32_t s = r.fold("s", "argmax", {x}, {1}, {16}, result);
    for (const uint32_t id : {x, s}) {
      if (r.graph.op(id).dtype == DType::foreign) r.graph.op(id).dtype_bytes = 16;
    }
    const Kernel kernel = r.only_kernel();
    CHECK(kernel.emittable == kernel.diagnostics.empty());
    CHECK(kernel.rows.has_value() == kernel.emittable);
    return kernel.diagnostics.empty() ? std::string() : kernel.diagnostics[0].message;
  };
  CHECK(reason(DType::f32, DType::i64).empty());
  CHECK(reason(DType::f32, DType::foreign) ==
        "argmax_s_1 is not written as PTX: s (reduce) has dtype 16 bytes, which no kernel holds");
  CHECK(reason(DType::foreign, DType::i32).find("reads x, which has dtype 16 bytes") == std::string::npos);
  CHECK(
      reason(DType::foreign, DType::i32) ==
      "argmax_s_1 is not written as PTX: x (input) has dtype 16 bytes, which no kernel holds; 1 more in this "
      "kernel");
}

TEST_CASE("a group whose reduction has no reducer, or that folds two domains, is not emitted and says why") {
  RowGraph r;
  const uint32_t x = r.input("x", {16, 16});
  const uint32_t a = r.fold("a", "sum", {x}, {1}, {16});
  r.fold("b", "sum", {x}, {0}, {16});
  const uint32_t c = r.add("c", OpKind::reduce, {x}, {16}, DType::f32, {{"axes", std::vector<int64_t>{1}}});
  const uint32_t d = r.add("d", OpKind::neg, {c}, {16});
  const auto said = [&](std::vector<std::vector<uint32_t>> groups) {
    FusionPlan plan;
    plan.group_of.assign(r.graph.size(), 0);
    plan.pool.reserve(2 * r.graph.size());
    for (const std::vector<uint32_t>& members : groups) {
      const size_t start = plan.pool.size();
      plan.pool.insert(plan.pool.end(), members.begin(), members.end());
      FusionGroup group;
      group.members = std::span(plan.pool).subspan(start);
      group.external_outputs = group.members;
      plan.groups.push_back(group);
    }
    const Kernel kernel = lower(r.graph, plan).at(0);
    CHECK_FALSE(kernel.emittable);
    CHECK(kernel.kind == LaunchKind::kernel);
    REQUIRE(kernel.diagnostics.size() == 1);
    CHECK(kernel.diagnostics[0].code == Code::not_emitted);
    return kernel.diagnostics[0].message;
  };
  CHECK(said({{a, a + 1}}).find("b (reduce) folds other rows than its kernel") != std::string::npos);
  CHECK(said({{c, d}}).find("c (reduce) folds by no reducer that has PTX") != std::string::npos);
}

TEST_CASE("random graphs under every policy: each reduction is launched soundly, none is refused") {
  size_t rows = 0;
  size_t along = 0;
  size_t fused = 0;
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    const FusionGraph graph = ReductionGraphMaker(seed).make();
    if (has_errors(graph.validate())) continue;
    for (const Policy policy : kPolicies) {
      const FusionPlan plan = FusionPlanner().with_policy(policy).plan(graph);
      std::set<uint32_t> stored;
      for (const Kernel& kernel : lower(graph, plan)) {
        const std::string said = kernel.diagnostics.empty() ? "" : kernel.diagnostics[0].message;
        INFO("seed " << seed << ", " << policy_text(policy) << ", " << kernel.entry << ": " << said);
        if (kernel.kind == LaunchKind::library) {
          CHECK(kernel.order.size() == 1);
          continue;
        }
        CHECK(kernel.emittable == (kernel.kind == LaunchKind::kernel));
        CHECK(kernel.diagnostics.empty());
        if (!kernel.rows) continue;
        CHECK(config_fault(*kernel.rows, kernel.config) == "");
        CHECK(claims_fault(*kernel.rows, kernel.config) == "");
        for (const uint32_t store : kernel.rows->stores) CHECK(stored.insert(store).second);
        ++rows;
        along += kernel.rows->along_rows ? 1 : 0;
        fused += kernel.order.size() > 1 ? 1 : 0;
      }
    }
  }
  CHECK(rows > 10000);
  CHECK(along > 1000);
  CHECK(fused > 1000);
}

TEST_CASE("hundreds of thousands of reductions are lowered in near-linear time") {
  RowGraph r;
  uint32_t at = r.input("x", {64, 32});
  for (int i = 0; i < 60000; ++i) {
    const uint32_t s = r.fold("", "max", {at}, {1}, {64});
    at = r.add("", OpKind::sub, {at, r.broadcast(s, {64, 32}, {0})}, {64, 32});
  }
  const FusionPlan alone = FusionPlanner().with_policy(Policy::elementwise).plan(r.graph);
  const FusionPlan together = FusionPlanner().with_policy(Policy::rows).plan(r.graph);
  const auto begin = std::chrono::steady_clock::now();
  CHECK(lower(r.graph, alone).back().emittable);
  CHECK_FALSE(lower(r.graph, together).empty());
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
}
