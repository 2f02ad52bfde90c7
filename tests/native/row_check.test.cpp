// Kernels that reduce, written by hand with their traces: what holds, and how each mistake is told.
// It must not know how such kernels are emitted.
#include "verify/row_check.h"

#include <algorithm>

#include "catch.h"
#include "graph_builder.h"
#include "verify/kernel_check.h"
#include "verify/tensor_values.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

/// softmax's first half by hand: y = x - max(x) over [rows, columns] f32, a warp a row, `passes` accesses of
/// a thread, walked again from memory where `is_looped`.
struct HandMade {
  GraphBuilder builder;
  Kernel kernel;
  EmittedKernel emitted;
  uint32_t line = 0;

  void put(const std::string& text) {
    emitted.text += text + "\n";
    ++line;
  }
  void trace(TraceKind kind, uint32_t step, uint32_t pass, uint32_t walk, const std::string& reg = "") {
    Trace trace;
    trace.kind = kind;
    trace.line = line;
    trace.step = step;
    trace.pass = pass;
    trace.walk = walk;
    trace.reg = reg;
    emitted.traces.push_back(trace);
  }

  explicit HandMade(uint64_t rows, uint64_t columns, const std::string& reducer = "max") {
    const uint32_t x = builder.add("x", OpKind::input, {}, {rows, columns});
    const uint32_t m =
        builder.add("m", OpKind::reduce, {x}, {rows, 1}, DType::f32,
                    {{"reducer", reducer}, {"axes", std::vector<int64_t>{1}}, {"keepdims", true}});
    const uint32_t y = builder.add("y", OpKind::sub, {x, m}, {rows, columns});
    builder.graph.add_output(m);
    kernel.kind = LaunchKind::kernel;
    kernel.entry = "k";
    kernel.order = {m, y};
    kernel.emittable = true;
    kernel.parameters = {{ParameterRole::input, "x", x, "", DType::f32, rows * columns},
                         {ParameterRole::output, "m", m, "", DType::f32, rows},
                         {ParameterRole::output, "y", y, "", DType::f32, rows * columns}};
    RowShape shape;
    shape.domain = row_domain(std::vector<uint64_t>{rows, columns}, std::vector<uint64_t>{1});
    shape.stores = {m, y};
    shape.threads = 32;
    shape.rows_in_block = 2;
    shape.passes = (columns + 31) / 32;
    kernel.rows = shape;
    kernel.config.grid[0] = static_cast<uint32_t>((rows + 1) / 2);
    kernel.config.block[0] = 64;
    TracedRows traced;
    traced.steps = {{StepKind::load, x, {}, false, 0, false},
                    {StepKind::fold, m, {0}, true, 0, false},
                    {StepKind::compute, y, {0, 1}, false, 1, false}};
    traced.stored = {1, 2};
    traced.walks = 2;
    emitted.rows = traced;
  }

  void head(uint64_t rows, uint64_t columns) {
    put(".version 8.1");
    put(".target sm_80");
    put(".address_size 64");
    put(".visible .entry k(.param .u64 px, .param .u64 pm, .param .u64 py)");
    put("{");
    put("  .reg .pred %p<8>;");
    put("  .reg .b32 %r<32>;");
    put("  .reg .b64 %rd<32>;");
    put("  .reg .f32 %f<64>;");
    put("  ld.param.u64 %rd1, [px];");
    put("  ld.param.u64 %rd2, [pm];");
    put("  ld.param.u64 %rd3, [py];");
    put("  mov.u32 %r1, %tid.x;");
    put("  mov.u32 %r2, %ctaid.x;");
    put("  shr.u32 %r3, %r1, 5;");
    put("  and.b32 %r4, %r1, 31;");
    put("  mad.lo.u32 %r5, %r2, 2, %r3;");  // row
    put("  setp.ge.u32 %p1, %r5, " + std::to_string(rows) + ";");
    put("  @%p1 bra $end;");
    put("  mad.lo.u32 %r6, %r5, " + std::to_string(columns) + ", %r4;");
    put("  mul.wide.u32 %rd4, %r6, 4;");
    put("  add.u64 %rd5, %rd1, %rd4;");
    put("  add.u64 %rd6, %rd3, %rd4;");
    put("  mul.wide.u32 %rd7, %r5, 4;");
    put("  add.u64 %rd8, %rd2, %rd7;");
  }

