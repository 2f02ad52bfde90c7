// Kernel graph JSON: what each field gives, and the place of each fault.
// It must not know passes.
#include "formats/kernel_graph_json.h"

#include "catch.h"

using namespace fuseboard;

namespace {

Result<ReadKernelGraph> read(const std::string& text) {
  const Result<JsonTape> tape = JsonTape::parse(text);
  REQUIRE(tape);
  return read_kernel_graph_json(*tape.value, 0);
}

struct Found {
  std::string code, token, path;
};

std::vector<Found> faults(const std::string& text) {
  std::vector<Found> out;
  for (const Diagnostic& each : read(text).diagnostics) {
    REQUIRE(size_t{each.place.offset} + each.place.length <= text.size());
    out.push_back({std::string(code_text(each.code)), text.substr(each.place.offset, each.place.length),
                   each.place.path});
  }
  return out;
}

void check_one(const std::string& text, const std::string& code, const std::string& token,
               const std::string& path) {
  INFO(text);
  const std::vector<Found> found = faults(text);
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == code);
  CHECK(found[0].token == token);
  CHECK(found[0].path == path);
}

std::string nodes(const std::string& list) { return R"({"nodes":[)" + list + R"(],"edges":[]})"; }

}  // namespace

TEST_CASE("kernel graph JSON: every field of every kind") {
  const std::string text =
      R"({"nodes":[{"kind":"kernel_launch","name":"n","function_name":"f","grid":[4,2,1],"block":[16,16,1],)"
      R"("shared_mem_bytes":48,"fusible":true,"inputs":[7,18446744073709551615],"outputs":[8],"cost_hint":0},)"
      R"({"kind":"memcpy","direction":"device_to_host","bytes":12},{"kind":"memset"},)"
      R"({"kind":"conditional","branches":[[0,1],[]]}],"edges":[[0,1],[2,0]]})";
  const Result<ReadKernelGraph> result = read(text);
  REQUIRE(result);
  CHECK(result.diagnostics.empty());
  const ComputeGraph& graph = result.value->graph;
  REQUIRE(graph.size() == 4);
  const ComputeNode& launch = graph.node(0);
  CHECK(launch.name == "n");
  CHECK(launch.function_name == "f");
  CHECK(launch.threads() == 2048);
  CHECK(launch.config->shared_mem_bytes == 48);
  CHECK(launch.is_fusible());
  CHECK(launch.inputs == std::vector<uint64_t>{7, 18446744073709551615U});
  CHECK(launch.outputs == std::vector<uint64_t>{8});
  CHECK(launch.cost_hint == 0);
  CHECK(graph.node(1).direction == CopyDirection::device_to_host);
  CHECK(graph.node(1).bytes == 12);
  CHECK(graph.node(1).cost_hint == 1);
  CHECK_FALSE(graph.node(2).bytes);  // unknown
  CHECK(graph.node(2).direction == CopyDirection::unknown);
  CHECK(graph.node(3).branches == std::vector<std::vector<uint32_t>>{{0, 1}, {}});
  CHECK(graph.sources() == std::vector<uint32_t>{2, 3});
  CHECK(text.substr(result.value->places[2].offset, result.value->places[2].length) ==
        R"({"kind":"memset"})");
}

