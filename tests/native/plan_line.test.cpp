// `plan --jsonl`, a line at a time: the oracle's 800 answers, and lines that are no case.
// It must not know the planner's rules.
#include <fstream>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "graph_builder.h"
#include "playground.h"

namespace {

using Json = nlohmann::ordered_json;

Json parsed(const std::string& text) { return Json::parse(text, nullptr, false); }

std::string answer(std::string_view line) { return fuseboard::plan_jsonl_line(line); }

}  // namespace

TEST_CASE("the 800 golden graphs are answered as the oracle answered them, key by key in its order") {
  std::ifstream file(FUSEBOARD_SOURCE_DIR "/tests/data/elementwise.jsonl");
  size_t lines = 0;
  size_t errors = 0;
  for (std::string line; std::getline(file, line); ++lines) {
    INFO("line " << lines + 1);
    const Json expected = parsed(line);
    const char* part = expected.contains("plan") ? "plan" : "error";
    errors += expected.contains("error") ? 1 : 0;
    const Json found = parsed(answer(line));
    REQUIRE(found.size() == 1);
    REQUIRE(found.contains(part));
    REQUIRE(found[part].dump() == expected[part].dump());
  }
  CHECK(lines == 800);
  CHECK(errors > 10);
}

TEST_CASE("the form of an answer, byte for byte") {
  CHECK(
      answer(
          R"({"broadcast":true,"graph":{"ops":[{"kind":"relu","inputs":[],"output_shape":[4],"dtype_bytes":4},)"
          R"({"kind":"add","inputs":[0,0],"output_shape":[2,4],"dtype_bytes":2}]}})") ==
      R"({"plan":{"groups":[{"members":[0,1],"external_inputs":[],"external_outputs":[1],"internal_intermediates":[0],)"
      R"("bytes_read":0,"bytes_written":16}],"bytes_unfused":48,"bytes_fused":16,"bytes_saved":32,)"
      R"("speedup_estimate":3.0}})");
  CHECK(answer(R"({"graph":{"ops":[]}})") ==
        R"({"plan":{"groups":[],"bytes_unfused":0,"bytes_fused":0,"bytes_saved":0,"speedup_estimate":1.0}})");
}

TEST_CASE("broadcast is read, and is true where it is left out") {
  const std::string graph =
      R"("graph":{"ops":[{"kind":"relu","inputs":[],"output_shape":[4],"dtype_bytes":4},{"kind":"tanh","inputs":[0],"output_shape":[2,4],"dtype_bytes":4}]}})";
  CHECK(parsed(answer("{" + graph))["plan"]["groups"].size() == 1);
  CHECK(parsed(answer(R"({"broadcast":true,)" + graph))["plan"]["groups"].size() == 1);
  CHECK(parsed(answer(R"({"broadcast":false,)" + graph))["plan"]["groups"].size() == 2);
  CHECK(answer(R"({"broadcast":1,)" + graph) == R"({"error":"syntax"})");
}

TEST_CASE("counts past 2^53 are written digit by digit") {
  CHECK(
      answer(
          R"({"graph":{"ops":[{"kind":"relu","inputs":[],"output_shape":[9007199254740993],"dtype_bytes":1}]}})")
          .find("\"bytes_unfused\":9007199254740993,") != std::string::npos);
}

TEST_CASE("a line that is no case answers with a code") {
  for (const char* line :
       {"", " ", "nonsense", "{", "[]", "3", "null", "{}", R"({"graph":3})", R"({"graph":{}})",
        R"({"graph":{"ops":3}})", R"({"graph":{"ops":[3]}})", "\xff\xfe", "{\"graph\":{\"ops\":[]}} x",
        R"({"broadcast":null,"graph":{"ops":[]}})"}) {
    INFO(line);
    CHECK(answer(line) == R"({"error":"syntax"})");
  }
}

TEST_CASE("of several faults the first by op id is answered, a cycle after them, the total last") {
  const auto error_of = [](const std::string& ops) { return answer(R"({"graph":{"ops":[)" + ops + "]}}"); };
  const std::string p = R"({"kind":"relu","inputs":[1],"output_shape":[4],"dtype_bytes":4},)";
  const std::string q = R"({"kind":"relu","inputs":[0],"output_shape":[4],"dtype_bytes":4})";
  CHECK(error_of(p + q) == R"({"error":"cycle"})");
  CHECK(error_of(p + q + R"(,{"kind":"relu","inputs":[9],"output_shape":[4],"dtype_bytes":0})") ==
        R"({"error":"zero-dtype"})");
  CHECK(error_of(p + q + R"(,{"kind":"relu","inputs":[],"output_shape":[4],"dtype":"f77"})") ==
        R"({"error":"unknown-dtype"})");
  const std::string big =
      R"({"kind":"relu","inputs":[],"output_shape":[9223372036854775808],"dtype_bytes":1})";
  CHECK(error_of(big + "," + big) == R"({"error":"overflow"})");
  CHECK(error_of(big + "," + big + R"(,{"kind":"relu","inputs":[],"output_shape":[-1],"dtype_bytes":4})") ==
        R"({"error":"bad-attribute"})");
}

TEST_CASE("a line is planned by elementwise, or by the policy asked for") {
  const std::string line =
      R"({"graph":{"ops":[{"kind":"input","output_shape":[4,8],"dtype":"f32"},)"
      R"({"kind":"exp","inputs":[0]},{"kind":"reduce","inputs":[1],"reducer":"sum","axes":[1]}]}})";
  const auto groups = [](const std::string& answer) {
    return fuseboard_test::count_of(answer, "\"members\"");
  };
  CHECK(groups(fuseboard::plan_jsonl_line(line)) == 3);
  CHECK(groups(fuseboard::plan_jsonl_line(line, "rows")) == 2);
  CHECK(fuseboard::plan_jsonl_line(line, "greedy") == R"({"error":"syntax"})");
}
