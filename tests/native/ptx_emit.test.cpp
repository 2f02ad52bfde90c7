// The shape of the emitted text: loads, loops, line map, registers, names, index widths.
// It must not know how it is written.
#include <map>
#include <set>
#include <tuple>

#include "catch.h"
#include "emit/ptx.h"
#include "graph_builder.h"
#include "launch/launch_shape.h"
#include "launch/lower.h"
#include "plan/fusion_planner.h"
#include "ptxas.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

struct Written {
  Kernel kernel;
  EmittedKernel emitted;
};

Written written(const FusionGraph& graph, const char* target = "sm_90", Math math = Math::fast) {
  Written out;
  const std::vector<SourceLine> lines(graph.size(), SourceLine{12, 3});
  for (Kernel& kernel : lower(graph, FusionPlanner().plan(graph), {math})) {
    if (kernel.kind != LaunchKind::kernel) continue;
    REQUIRE(kernel.emittable);
    out.emitted = emit(graph, kernel, {*target_from_name(target), math, lines, "pasted"});
    out.kernel = std::move(kernel);
  }
  REQUIRE_FALSE(out.emitted.text.empty());
  return out;
}

FusionGraph bias_relu(Shape shape) {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, shape);
  const uint32_t bias = b.add("bias", OpKind::input, {}, {shape.back()});
  const uint32_t s = b.add("s", OpKind::add, {x, bias}, shape);
  const uint32_t r = b.add("r", OpKind::relu, {s}, shape);
  b.add("m", OpKind::mul, {r, x}, shape);
  return b.graph;
}

}  // namespace

TEST_CASE("each input is loaded once an element, read-only, however often it is used") {
  const Written out = written(bias_relu({1024, 512}));
  CHECK(count_of(out.emitted.text, "ld.global.nc.v4.f32") == 2);
  CHECK(count_of(out.emitted.text, "ld.global") == 2);
  CHECK(count_of(out.emitted.text, "st.global.v4.f32") == 1);
  CHECK(count_of(out.emitted.text, "st.global") == 1);
  CHECK(count_of(out.emitted.text, "div.u") == 0);
  CHECK(count_of(out.emitted.text, "rem.u") == 0);
}

TEST_CASE(
    "a value needed at two indices of one loop is made once for each, and once for all slots that share it") {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {16});
  const uint32_t e = b.add("e", OpKind::exp, {x}, {16});
  const uint32_t rows =
      b.add("rows", OpKind::broadcast, {e}, {16, 16}, DType::f32, {{"axes", std::vector<int64_t>{0}}});
  const uint32_t columns =
      b.add("columns", OpKind::broadcast, {e}, {16, 16}, DType::f32, {{"axes", std::vector<int64_t>{1}}});
  const uint32_t s = b.add("s", OpKind::mul, {rows, columns}, {16, 16});
  b.add("t", OpKind::add, {s, columns}, {16, 16});
  const Written out = written(b.graph);
  CHECK(count_of(out.emitted.text, "ld.global.nc.f32") == 1);
  CHECK(count_of(out.emitted.text, "ld.global.nc.v4.f32") == 1);
  CHECK(count_of(out.emitted.text, "ex2.approx") == 5);
  size_t registers_of_e = 0;
  for (const auto& [op, name] : out.emitted.registers) registers_of_e += op == e ? 1 : 0;
  CHECK(registers_of_e == 5);
}

TEST_CASE("what does not depend on the index stands before the loop") {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {1U << 24});
  const uint32_t s = b.add("s", OpKind::input, {}, {});
  const uint32_t e = b.add("e", OpKind::exp, {s}, {});
  b.add("m", OpKind::mul, {x, e}, {1U << 24});
  const std::string text = written(b.graph).emitted.text;
  CHECK(text.find("ex2.approx") < text.find("$loop0:"));
  CHECK(text.find("mul.f32 %f", text.find("$loop0:")) != std::string::npos);
}

TEST_CASE("what a row's place decides stands before the loop, for strides are multiples of the row") {
  const std::string text = written(bias_relu({1U << 15, 768})).emitted.text;
  const size_t loop = text.find("$loop0:");
  REQUIRE(loop != std::string::npos);
  CHECK(count_of(text.substr(loop), "ld.global.nc.v4.f32") == 1);
  CHECK(count_of(text.substr(0, loop), "ld.global.nc.v4.f32") == 1);
  CHECK(count_of(text.substr(loop), "mul.hi") == 0);
  CHECK(count_of(text.substr(loop), "add.s32") == 1);
}

