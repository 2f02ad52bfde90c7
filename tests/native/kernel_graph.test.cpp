// Which reader a kernel graph's text is given to.
// It must not know what either makes of it.
#include "formats/kernel_graph.h"

#include "catch.h"
#include "cuda_graph_text.h"

using namespace fuseboard;

TEST_CASE("kernel graphs are told by their content") {
  for (const char* text : {R"({"nodes": [], "edges": []})", "\xef\xbb\xbf {\"name\": \"ops\", \"edges\": [",
                           R"({"a": {"ops": 1}, "nodes")"
                           ":"})
    CHECK(recognise_kernel_graph(text) == KernelGraphFormat::json);
  for (const char* text :
       {"", "{", "[{\"nodes\": 1}]", R"({"ops": [], "nodes": []})", R"({"a": {"nodes": 1}})",
        R"({"name": "nodes"})", "{} \"nodes\": 1", "HloModule m", "{\"nodes", "{\"", "{\"\\"})
    CHECK_FALSE(recognise_kernel_graph(text));
  CHECK(recognise_kernel_graph("digraph dot {") == KernelGraphFormat::cuda_graph);
}

TEST_CASE("one entry reads both kinds of kernel graph, with the place of each node") {
  const std::string json =
      R"({"nodes": [{"kind": "kernel_launch", "function_name": "f"}, {"kind": "barrier"}], "edges": [[0, 1]]})";
  const Result<ReadKernelGraph> from_json = read_kernel_graph(json);
  REQUIRE(from_json.value);
  CHECK(from_json.value->graph.size() == 2);
  CHECK_FALSE(from_json.value->graph.node(0).fusible_is_guess);
  const ReadKernelGraph::Span place = from_json.value->places[1];
  CHECK(json.substr(place.offset, place.length) == R"({"kind": "barrier"})");

  const Result<ReadKernelGraph> from_dump =
      read_kernel_graph(cuda_graph::dump(cuda_graph::cluster(1, cuda_graph::kernel(1, 0))));
  REQUIRE(from_dump.value);
  CHECK(from_dump.value->graph.node(0).function_name == "relu_kernel");
  CHECK(from_dump.value->places.size() == 1);
}

TEST_CASE("a text that is no kernel graph is told what would be one") {
  const Result<ReadKernelGraph> result = read_kernel_graph("HloModule m");
  CHECK_FALSE(result.value);
  REQUIRE(result.diagnostics.size() == 1);
  CHECK(result.diagnostics[0].code == Code::unknown_format);
  CHECK(result.diagnostics[0].hint.find("cudaGraphDebugDotPrint") != std::string::npos);
}

TEST_CASE("kernel graph JSON that is cut off is still told to be kernel graph JSON") {
  const Result<ReadKernelGraph> result = read_kernel_graph(R"({"nodes": [{"kind": "barrier"})");
  CHECK_FALSE(result.value);
  REQUIRE(result.diagnostics.size() == 1);
  CHECK(result.diagnostics[0].code == Code::syntax);
}
