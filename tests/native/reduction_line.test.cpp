// `plan --jsonl` on kernel graphs: the oracle's 800 answers, errors included.
// It must not know how regions are found.
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "catch.h"
#include "playground.h"

using fuseboard::plan_jsonl_line;

TEST_CASE("the 800 golden kernel graphs are answered as the oracle answered them, key by key in its order") {
  std::ifstream file(FUSEBOARD_SOURCE_DIR "/tests/data/reduction.jsonl");
  size_t lines = 0;
  size_t errors = 0;
  size_t regions = 0;
  for (std::string line; std::getline(file, line); ++lines) {
    INFO("line " << lines + 1);
    nlohmann::ordered_json expected = nlohmann::ordered_json::parse(line);
    expected.erase("entry");
    expected.erase("graph");
    errors += expected.contains("error") ? 1 : 0;
    regions += expected.contains("plan") ? expected["plan"]["groups"].size() : 0;
    REQUIRE(plan_jsonl_line(line) == expected.dump());
  }
  CHECK(lines == 800);
  CHECK(errors > 10);
  CHECK(regions > 100);
}

TEST_CASE("the entry is read, and is dominated where it is left out") {
  // x feeds the last node from outside: only `operands` lets it in
  const std::string node = R"({"kind":"kernel_launch","function_name":"k","grid":[1,1,1],"block":[32,1,1],)"
                           R"("fusible":true,"inputs":[],"outputs":[],"cost_hint":1})";
  const std::string graph = R"("graph":{"nodes":[)" + node + "," + node + "," + node + "," +
                            R"({"kind":"memcpy"}],"edges":[[0,1],[0,2],[1,2],[3,2]]}})";
  const std::string none = R"("launches_saved":0)";
  CHECK(plan_jsonl_line("{" + graph).find(none) != std::string::npos);
  CHECK(plan_jsonl_line(R"({"entry":"dominated",)" + graph).find(none) != std::string::npos);
  CHECK(plan_jsonl_line(R"({"entry":"operands",)" + graph).find(R"("launches_saved":2)") !=
        std::string::npos);
  CHECK(plan_jsonl_line(R"({"entry":"sideways",)" + graph) == R"({"error":"syntax"})");
  CHECK(plan_jsonl_line(R"({"entry":1,)" + graph) == R"({"error":"syntax"})");
  // what the caller asks for stands before the line's own
  CHECK(plan_jsonl_line("{" + graph, "elementwise", "operands").find(R"("launches_saved":2)") !=
        std::string::npos);
  CHECK(plan_jsonl_line(R"({"entry":"operands",)" + graph, "elementwise", "dominated").find(none) !=
        std::string::npos);
}

TEST_CASE("a kernel graph that is none answers with a code") {
  const auto error_of = [](const std::string& graph) {
    return plan_jsonl_line(R"({"graph":)" + graph + "}");
  };
  CHECK(error_of(R"({"nodes":[],"edges":[]})") == R"({"error":"empty-graph"})");
  CHECK(error_of(R"({"nodes":[{"kind":"barrier"}],"edges":[[0,1]]})") == R"({"error":"unknown-node"})");
  CHECK(error_of(R"({"nodes":[{"kind":"barrier"}],"edges":[[0,0]]})") == R"({"error":"cycle"})");
  CHECK(error_of(R"({"nodes":[{"kind":"barrier"}]})") == R"({"error":"syntax"})");
  CHECK(error_of(R"({"nodes":3,"edges":[]})") == R"({"error":"syntax"})");
  CHECK(error_of(R"({"nodes":[{"kind":"barier"}],"edges":[]})") == R"({"error":"unknown-kind"})");
}
