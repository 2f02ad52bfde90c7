// What kernels that reduce do for each element, in which walk, and what they cannot do.
// It must not know PTX.
#include "launch/row_schedule.h"

#include "catch.h"
#include "fold_graph.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

/// "load x full 0, fold m row 0": the steps in order, each with its walk.
std::string text(const FusionGraph& graph, const RowSchedule& schedule) {
  std::string out;
  for (size_t i = 0; i < schedule.loop.steps.size(); ++i) {
    const Step& step = schedule.loop.steps[i];
    const char* kind = step.kind == StepKind::load      ? "load "
                       : step.kind == StepKind::compute ? "compute "
                       : step.kind == StepKind::fold    ? "fold "
                                                        : "immediate ";
    out += (i == 0 ? "" : ", ") + std::string(kind) + graph.op(step.op).name +
           (schedule.steps[i].by_row ? " row " : " full ") + std::to_string(schedule.steps[i].walk);
  }
  return out;
}

const char* const kSoftmaxSteps =
    "load x full 0, fold m row 0, compute d full 1, compute e full 1, fold s row 1, compute y full 2";

/// Softmax over one axis of a matrix.
std::string softmax(uint64_t height, uint64_t width, int64_t axis) {
  FoldGraph r;
  const Shape full{height, width};
  const Shape kept{axis == 0 ? width : height};
  const uint32_t x = r.input("x", full);
  const uint32_t m = r.reduce("m", {x}, {axis}, kept);
  const uint32_t d = r.member("d", OpKind::sub, {x, r.broadcast(m, full, {1 - axis})}, full);
  const uint32_t e = r.member("e", OpKind::exp, {d}, full);
  const uint32_t s = r.reduce("s", {e}, {axis}, kept);
  const uint32_t y = r.member("y", OpKind::div, {e, r.broadcast(s, full, {1 - axis})}, full);
  const auto schedule = r.schedule(m, {y});
  INFO(r.fault);
  REQUIRE(schedule.has_value());
  CHECK(schedule->walks == 3);
  CHECK(schedule->steps.size() == schedule->loop.steps.size());
  CHECK(schedule->loop.steps[schedule->loop.stored.at(0)].op == y);
  return text(r.b.graph, *schedule);
}

}  // namespace

TEST_CASE("softmax reads its row once and folds it twice, whatever the rows, columns and axis") {
  CHECK(softmax(1024, 512, 1) == kSoftmaxSteps);
  CHECK(softmax(4096, 4096, 0) == kSoftmaxSteps);
  CHECK(softmax(7, 5, 1) == kSoftmaxSteps);
  CHECK(softmax(8, 33, 1) == kSoftmaxSteps);
  CHECK(softmax(128, 50257, 1) == kSoftmaxSteps);
  CHECK(softmax(2, 262144, 1) == kSoftmaxSteps);
}

TEST_CASE("rows of one column, a single row and a single element are folded like any other") {
  CHECK(softmax(8, 1, 1) == kSoftmaxSteps);
  CHECK(softmax(1, 8, 1) == kSoftmaxSteps);
  CHECK(softmax(8, 1, 0) == kSoftmaxSteps);
  CHECK(softmax(1, 1, 1) == kSoftmaxSteps);
}

TEST_CASE("layer norm stores full and by-row values; gamma and beta lie along the row") {
  FoldGraph r;
  const Shape full{8, 128, 512};
  const Shape kept{8, 128};
  const uint32_t x = r.input("x", full);
  const uint32_t gamma = r.input("gamma", {512});
  const uint32_t scale = r.input("scale", {});
  const uint32_t sum = r.reduce("sum", {x}, {-1}, kept);
  const uint32_t mean = r.member("mean", OpKind::mul, {sum, scale}, kept);
  const uint32_t d = r.member("d", OpKind::sub, {x, r.broadcast(mean, full, {0, 1})}, full);
  const uint32_t q = r.member("q", OpKind::mul, {d, d}, full);
  const uint32_t var = r.reduce("var", {q}, {2}, kept);
  const uint32_t rstd = r.member("rstd", OpKind::rsqrt, {var}, kept);
  const uint32_t n = r.member("n", OpKind::mul, {d, r.broadcast(rstd, full, {0, 1})}, full);
  const uint32_t y = r.member("y", OpKind::mul, {n, gamma}, full);
  const auto schedule = r.schedule(sum, {mean, rstd, y});
  INFO(r.fault);
  REQUIRE(schedule.has_value());
  CHECK(
      text(r.b.graph, *schedule) ==
      "load x full 0, fold sum row 0, load scale row 0, compute mean row 1, compute d full 1, compute q full "
      "1, fold var row 1, compute rstd row 2, compute n full 2, load gamma full 0, compute y full 2");
  CHECK(schedule->walks == 3);
  CHECK(schedule->row_map != 0);
  CHECK(schedule->loop.steps[schedule->loop.stored.at(0)].map == schedule->row_map);
  CHECK(schedule->loop.steps[schedule->loop.stored.at(2)].map == 0);
}

TEST_CASE("a by-row store at the end needs no walk of its own") {
  FoldGraph r;
  const uint32_t x = r.input("x", {64, 50257});
  const uint32_t sum = r.reduce("sum", {x}, {1}, {64});
  const uint32_t y = r.member("y", OpKind::neg, {sum}, {64});
  const auto schedule = r.schedule(sum, {y});
  REQUIRE(schedule.has_value());
  CHECK(text(r.b.graph, *schedule) == "load x full 0, fold sum row 0, compute y row 1");
  CHECK(schedule->walks == 1);
}