TEST_CASE("a grid as large as the domain has no loop, and no guard where it fits exactly") {
  const std::string exact = written(bias_relu({1024, 512})).emitted.text;
  CHECK(count_of(exact, "bra") == 0);
  CHECK(count_of(exact, "setp") == 0);
  CHECK(count_of(exact, ".reqntid 256") == 1);
  const std::string guarded = written(bias_relu({1025, 512})).emitted.text;
  CHECK(count_of(guarded, "bra") == 1);
  CHECK(count_of(guarded, "$loop") == 0);
}

TEST_CASE("elements behind the last whole slots are computed one by one") {
  const Written out = written(bias_relu({1003}));
  REQUIRE(out.emitted.bodies.size() == 2);
  CHECK(out.emitted.bodies[0].slots == 4);
  CHECK(out.emitted.bodies[1].slots == 1);
  CHECK(count_of(out.emitted.text, "st.global.v4.f32") == 1);
  CHECK(count_of(out.emitted.text, "st.global.f32") == 1);
  CHECK(written(bias_relu({1004})).emitted.bodies.size() == 1);
}

TEST_CASE("indices have 32 bits where the domain allows, 64 where it does not") {
  const std::string narrow = written(bias_relu({1U << 20, 1U << 10})).emitted.text;
  CHECK(count_of(narrow, "setp.lt.u32") == 1);
  const Written wide = written(bias_relu({(1U << 21) + 1, 1U << 10}));
  CHECK(count_of(wide.emitted.text, "setp.lt.u64") == 1);
  CHECK(wide.kernel.config.grid[0] == kMostBlocks);
  PtxasBatch batch;
  for (const Target& target : targets()) {
    const Written each = written(bias_relu({3000001, 1001}), std::string(target.name).c_str());
    batch.add(target, each.emitted.text, each.kernel.entry);
  }
  CHECK(batch.assemble() == "");
}

TEST_CASE("the line map names the op of every line, and registers exist") {
  const FusionGraph graph = bias_relu({1024, 512});
  const Written out = written(graph);
  const std::string& text = out.emitted.text;
  REQUIRE(out.emitted.lines.size() == count_of(text, "\n"));
  std::set<int64_t> seen(out.emitted.lines.begin(), out.emitted.lines.end());
  for (int64_t op = -1; op < 5; ++op) CHECK(seen.contains(op));
  size_t at = 0;
  for (const int64_t op : out.emitted.lines) {
    const std::string line = text.substr(at, text.find('\n', at) - at);
    at += line.size() + 1;
    if (line.find("add.f32") != std::string::npos) CHECK(op == 2);
    if (line.find("st.global") != std::string::npos) CHECK(op == 4);
    if (line.find("@%p") != std::string::npos) CHECK(op == -1);
  }
  CHECK(text.find(".loc 1 12 3") != std::string::npos);
  CHECK(text.find(".file 1 \"pasted\"") != std::string::npos);
  for (const auto& [op, name] : out.emitted.registers) CHECK(text.find(name) != std::string::npos);
  CHECK(out.emitted.registers.size() == 20);
}

TEST_CASE("every register declared is used") {
  const std::string text = written(bias_relu({1000, 500})).emitted.text;
  for (const std::string prefix : {"%p", "%f", "%r", "%rd"}) {
    const size_t at = text.find(prefix + "<");
    REQUIRE(at != std::string::npos);
    const int end = std::stoi(text.substr(at + prefix.size() + 1));
    for (int i = 1; i < end; ++i) {
      const std::string name = prefix + std::to_string(i);
      CHECK((text.find(name + ",") != std::string::npos || text.find(name + ";") != std::string::npos ||
             text.find(name + "]") != std::string::npos || text.find(name + "}") != std::string::npos ||
             text.find(name + " ") != std::string::npos));
    }
  }
}

TEST_CASE("below sm_80 min and max propagate NaN by a select") {
  const FusionGraph graph = bias_relu({64});
  CHECK(count_of(written(graph, "sm_75").emitted.text, "max.NaN") == 0);
  CHECK(count_of(written(graph, "sm_75").emitted.text, "setp.nan.f32") == 4);
  CHECK(count_of(written(graph, "sm_80").emitted.text, "max.NaN.f32") == 4);
}

TEST_CASE("precise rounds every operation") {
  const FusionGraph graph = bias_relu({64});
  const std::string precise = written(graph, "sm_90", Math::precise).emitted.text;
  CHECK(count_of(precise, "add.rn.f32") == 4);
  CHECK(count_of(precise, "mul.rn.f32") == 4);
  CHECK(count_of(written(graph).emitted.text, ".rn.") == 0);
}

