// Every fault of a graph: its code, a message that names the op, and the order in which faults come.
// It must not know formats.
#include <algorithm>

#include "catch.h"
#include "graph/fusion_graph.h"
#include "graph_builder.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

std::vector<std::string> codes(const FusionGraph& graph) {
  std::vector<std::string> out;
  for (const Diagnostic& each : graph.validate()) {
    out.push_back(std::string(each.severity == Severity::error ? "" : "~") +
                  std::string(code_text(each.code)));
  }
  return out;
}

Diagnostic only(const FusionGraph& graph) {
  const std::vector<Diagnostic> found = graph.validate();
  REQUIRE(found.size() == 1);
  return found[0];
}

using Codes = std::vector<std::string>;
constexpr uint64_t k32 = uint64_t{1} << 32;

}  // namespace

TEST_CASE("a sound graph has no faults, an empty one neither") {
  CHECK(codes(FusionGraph()).empty());
  GraphBuilder b;
  b.add("y", OpKind::relu, {1}, {4});  // ids need not be in topological order
  b.add("x", OpKind::input, {}, {4});
  CHECK(codes(b.graph).empty());
}

TEST_CASE("a dangling input names the op, what it reads, and the ids there are") {
  GraphBuilder b;
  b.add("y", OpKind::relu, {7}, {4});
  const Diagnostic fault = only(b.graph);
  CHECK(fault.code == Code::dangling_input);
  CHECK(fault.severity == Severity::error);
  CHECK(fault.message == "\"y\" reads op 7, which is no op of the graph");
  CHECK(fault.hint == "ids run from 0 to 0");
  CHECK(fault.place.path == "y");
  b.graph.op(0).inputs = {kNoOp};
  b.graph.op(0).name = "";
  CHECK(only(b.graph).message == "\"%0\" reads an unknown op, which is no op of the graph");
  CHECK(only(b.graph).place.path == "/ops/0");
}

TEST_CASE("a self reference") {
  GraphBuilder b;
  b.add("y", OpKind::relu, {0}, {4});
  CHECK(only(b.graph).code == Code::self_reference);
  CHECK(only(b.graph).message == "\"y\" reads itself");
}

TEST_CASE("an element of no bytes, and a size that is not the dtype's") {
  GraphBuilder b;
  b.add("y", OpKind::input, {}, {4});
  b.graph.op(0).dtype_bytes = 0;
  CHECK(only(b.graph).code == Code::zero_dtype);
  CHECK(only(b.graph).message == "\"y\" has dtype_bytes 0");
  b.graph.op(0).dtype_bytes = 2;
  CHECK(only(b.graph).code == Code::dtype_conflict);
  CHECK(only(b.graph).message == "\"y\" is f32 but has dtype_bytes 2");
  CHECK(only(b.graph).hint == "drop dtype_bytes, or write 4");
}

TEST_CASE("a tensor past 64 bits, even one with a later zero") {
  for (const Shape& shape : {Shape{k32, k32}, Shape{k32, k32, 0}, Shape{k32, k32 / 4}}) {
    GraphBuilder b;
    b.add("big", OpKind::input, {}, shape);
    CHECK(only(b.graph).code == Code::overflow);
    CHECK(only(b.graph).message ==
          "\"big\" of shape " + shape_text(shape) + " takes more bytes than 64 bits count");
  }
}

TEST_CASE("a total past 64 bits, where each tensor alone is fine") {
  GraphBuilder b;
  b.add("a", OpKind::input, {}, {k32, k32 / 8});  // 2^63 bytes
  b.add("b", OpKind::neg, {0}, {k32, k32 / 8});
  const Diagnostic fault = only(b.graph);
  CHECK(fault.code == Code::overflow);
  CHECK(fault.message == "the bytes that the ops move together leave 64 bits");
  b.graph.op(1).inputs = {};
  CHECK(codes(b.graph) == Codes{"~resident-source"});
}

TEST_CASE("two ops of one name") {
  GraphBuilder b;
  b.add("x", OpKind::input, {}, {4});
  b.add("y", OpKind::input, {}, {4});
  b.add("x", OpKind::input, {}, {4});
  CHECK(only(b.graph).code == Code::duplicate_name);
  CHECK(only(b.graph).message == "\"x\" is also the name of op 0");
  b.graph.op(0).name = b.graph.op(2).name = "";  // no name is no clash
  CHECK(codes(b.graph).empty());
}