TEST_CASE("kernel graph JSON: each fault has its code, the token and the path") {
  check_one(nodes(""), "empty-graph", "[]", "/nodes");
  check_one(nodes("3"), "syntax", "3", "/nodes/0");
  check_one(nodes("{}"), "syntax", "{}", "/nodes/0/kind");
  check_one(nodes(R"({"kind":"launch"})"), "unknown-kind", "\"launch\"", "/nodes/0/kind");
  check_one(nodes(R"({"kind":"memset","bytes":-1})"), "bad-attribute", "-1", "/nodes/0/bytes");
  check_one(nodes(R"({"kind":"memset","bytes":1.5})"), "bad-attribute", "1.5", "/nodes/0/bytes");
  check_one(nodes(R"({"kind":"memcpy","direction":"up"})"), "bad-attribute", "\"up\"", "/nodes/0/direction");
  check_one(nodes(R"({"kind":"memcpy","inputs":[1,"a"]})"), "bad-attribute", "\"a\"", "/nodes/0/inputs");
  check_one(nodes(R"({"kind":"barrier","fusible":1})"), "bad-attribute", "1", "/nodes/0/fusible");
  check_one(nodes(R"({"kind":"barrier","name":1})"), "bad-attribute", "1", "/nodes/0/name");
  check_one(nodes(R"({"kind":"kernel_launch","grid":[1,1,1]})"), "bad-attribute", "[1,1,1]", "/nodes/0/grid");
  check_one(nodes(R"({"kind":"kernel_launch","grid":[1,1],"block":[1,1,1]})"), "bad-attribute", "[1,1]",
            "/nodes/0/grid");
  check_one(nodes(R"({"kind":"kernel_launch","grid":[1,1,1],"block":[1,1,4294967296]})"), "bad-attribute",
            "[1,1,4294967296]", "/nodes/0/block");
  check_one(nodes(R"({"kind":"kernel_launch","grid":[4294967295,4294967295,2],"block":[1,1,1]})"), "overflow",
            "[4294967295,4294967295,2]", "/nodes/0/grid");
  check_one(nodes(R"({"kind":"conditional","branches":[[1]]})"), "unknown-node", "1", "/nodes/0/branches");
  check_one(nodes(R"({"kind":"conditional","branches":[0]})"), "bad-attribute", "0", "/nodes/0/branches");
  check_one(R"({"nodes":[{"kind":"barrier"}]})", "syntax", R"({"nodes":[{"kind":"barrier"}]})", "/edges");
  check_one(R"({"nodes":[{"kind":"barrier"}],"edges":[[0]]})", "syntax", "[0]", "/edges/0");
  check_one(R"({"nodes":[{"kind":"barrier"}],"edges":[[[0,0]]]})", "syntax", "[[0,0]]", "/edges/0");
  check_one(R"({"nodes":[{"kind":"barrier"}],"edges":[[0,0,0]]})", "syntax", "[0,0,0]", "/edges/0");
  check_one(R"({"nodes":[{"kind":"barrier"}],"edges":[[0,1]]})", "unknown-node", "1", "/edges/0");
  check_one(R"({"nodes":[{"kind":"barrier"}],"edges":[[-1,0]]})", "unknown-node", "-1", "/edges/0");
  check_one(R"({"nodes":[{"kind":"barrier"}],"edges":[["a",0]]})", "syntax", "\"a\"", "/edges/0");
  check_one(R"({"nodes":[{"kind":"barrier"}],"edges":[[0,0]]})", "cycle", "[0,0]", "/edges/0");
  check_one(R"({"nodes":[{"kind":"barrier"},{"kind":"barrier"}],"edges":[[0,1], [1,0], [0,1]]})", "cycle",
            "[1,0]", "/edges/1");
  check_one("[]", "syntax", "[]", "");
}

TEST_CASE("kernel graph JSON: all faults are told, an unknown field is a warning alone") {
  CHECK(faults(R"({"nodes":[{"kind":1},{"kind":"memset","bytes":"x"}],"edges":[[0,9],4]})").size() == 4);
  const Result<ReadKernelGraph> result =
      read(R"({"nodes":[{"kind":"barrier","colour":1}],"edges":[],"x":2})");
  CHECK(result);
  REQUIRE(result.diagnostics.size() == 2);
  CHECK(result.diagnostics[0].severity == Severity::warning);
}

TEST_CASE("kernel graph JSON: branches of what is no conditional are ignored with a warning") {
  const Result<ReadKernelGraph> result = read(
      R"({"nodes":[{"kind":"barrier","branches":[[0]]},{"kind":"conditional","branches":[[0]]}],"edges":[]})");
  REQUIRE(result);
  REQUIRE(result.diagnostics.size() == 1);
  CHECK(result.diagnostics[0].place.path == "/nodes/0/branches");
  CHECK(result.value->graph.node(0).branches.empty());
  CHECK(result.value->graph.node(1).branches.size() == 1);
}
