// Spec 1's rules edge by edge: which edge is fused or refused, for which reason, in which order.
// It must not know prices or kernels.
#include "plan/elementwise.h"

#include "catch.h"
#include "graph_builder.h"
#include "plan/fusion_planner.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

/// "a>b fused; c>d shapes-differ; e>f would-create-cycle(e m f) together"
std::string decisions(const FusionGraph& graph, bool broadcast = true) {
  REQUIRE_FALSE(has_errors(graph.validate()));
  const FusionPlan plan = FusionPlanner().with_broadcast(broadcast).plan(graph);
  std::string out;
  for (const Decision& each : plan.decisions.decisions) {
    if (!out.empty()) out += "; ";
    out += graph.name_of(each.producer) + ">" + graph.name_of(each.consumer) + " " +
           std::string(reason_text(each.reason));
    CHECK((each.verdict == Verdict::fused) == (each.reason == Reason::fused));
    CHECK(each.together == (plan.group_of[each.producer] == plan.group_of[each.consumer]));
    if (each.reason == Reason::would_create_cycle) {
      const std::vector<uint32_t> path = plan.decisions.path(each);
      CHECK(each.path_total == path.size());
      out += "(";
      for (const uint32_t op : path) out += (out.back() == '(' ? "" : " ") + graph.name_of(op);
      out += ")";
    }
    if (each.together && each.reason != Reason::fused) out += " together";
  }
  return out;
}

}  // namespace

TEST_CASE("one decision for every distinct edge, consumer by consumer in Kahn's order, inputs as listed") {
  GraphBuilder b;
  b.add("late", OpKind::add, {3, 2}, {4});  // id 0, but third in order
  b.add("x", OpKind::input, {}, {4});
  b.add("y", OpKind::neg, {1}, {4});
  b.add("z", OpKind::mul, {1, 1}, {4});
  CHECK(decisions(b.graph) ==
        "x>y producer-not-fusible; x>z producer-not-fusible; z>late fused; y>late fused");
}

TEST_CASE("reasons are asked in the order producer, consumer, shapes, cycle") {
  GraphBuilder b;
  b.add("m", OpKind::matmul, {}, {4, 4});
  b.add("t", OpKind::transpose, {0}, {4, 4});  // neither fuses: the producer is told
  b.add("p", OpKind::relu, {}, {3});
  b.add("r", OpKind::reduce, {2}, {9});  // shapes differ too: the consumer is told
  b.add("q", OpKind::relu, {2}, {9});
  CHECK(decisions(b.graph) == "m>t producer-not-fusible; p>r consumer-not-fusible; p>q shapes-differ");
}

TEST_CASE("a producer may stretch to its consumer, unless that is switched off; it never shrinks") {
  GraphBuilder b;
  b.add("p", OpKind::relu, {}, {8});
  b.add("q", OpKind::relu, {0}, {4, 8});
  b.add("r", OpKind::relu, {1}, {8});
  CHECK(decisions(b.graph) == "p>q fused; q>r shapes-differ");
  CHECK(decisions(b.graph, false) == "p>q shapes-differ; q>r shapes-differ");
}

TEST_CASE("a barrier between refuses the merge, with the path; a third way can still bring both together") {
  GraphBuilder b;
  b.add("a", OpKind::relu, {}, {4});
  b.add("m", OpKind::matmul, {0}, {4});
  b.add("c", OpKind::add, {0, 1}, {4});
  CHECK(decisions(b.graph) ==
        "a>m consumer-not-fusible; a>c would-create-cycle(a m c); m>c producer-not-fusible");
}

TEST_CASE("an op that does not fit stands between as a barrier does") {
  GraphBuilder b;
  b.add("a", OpKind::relu, {}, {1});
  b.add("s", OpKind::relu, {0}, {4});
  b.add("t", OpKind::relu, {1}, {1});  // shrinks
  b.add("u", OpKind::add, {1, 2}, {4});
  CHECK(decisions(b.graph) == "a>s fused; s>t shapes-differ; s>u would-create-cycle(s t u); t>u fused");
}

TEST_CASE("a refused edge whose ends are joined by another way says so") {
  GraphBuilder b;
  b.add("a", OpKind::relu, {}, {4});
  b.add("v", OpKind::reshape, {0}, {2, 2});
  b.add("c", OpKind::add, {0, 1}, {2, 2});  // [4] does not stretch to [2,2]; the view skips the rule
  CHECK(decisions(b.graph) == "a>v fused; a>c shapes-differ together; v>c fused");
}

TEST_CASE("a path through a group of several is told edge by edge and member by member") {
  GraphBuilder b;
  b.add("a", OpKind::relu, {}, {4});
  b.add("b", OpKind::relu, {0}, {4});
  b.add("c", OpKind::relu, {1}, {2});        // b>c does not fit
  b.add("wide", OpKind::reshape, {2}, {4});  // a view skips the rule
  b.add("d", OpKind::add, {0, 3}, {4});
  // From b, which shares a's group, through c and wide to d.
  CHECK(decisions(b.graph) ==
        "a>b fused; b>c shapes-differ; c>wide fused; a>d would-create-cycle(b c wide d); wide>d fused");
}

TEST_CASE("views join groups whatever their shapes; stretching ones not where broadcasting is off") {
  GraphBuilder b;
  b.add("p", OpKind::relu, {}, {8});
  b.add("flat", OpKind::reshape, {0}, {2, 4});
  b.add("wide", OpKind::broadcast, {1}, {3, 2, 4});
  b.add("q", OpKind::neg, {2}, {3, 2, 4});
  b.add("same", OpKind::broadcast, {3}, {3, 2, 4});  // stretches nothing
  b.add("r", OpKind::neg, {4}, {3, 2, 4});
  CHECK(decisions(b.graph) == "p>flat fused; flat>wide fused; wide>q fused; q>same fused; same>r fused");
  CHECK(decisions(b.graph, false) ==
        "p>flat fused; flat>wide shapes-differ; wide>q shapes-differ; q>same fused; same>r fused");
}

TEST_CASE("a view of a wrong arity is opaque, a Point of one still fuses") {
  GraphBuilder b;
  b.add("x", OpKind::relu, {}, {4});
  b.add("y", OpKind::relu, {0, 0, 0}, {4});
  b.add("v", OpKind::reshape, {0, 1}, {4});
  CHECK(decisions(b.graph) == "x>y fused; x>v consumer-not-fusible; y>v consumer-not-fusible");
}

TEST_CASE("foreign ops and results: the first refuses, the second is a view") {
  GraphBuilder b;
  const uint32_t f = b.add("f", OpKind::foreign, {}, {4});
  b.graph.op(f).foreign_kind = "fft";
  b.add("r", OpKind::result, {f}, {4}, DType::f32, {{"index", int64_t{0}}});
  b.add("y", OpKind::neg, {1}, {2});
  CHECK(decisions(b.graph) == "f>r producer-not-fusible; r>y fused");
}

TEST_CASE("a chain of a million ops is one group with a decision for every edge") {
  FusionGraph graph;
  graph.add_op(OpKind::relu, {}, {4}, 4);
  for (uint32_t i = 1; i < 1'000'000; ++i) graph.add_op(OpKind::relu, {i - 1}, {4}, 4);
  const FusionPlan plan = FusionPlanner().plan(graph);
  CHECK(plan.groups.size() == 1);
  CHECK(plan.decisions.decisions.size() == 999'999);
  CHECK(plan.bytes_fused == 16);
}
