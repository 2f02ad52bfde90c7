// The rows policy: what joins a reduction's group, what must not, and why; on random graphs and real texts.
// It must not know prices or kernels.
#include "plan/rows.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "catch.h"
#include "formats/format.h"
#include "graph_builder.h"
#include "plan/fusion_planner.h"
#include "reduction_random_graph.h"
#include "row_checks.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;
namespace fs = std::filesystem;

FusionPlan rows_plan(const FusionGraph& graph) {
  REQUIRE_FALSE(has_errors(graph.validate()));
  FusionPlan plan = FusionPlanner().with_policy(Policy::rows).plan(graph);
  CHECK(row_plan_fault(graph, plan).empty());
  return plan;
}

/// "a b c | d": groups of several, and single ops that compute.
std::string groups(const FusionGraph& graph, const FusionPlan& plan) {
  std::string out;
  for (const FusionGroup& group : plan.groups) {
    if (graph.op(group.members[0]).op_class() == OpClass::Source) continue;
    if (!out.empty()) out += " | ";
    for (const uint32_t id : group.members) out += (id == group.members[0] ? "" : " ") + graph.name_of(id);
  }
  return out;
}

const Decision& decision(const FusionPlan& plan, uint32_t producer, uint32_t consumer) {
  for (const Decision& each : plan.decisions.decisions) {
    if (each.producer == producer && each.consumer == consumer) return each;
  }
  FAIL("no such edge");
  return plan.decisions.decisions[0];
}

std::vector<Attribute> fold(const char* reducer, std::vector<int64_t> axes, bool keepdims = false) {
  return {{"reducer", std::string(reducer)}, {"axes", std::move(axes)}, {"keepdims", keepdims}};
}

constexpr DType kF32 = DType::f32;

}  // namespace

TEST_CASE("rows: a softmax between matmuls is one group, with its scale and mask") {
  GraphBuilder b;
  const uint32_t a = b.add("a", OpKind::input, {}, {64, 32});
  const uint32_t w = b.add("w", OpKind::input, {}, {32, 48});
  const uint32_t m = b.add("m", OpKind::input, {}, {64, 48});
  const uint32_t mm = b.add("mm", OpKind::matmul, {a, w}, {64, 48});
  const uint32_t scaled = b.add("scaled", OpKind::scale, {mm}, {64, 48}, kF32, {{"alpha", 0.5}});
  const uint32_t masked = b.add("masked", OpKind::add, {scaled, m}, {64, 48});
  const uint32_t top = b.add("top", OpKind::reduce, {masked}, {64, 1}, kF32, fold("max", {-1}, true));
  const uint32_t less = b.add("less", OpKind::sub, {masked, top}, {64, 48});
  const uint32_t e = b.add("e", OpKind::exp, {less}, {64, 48});
  const uint32_t sum = b.add("sum", OpKind::reduce, {e}, {64, 1}, kF32, fold("sum", {1}, true));
  const uint32_t p = b.add("p", OpKind::div, {e, sum}, {64, 48});
  b.add("out", OpKind::matmul, {p, w}, {64, 32});
  CHECK(groups(b.graph, rows_plan(b.graph)) == "mm | scaled masked top less e sum p | out");
}

TEST_CASE("rows: a LayerNorm that keeps mean and rstd is one group") {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {8, 16, 32});
  const uint32_t gamma = b.add("gamma", OpKind::input, {}, {32});
  const uint32_t mean = b.add("mean", OpKind::reduce, {x}, {8, 16, 1}, kF32, fold("mean", {2}, true));
  const uint32_t c = b.add("c", OpKind::sub, {x, mean}, {8, 16, 32});
  const uint32_t sq = b.add("sq", OpKind::mul, {c, c}, {8, 16, 32});
  const uint32_t var = b.add("var", OpKind::reduce, {sq}, {8, 16, 1}, kF32, fold("mean", {2}, true));
  const uint32_t rstd = b.add("rstd", OpKind::rsqrt, {var}, {8, 16, 1});
  const uint32_t n = b.add("n", OpKind::mul, {c, rstd}, {8, 16, 32});
  b.add("y", OpKind::mul, {n, gamma}, {8, 16, 32});
  b.graph.add_output(mean);
  b.graph.add_output(rstd);
  const FusionPlan plan = rows_plan(b.graph);
  CHECK(groups(b.graph, plan) == "mean c sq var rstd n y");
  CHECK(plan.bytes_fused == (2 * 8 * 16 * 32 + 32 + 2 * 8 * 16) * 4);
}

