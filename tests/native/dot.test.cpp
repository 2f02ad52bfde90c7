// Graphviz DOT: boxes, clusters, dashed edges, and names that cannot break out of their quotes.
// It must not know layouts or kernels.
#include "report/dot.h"

#include "catch.h"
#include "graph_builder.h"
#include "plan/fusion_planner.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

std::string drawn(const FusionGraph& graph) { return dot(graph, FusionPlanner().plan(graph)); }

}  // namespace

TEST_CASE("a group of several is a cluster; edges between groups are dashed; what never fuses is grey") {
  GraphBuilder b;
  b.add("x", OpKind::input, {}, {4});
  b.add("y", OpKind::relu, {0}, {4});
  b.add("", OpKind::add, {1, 0, 0}, {4});
  CHECK(drawn(b.graph) ==
        "digraph fuseboard {\n"
        "  rankdir=TB;\n"
        "  node [shape=box, fontname=\"monospace\"];\n"
        "  n0 [label=\"x\\ninput f32[4]\", style=filled, fillcolor=\"#e8e8e8\"];\n"
        "  subgraph cluster_1 {\n"
        "    label=\"group 1: read 16 B, write 16 B\";\n"
        "    n1 [label=\"y\\nrelu f32[4]\"];\n"
        "    n2 [label=\"%2\\nadd f32[4]\"];\n"
        "  }\n"
        "  n0 -> n1 [style=dashed];\n"
        "  n1 -> n2;\n"
        "  n0 -> n2 [style=dashed];\n"
        "}\n");
}

TEST_CASE("an empty graph is an empty drawing") {
  CHECK(drawn(FusionGraph()) ==
        "digraph fuseboard {\n  rankdir=TB;\n  node [shape=box, fontname=\"monospace\"];\n}\n");
}

TEST_CASE("quotes and backslashes are escaped, control characters are spaces") {
  GraphBuilder b;
  b.add("a\"]; evil\\\n\tz", OpKind::input, {}, {});
  CHECK(drawn(b.graph).find("label=\"a\\\"]; evil\\\\  z\\ninput f32[]\"") != std::string::npos);
  const uint32_t f = b.add("f", OpKind::foreign, {}, {}, DType::foreign);
  b.graph.op(f).foreign_kind = "k\"";
  b.graph.op(f).foreign_dtype = "t\"";
  b.graph.op(f).dtype_bytes = 3;
  CHECK(drawn(b.graph).find("label=\"f\\nk\\\" t\\\"[]\"") != std::string::npos);
}

TEST_CASE("a long name is cut between characters, and says so") {
  GraphBuilder b;
  const std::string e = "\xc3\xa9";
  std::string name;
  SECTION("before the limit") { name = std::string(120, 'n'); }
  SECTION("one byte past it") { name = std::string(121, 'n'); }
  SECTION("a character across it") { name = std::string(119, 'n') + e + "tail"; }
  SECTION("a character ending at it") { name = std::string(118, 'n') + e + "tail"; }
  SECTION("an escape at it") { name = std::string(119, 'n') + "\"tail"; }
  b.add(name, OpKind::input, {}, {});
  const std::string text = drawn(b.graph);
  std::string cut = name.size() <= 120 ? name : name.substr(0, name[119] == '\xc3' ? 119 : 120) + "...";
  const size_t quote = cut.find('"');
  if (quote != std::string::npos) cut.insert(quote, "\\");
  CHECK(text.find("label=\"" + cut + "\\n") != std::string::npos);
}