  void tree(const std::string& op) {
    for (const int offset : {16, 8, 4, 2, 1}) {
      put("  shfl.sync.bfly.b32 %f2, %f1, " + std::to_string(offset) + ", 31, -1;");
      put("  " + op + " %f1, %f1, %f2;");
    }
    trace(TraceKind::value, 1, 0, 0, "%f1");
    put("  setp.eq.u32 %p3, %r4, 0;");
    put("  @%p3 st.global.f32 [%rd8], %f1;");
    trace(TraceKind::store, 1, 0, 0);
  }

  void foot() {
    put("$end:");
    put("  ret;");
    put("}");
  }

  std::string tried(uint64_t seed = 1) const {
    const TensorValues values(builder.graph, seed);
    return tried(values);
  }
  std::string tried(const TensorValues& values, std::vector<uint64_t> blocks = {}) const {
    KernelCheckSetup setup{builder.graph, kernel, emitted, values};
    setup.blocks = std::move(blocks);
    KernelCheck check(setup);
    uint64_t steps = ~uint64_t{0} >> 1;
    check.advance(steps);
    if (check.fault()) return "fault: " + check.fault()->message;
    return check.mismatch() ? check.mismatch()->message : "";
  }

  HandMade changed(const std::string& from, const std::string& to) const {
    HandMade out = *this;
    const size_t at = out.emitted.text.find(from);
    REQUIRE(at != std::string::npos);
    out.emitted.text.replace(at, from.size(), to);
    return out;
  }
};

HandMade held(uint64_t rows, uint64_t columns, const std::string& reducer = "max",
              const std::string& op = "max.NaN.f32", const std::string& identity = "0fFF800000") {
  HandMade made(rows, columns, reducer);
  made.kernel.rows->walk = RowWalk::held;
  made.head(rows, columns);
  made.put("  mov.f32 %f1, " + identity + ";");
  const uint32_t passes = static_cast<uint32_t>(made.kernel.rows->passes);
  const auto guard = [&](uint32_t pass) {
    made.put("  add.u32 %r7, %r4, " + std::to_string(32 * pass) + ";");
    made.put("  setp.lt.u32 %p2, %r7, " + std::to_string(columns) + ";");
  };
  for (uint32_t pass = 0; pass < passes; ++pass) {
    const std::string x = "%f" + std::to_string(10 + pass);
    guard(pass);
    made.put("  mov.f32 " + x + ", " + identity + ";");
    made.put("  @%p2 ld.global.nc.f32 " + x + ", [%rd5+" + std::to_string(128 * pass) + "];");
    made.trace(TraceKind::load, 0, pass, 0);
    made.trace(TraceKind::value, 0, pass, 0, x);
    made.put("  " + op + " %f1, %f1, " + x + ";");
  }
  made.tree(op);
  for (uint32_t pass = 0; pass < passes; ++pass) {
    guard(pass);
    made.put("  sub.rn.f32 %f3, %f" + std::to_string(10 + pass) + ", %f1;");
    made.trace(TraceKind::value, 2, pass, 1, "%f3");
    made.put("  @%p2 st.global.f32 [%rd6+" + std::to_string(128 * pass) + "], %f3;");
    made.trace(TraceKind::store, 2, pass, 1);
  }
  made.foot();
  return made;
}

HandMade looped(uint64_t rows, uint64_t columns) {
  HandMade made(rows, columns, "sum");
  made.kernel.rows->walk = RowWalk::looped;
  made.head(rows, columns);
  made.put("  mov.f32 %f1, 0f00000000;");
  made.put("  mov.u32 %r7, %r4;");
  made.put("$first:");
  made.put("  setp.lt.u32 %p2, %r7, " + std::to_string(columns) + ";");
  made.put("  @!%p2 bra $folded;");
  made.put("  ld.global.nc.f32 %f3, [%rd5];");
  made.trace(TraceKind::load, 0, kEveryPass, 0);
  made.trace(TraceKind::value, 0, kEveryPass, 0, "%f3");
  made.put("  add.rn.f32 %f1, %f1, %f3;");
  made.put("  add.u64 %rd5, %rd5, 128;");
  made.put("  add.u32 %r7, %r7, 32;");
  made.put("  bra $first;");
  made.put("$folded:");
  made.tree("add.rn.f32");
  made.put("  mov.u32 %r7, %r4;");
  made.put("  add.u64 %rd5, %rd1, %rd4;");
  made.put("$second:");
  made.put("  setp.lt.u32 %p2, %r7, " + std::to_string(columns) + ";");
  made.put("  @!%p2 bra $end;");
  made.put("  ld.global.nc.f32 %f3, [%rd5];");
  made.trace(TraceKind::load, 0, kEveryPass, 1);
  made.trace(TraceKind::value, 0, kEveryPass, 1, "%f3");
  made.put("  sub.rn.f32 %f4, %f3, %f1;");
  made.trace(TraceKind::value, 2, kEveryPass, 1, "%f4");
  made.put("  st.global.f32 [%rd6], %f4;");
  made.trace(TraceKind::store, 2, kEveryPass, 1);
  made.put("  add.u64 %rd5, %rd5, 128;");
  made.put("  add.u64 %rd6, %rd6, 128;");
  made.put("  add.u32 %r7, %r7, 32;");
  made.put("  bra $second;");
  made.foot();
  return made;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a held kernel of rows holds, ragged rows and columns and all") {
  for (const uint64_t columns : {uint64_t{32}, uint64_t{70}, uint64_t{1}}) {
    for (const uint64_t rows : {uint64_t{4}, uint64_t{5}, uint64_t{1}}) {
      CHECK(held(rows, columns).tried() == "");
      CHECK(held(rows, columns, "min", "min.NaN.f32", "0f7F800000").tried() == "");
    }
  }
}

