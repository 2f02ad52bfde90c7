// Mistakes in Moves' PTX that leave every value as it should be: loads too many, what nobody reads, lanes
// that wait for each other. It must not know how moves are emitted, but for their text.
#include "verify/move_check.h"

#include "catch.h"
#include "graph_builder.h"
#include "verified.h"
#include "verify/kernel_check.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;
using Ints = std::vector<int64_t>;

/// One graph of a Move, its text, and what a check says of the text when changed.
struct Tried {
  PlannedGraph planned;
  EmittedKernel emitted;

  explicit Tried(GraphBuilder b) : planned(std::move(b.graph), Math::fast) {
    emitted = emit(planned.graph, kernel(), planned.emit_options);
  }

  const Kernel& kernel() const { return planned.kernels[planned.launched[0]]; }

  /// Every `from` as `to`; there is one at least.
  Tried& replaced(const std::string& from, const std::string& to) {
    size_t at = emitted.text.find(from);
    INFO(from << " in " << emitted.text);
    REQUIRE(at != std::string::npos);
    for (; at != std::string::npos; at = emitted.text.find(from, at + to.size()))
      emitted.text.replace(at, from.size(), to);
    return *this;
  }

  /// The first line with `part` stands twice.
  Tried& repeated(const std::string& part) {
    const size_t at = emitted.text.find(part);
    REQUIRE(at != std::string::npos);
    const size_t begin = emitted.text.rfind('\n', at) + 1;
    const size_t end = emitted.text.find('\n', at) + 1;
    emitted.text.insert(end, emitted.text.substr(begin, end - begin));
    return *this;
  }

  std::string said(std::vector<uint64_t> blocks = {}) const {
    const TensorValues values(planned.graph, 1);
    KernelCheckSetup setup{planned.graph, kernel(), emitted, values};
    setup.blocks = std::move(blocks);
    KernelCheck check(setup);
    uint64_t steps = ~uint64_t{0} >> 1;
    check.advance(steps);
    if (check.fault()) return "fault: " + check.fault()->message;
    return check.mismatch() ? check.mismatch()->message : "";
  }
};

Tried transpose(DType dtype = DType::f32) {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {64, 96}, dtype);
  b.add("t", OpKind::transpose, {x}, {96, 64}, dtype);
  return Tried(std::move(b));
}

Tried gather() {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {30, 8});
  const uint32_t i = b.add("i", OpKind::input, {}, {50}, DType::i32);
  b.add("g", OpKind::gather, {x, i}, {50, 8}, DType::f32, {{"axis", int64_t{0}}});
  return Tried(std::move(b));
}

}  // namespace

TEST_CASE("an element that a move loads twice, or in vain, is told") {
  CHECK(transpose().said() == "");
  CHECK(transpose().repeated("ld.global").said().find("block 0 loads ") == 0);
  CHECK(transpose()
            .repeated("ld.global")
            .said({3})
            .find("block 3 loads 5120 bytes that are not just the 4096") == 0);
  CHECK(gather().said() == "");
  CHECK(gather().repeated("ld.global.nc.s32").said().find("block 0 loads ") == 0);
  CHECK(gather().repeated("ld.global.nc.v4").said().find("block 0 loads ") == 0);
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {5, 7});
  const uint32_t v = b.add("v", OpKind::input, {}, {});
  b.add("p", OpKind::pad, {x, v}, {6, 9}, DType::f32, {{"low", Ints{1, 1}}, {"high", Ints{0, 1}}});
  Tried pad(std::move(b));
  CHECK(pad.said() == "");
  CHECK(pad.repeated("ld.global.nc.b32").said().find("block 0 loads what it fills with 108 times") == 0);
}

TEST_CASE("what a tile holds in vain is told, and lanes that meet in a bank") {
  CHECK(transpose().repeated("ld.shared").said().find("does not load from shared memory just what") !=
        std::string::npos);
  Tried narrow = transpose();
  narrow.replaced(", 132, ", ", 128, ")
      .replaced("%r11+1056]", "%r11+1024]")
      .replaced("%r11+2112]", "%r11+2048]");
  narrow.replaced("%r11+3168]", "%r11+3072]");
  CHECK(narrow.said().find(" accesses of its tile in shared memory meet in a bank") != std::string::npos);
}

TEST_CASE("a register that nothing sets is told before anything runs") {
  CHECK(transpose().replaced("mov.u32 %r9, tile;", "").said().find("is read, but nothing sets it") !=
        std::string::npos);
}
