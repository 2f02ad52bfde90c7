// Dumps of CUDA graphs: the graph that each gives, and the place of each fault.
// It must not know how labels are cut.
#include "formats/cuda_graph_dot.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>

#include "catch.h"
#include "cuda_graph_text.h"
#include "formats/cuda_graph_expand.h"
#include "launch/reduction_fusion.h"

using namespace fuseboard;
using namespace cuda_graph;
namespace fs = std::filesystem;

namespace {

ReadKernelGraph read(const std::string& text) {
  Result<ReadKernelGraph> result = read_cuda_graph_dot(text);
  for (const Diagnostic& each : result.diagnostics) INFO(each.message);
  REQUIRE(result.value);
  CHECK(result.value->places.size() == result.value->graph.size());
  for (const ReadKernelGraph::Span& each : result.value->places)
    REQUIRE(size_t{each.offset} + each.length <= text.size());
  return std::move(*result.value);
}

/// "0>1 1>2", in the order of ids.
std::string edges(const ComputeGraph& graph) {
  const Dag dag = graph.dag();
  std::string text;
  for (uint32_t from = 0; from < graph.size(); ++from) {
    for (const uint32_t to : dag.successors[from])
      text += (text.empty() ? "" : " ") + std::to_string(from) + ">" + std::to_string(to);
  }
  return text;
}

std::string functions(const ComputeGraph& graph) {
  std::string text;
  for (const ComputeNode& each : graph.nodes())
    text += (text.empty() ? "" : " ") + (each.function_name.empty() ? each.name : each.function_name);
  return text;
}

/// Codes and what each points at, errors and warnings alone.
std::vector<std::pair<std::string, std::string>> faults(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> out;
  const Result<ReadKernelGraph> result = read_cuda_graph_dot(text);
  CHECK(result.value.has_value() != has_errors(result.diagnostics));
  for (const Diagnostic& each : result.diagnostics) {
    REQUIRE(size_t{each.place.offset} + each.place.length <= text.size());
    CHECK_FALSE(each.hint.empty());
    if (each.severity == Severity::note) continue;
    out.emplace_back(code_text(each.code), text.substr(each.place.offset, each.place.length));
  }
  return out;
}

void check_one(const std::string& text, const std::string& code, const std::string& at) {
  INFO(text);
  const auto found = faults(text);
  REQUIRE(found.size() == 1);
  CHECK(found[0].first == code);
  CHECK(found[0].second == at);
}

/// What a dump comes to by counting lines: nodes and edges of each cluster, and whom it names.
struct LineCount {
  size_t nodes = 0, edges = 0;
  std::vector<std::string> named;
};

std::map<std::string, LineCount> count_lines(const fs::path& file) {
  static const std::regex node(R"re(^"(graph_\d+)_node_\d+"\[)re"),
      edge(R"re(^"(graph_\d+)_node_\d+" -> )re"), child(R"re(^graph_\d+$)re"),
      body(R"re(^\| \{\d+\| *(graph_\d+)\}$)re");
  std::map<std::string, LineCount> counts;
  std::ifstream in(file);
  std::string at;
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (std::regex_search(line, match, edge)) {
      ++counts[match[1]].edges;
    } else if (std::regex_search(line, match, node)) {
      ++counts[at = match[1]].nodes;
    } else if (std::regex_match(line, child)) {
      counts[at].named.push_back(line);
      --counts[at].nodes;  // the node itself is replaced
    } else if (std::regex_match(line, match, body)) {
      counts[at].named.push_back(match[1]);
    }
  }
  return counts;
}

