// Prices worked by hand: views, sources, immediates, results, outputs. 4 bytes an element unless told.
// It must not know why ops share a group.
#include "plan/cost.h"

#include "catch.h"
#include "graph_builder.h"
#include "plan/fusion_planner.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

FusionPlan planned(const GraphBuilder& b, bool broadcast = true) {
  REQUIRE_FALSE(has_errors(b.graph.validate()));
  return FusionPlanner().with_broadcast(broadcast).plan(b.graph);
}

std::string ids(std::span<const uint32_t> list) {
  std::string out;
  for (const uint32_t id : list) out += (out.empty() ? "" : ",") + std::to_string(id);
  return out;
}

/// Every group as "members|inputs|outputs|intermediates read+written", then "unfused/fused".
std::string told(const FusionPlan& plan) {
  std::string out;
  for (const FusionGroup& g : plan.groups) {
    out += ids(g.members) + "|" + ids(g.external_inputs) + "|" + ids(g.external_outputs) + "|" +
           ids(g.internal_intermediates) + " " + std::to_string(g.bytes_read) + "+" +
           std::to_string(g.bytes_written) + "; ";
  }
  CHECK(plan.bytes_saved == plan.bytes_unfused - plan.bytes_fused);
  return out + std::to_string(plan.bytes_unfused) + "/" + std::to_string(plan.bytes_fused);
}

const std::vector<Attribute> kTwo = {{"value", 2.0}};

}  // namespace

TEST_CASE("bias add: inputs are resident, the bias is read at its own size") {
  GraphBuilder b;
  b.add("x", OpKind::input, {}, {4, 8});
  b.add("bias", OpKind::input, {}, {8});
  b.add("sum", OpKind::add, {0, 1}, {4, 8});
  b.add("y", OpKind::relu, {2}, {4, 8});
  // unfused: sum 128 + 32 + 128, y 128 + 128; fused: 128 + 32 in, 128 out
  CHECK(told(planned(b)) == "0||0| 0+0; 1||1| 0+0; 2,3|0,1|3|2 160+128; 544/288");
  CHECK(planned(b).speedup_estimate == 544.0 / 288.0);
}

TEST_CASE("a broadcast view of a bias costs the bias, and lists the op it reads") {
  GraphBuilder b;
  b.add("x", OpKind::input, {}, {4, 8});
  b.add("bias", OpKind::input, {}, {8});
  b.add("wide", OpKind::broadcast, {1}, {4, 8});
  b.add("sum", OpKind::add, {0, 2}, {4, 8});
  CHECK(told(planned(b)) == "0||0| 0+0; 1||1| 0+0; 2,3|0,1|3|2 160+128; 288/288");
  // With broadcasting off the view stands alone, an alias; who reads it reads the bias.
  CHECK(told(planned(b, false)) == "0||0| 0+0; 1||1| 0+0; 2|1|2| 0+0; 3|0,2|3| 160+128; 288/288");
}

TEST_CASE("the same storage through two views is read once") {
  GraphBuilder b;
  b.add("x", OpKind::input, {}, {4, 8});
  b.add("flat", OpKind::reshape, {0}, {32});
  b.add("up", OpKind::reshape, {0}, {2, 16});
  b.add("down", OpKind::reshape, {1}, {2, 16});
  b.add("y", OpKind::mul, {2, 3}, {2, 16});
  CHECK(told(planned(b)) == "0||0| 0+0; 1,2,3,4|0|4|1,2,3 128+128; 256/256");
}

TEST_CASE("a reshape between two ops joins them, and nothing is stored between") {
  GraphBuilder b;
  b.add("x", OpKind::input, {}, {4, 8});
  b.add("a", OpKind::neg, {0}, {4, 8});
  b.add("flat", OpKind::reshape, {1}, {32});
  b.add("y", OpKind::exp, {2}, {32});
  CHECK(told(planned(b)) == "0||0| 0+0; 1,2,3|0|3|1,2 128+128; 512/256");
}

TEST_CASE("a view that is an output is written as the storage behind it, once") {
  GraphBuilder b;
  b.add("x", OpKind::input, {}, {8});
  b.add("a", OpKind::neg, {0}, {8});
  b.add("flat", OpKind::reshape, {1}, {2, 4});
  b.add("wide", OpKind::broadcast, {1}, {5, 8});
  SECTION("two terminal views of one value: 32 bytes written, the value itself an intermediate") {
    CHECK(told(planned(b)) == "0||0| 0+0; 1,2,3|0|2,3|1 32+32; 64/64");
  }
  SECTION("the value listed too: still once") {
    b.graph.add_output(1);
    CHECK(told(planned(b)) == "0||0| 0+0; 1,2,3|0|1,2,3| 32+32; 64/64");
  }
}

TEST_CASE("views of an input alone are an alias: no bytes at all") {
  GraphBuilder b;
  b.add("x", OpKind::input, {}, {8});
  b.add("flat", OpKind::reshape, {0}, {2, 4});
  b.add("wide", OpKind::broadcast, {1}, {5, 2, 4});
  CHECK(told(planned(b)) == "0||0| 0+0; 1,2|0|2|1 0+0; 0/0");
  CHECK(planned(b).speedup_estimate == 1.0);
}

