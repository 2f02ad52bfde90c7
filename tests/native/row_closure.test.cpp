// Which walk along a row makes which value, held and looped.
// It must not know PTX.
#include "launch/row_closure.h"

#include "catch.h"
#include "fold_graph.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

/// "x d | x e": by walk the names of what is made there; then of each store its name and walk.
std::string text(const FusionGraph& graph, const RowSchedule& schedule, RowWalk walk) {
  const RowPlacement placement = row_placement(schedule, walk);
  std::string out;
  for (const std::vector<uint32_t>& steps : placement.walks) {
    if (&steps != placement.walks.data()) out += " |";
    for (const uint32_t step : steps) out += " " + graph.op(schedule.loop.steps[step].op).name;
  }
  out += ";";
  for (size_t k = 0; k < placement.store_walk.size(); ++k) {
    const uint32_t op = schedule.loop.steps[schedule.loop.stored[k]].op;
    out += " " + graph.op(op).name + " " + std::to_string(placement.store_walk[k]);
  }
  return out;
}

}  // namespace

TEST_CASE("held softmax makes each value once; looped it loads its row in every walk") {
  FoldGraph r;
  const Shape full{128, 512};
  const uint32_t x = r.input("x", full);
  const uint32_t m = r.reduce("m", {x}, {1}, {128});
  const uint32_t d = r.member("d", OpKind::sub, {x, r.broadcast(m, full, {0})}, full);
  const uint32_t e = r.member("e", OpKind::exp, {d}, full);
  const uint32_t s = r.reduce("s", {e}, {1}, {128});
  const uint32_t y = r.member("y", OpKind::div, {e, r.broadcast(s, full, {0})}, full);
  const auto schedule = r.schedule(m, {m, y});
  REQUIRE(schedule.has_value());
  CHECK(text(r.b.graph, *schedule, RowWalk::held) == " x | d e | y; m 3 y 2");
  CHECK(text(r.b.graph, *schedule, RowWalk::looped) == " x | x d e | x d e y; m 3 y 2");
}

TEST_CASE("gamma is loaded in the walk that multiplies by it") {
  FoldGraph r;
  const Shape full{128, 512};
  const uint32_t x = r.input("x", full);
  const uint32_t gamma = r.input("gamma", {512});
  const uint32_t g = r.member("g", OpKind::relu, {gamma}, {512});
  const uint32_t s = r.reduce("s", {x}, {1}, {128});
  const uint32_t d = r.member("d", OpKind::sub, {x, r.broadcast(s, full, {0})}, full);
  const uint32_t v = r.reduce("v", {d}, {1}, {128});
  const uint32_t n = r.member("n", OpKind::mul, {d, r.broadcast(v, full, {0})}, full);
  const uint32_t y = r.member("y", OpKind::mul, {n, g}, full);
  const auto schedule = r.schedule(s, {y});
  REQUIRE(schedule.has_value());
  CHECK(text(r.b.graph, *schedule, RowWalk::held) == " x | d | n gamma g y; y 2");
  CHECK(text(r.b.graph, *schedule, RowWalk::looped) == " x | x d | x d n gamma g y; y 2");
}

TEST_CASE("a store is written where it is made for another's sake, or as early as can be") {
  FoldGraph r;
  const Shape full{64, 96};
  const uint32_t x = r.input("x", full);
  const uint32_t z = r.input("z", full);
  const uint32_t late = r.member("late", OpKind::relu, {z}, full);
  const uint32_t alone = r.member("alone", OpKind::neg, {x}, full);
  const uint32_t s = r.reduce("s", {x}, {1}, {64});
  const uint32_t t = r.member("t", OpKind::neg, {s}, {64});
  const uint32_t y = r.member("y", OpKind::add, {late, r.broadcast(t, full, {0})}, full);
  const auto schedule = r.schedule(s, {late, alone, t, y});
  REQUIRE(schedule.has_value());
  for (const RowWalk walk : {RowWalk::held, RowWalk::looped}) {
    CHECK(text(r.b.graph, *schedule, walk) == " x alone | z late y; late 1 alone 0 t 2 y 1");
  }
}