/// With every named graph in its place; right where each has one source and one sink, as in the files here.
std::pair<size_t, size_t> total(const std::map<std::string, LineCount>& counts, const std::string& graph) {
  const LineCount& own = counts.at(graph);
  std::pair<size_t, size_t> sum{own.nodes, own.edges};
  for (const std::string& each : own.named) {
    const auto inner = total(counts, each);
    sum.first += inner.first;
    sum.second += inner.second;
  }
  return sum;
}

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("each dump of the shared inputs has the nodes and edges that its lines count, and a plan") {
  const fs::path folder = fs::path(FUSEBOARD_SHARED_DIR) / "inputs/cuda_graph";
  if (!fs::exists(folder)) {
    std::puts("skipped: shared/inputs/cuda_graph is not here; 3 CUDA graph dumps were not read");
    return;
  }
  size_t files = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".dot") continue;
    INFO(entry.path().filename());
    ++files;
    const std::string text = content(entry.path());
    CHECK(looks_like_cuda_graph_dot(text));
    CHECK(faults(text).empty());
    const ReadKernelGraph result = read(text);
    const auto [nodes, edge_count] = total(count_lines(entry.path()), "graph_1");
    CHECK(result.graph.size() == nodes);
    CHECK(result.graph.dag().predecessors.values.size() == edge_count);
    for (const Entry from : {Entry::dominated, Entry::operands}) CHECK(analyse(result.graph, from).value);
  }
  CHECK(files >= 3);
}

TEST_CASE("the shared verbose dump has its sizes, and one softmax as the oracle finds it") {
  const fs::path file = fs::path(FUSEBOARD_SHARED_DIR) / "inputs/cuda_graph/softmax_verbose.dot";
  if (!fs::exists(file)) {
    std::puts("skipped: shared/inputs/cuda_graph is not here; its softmax was not planned");
    return;
  }
  const ReadKernelGraph result = read(content(file));
  CHECK(result.graph.node(0).bytes == 4194304);
  CHECK(result.graph.node(7).bytes == 640);
  CHECK(result.graph.node(1).threads() == 8 * 16 * 128);
  CHECK_FALSE(result.graph.node(1).fusible);
  CHECK(result.graph.node(5).config->block == std::array<uint32_t, 3>{32, 8, 1});
  // As the oracle answers: the product of matrices may not join, so nothing dominates the row's maximum.
  const Result<ReductionFusionPlan> dominated = analyse(result.graph, Entry::dominated);
  REQUIRE(dominated.value);
  REQUIRE(dominated.value->groups.size() == 1);
  CHECK(dominated.value->groups[0].members == std::vector<uint32_t>{3, 4, 5, 6});
  CHECK(dominated.value->groups[0].pattern == ReductionPattern::Softmax);
  const Result<ReductionFusionPlan> operands = analyse(result.graph, Entry::operands);
  REQUIRE(operands.value);
  REQUIRE(operands.value->groups.size() == 1);
  CHECK(operands.value->groups[0].members == std::vector<uint32_t>{2, 3, 4, 5, 6});
}

TEST_CASE("kernels stand in the order of the text, at the place of their statements") {
  const std::string first = launch(1, 0, "_Z4axpyifPfS_", "\\{8,16,1\\},128,0");
  const std::string text = dump(cluster(1, first + launch(1, 1, "sgemm", "2,3,4") + edge(1, 0, 1)));
  const ReadKernelGraph result = read(text);
  CHECK(functions(result.graph) == "_Z4axpyifPfS_ sgemm");
  CHECK(edges(result.graph) == "0>1");
  CHECK(result.graph.node(0).name == "axpy");
  CHECK(result.graph.node(0).threads() == 8 * 16 * 128);
  CHECK(result.graph.node(1).config->shared_mem_bytes == 4);
  const ReadKernelGraph::Span place = result.places[0];
  CHECK(text.substr(place.offset, place.length) + ";\n" == first);
}

TEST_CASE("what a dump does not say is noted: guesses, and unknown thread totals") {
  const Result<ReadKernelGraph> result = read_cuda_graph_dot(
      dump(cluster(1, launch(1, 0, "relu", "1,1,0") + kernel(1, 1) + kernel(1, 2, "gemm"))));
  REQUIRE(result.value);
  REQUIRE(result.diagnostics.size() == 2);
  for (const Diagnostic& each : result.diagnostics) CHECK(each.severity == Severity::note);
  CHECK(result.diagnostics[0].message.starts_with("3 kernels: "));
  CHECK(result.diagnostics[1].message.starts_with("2 kernels without launch configuration"));
  CHECK(result.diagnostics[1].place.offset == result.value->places[1].offset);
  CHECK(result.value->graph.node(1).fusible);
  CHECK_FALSE(result.value->graph.node(2).fusible);
  for (const ComputeNode& each : result.value->graph.nodes()) CHECK(each.fusible_is_guess);
}