TEST_CASE("a cycle is told op by op from its smallest id; a long one is cut") {
  GraphBuilder b;
  b.add("x", OpKind::input, {}, {4});
  b.add("c", OpKind::add, {3, 0}, {4});
  b.add("a", OpKind::relu, {1}, {4});
  b.add("b", OpKind::relu, {2}, {4});
  const Diagnostic fault = only(b.graph);
  CHECK(fault.code == Code::cycle);
  CHECK(fault.message == "the ops depend on each other: \"c\" -> \"a\" -> \"b\" -> \"c\"");
  CHECK(fault.place.path == "c");
  FusionGraph ring;
  for (uint32_t i = 0; i < 20; ++i) ring.add_op(OpKind::relu, {(i + 19) % 20}, {4}, 4);
  const std::vector<Diagnostic> found = ring.validate();
  REQUIRE(found.size() == 1);
  CHECK(count_of(found[0].message, " -> ") == 17);
  CHECK(found[0].message.find("\"%15\" -> ... (4 more) -> \"%0\"") != std::string::npos);
}

TEST_CASE(
    "faults come by op id; within an op zero-dtype, inputs as listed, overflow; a cycle only in their "
    "absence") {
  GraphBuilder b;
  b.add("p", OpKind::relu, {1}, {4});  // p and q: a cycle
  b.add("q", OpKind::relu, {0}, {4});
  b.add("r", OpKind::fma, {9, 2, 0, 8}, {k32, k32 * 2});
  b.graph.op(2).dtype_bytes = 0;
  b.add("s", OpKind::relu, {3}, {4});
  CHECK(codes(b.graph) == Codes{"zero-dtype", "dangling-input", "self-reference", "dangling-input",
                                "overflow", "self-reference"});
  b.graph.op(2) = b.graph.op(3) = FusionOp{};
  CHECK(codes(b.graph) == Codes{"cycle"});
}

TEST_CASE("an output that is no op is dangling") {
  GraphBuilder b;
  b.add("x", OpKind::input, {}, {4});
  b.graph.add_output(5);
  CHECK(only(b.graph).code == Code::dangling_input);
  CHECK(only(b.graph).place.path == "/outputs");
}

TEST_CASE("a wrong arity is a warning; a call takes any") {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {4});
  b.add("y", OpKind::relu, {x, x}, {4});
  CHECK(only(b.graph).severity == Severity::warning);
  CHECK(only(b.graph).code == Code::wrong_arity);
  CHECK(only(b.graph).message == "\"y\" has 2 operands; relu takes 1");
  b.graph.op(1).kind = OpKind::call;
  CHECK(codes(b.graph).empty());
  b.graph.op(1).kind = OpKind::input;  // an input with operands
  CHECK(codes(b.graph) == Codes{"~wrong-arity"});
}

TEST_CASE("a computing kind without operands stands for resident data; a barrier without, too, silently") {
  GraphBuilder b;
  b.add("y", OpKind::relu, {}, {4});
  CHECK(only(b.graph).severity == Severity::warning);
  CHECK(only(b.graph).code == Code::resident_source);
  CHECK(only(b.graph).message == "\"y\", a relu without operands, stands for resident data");
  b.graph.op(0).kind = OpKind::reduce;
  CHECK(codes(b.graph).empty());
  b.graph.op(0).kind = OpKind::iota;  // it takes none
  CHECK(codes(b.graph).empty());
}

TEST_CASE("an unknown kind is counted once, at its first op") {
  GraphBuilder b;
  for (const char* kind : {"swish", "fft", "swish"}) {
    const uint32_t id = b.add("", OpKind::foreign, {}, {4});
    b.graph.op(id).foreign_kind = kind;
  }
  const std::vector<Diagnostic> found = b.graph.validate();
  REQUIRE(found.size() == 2);
  CHECK(found[0].message == "kind \"fft\" is no row of the op table: 1 op is opaque");
  CHECK(found[0].place.path == "/ops/1");
  CHECK(found[1].message == "kind \"swish\" is no row of the op table: 2 ops are opaque");
  CHECK(found[1].place.path == "/ops/0");
  CHECK(found[1].severity == Severity::warning);
}

TEST_CASE("a shape that contradicts the operands is a warning") {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {4});
  b.add("y", OpKind::relu, {x}, {8});
  CHECK(only(b.graph).severity == Severity::warning);
  CHECK(only(b.graph).code == Code::shape_mismatch);
  CHECK(only(b.graph).message == "\"y\": operand 0 of shape [4] does not stretch to [8]");
}

TEST_CASE("a graph in which all is wrong is told a thousand times, not a million") {
  FusionGraph graph;
  for (uint32_t i = 0; i < 5000; ++i) graph.add_op(OpKind::relu, {i}, {4}, 4);
  CHECK(graph.validate().size() == 1000);
}

TEST_CASE("a long name is cut in messages") {
  GraphBuilder b;
  b.add(std::string(1 << 20, 'n'), OpKind::relu, {0}, {4});
  CHECK(only(b.graph).message.size() < 200);
}