TEST_CASE("keepdims, a full reduction and batch norm's axes fold the rows that they keep") {
  FoldGraph r;
  const uint32_t x = r.input("x", {4, 6, 5, 7});
  const uint32_t bias = r.input("bias", {6});
  const uint32_t sum = r.reduce("sum", {x}, {0, 2, 3}, {1, 6, 1, 1});
  const uint32_t b = r.member("b", OpKind::reshape, {bias}, {1, 6, 1, 1});
  const uint32_t mean = r.member("mean", OpKind::add, {sum, b}, {1, 6, 1, 1});
  const uint32_t y = r.member("y", OpKind::sub, {x, mean}, {4, 6, 5, 7});
  const auto channels = r.schedule(sum, {mean, y});
  INFO(r.fault);
  REQUIRE(channels.has_value());
  CHECK(text(r.b.graph, *channels) ==
        "load x full 0, fold sum row 0, load bias row 0, compute mean row 1, compute y full 1");
  const uint32_t all = r.reduce("all", {x}, {0, 1, 2, 3}, {});
  const auto scalar = r.schedule(all, {all});
  REQUIRE(scalar.has_value());
  CHECK(text(r.b.graph, *scalar) == "load x full 0, fold all row 0");
  CHECK(scalar->loop.maps[scalar->row_map].digits.empty());
}

TEST_CASE("a bf16 row is converted before its fold, and an initial value is one for all rows") {
  FoldGraph r;
  const uint32_t x = r.input("x", {16, 33}, DType::bf16);
  const uint32_t start = r.input("start", {});
  const uint32_t wide = r.member("wide", OpKind::cast, {x}, {16, 33});
  const uint32_t sum = r.reduce("sum", {wide, start}, {1}, {16});
  const uint32_t out = r.member("out", OpKind::cast, {sum}, {16}, {}, DType::bf16);
  const auto schedule = r.schedule(sum, {out});
  INFO(r.fault);
  REQUIRE(schedule.has_value());
  CHECK(text(r.b.graph, *schedule) ==
        "load x full 0, compute wide full 0, load start row 0, fold sum row 0, compute out row 1");
}

TEST_CASE("a value without a fold behind it is computed wherever it is read") {
  FoldGraph r;
  const Shape full{8, 8};
  const uint32_t x = r.input("x", full);
  const uint32_t v = r.input("v", {8});
  const uint32_t w = r.member("w", OpKind::neg, {v}, {8});
  const uint32_t a = r.member("a", OpKind::add, {r.broadcast(w, full, {0}), r.broadcast(w, full, {1})}, full);
  const uint32_t b = r.member("b", OpKind::add, {a, x}, full);
  const uint32_t sum = r.reduce("sum", {b}, {1}, {8});
  const auto schedule = r.schedule(sum, {sum});
  REQUIRE(schedule.has_value());
  CHECK(text(r.b.graph, *schedule) ==
        "load v row 0, compute w row 0, load v full 0, compute w full 0, compute a full 0, load x full 0, "
        "compute b full 0, fold sum row 0");
}

TEST_CASE("what is made from a fold is not read at another row, nor are other rows folded") {
  FoldGraph r;
  const Shape full{8, 8};
  const uint32_t x = r.input("x", full);
  const uint32_t sum = r.reduce("sum", {x}, {1}, {8});
  const uint32_t across = r.member("across", OpKind::sub, {x, r.broadcast(sum, full, {1})}, full);
  CHECK_FALSE(r.schedule(sum, {across}).has_value());
  CHECK(r.fault == "sum (reduce) is read at another row");
  const uint32_t twice = r.member("twice", OpKind::neg, {sum}, {8});
  const uint32_t later = r.member("later", OpKind::sub, {x, r.broadcast(twice, full, {1})}, full);
  CHECK_FALSE(r.schedule(sum, {later}).has_value());
  CHECK(r.fault.find("is read at another row") != std::string::npos);
  const uint32_t columns = r.reduce("columns", {x}, {0}, {8});
  CHECK_FALSE(r.schedule(sum, {columns, sum}).has_value());
  CHECK(r.fault == "columns (reduce) folds other rows than its kernel");
  const uint32_t flat = r.broadcast(r.input("v", {8}), full, {0});
  const uint32_t same = r.reduce("same", {flat}, {1}, {8});
  const auto alone = r.schedule(sum, {same});
  REQUIRE(alone.has_value());
  CHECK(text(r.b.graph, *alone) == "load v row 0, fold same row 0");
  const uint32_t again = r.reduce("again", {r.broadcast(sum, full, {0})}, {1}, {8});
  const auto twice_folded = r.schedule(sum, {again});
  REQUIRE(twice_folded.has_value());
  CHECK(text(r.b.graph, *twice_folded) == "load x full 0, fold sum row 0, fold again row 1");
}

TEST_CASE("a store of another size is refused by name, too many steps without one") {
  FoldGraph r;
  const uint32_t x = r.input("x", {6, 8});
  const uint32_t v = r.input("v", {5});
  const uint32_t sum = r.reduce("sum", {x}, {1}, {6});
  const uint32_t other = r.member("other", OpKind::neg, {v}, {5});
  CHECK_FALSE(r.schedule(sum, {sum, other}).has_value());
  CHECK(r.fault == "other (neg) has neither an element for each row nor one for each row and column");
  CHECK_FALSE(r.schedule(sum, {sum}, 1).has_value());
  CHECK(r.fault.empty());
}