TEST_CASE("a child graph stands once for each node that names it, joined by its sources and sinks") {
  const std::string inner = cluster(2, kernel(2, 0, "a") + kernel(2, 1, "b") + kernel(2, 2, "c") +
                                           kernel(2, 3, "d") + edge(2, 0, 2) + edge(2, 1, 2) + edge(2, 1, 3));
  const std::string outer =
      cluster(1, kernel(1, 0, "before") + child(1, 1, 2) + child(1, 2, 2) + kernel(1, 3, "after") +
                     edge(1, 0, 1) + edge(1, 1, 2) + edge(1, 2, 3));
  for (const std::string& text : {dump(outer + inner), dump(inner + outer)}) {
    const ReadKernelGraph result = read(text);
    CHECK(functions(result.graph) == "before a b c d a b c d after");
    CHECK(edges(result.graph) == "0>1 0>2 1>3 2>3 2>4 3>5 3>6 4>5 4>6 5>7 6>7 6>8 7>9 8>9");
  }
}

TEST_CASE("child graphs stand in child graphs, and an empty one is a barrier") {
  const std::string text = dump(
      cluster(1, kernel(1, 0, "a") + child(1, 1, 2) + kernel(1, 2, "b") + edge(1, 0, 1) + edge(1, 1, 2)) +
      cluster(2, child(2, 0, 3) + child(2, 1, 4) + edge(2, 0, 1)) + cluster(3, "") +
      cluster(4, kernel(4, 0, "x") + kernel(4, 1, "y")));
  const ReadKernelGraph result = read(text);
  CHECK(functions(result.graph) == "a graph_3 x y b");
  CHECK(result.graph.node(1).kind == NodeKind::barrier);
  CHECK(edges(result.graph) == "0>1 1>2 1>3 2>4 3>4");
}

TEST_CASE("the bodies of a conditional stand behind it, listed by its branches") {
  const std::string text = dump(cluster(1, kernel(1, 0, "pick") + conditional(1, 1, {2, 3, 2}) +
                                               kernel(1, 2, "end") + edge(1, 0, 1) + edge(1, 1, 2)) +
                                cluster(2, kernel(2, 0, "x")) +
                                cluster(3, kernel(3, 0, "y") + conditional(3, 1, {4}) + edge(3, 0, 1)) +
                                cluster(4, kernel(4, 0, "z") + child(4, 1, 2) + edge(4, 0, 1)));
  const ReadKernelGraph result = read(text);
  CHECK(functions(result.graph) == "pick CONDITIONAL x y CONDITIONAL z x x end");
  CHECK(edges(result.graph) == "0>1 1>8 3>4 5>6");
  CHECK(result.graph.node(1).branches == std::vector<std::vector<uint32_t>>{{2}, {3, 4}, {7}});
  CHECK(result.graph.node(4).branches == std::vector<std::vector<uint32_t>>{{5, 6}});
}

TEST_CASE("clusters that no node names stand side by side") {
  const ReadKernelGraph result = read(dump(cluster(1, kernel(1, 0, "a")) + cluster(7, kernel(7, 0, "b")) +
                                           "\"loose\"[shape=\"octagon\" label=\"0\nc\n\"];"));
  CHECK(functions(result.graph) == "c a b");
  CHECK(edges(result.graph).empty());
}

TEST_CASE("edges may go backwards in the text, and stand before the nodes they join") {
  const ReadKernelGraph result = read(dump(cluster(
      1, edge(1, 2, 0) + edge(1, 2, 0) + kernel(1, 0) + kernel(1, 1) + kernel(1, 2) + edge(1, 0, 1))));
  CHECK(edges(result.graph) == "0>1 2>0");
}

