// The facade on kernel graphs: planned, drawn with the rewritten graph beside, planned again by other
// options. It must not know JavaScript or pages.
#include "playground_kernel_graph.h"

#include <nlohmann/json.hpp>

#include "catch.h"
#include "playground.h"

namespace {

using namespace fuseboard;
using Json = nlohmann::ordered_json;

Json parsed(const std::string& text) { return Json::parse(text, nullptr, false); }

std::string launch(const std::string& name, uint32_t grid, bool fusible = true) {
  return R"({"kind": "kernel_launch", "function_name": ")" + name + R"(", "grid": [)" + std::to_string(grid) +
         R"(, 1, 1], "block": [256, 1, 1], "fusible": )" + (fusible ? "true}" : "false}");
}

/// A copy, a softmax whose x and maximum both reach the subtraction, a copy back.
std::string softmax() {
  return R"({"nodes": [{"kind": "memcpy", "direction": "host_to_device", "bytes": 4096}, )" +
         launch("load", 4) + ", " + launch("row_max", 4) + ", " + launch("exp", 4) + ", " + launch("sum", 4) +
         ", " + launch("div", 4) + R"(, {"kind": "memcpy", "direction": "device_to_host"}],
 "edges": [[0, 1], [1, 2], [1, 3], [2, 3], [3, 4], [3, 5], [4, 5], [5, 6]]})";
}

}  // namespace

TEST_CASE("a kernel graph is planned by regions, and answers every question") {
  Playground board = Playground::open(softmax(), {});
  REQUIRE(board.ok());
  const Json plan = parsed(board.plan_json());
  CHECK(plan["format"] == "kernel-graph-json");
  CHECK(plan["options"]["entry"] == "operands");
  REQUIRE(plan["groups"].size() == 1);
  CHECK(plan["groups"][0]["members"] == Json({1, 2, 3, 4, 5}));
  CHECK(plan["groups"][0]["pattern"] == "Softmax");
  CHECK(plan["launches_saved"] == 4);
  CHECK(plan["nodes"][0]["group"] == nullptr);
  CHECK(plan["nodes"][3]["group"] == 0);
  CHECK(plan["nodes"][3]["threads"] == 1024);
  const std::string place = softmax().substr(plan["nodes"][3]["offset"], plan["nodes"][3]["length"]);
  CHECK(place == launch("exp", 4));
  CHECK(plan["rewritten"]["nodes"].size() == 3);
  CHECK(plan["rewritten"]["nodes"][1]["label"] == "Softmax: load to div");
  CHECK(plan["rewritten"]["nodes"][1]["members"] == Json({1, 2, 3, 4, 5}));
  CHECK(plan["rewritten"]["edges"] == Json({{0, 1}, {1, 2}}));
  CHECK(board.dot().find("Softmax: 5 launches as one") != std::string::npos);
  CHECK(board.kernel_count() == 0);
  CHECK(board.kernels_json() == "[\n]\n");
  board.start_run({});
  CHECK(board.continue_run(1000));
  CHECK(parsed(board.run_json())["state"] == "none");
}

TEST_CASE("totals add what is known and count what is not") {
  const Json plan = parsed(Playground::open(softmax(), {}).plan_json());
  CHECK(plan["totals"]["launches"] == 5);
  CHECK(plan["totals"]["threads"] == Json({{"sum", 5 * 1024}, {"unknown", 0}}));
  CHECK(plan["totals"]["bytes_copied"] == Json({{"sum", 4096}, {"unknown", 1}}));
  CHECK(plan["rewritten"]["totals"]["launches"] == 1);
  CHECK(plan["rewritten"]["totals"]["bytes_copied"] == plan["totals"]["bytes_copied"]);
}

TEST_CASE("the drawing holds the graph with its region as a box, and the rewritten graph right of it") {
  const PlaygroundLayout layout = Playground::open(softmax(), {}).layout();
  REQUIRE(layout.x.size() == 7 + 3);
  CHECK(layout.width.size() == 10);
  CHECK(layout.edge_start.size() == 8 + 2 + 1);
  REQUIRE(layout.group_width.size() == 1);
  CHECK(layout.group_width[0] > 0);
  const float middle = layout.group_x[0] + layout.group_width[0];
  for (size_t node = 7; node < 10; ++node) {
    CHECK(layout.x[node] > middle);
    CHECK(layout.x[node] + layout.width[node] <= layout.total_width);
    CHECK(layout.y[node] + layout.height[node] <= layout.total_height);
  }
}