TEST_CASE("a scalar constant is an immediate; an unknown or a large one is read") {
  GraphBuilder b;
  b.add("x", OpKind::input, {}, {8});
  SECTION("known scalar") {
    b.add("two", OpKind::constant, {}, {}, DType::f32, kTwo);
    b.add("y", OpKind::mul, {0, 1}, {8});
    CHECK(told(planned(b)) == "0||0| 0+0; 1||1| 0+0; 2|0,1|2| 32+32; 64/64");
  }
  SECTION("unknown scalar") {
    b.add("c", OpKind::constant, {}, {});
    b.add("y", OpKind::mul, {0, 1}, {8});
    CHECK(told(planned(b)) == "0||0| 0+0; 1||1| 0+0; 2|0,1|2| 36+32; 68/68");
  }
  SECTION("eight of a known value") {
    b.add("c", OpKind::constant, {}, {8}, DType::f32, kTwo);
    b.add("y", OpKind::mul, {0, 1}, {8});
    CHECK(told(planned(b)) == "0||0| 0+0; 1||1| 0+0; 2|0,1|2| 64+32; 96/96");
  }
  SECTION("seen through a broadcast it costs nothing still") {
    b.add("two", OpKind::constant, {}, {}, DType::f32, kTwo);
    b.add("wide", OpKind::broadcast, {1}, {8});
    b.add("y", OpKind::mul, {0, 2}, {8});
    CHECK(told(planned(b)) == "0||0| 0+0; 1||1| 0+0; 2,3|0,1|3|2 32+32; 64/64");
  }
}

TEST_CASE("a source of a computing kind counts as the spec says: written, and not read") {
  GraphBuilder b;
  b.add("r", OpKind::relu, {}, {8});
  b.add("y", OpKind::neg, {0}, {8});
  CHECK(told(planned(b)) == "0,1||1|0 0+32; 96/32");
}

TEST_CASE("iota is computed, never loaded; a library call that reads it reads what was stored") {
  GraphBuilder b;
  b.add("i", OpKind::iota, {}, {8}, DType::f32, {{"axis", int64_t{0}}});
  b.add("x", OpKind::input, {}, {8});
  b.add("y", OpKind::add, {0, 1}, {8});
  CHECK(told(planned(b)) == "0,2|1|2|0 32+32; 1||1| 0+0; 128/64");
  b.add("s", OpKind::sort, {0}, {8});
  CHECK(told(planned(b)) == "0,2|1|0,2| 32+64; 1||1| 0+0; 3|0|3| 32+32; 192/160");
}

TEST_CASE("results of an opaque op cost their own part, and the op writes all of its own") {
  GraphBuilder b;
  b.add("call", OpKind::call, {}, {100});
  b.add("first", OpKind::result, {0}, {60}, DType::f32, {{"index", int64_t{0}}});
  b.add("second", OpKind::result, {0}, {40}, DType::f32, {{"index", int64_t{1}}});
  b.add("y", OpKind::neg, {2}, {40});
  // call writes 400; y reads the 160 of its part
  CHECK(told(planned(b)) == "0||0| 0+400; 1|0|1| 0+0; 2,3|0|3|2 160+160; 720/720");
}

TEST_CASE("an intermediate that is listed, or consumed outside, is written besides") {
  GraphBuilder b;
  b.add("x", OpKind::input, {}, {8});
  b.add("a", OpKind::neg, {0}, {8});
  b.add("y", OpKind::exp, {1}, {8});
  CHECK(told(planned(b)) == "0||0| 0+0; 1,2|0|2|1 32+32; 128/64");
  SECTION("listed, twice") {
    b.graph.add_output(1);
    b.graph.add_output(1);
    CHECK(told(planned(b)) == "0||0| 0+0; 1,2|0|1,2| 32+64; 128/96");
  }
  SECTION("consumed by a matmul") {
    b.add("m", OpKind::matmul, {1, 1}, {8});
    CHECK(told(planned(b)) == "0||0| 0+0; 1,2|0|1,2| 32+64; 3|1|3| 32+32; 192/160");
  }
  SECTION("an input that is listed costs nothing") {
    b.graph.add_output(0);
    CHECK(told(planned(b)) == "0||0| 0+0; 1,2|0|2|1 32+32; 128/64");
  }
}

TEST_CASE("reading through an empty view costs nothing, an empty tensor neither") {
  GraphBuilder b;
  b.add("x", OpKind::input, {}, {8});
  b.add("none", OpKind::broadcast, {0}, {0, 8});
  b.add("y", OpKind::neg, {1}, {0, 8});
  CHECK(told(planned(b)) == "0||0| 0+0; 1,2|0|2|1 0+0; 0/0");
}

TEST_CASE("a group reads a view of its own value from registers, and of another's from memory") {
  GraphBuilder b;
  b.add("a", OpKind::neg, {1}, {8});
  b.add("x", OpKind::input, {}, {8});
  b.add("v", OpKind::reshape, {0}, {2, 4});
  b.add("m", OpKind::matmul, {2, 2}, {2, 4});  // reads a through v: 32
  b.add("y", OpKind::add, {2, 3}, {2, 4});     // refused: m stands between
  CHECK(told(planned(b)) == "0,2|1|2|0 32+32; 1||1| 0+0; 3|2|3| 32+32; 4|2,3|4| 64+32; 224/224");
}

TEST_CASE("unfused, every op is a group, priced the same way") {
  GraphBuilder b;
  b.add("x", OpKind::input, {}, {8});
  b.add("a", OpKind::neg, {0}, {8});
  b.add("y", OpKind::exp, {1}, {8});
  CHECK(told(FusionPlanner::plan_unfused(b.graph)) == "0||0| 0+0; 1|0|1| 32+32; 2|1|2| 32+32; 128/128");
}

TEST_CASE("an empty graph plans to nothing") {
  CHECK(told(FusionPlanner().plan(FusionGraph())) == "0/0");
  CHECK(FusionPlanner().plan(FusionGraph()).speedup_estimate == 1.0);
}