TEST_CASE("a looped kernel of rows holds in every walk") {
  for (const uint64_t columns : {uint64_t{32}, uint64_t{70}, uint64_t{1}, uint64_t{3333}})
    CHECK(looped(5, columns).tried() == "");
}

TEST_CASE("some blocks of a kernel of rows hold alone") {
  const HandMade made = held(9, 70);
  const TensorValues values(made.builder.graph, 1);
  CHECK(made.tried(values, {0, 4}) == "");
  CHECK(has(made.changed("%f1, 4, 31", "%f1, 2, 31").tried(values, {4}), "different values of m"));
}

TEST_CASE("mistakes in a kernel of rows are told") {
  const auto told = [](const HandMade& made) {
    std::string message;
    for (uint64_t seed = 1; seed < 40 && message.empty(); ++seed) message = made.tried(seed);
    return message;
  };
  const HandMade made = held(5, 70);
  CHECK(has(told(made.changed("%f1, 16, 31", "%f1, 8, 31")), "different values of m"));
  CHECK(has(told(made.changed("max.NaN.f32 %f1, %f1, %f2", "min.NaN.f32 %f1, %f1, %f2")), "m"));
  CHECK(has(told(made.changed("mov.f32 %f1, 0fFF800000", "mov.f32 %f1, 0f43000000")), "m["));
  CHECK(made.changed("  sub.rn.f32 %f3, %f12", "  @%p2 sub.rn.f32 %f3, %f12").tried() == "");
  CHECK(has(told(made.changed("  sub.rn.f32 %f3, %f12", "  @!%p3 sub.rn.f32 %f3, %f12")),
            "not all of it is computed"));
  CHECK(has(told(made.changed("[%rd5+128]", "[%rd5+124]")), "reads"));
  CHECK(has(told(made.changed("sub.rn.f32 %f3, %f11", "sub.rn.f32 %f3, %f10")), "y["));
  CHECK(has(told(made.changed("add.u64 %rd6, %rd3, %rd4", "add.u64 %rd6, %rd3, %rd7")), "is stored at"));
  CHECK(has(told(made.changed("setp.eq.u32 %p3, %r4, 0", "setp.le.u32 %p3, %r4, 1")), "m["));
  CHECK(has(told(made.changed("add.u32 %r7, %r4, 64;\n  setp.lt.u32 %p2, %r7, 70",
                              "add.u32 %r7, %r4, 64;\n  setp.lt.u32 %p2, %r7, 69")),
            ",69] is "));
  const HandMade loop = looped(5, 333);
  CHECK(has(told(loop.changed("setp.lt.u32 %p2, %r7, 333", "setp.lt.u32 %p2, %r7, 332")), "is not walked"));
  CHECK(told(loop.changed("mov.f32 %f1, 0f00000000", "mov.f32 %f1, 0f3F800000")) != "");
  CHECK(told(loop.changed("add.u32 %r7, %r7, 32", "add.u32 %r7, %r7, 64")) != "");
}

TEST_CASE("a trace that is missing is named before anything runs") {
  HandMade made = held(4, 70);
  const auto is_last_load = [](const Trace& trace) { return trace.step == 0 && trace.pass == 2; };
  made.emitted.traces.erase(
      std::remove_if(made.emitted.traces.begin(), made.emitted.traces.end(), is_last_load),
      made.emitted.traces.end());
  CHECK(has(made.tried(), "traces disagree"));
  HandMade other = held(4, 70);
  other.kernel.rows->passes = 2;
  CHECK(has(other.tried(), "do not reach every column"));
}