TEST_CASE("rows: in a square matrix a row's value stretched over the rows is refused, by axes") {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {16, 16});
  const uint32_t sum = b.add("sum", OpKind::reduce, {x}, {16}, kF32, fold("sum", {1}));
  const uint32_t wrong = b.add("wrong", OpKind::sub, {x, sum}, {16, 16});  // [16] is the columns' by NumPy
  const FusionPlan plan = rows_plan(b.graph);
  CHECK(groups(b.graph, plan) == "sum | wrong");
  const Decision& why = decision(plan, sum, wrong);
  CHECK(why.reason == Reason::reads_other_rows);
  CHECK(plan.decisions.row_domains(why).first == row_domain(Shape{16, 16}, Shape{1}));
  CHECK(plan.decisions.row_domains(why).second == row_domain(Shape{16, 16}, Shape{0}));

  GraphBuilder right;
  right.add("x", OpKind::input, {}, {16, 16});
  right.add("sum", OpKind::reduce, {0}, {16}, kF32, fold("sum", {1}));
  right.add("wide", OpKind::broadcast, {1}, {16, 16}, kF32, {{"axes", std::vector<int64_t>{0}}});
  right.add("y", OpKind::sub, {0, 2}, {16, 16});
  CHECK(groups(right.graph, rows_plan(right.graph)) == "sum wide y");
}

TEST_CASE("rows: reductions over other rows keep apart, and both domains are told") {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {8, 12});
  const uint32_t y = b.add("y", OpKind::relu, {x}, {8, 12});
  const uint32_t by_row = b.add("by_row", OpKind::reduce, {y}, {8}, kF32, fold("sum", {1}));
  const uint32_t by_column = b.add("by_column", OpKind::reduce, {y}, {12}, kF32, fold("sum", {0}));
  const FusionPlan plan = rows_plan(b.graph);
  CHECK(groups(b.graph, plan) == "y by_row | by_column");
  CHECK(decision(plan, y, by_row).verdict == Verdict::fused);
  const Decision& why = decision(plan, y, by_column);
  CHECK(why.reason == Reason::row_domain_differs);
  CHECK(plan.decisions.row_domains(why).first == row_domain(Shape{8, 12}, Shape{1}));
  CHECK(plan.decisions.row_domains(why).second == row_domain(Shape{8, 12}, Shape{0}));
}

TEST_CASE("rows: a fold's own kernel cannot stretch to more elements than it has") {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {8, 12});
  const uint32_t big = b.add("big", OpKind::input, {}, {4, 8, 12});
  const uint32_t y = b.add("y", OpKind::relu, {x}, {8, 12});
  b.add("sum", OpKind::reduce, {y}, {8}, kF32, fold("sum", {1}));
  const uint32_t wide = b.add("wide", OpKind::add, {y, big}, {4, 8, 12});
  const FusionPlan plan = rows_plan(b.graph);
  CHECK(groups(b.graph, plan) == "y sum | wide");
  CHECK(decision(plan, y, wide).reason == Reason::larger_than_rows);
}

TEST_CASE(
    "rows: a small value that nobody else wants is computed in the rows; one that is wanted stays out") {
  for (const bool wanted : {false, true}) {
    GraphBuilder b;
    const uint32_t x = b.add("x", OpKind::input, {}, {8, 12});
    const uint32_t gamma = b.add("gamma", OpKind::input, {}, {12});
    const uint32_t more = b.add("more", OpKind::neg, {gamma}, {12});
    const uint32_t sum = b.add("sum", OpKind::reduce, {x}, {8, 1}, kF32, fold("sum", {1}, true));
    const uint32_t c = b.add("c", OpKind::sub, {x, sum}, {8, 12});
    const uint32_t y = b.add("y", OpKind::mul, {c, more}, {8, 12});
    if (wanted) b.graph.add_output(more);
    const FusionPlan plan = rows_plan(b.graph);
    CHECK(groups(b.graph, plan) == (wanted ? "more | sum c y" : "more sum c y"));
    CHECK(decision(plan, more, y).reason == (wanted ? Reason::not_a_row_value : Reason::fused));
  }
}

TEST_CASE("rows: moves and library calls never join, nor a fold without a row domain or a reducer") {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {8, 12});
  const uint32_t y = b.add("y", OpKind::relu, {x}, {8, 12});
  const uint32_t t = b.add("t", OpKind::transpose, {y}, {12, 8});
  b.add("sum", OpKind::reduce, {t}, {12}, kF32, fold("sum", {1}));
  const uint32_t none = b.add("none", OpKind::input, {}, {8, 0});
  const uint32_t z = b.add("z", OpKind::relu, {none}, {8, 0});
  b.add("empty", OpKind::reduce, {z}, {8}, kF32, fold("sum", {1}));
  b.add("unnamed", OpKind::reduce, {y}, {8}, kF32, {{"axes", std::vector<int64_t>{1}}});
  b.add("single", OpKind::reduce, {y}, {8, 12}, kF32, fold("sum", {}));
  CHECK(groups(b.graph, rows_plan(b.graph)) == "y | t | sum | z | empty | unnamed | single");
}

