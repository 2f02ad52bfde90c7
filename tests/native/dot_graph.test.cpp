// The DOT language: what stands where, and where a text stops being one.
// It must not know what the graphs stand for.
#include "formats/dot_graph.h"

#include "catch.h"

using namespace fuseboard;

namespace {

/// The one fault of a text: what it points at.
std::string fault_at(const std::string& text, Code code) {
  INFO(text);
  const Result<DotGraph> read = parse_dot(text);
  CHECK_FALSE(read.value);
  REQUIRE(read.diagnostics.size() == 1);
  const Diagnostic& each = read.diagnostics[0];
  CHECK(each.code == code);
  CHECK_FALSE(each.hint.empty());
  REQUIRE(size_t{each.place.offset} + each.place.length <= text.size());
  return text.substr(each.place.offset, each.place.length);
}

}  // namespace

TEST_CASE("a digraph's clusters, nodes and edges are read with their places") {
  const std::string text =
      "// a comment\n# a line of a preprocessor\nstrict DiGraph dot {\n"
      "  rankdir=LR; node [shape=box]; edge [color=red]\n"
      "  subgraph cluster_1 {\n label=\"graph_1\" graph[style=\"dashed\"];\n"
      "    \"a\"[style=\"bold\" shape=\"octagon\" label=\"0\nf\n\"]; /* \"hidden\"[label=\"x\"]; */\n"
      "    b [label = <<b>bold</b>>, shape=record][color=red]\n"
      "    { rank=same; c [label=\"say \\\"c\\\"\"]; label=\"of no cluster\" }\n"
      "    \"a\":port:n -> b -> c [headlabel=0];\n  }\n"
      "  subgraph cluster_2 { graph [label=\"inner\"] }\n}\n";
  REQUIRE(looks_like_digraph(text));
  const Result<DotGraph> read = parse_dot(text);
  REQUIRE(read);
  const DotGraph& graph = *read.value;
  REQUIRE(graph.clusters.size() == 3);
  CHECK(graph.clusters[0].name.text == "dot");
  CHECK(graph.clusters[1].label.text == "graph_1");
  CHECK(graph.clusters[2].label.text == "inner");
  REQUIRE(graph.nodes.size() == 3);
  CHECK(graph.nodes[0].label.text == "0\nf\n");
  CHECK(graph.nodes[0].shape.text == "octagon");
  CHECK(graph.nodes[0].cluster == 1);
  CHECK(text.substr(graph.nodes[0].name.offset, 3) == "\"a\"");
  CHECK(text[graph.nodes[0].end - 1] == ']');
  CHECK(graph.nodes[1].label.text == "<b>bold</b>");
  CHECK(graph.nodes[2].label.text == "say \\\"c\\\"");
  CHECK(graph.nodes[2].cluster == 1);
  REQUIRE(graph.edges.size() == 2);
  CHECK(graph.edges[0].from.text == "a");
  CHECK(graph.edges[1].from.text == "b");
  CHECK(graph.edges[1].to.text == "c");
}

TEST_CASE("only a text that begins as a digraph does looks like one") {
  CHECK(looks_like_digraph("\xef\xbb\xbf digraph{"));
  CHECK(looks_like_digraph("/* c */ strict digraph"));
  for (const char* text :
       {"", "graph g {", "{\"digraph\": 1}", "\"digraph\" {", "digraphs {", "/* digraph", "# digraph"})
    CHECK_FALSE(looks_like_digraph(text));
}

TEST_CASE("a text that is cut off says where") {
  CHECK(fault_at("digraph", Code::truncated) == "digraph");
  CHECK(fault_at("digraph d {\n\"a\" -> \"b\"", Code::truncated) == "\"b\"");
  CHECK(fault_at("digraph d { subgraph cluster_1 { }", Code::truncated) == "}");
  CHECK(fault_at("digraph d { \"a\"[label=\"0\nf", Code::truncated) == "\"");
  CHECK(fault_at("digraph d { a[label=<b", Code::truncated) == "<");
  CHECK(fault_at("digraph d { a[label=", Code::truncated) == "=");
  CHECK(fault_at("digraph d { } /* more", Code::syntax) == "/");
}

TEST_CASE("what is not understood is a fault at its token") {
  CHECK(fault_at("graph d { }", Code::syntax) == "graph");
  CHECK(fault_at("digraph d { a[label \"b\"]; }", Code::syntax) == "\"b\"");
  CHECK(fault_at("digraph d { a[=]; }", Code::syntax) == "=");
  CHECK(fault_at("digraph d { a -> ; }", Code::syntax) == ";");
  CHECK(fault_at("digraph d { a -> {b c}; }", Code::unsupported) == "{");
  CHECK(fault_at("digraph d { \"a\"[label=\"x\" + \"y\"]; }", Code::syntax) == "+");
  CHECK(fault_at("digraph d { ! ; }", Code::syntax) == "!");
  CHECK(fault_at("digraph d { node; }", Code::syntax) == ";");
  CHECK(fault_at("digraph d { } }", Code::syntax) == "}");
  CHECK(fault_at("digraph d { } digraph e { }", Code::unsupported) == "digraph");
}

TEST_CASE("faults of one text are collected, each once") {
  const Result<DotGraph> read = parse_dot("digraph d { a[label \"b\"]; c -> ; d[label=\"e\"]; = ; }");
  CHECK(read.diagnostics.size() == 3);
}

TEST_CASE("any number of open braces is read without recursion") {
  const std::string deep(1000000, '{');
  CHECK(parse_dot("digraph d " + deep).diagnostics.front().code == Code::truncated);
  CHECK(parse_dot("digraph d " + deep + std::string(deep.size(), '}')).value);
  CHECK(fault_at("digraph d { a[label=" + std::string(1000000, '<') + "]}", Code::truncated) == "<");
}