TEST_CASE("line ends of other machines and no blank lines change nothing") {
  std::string text = dump(cluster(1, launch(1, 0, "relu", "8,\\{32,4\\},16") + kernel(1, 1) + edge(1, 0, 1)));
  const auto replaced = [&](const std::string& from, const std::string& to) {
    return std::regex_replace(text, std::regex(from), to);
  };
  for (const std::string& each : {replaced("\n", "\r\n"), replaced(";\n", ";\n\n\n"), replaced(";\n", ";")}) {
    const ReadKernelGraph result = read(each);
    CHECK(functions(result.graph) == "relu relu_kernel");
    CHECK(edges(result.graph) == "0>1");
    CHECK(result.graph.node(0).config->block == std::array<uint32_t, 3>{32, 4, 1});
  }
}

TEST_CASE("names that clash or are not there are faults at their place") {
  check_one(dump(cluster(1, kernel(1, 0) + kernel(1, 0, "other"))), "duplicate-name", name(1, 0));
  check_one(dump(cluster(1, kernel(1, 0)) + cluster(1, "")), "duplicate-name", "\"graph_1\"");
  check_one(dump(cluster(1, kernel(1, 0) + edge(1, 0, 5))), "unknown-node", name(1, 5));
  check_one(dump(cluster(1, kernel(1, 0) + edge(1, 0, 0))), "self-reference",
            name(1, 0) + " -> " + name(1, 0));
  check_one(dump(cluster(1, kernel(1, 0) + child(1, 1, 9))), "unknown-node", "\"1\ngraph_9\n\"");
  CHECK(faults(dump(cluster(1, conditional(1, 0, {8, 9})))).size() == 2);
}

TEST_CASE("circles are faults at what closes them") {
  const std::string nodes = kernel(1, 0) + kernel(1, 1) + kernel(1, 2) + edge(1, 0, 1) + edge(1, 1, 2);
  check_one(dump(cluster(1, nodes + edge(1, 2, 0))), "cycle", name(1, 2) + " -> " + name(1, 0));
  const std::string inside = dump(cluster(1, kernel(1, 0) + child(1, 1, 2)) + cluster(2, child(2, 0, 1)));
  const auto found = faults(inside);
  REQUIRE(found.size() == 1);
  CHECK(found[0].first == "cycle");
  CHECK(found[0].second.starts_with(name(1, 1)));
  check_one(dump(cluster(3, child(3, 0, 3))), "cycle", child(3, 0, 3).substr(0, child(3, 0, 3).size() - 2));
}

TEST_CASE("an edge between two graphs is a fault, and a warning where one stands in the other") {
  const std::string across = name(1, 0) + " -> " + name(2, 0);
  check_one(dump(cluster(1, kernel(1, 0)) + cluster(2, kernel(2, 0)) + across + ";"), "unsupported", across);
  const std::string inside =
      dump(cluster(1, kernel(1, 0) + child(1, 1, 2)) + cluster(2, kernel(2, 0)) + across + ";");
  check_one(inside, "unsupported", across);
  CHECK(edges(read(inside).graph).empty());
}

TEST_CASE("a launch configuration that is none is a fault inside the label") {
  const std::string text = dump(cluster(1, launch(1, 0, "f", "0,1,1")));
  check_one(text, "bad-attribute", "f\\<\\<\\<0,1,1\\>\\>\\>");
  check_one(dump(cluster(1, launch(1, 0, "f", "\\{4294967295,4294967295\\},2,0"))), "overflow",
            "f\\<\\<\\<\\{4294967295,4294967295\\},2,0\\>\\>\\>");
}