TEST_CASE("rows: a matmul takes a transpose of its last two dimensions with it, where nobody else wants it") {
  struct Case {
    std::vector<int64_t> perm;
    bool listed;
    const char* expected;
  };
  for (const Case& each : {Case{{0, 2, 1}, false, "sum | t mm"}, Case{{0, 2, 1}, true, "sum | t | mm"},
                           Case{{0, -1, -2}, false, "sum | t mm"}, Case{{1, 0, 2}, false, "sum | t | mm"}}) {
    GraphBuilder b;
    const uint32_t x = b.add("x", OpKind::input, {}, {4, 4, 4});
    const uint32_t y = b.add("y", OpKind::input, {}, {4, 4, 4});
    b.add("sum", OpKind::reduce, {x}, {4, 4}, kF32, fold("sum", {2}));
    const uint32_t t = b.add("t", OpKind::transpose, {y}, {4, 4, 4}, kF32, {{"perm", each.perm}});
    const uint32_t mm = b.add("mm", OpKind::matmul, {x, t}, {4, 4, 4});
    if (each.listed) b.graph.add_output(t);
    const FusionPlan plan = rows_plan(b.graph);
    CHECK(groups(b.graph, plan) == each.expected);
    const bool is_taken = plan.group_of[t] == plan.group_of[mm];
    CHECK((decision(plan, t, mm).verdict == Verdict::fused) == is_taken);
    CHECK(plan.groups[plan.group_of[mm]].bytes_read == 2 * 64 * 4);
  }
}

TEST_CASE("rows: random graphs with reductions: sound groups, no cycle, never more bytes than elementwise") {
  uint32_t joined = 0;
  uint32_t refused[4] = {};
  for (uint32_t seed = 1; seed <= 20000; ++seed) {
    const FusionGraph graph = ReductionGraphMaker(seed).make();
    INFO("seed " << seed);
    REQUIRE_FALSE(has_errors(graph.validate()));
    const FusionPlan plan = FusionPlanner().with_policy(Policy::rows).plan(graph);
    const std::string fault = row_plan_fault(graph, plan);
    if (!fault.empty()) FAIL(fault);
    REQUIRE(plan.bytes_fused <= FusionPlanner().plan(graph).bytes_fused);
    for (const Decision& each : plan.decisions.decisions) {
      if (speaks_of_rows(each.reason))
        ++refused[static_cast<int>(each.reason) - static_cast<int>(Reason::row_domain_differs)];
      const bool reduces = graph.op(each.producer).op_class() == OpClass::Reduce;
      if (reduces && each.verdict == Verdict::fused) ++joined;
    }
  }
  CHECK(joined > 10000);
  for (const uint32_t times : refused) CHECK(times > 100);
}

TEST_CASE("rows: without broadcasting random graphs are sound, and move no more bytes than elementwise") {
  for (uint32_t seed = 20001; seed <= 25000; ++seed) {
    const FusionGraph graph = ReductionGraphMaker(seed).make();
    INFO("seed " << seed);
    const FusionPlanner planner = FusionPlanner().with_broadcast(false);
    const FusionPlan plan = planner.with_policy(Policy::rows).plan(graph);
    const std::string fault = row_plan_fault(graph, plan);
    if (!fault.empty()) FAIL(fault);
    REQUIRE(plan.bytes_fused <= planner.plan(graph).bytes_fused);
  }
}

TEST_CASE("rows: on the shared HLO inputs each softmax, layer norm and RMS norm is one group") {
  const fs::path folder = FUSEBOARD_SHARED_DIR "/inputs/hlo";
  if (!fs::exists(folder)) {
    std::printf("skipped: shared HLO files are absent\n");
    return;
  }
  struct Expected {
    const char* file;
    std::vector<std::pair<const char*, const char*>> together;  ///< first and last op of each norm
  };
  const std::vector<Expected> expected = {
      {"mha_block_bf16", {{"reduce_max.7", "div.7"}}},
      {"layer_norm_bf16", {{"reduce_sum.14", "div.11"}}},
      {"layer_norm_f16", {{"reduce_0", "add_1"}}},
      {"rms_norm", {{"reduce", "multiply"}}},
      {"spmd_sharded_layernorm_attention", {{"reduce.27", "divide.44"}}},
  };
  for (const Expected& each : expected) {
    INFO(each.file);
    std::ifstream in(folder / (std::string(each.file) + ".hlo"), std::ios::binary);
    const Result<ReadGraph> read = read_graph(std::string(std::istreambuf_iterator<char>(in), {}));
    REQUIRE(read);
    const FusionGraph& graph = read.value->graph;
    const FusionPlan plan = FusionPlanner().with_policy(Policy::rows).plan(graph);
    std::printf("%s under rows: %s\n", each.file, groups(graph, plan).c_str());
    const auto group_of = [&](std::string_view name) {
      for (uint32_t id = 0; id < graph.size(); ++id) {
        if (graph.op(id).name == name) return plan.group_of[id];
      }
      FAIL("no op " << name);
      return 0U;
    };
    for (const auto& [first, last] : each.together) CHECK(group_of(first) == group_of(last));
  }
}
