// The regions policy on operation graphs: closed regions first, spec 1 over what is left; on random graphs
// too. It must not know prices or kernels.
#include "catch.h"
#include "graph_builder.h"
#include "plan/fusion_planner.h"
#include "plan/regions.h"
#include "reduction_random_graph.h"
#include "row_checks.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

/// x -> relu -> max -> sub -> exp -> sum -> div, the ops between the first and the last read twice.
struct Softmax : GraphBuilder {
  uint32_t x = add("x", OpKind::input, {}, {8, 32});
  uint32_t before = add("before", OpKind::relu, {x}, {8, 32});
  uint32_t top = fold("top", "max", before);
  uint32_t less = add("less", OpKind::sub, {before, top}, {8, 32});
  uint32_t powers = add("powers", OpKind::exp, {less}, {8, 32});
  uint32_t sum = fold("sum", "sum", powers);
  uint32_t y = add("y", OpKind::div, {powers, sum}, {8, 32});

  uint32_t fold(const std::string& name, const char* reducer, uint32_t of) {
    return add(name, OpKind::reduce, {of}, {8, 1}, DType::f32,
               {{"reducer", std::string(reducer)}, {"axes", std::vector<int64_t>{1}}, {"keepdims", true}});
  }
};

FusionPlan planned(const FusionGraph& graph) {
  REQUIRE_FALSE(has_errors(graph.validate()));
  FusionPlan plan = FusionPlanner().with_policy(Policy::regions).plan(graph);
  CHECK(row_plan_fault(graph, plan).empty());
  return plan;
}

std::vector<uint32_t> members(const FusionPlan& plan, uint32_t id) {
  const std::span<const uint32_t> of = plan.groups[plan.group_of[id]].members;
  return {of.begin(), of.end()};
}

bool reduces(const FusionGraph& graph, const FusionGroup& group) {
  return std::any_of(group.members.begin(), group.members.end(),
                     [&](uint32_t id) { return graph.op(id).op_class() == OpClass::Reduce; });
}

using Ids = std::vector<uint32_t>;

}  // namespace

TEST_CASE("plan regions: a softmax is one group with the chain behind it") {
  Softmax s;
  const uint32_t after = s.add("after", OpKind::neg, {s.y}, {8, 32});
  CHECK(members(planned(s.graph), s.y) == Ids{s.before, s.top, s.less, s.powers, s.sum, s.y, after});
}

TEST_CASE("plan regions: two readers of a softmax stay outside, and are told its region") {
  Softmax s;
  const uint32_t left = s.add("left", OpKind::neg, {s.y}, {8, 32});
  const uint32_t right = s.add("right", OpKind::tanh, {s.y}, {8, 32});
  const FusionPlan plan = planned(s.graph);
  CHECK(members(plan, s.y) == Ids{s.before, s.top, s.less, s.powers, s.sum, s.y});
  CHECK(members(plan, left) == Ids{left});
  CHECK(members(plan, right) == Ids{right});
  for (const Decision& each : plan.decisions.decisions) {
    if (each.producer != s.y) continue;
    CHECK(each.reason == Reason::region_is_closed);
    CHECK(each.path_start == s.before);
    CHECK(each.path_length == s.y);
  }
}

TEST_CASE(
    "plan regions: a value in the middle that is listed as an output opens the region; a smaller one "
    "stands") {
  Softmax s;
  s.graph.add_output(s.less);
  const FusionPlan plan = planned(s.graph);
  CHECK(members(plan, s.y) == Ids{s.powers, s.sum, s.y});
  CHECK(members(plan, s.less) == Ids{s.before, s.top, s.less});

  Softmax kept;
  kept.graph.add_output(kept.sum);
  CHECK(members(planned(kept.graph), kept.sum) == Ids{kept.sum});
}

TEST_CASE("plan regions: random graphs: closed groups that a kernel over rows can hold, and no cycle") {
  uint32_t found = 0;
  uint32_t told = 0;
  for (uint32_t seed = 1; seed <= 10000; ++seed) {
    const FusionGraph graph = ReductionGraphMaker(seed).make();
    INFO("seed " << seed);
    for (const bool broadcast : {true, false}) {
      const FusionPlan plan =
          FusionPlanner().with_broadcast(broadcast).with_policy(Policy::regions).plan(graph);
      const std::string fault = row_plan_fault(graph, plan);
      if (!fault.empty()) FAIL(fault);
      for (const FusionGroup& group : plan.groups) {
        if (group.members.size() == 1 || !reduces(graph, group)) continue;
        ++found;
        REQUIRE(group.external_outputs.size() == 1);
      }
      for (const Decision& each : plan.decisions.decisions)
        told += each.reason == Reason::region_is_closed ? 1 : 0;
    }
  }
  CHECK(found > 200);
  CHECK(told > 100);
}