TEST_CASE("every slot of every step can be seen: its register on the line, its load, its store") {
  for (const Shape& shape : {Shape{1024, 512}, Shape{1U << 15, 768}, Shape{1003}, Shape{1000, 6}, Shape{1}}) {
    const Written out = written(bias_relu(shape));
    std::vector<std::string> lines;
    for (size_t at = 0; at < out.emitted.text.size();) {
      const size_t end = out.emitted.text.find('\n', at);
      lines.push_back(out.emitted.text.substr(at, end - at));
      at = end + 1;
    }
    std::map<std::tuple<TraceKind, uint32_t, uint32_t, uint32_t>, int> seen;
    uint32_t last = 0;
    for (const Trace& trace : out.emitted.traces) {
      CHECK(trace.line >= last);
      last = trace.line;
      ++seen[{trace.kind, trace.body, trace.slot, trace.step}];
      const std::string& line = lines.at(trace.line - 1);
      if (trace.kind == TraceKind::value) CHECK(line.find(trace.reg) != std::string::npos);
      if (trace.kind == TraceKind::load) CHECK(line.find("ld.global") != std::string::npos);
      if (trace.kind == TraceKind::store) CHECK(line.find("st.global") != std::string::npos);
    }
    for (uint32_t body = 0; body < out.emitted.bodies.size(); ++body) {
      const TracedBody& traced = out.emitted.bodies[body];
      for (uint32_t slot = 0; slot < traced.slots; ++slot) {
        for (uint32_t step = 0; step < traced.steps.size(); ++step) {
          CHECK(seen[{TraceKind::value, body, slot, step}] == 1);
          const bool loads = traced.steps[step].kind == StepKind::load;
          CHECK(seen[{TraceKind::load, body, slot, step}] == (loads ? 1 : 0));
        }
        for (const uint32_t step : traced.stored) CHECK(seen[{TraceKind::store, body, slot, step}] == 1);
      }
    }
  }
}

TEST_CASE("hostile names make PTX that assembles") {
  PtxasBatch batch;
  const std::string hostile[] = {"\"};\n ret; //\\",
                                 "\xE6\x97\xA5\xE6\x9C\xAC\\\n",
                                 std::string(1000000, 'x'),
                                 "*/ /*",
                                 "%f1",
                                 "\\",
                                 std::string("nul\0byte", 8),
                                 "ret",
                                 "$loop0"};
  for (const std::string& name : hostile) {
    GraphBuilder b;
    const uint32_t x = b.add(name, OpKind::input, {}, {64});
    const uint32_t s = b.add(name + "2", OpKind::scale, {x}, {64});
    b.add(name + "3", OpKind::neg, {s}, {64});
    const std::vector<SourceLine> lines(b.graph.size(), SourceLine{1, 1});
    for (const Kernel& kernel : lower(b.graph, FusionPlanner().plan(b.graph))) {
      if (kernel.kind != LaunchKind::kernel) continue;
      const EmittedKernel emitted =
          emit(b.graph, kernel, {*target_from_name("sm_90"), Math::fast, lines, name});
      CHECK(emitted.text.size() < 5000);
      CHECK(emitted.lines.size() == count_of(emitted.text, "\n"));
      batch.add(*target_from_name("sm_90"), emitted.text, kernel.entry);
      PtxasBatch own;  // its own header too: the file name stands there
      if (&name == hostile) {
        own.add(*target_from_name("sm_90"), emitted.text, kernel.entry);
        CHECK(own.assemble() == "");
      }
    }
  }
  CHECK(batch.kernels() == 9);
  CHECK(batch.assemble() == "");
}

TEST_CASE("a kernel of 600 parameters and 2,000 ops assembles") {
  GraphBuilder b;
  uint32_t sum = b.add("", OpKind::input, {}, {64});
  for (size_t i = 0; i < 600; ++i) {
    sum = b.add("", OpKind::add, {sum, b.add("", OpKind::input, {}, {64})}, {64});
  }
  for (size_t i = 0; i < 1400; ++i) sum = b.add("", i % 2 == 0 ? OpKind::exp : OpKind::relu, {sum}, {64});
  PtxasBatch batch;
  for (const char* target : {"sm_75", "sm_120"}) {
    const Written out = written(b.graph, target);
    batch.add(*target_from_name(target), out.emitted.text, out.kernel.entry);
  }
  CHECK(batch.assemble(true) == "");
}