TEST_CASE("a node of an unknown kind is a barrier and a warning") {
  const std::string odd = name(1, 1) + "[shape=\"record\" label=\"{WARP\n| {ID | 1}\n}\"];\n";
  const std::string text = dump(cluster(1, kernel(1, 0) + odd + edge(1, 0, 1)));
  check_one(text, "unknown-kind", "\"{WARP\n| {ID | 1}\n}\"");
  CHECK(read(text).graph.node(1).kind == NodeKind::barrier);
}

TEST_CASE("a digraph that is no dump, or an empty one, is refused") {
  check_one("digraph g { a[label=\"x\"]; b[label=\"y\"]; a -> b; }", "unknown-format", "\"x\"");
  check_one("digraph dot {\n}\n", "empty-graph", "dot");
  check_one(dump(cluster(1, "")), "empty-graph", "dot");
}

TEST_CASE("a conditional that names no body is a warning") {
  check_one(dump(cluster(1, name(1, 0) + "[shape=\"rectangle\" label=\"0\nCONDITIONAL\n\"];\n")),
            "bad-attribute", "\"0\nCONDITIONAL\n\"");
}

TEST_CASE("a dump cut at any byte is refused as cut, and for nothing else") {
  const std::string text = dump(cluster(1, launch(1, 0, "relu", "8,\\{32,4\\},16") + conditional(1, 1, {2}) +
                                               child(1, 2, 2) + edge(1, 0, 1) + edge(1, 1, 2)) +
                                cluster(2, kernel(2, 0)));
  const size_t last = text.rfind('}');
  for (size_t size = std::string("digraph").size(); size <= last; ++size) {
    INFO(size);
    const auto found = faults(text.substr(0, size));
    REQUIRE(found.size() == 1);
    CHECK(found[0].first == "truncated");
  }
}

namespace {

/// `levels` graphs, each of `width` nodes that stand for the next, around one kernel.
std::string nest(int levels, int width) {
  std::string clusters;
  for (int level = 1; level <= levels; ++level) {
    std::string inside;
    for (int node = 0; node < width; ++node) inside += child(level, node, level + 1);
    clusters += cluster(level, inside);
  }
  return dump(clusters + cluster(levels + 1, kernel(levels + 1, 0)));
}

std::string first_fault(const std::string& text) {
  const Result<ReadKernelGraph> result = read_cuda_graph_dot(text);
  return result.value ? "" : std::string(code_text(result.diagnostics.front().code));
}

}  // namespace

TEST_CASE("what child graphs come to is limited before it is built") {
  CHECK(read(nest(64, 1)).graph.size() == 1);
  CHECK(first_fault(nest(65, 1)) == "unsupported");
  CHECK(first_fault(nest(5000, 1)) == "unsupported");
  CHECK(read(nest(3, 100)).graph.size() == 1000000);
  CHECK(first_fault(nest(19, 2)).empty());
  CHECK(first_fault(nest(20, 2)) == "unsupported");
  CHECK(first_fault(nest(64, 9)) == "unsupported");
}

TEST_CASE("edges between many sinks and many sources are limited before they are built") {
  const auto joined = [](int width) {
    std::string inner;
    for (int node = 0; node < width; ++node) inner += kernel(2, node);
    return dump(cluster(1, child(1, 0, 2) + child(1, 1, 2) + edge(1, 0, 1)) + cluster(2, inner));
  };
  CHECK(read(joined(1000)).graph.dag().predecessors.values.size() == 1000000);
  CHECK(first_fault(joined(2001)) == "unsupported");
}

TEST_CASE("long names are not copied without end, nor lists of branches") {
  const std::string long_name(1 << 20, 'a');
  std::string inside;
  for (int node = 0; node < 200; ++node) inside += child(1, node, 2);
  CHECK(first_fault(dump(cluster(1, inside) + cluster(2, kernel(2, 0, long_name)))) == "unsupported");
  const std::vector<int> bodies(20000, 3);
  inside.clear();
  for (int node = 0; node < 1000; ++node) inside += child(1, node, 2);
  CHECK(first_fault(dump(cluster(1, inside) + cluster(2, conditional(2, 0, bodies)) + cluster(3, ""))) ==
        "unsupported");
}
