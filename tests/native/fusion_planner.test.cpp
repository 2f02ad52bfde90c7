// Random graphs of every class against a slow planner by the book, and against what must always hold.
// It must not know how the fast planner works.
#include "plan/fusion_planner.h"

#include <map>
#include <set>

#include "analysis/topological_order.h"
#include "base/checked.h"
#include "catch.h"
#include "contracted_graph.h"
#include "graph/storage.h"
#include "report/plan_json.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

/// Any graph that validates: sources, Points, views, results, barriers, shapes at random, ids shuffled.
FusionGraph random_plannable(std::mt19937& random) {
  const uint32_t n = 1 + random() % 60;
  const Dag dag = random_dag(random, n, 3, 1 + random() % n);
  const auto pick = [&](std::initializer_list<OpKind> from) { return from.begin()[random() % from.size()]; };
  FusionGraph graph;
  for (uint32_t v = 0; v < n; ++v) {
    std::vector<uint32_t> inputs(dag.predecessors[v].begin(), dag.predecessors[v].end());
    if (!inputs.empty() && random() % 6 == 0) inputs.push_back(inputs[0]);
    OpKind kind = pick({OpKind::add, OpKind::relu, OpKind::select, OpKind::exp, OpKind::axpy});
    if (inputs.empty() && random() % 2 == 0) kind = pick({OpKind::input, OpKind::constant, OpKind::iota});
    if (inputs.size() == 1 && random() % 3 == 0)
      kind = pick({OpKind::reshape, OpKind::broadcast, OpKind::result});
    if (random() % 7 == 0)
      kind = pick({OpKind::matmul, OpKind::reduce, OpKind::transpose, OpKind::call, OpKind::reshape});
    Shape shape;
    for (uint32_t k = random() % 3; k > 0; --k)
      shape.push_back(random() % 9 == 0 ? random() % 2 : 4 + 4 * (random() % 8 == 0));
    const uint32_t id = graph.add_op(kind, std::move(inputs), std::move(shape), random() % 4 == 0 ? 2 : 4);
    if (kind == OpKind::constant && random() % 2 == 0) graph.op(id).attributes.push_back({"value", 1.5});
  }
  for (uint32_t k = random() % 3; k > 0; --k) graph.add_output(random() % n);
  return graph;
}

bool is_view(const FusionGraph& graph, uint32_t id) { return graph.op(id).op_class() == OpClass::View; }

bool stretches(const FusionGraph& graph, uint32_t id) {
  const FusionOp& op = graph.op(id);
  return op.kind == OpKind::broadcast && is_view(graph, id) &&
         graph.op(op.inputs[0]).output_shape != op.output_shape;
}

bool shapes_fit(const FusionGraph& graph, uint32_t p, uint32_t c, bool broadcast) {
  if (is_view(graph, p) || is_view(graph, c))
    return broadcast || (!stretches(graph, p) && !stretches(graph, c));
  const Shape& from = graph.op(p).output_shape;
  const Shape& to = graph.op(c).output_shape;
  return from == to || (broadcast && broadcastable(from, to));
}

/// Spec 1 as the oracle has it: labels, and a walk over the contracted graph for every edge.
void require_by_the_book(const FusionGraph& graph, const FusionPlan& plan, bool broadcast) {
  const Dag dag = graph.dag();
  ContractedGraph groups(dag);
  size_t at = 0;
  for (const auto& [p, c] : edges_in_order(dag, topological_order(dag))) {
    REQUIRE(at < plan.decisions.decisions.size());
    const Decision& decision = plan.decisions.decisions[at++];
    Reason reason = Reason::fused;
    if (!graph.op(p).is_fusible()) {
      reason = Reason::producer_not_fusible;
    } else if (!graph.op(c).is_fusible()) {
      reason = Reason::consumer_not_fusible;
    } else if (!shapes_fit(graph, p, c, broadcast)) {
      reason = Reason::shapes_differ;
    } else if (groups.label(p) != groups.label(c)) {
      if (groups.has_path_through_third(p, c)) {
        reason = Reason::would_create_cycle;
      } else {
        groups.merge(p, c);
      }
    }
    REQUIRE(decision.producer == p);
    REQUIRE(decision.consumer == c);
    REQUIRE(decision.reason == reason);
    REQUIRE(decision.verdict == (reason == Reason::fused ? Verdict::fused : Verdict::refused));
    REQUIRE(decision.together == (plan.group_of[p] == plan.group_of[c]));
    if (reason != Reason::would_create_cycle) continue;
    const std::vector<uint32_t> path = plan.decisions.path(decision);
    REQUIRE(path.size() >= 3);
    REQUIRE(path.size() <= kPathKept);
    REQUIRE(decision.path_total >= path.size());
    REQUIRE(groups.label(path.front()) == groups.label(p));
    REQUIRE(groups.label(path.back()) == groups.label(c));
  }
  REQUIRE(at == plan.decisions.decisions.size());
  std::map<uint32_t, uint32_t> number;  // groups by their smallest member
  for (uint32_t id = 0; id < graph.size(); ++id) {
    number.try_emplace(groups.label(id), static_cast<uint32_t>(number.size()));
    REQUIRE(plan.group_of[id] == number[groups.label(id)]);
  }
}

using Ids = std::set<uint32_t>;
Ids set_of(std::span<const uint32_t> ids) { return {ids.begin(), ids.end()}; }