TEST_CASE("unfused, every launch is alone and nothing is rewritten") {
  PlaygroundOptions options;
  options.fused = false;
  const Playground board = Playground::open(softmax(), options);
  const Json plan = parsed(board.plan_json());
  CHECK(plan["groups"].empty());
  CHECK(plan["launches_saved"] == 0);
  CHECK(plan["rewritten"] == nullptr);
  CHECK(plan["decisions"][0]["verdict"] == "fused");
  CHECK(board.layout().x.size() == 7);
}

TEST_CASE("the entry decides whether an operand may come from beside the root") {
  // The scale enters the last member: no region where the root must dominate it.
  const std::string text = R"({"nodes": [)" + launch("max", 4) + ", " + launch("sub", 4) + ", " +
                           launch("scale", 4, false) + ", " + launch("mul", 4) +
                           R"(], "edges": [[0, 1], [0, 3], [1, 3], [2, 3]]})";
  CHECK(parsed(Playground::open(text, {}).plan_json())["groups"].size() == 1);
  PlaygroundOptions options;
  options.entry = "dominated";
  const Json plan = parsed(Playground::open(text, options).plan_json());
  REQUIRE(plan["groups"].size() == 1);
  CHECK(plan["groups"][0]["pattern"] == "Chain");
  CHECK(plan["groups"][0]["members"] == Json({1, 3}));
  REQUIRE(plan["decisions"][0]["reason"] == "not-dominated");
  CHECK(plan["decisions"][0]["path"] == Json({2, 3}));
  options.entry = "anyone";
  const Playground refused = Playground::open(text, options);
  CHECK_FALSE(refused.ok());
  CHECK(parsed(refused.diagnostics_json())["diagnostics"][0]["code"] == "bad-option");
}

TEST_CASE("an edge that leaks is told with both its ends") {
  const std::string text = R"({"nodes": [)" + launch("max", 4) + ", " + launch("sub", 4) + ", " +
                           launch("exp", 4) + R"(, {"kind": "memcpy"}],
 "edges": [[0, 1], [0, 2], [1, 2], [1, 3]]})";
  const Json plan = parsed(Playground::open(text, {}).plan_json());
  CHECK(plan["groups"].empty());
  CHECK(plan["rewritten"] == nullptr);
  const Json& refused = plan["decisions"][0];
  CHECK(refused["root"] == 0);
  CHECK(refused["reason"] == "edge-leaks");
  CHECK(refused["from"] == 1);
  CHECK(refused["to"] == 3);
}

TEST_CASE("nodes that are called the same are told apart") {
  const std::string text = R"({"nodes": [)" + launch("exp", 4) + ", " + launch("exp", 4) +
                           R"(, {"kind": "memset", "name": "zero"}, {"kind": "barrier"}], "edges": []})";
  const Json nodes = parsed(Playground::open(text, {}).plan_json())["nodes"];
  CHECK(nodes[0]["label"] == "exp #0");
  CHECK(nodes[1]["label"] == "exp #1");
  CHECK(nodes[2]["label"] == "zero");
  CHECK(nodes[2]["bytes"] == nullptr);
  CHECK(nodes[3]["label"] == "barrier");
}

TEST_CASE("a kernel graph that cannot be read says why") {
  const Playground board = Playground::open(R"({"nodes": [{"kind": "barrier"}], "edges": [[0, 7]]})", {});
  CHECK_FALSE(board.ok());
  CHECK(parsed(board.diagnostics_json())["diagnostics"][0]["code"] == "unknown-node");
  CHECK(board.dot().empty());
  CHECK(board.layout().x.empty());
}

TEST_CASE("chains are fused over what regions leave, and say where they stop") {
  const std::string text = R"({"nodes": [)" + launch("scale", 4) + ", " + launch("bias", 4) + ", " +
                           launch("gelu", 4) + ", " + launch("gemm", 4, false) +
                           R"(], "edges": [[0, 1], [1, 2], [2, 3]]})";
  const Json plan = parsed(Playground::open(text, {}).plan_json());
  REQUIRE(plan["groups"].size() == 1);
  CHECK(plan["groups"][0]["members"] == Json({0, 1, 2}));
  CHECK(plan["groups"][0]["pattern"] == "Chain");
  CHECK(plan["launches_saved"] == 2);
  REQUIRE(plan["chains"].size() == 1);
  CHECK(plan["chains"][0] == Json({{"first", 0}, {"last", 2}, {"next", 3}, {"reason", "next-not-fusible"}}));
  CHECK(plan["rewritten"]["nodes"][0]["label"] == "Chain: scale to gelu");
  CHECK(plan["decisions"][0]["message"].get<std::string>().find("\"scale\"") != std::string::npos);
}