void require_priced(const FusionGraph& graph, const FusionPlan& plan) {
  const Dag dag = graph.dag();
  const Storages stores = storages(graph);
  const Ids listed(graph.outputs().begin(), graph.outputs().end());
  uint64_t fused = 0;
  size_t members = 0;
  for (uint32_t g = 0; g < plan.groups.size(); ++g) {
    const FusionGroup& group = plan.groups[g];
    members += group.members.size();
    Ids inputs, outputs, read, written;
    for (const uint32_t id : group.members) {
      REQUIRE(plan.group_of[id] == g);
      for (const uint32_t p : graph.op(id).inputs) {
        if (plan.group_of[p] != g) inputs.insert(p);
        const uint32_t root = stores.root[p];
        const bool here = plan.group_of[root] == g && !is_view(graph, root);
        const bool free = is_immediate(graph.op(root)) || graph.output_bytes(p) == 0;
        if (!is_view(graph, id) && !here && !free) read.insert(root);
      }
      const auto consumers = dag.successors[id];
      const bool needed =
          consumers.empty() || listed.contains(id) ||
          std::any_of(consumers.begin(), consumers.end(), [&](uint32_t c) { return plan.group_of[c] != g; });
      if (needed) outputs.insert(id);
      const OpClass root_class = graph.op(stores.root[id]).op_class();
      const bool computed = root_class != OpClass::Source && root_class != OpClass::View;
      if (needed && computed && plan.group_of[stores.root[id]] == g) written.insert(stores.root[id]);
    }
    REQUIRE(std::is_sorted(group.members.begin(), group.members.end()));
    REQUIRE(set_of(group.external_inputs) == inputs);
    REQUIRE(set_of(group.external_outputs) == outputs);
    REQUIRE(group.external_inputs.size() == inputs.size());
    REQUIRE(group.external_outputs.size() + group.internal_intermediates.size() == group.members.size());
    for (const uint32_t id : group.internal_intermediates) REQUIRE_FALSE(outputs.contains(id));
    uint64_t bytes_read = 0, bytes_written = 0;
    for (const uint32_t root : read) bytes_read += graph.output_bytes(root);
    for (const uint32_t root : written) bytes_written += graph.output_bytes(root);
    REQUIRE(group.bytes_read == bytes_read);
    REQUIRE(group.bytes_written == bytes_written);
    fused += bytes_read + bytes_written;
  }
  REQUIRE(members == graph.size());
  REQUIRE(plan.bytes_fused == fused);
  REQUIRE(plan.bytes_fused <= plan.bytes_unfused);
  REQUIRE(plan.bytes_saved == plan.bytes_unfused - plan.bytes_fused);
  REQUIRE(plan.speedup_estimate == (fused == 0 ? 1.0 : exact_ratio(plan.bytes_unfused, fused)));
  REQUIRE(plan.speedup_estimate >= 1.0);
}

void require_acyclic(const FusionGraph& graph, const FusionPlan& plan) {
  std::vector<Ids> inputs(plan.groups.size());
  for (uint32_t id = 0; id < graph.size(); ++id) {
    for (const uint32_t p : graph.op(id).inputs) {
      if (plan.group_of[p] != plan.group_of[id]) inputs[plan.group_of[id]].insert(plan.group_of[p]);
    }
  }
  std::vector<std::vector<uint32_t>> rows;
  for (const Ids& row : inputs) rows.emplace_back(row.begin(), row.end());
  REQUIRE(topological_order(dag_from(rows)).size() == plan.groups.size());
}

}  // namespace

TEST_CASE("random graphs are planned as by the book, priced right, with an acyclic contraction") {
  std::mt19937 random(29);
  uint32_t together = 0, cycles = 0;
  for (int i = 0; i < 1500; ++i) {
    INFO("graph " << i);
    const FusionGraph graph = random_plannable(random);
    REQUIRE_FALSE(has_errors(graph.validate()));
    const bool broadcast = random() % 4 != 0;
    const FusionPlan plan = FusionPlanner().with_broadcast(broadcast).plan(graph);
    require_by_the_book(graph, plan, broadcast);
    require_priced(graph, plan);
    require_acyclic(graph, plan);
    for (const Decision& each : plan.decisions.decisions) {
      together += each.verdict == Verdict::refused && each.together ? 1 : 0;
      cycles += each.reason == Reason::would_create_cycle ? 1 : 0;
    }
    const FusionPlan unfused = FusionPlanner::plan_unfused(graph);
    REQUIRE(unfused.groups.size() == graph.size());
    REQUIRE(unfused.bytes_fused == plan.bytes_unfused);
    REQUIRE(unfused.bytes_unfused == plan.bytes_unfused);
    require_priced(graph, unfused);
  }
  CHECK(together > 20);
  CHECK(cycles > 200);
}

TEST_CASE("a plan depends neither on names nor on outputs being listed twice") {
  std::mt19937 random(31);
  for (int i = 0; i < 200; ++i) {
    FusionGraph graph = random_plannable(random);
    const std::string plain = spec_plan_json(FusionPlanner().plan(graph));
    for (uint32_t id = 0; id < graph.size(); ++id) graph.op(id).name = "z" + std::to_string(random());
    const std::vector<uint32_t> outputs = graph.outputs();
    for (const uint32_t id : outputs) graph.add_output(id);
    REQUIRE(spec_plan_json(FusionPlanner().plan(graph)) == plain);
  }
}

TEST_CASE("with_broadcast leaves the planner it is called on as it was") {
  FusionGraph graph;
  graph.add_op(OpKind::relu, {}, {4}, 4);
  graph.add_op(OpKind::relu, {0}, {2, 4}, 4);
  const FusionPlanner planner;
  CHECK(planner.with_broadcast(false).plan(graph).groups.size() == 2);
  CHECK(planner.with_broadcast(false).with_broadcast(true).plan(graph).groups.size() == 1);
  CHECK(planner.plan(graph).groups.size() == 1);
}
