// Plan JSON: it parses, and holds the fields that its header documents, all of them and no other.
// It must not know layouts.
#include "report/plan_json.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "catch.h"
#include "playground.h"

namespace {

using namespace fuseboard;
using Json = nlohmann::ordered_json;

/// One op of every class, both reasons with extra fields, a scalar parameter, an attribute of every type.
constexpr const char* kText = R"({"ops": [
  {"name": "x", "kind": "input", "output_shape": [4, 8], "dtype": "f32"},
  {"name": "two", "kind": "constant", "value": 2, "output_shape": []},
  {"name": "a", "kind": "scale", "inputs": ["x"]},
  {"name": "t", "kind": "transpose", "inputs": ["a"], "perm": [1, 0]},
  {"name": "r", "kind": "reduce", "inputs": ["t"], "axes": [0], "keepdims": true, "reducer": "max"},
  {"name": "back", "kind": "matmul", "inputs": ["a", "t"], "output_shape": [4, 8]},
  {"name": "c", "kind": "axpy", "inputs": ["a", "back"], "alpha": 0.5},
  {"name": "small", "kind": "relu", "inputs": ["c"], "output_shape": [8]},
  {"name": "f", "kind": "swish", "inputs": ["c"], "output_shape": [3], "dtype": "f8e4m3fn", "mode": "fast", "id": 99},
  {"name": "flat", "kind": "reshape", "inputs": ["x"], "output_shape": [32]}],
  "outputs": ["c", "a"]})";

Json planned(const std::string& text, PlaygroundOptions options = {}) {
  return Json::parse(Playground::open(text, options).plan_json(), nullptr, false);
}

std::string keys(const Json& object) {
  std::string out;
  for (const auto& each : object.items()) out += (out.empty() ? "" : " ") + each.key();
  return out;
}

const std::string kDiagnostic = "severity code message hint offset length line column path";

}  // namespace

TEST_CASE("every object of plan JSON has its documented fields in the documented order, and no other") {
  const Json plan = planned(kText);
  CHECK(keys(plan) ==
        "version format options ops outputs groups bytes_unfused bytes_fused bytes_saved speedup_estimate "
        "policies decisions kernels diagnostics");
  CHECK(plan["version"] == kPlanJsonVersion);
  CHECK(keys(plan["options"]) == "broadcast fused policy target math");
  const std::string op =
      "id name kind class inputs output_shape dtype dtype_bytes output_bytes group offset length";
  CHECK(keys(plan["ops"][0]) == op);
  CHECK(keys(plan["ops"][1]) == op + " value");
  CHECK(keys(plan["ops"][3]) == op + " perm");
  CHECK(keys(plan["ops"][4]) == op + " axes keepdims reducer");
  CHECK(keys(plan["ops"][8]) == op + " mode");  // a foreign op's attribute does not shadow a field
  CHECK(plan["ops"][8]["id"] == 8);
  for (const Json& group : plan["groups"]) {
    CHECK(keys(group) ==
          "members external_inputs external_outputs internal_intermediates bytes_read bytes_written "
          "bytes_unfused pattern runs kernel "
          "materialized");
    for (const Json& each : group["materialized"]) CHECK(keys(each) == "op why consumers");
  }
  for (const Json& each : plan["policies"]) CHECK(keys(each) == "policy bytes_fused kernels launches");
  for (const Json& each : plan["decisions"]) {
    const std::string base = "producer consumer verdict reason together bytes";
    const std::string more = each["reason"] == "shapes-differ"        ? " producer_shape consumer_shape"
                             : each["reason"] == "would-create-cycle" ? " path path_total"
                                                                      : "";
    CHECK(keys(each) == base + more);
  }
  for (const Json& kernel : plan["kernels"]) {
    CHECK(keys(kernel) ==
          "group kind name entry emitted parameters loops move rows bytes_reread grid block shared_mem_bytes "
          "diagnostics");
    for (const Json& each : kernel["parameters"]) {
      CHECK(keys(each) == (each["role"] == "scalar" ? "name role op attribute dtype elements"
                                                    : "name role op dtype elements alignment"));
    }
    for (const Json& each : kernel["loops"]) CHECK(keys(each) == "domain stores slots");
    for (const Json& each : kernel["diagnostics"]) CHECK(keys(each) == kDiagnostic);
  }
  REQUIRE(plan["diagnostics"].size() == 2);
  for (const Json& each : plan["diagnostics"]) CHECK(keys(each) == kDiagnostic);
}

TEST_CASE("a kernel that reduces tells how it shares its rows, others have none") {
  const Json plan = planned(kText);
  const Json& fold = plan["kernels"][size_t{plan["groups"][size_t{plan["ops"][4]["group"]}]["kernel"]}];
  CHECK(fold["kind"] == "kernel");
  CHECK(fold["name"] == "max");
  CHECK(fold["loops"].empty());
  CHECK(fold["rows"].dump() ==
        R"({"domain":[{"extent":8,"reduced":true},{"extent":4,"reduced":false}],"stores":[4],"walk":"held",)"
        R"("along_rows":true,"slots":4,"threads":8,"rows_in_block":16,"passes":1})");
  CHECK(fold["bytes_reread"] == 0);
  CHECK(fold["block"].dump() == "[32,1,1]");
  for (const Json& kernel : plan["kernels"])
    CHECK(kernel["rows"].is_null() == (kernel["group"] != fold["group"]));
}

TEST_CASE("the header's comment names every field that is written") {
  std::ifstream file(FUSEBOARD_SOURCE_DIR "/core/report/plan_json.h");
  std::ostringstream header;
  header << file.rdbuf();
  std::vector<Json> open{planned(kText)};
  size_t fields = 0;
  while (!open.empty()) {
    const Json value = open.back();
    open.pop_back();
    for (const auto& each : value.items()) {
      const bool attribute = value.contains("output_bytes") && value.contains("name") && ++fields > 0 &&
                             header.str().find('"' + each.key() + '"') == std::string::npos;
      INFO(each.key());
      if (value.is_object() && !attribute)
        CHECK(header.str().find('"' + each.key() + '"') != std::string::npos);
      if (each.value().is_structured()) open.push_back(each.value());
    }
  }
  CHECK(fields > 0);
}

TEST_CASE("the values are the plan's") {
  const Json plan = planned(kText);
  CHECK(plan["format"] == "graph-json");
  CHECK(plan["outputs"].dump() == "[6,2]");
  CHECK(plan["ops"][4]["keepdims"] == true);
  CHECK(plan["ops"][4]["class"] == "reduce");
  CHECK(plan["ops"][8]["kind"] == "swish");
  CHECK(plan["ops"][8]["class"] == "opaque");
  CHECK(plan["ops"][8]["dtype"] == "f8e4m3fn");
  const std::string text = kText;
  CHECK(text.substr(plan["ops"][1]["offset"], plan["ops"][1]["length"]) ==
        R"({"name": "two", "kind": "constant", "value": 2, "output_shape": []})");
  // a feeds a transpose, a matmul and c, beyond the matmul: it is alone, and written.
  const Json& a = plan["groups"][size_t{plan["ops"][2]["group"]}];
  CHECK(a["members"].dump() == "[2]");
  CHECK(a["runs"] == "kernel");
  CHECK(a["materialized"].dump() == R"([{"op":2,"why":"consumed-outside","consumers":[3,5,6]}])");
  CHECK(plan["kernels"][size_t{a["kernel"]}]["group"] == plan["ops"][2]["group"]);
  CHECK(plan["groups"][0]["runs"] == "none");
  CHECK(plan["groups"][0]["kernel"].is_null());
  CHECK(plan["groups"].back()["materialized"][0]["why"] == "terminal");
  for (const Json& each : plan["decisions"]) {
    if (each["reason"] == "would-create-cycle") CHECK(each["path"].dump() == "[2,3,5,6]");
    if (each["reason"] == "shapes-differ")
      CHECK(each["producer_shape"].dump() + each["consumer_shape"].dump() == "[4,8][8]");
  }
}

TEST_CASE(
    "rows: a refusal tells both domains, regions the closed one; groups have patterns, policies figures") {
  const std::string text = R"({"ops": [{"name": "x", "kind": "input", "output_shape": [4, 8]},
    {"name": "y", "kind": "relu", "inputs": ["x"]},
    {"name": "s", "kind": "reduce", "reducer": "sum", "axes": [1], "keepdims": true, "inputs": ["y"]},
    {"name": "p", "kind": "div", "inputs": ["y", "s"]},
    {"name": "t", "kind": "reduce", "reducer": "sum", "axes": [0], "inputs": ["p"]}]})";
  const Json rows = planned(text);
  CHECK(rows["options"]["policy"] == "rows");
  CHECK(rows["groups"][1]["members"].dump() == "[1,2,3]");
  CHECK(rows["groups"][1]["pattern"] == "Generic");
  CHECK(rows["groups"][0]["pattern"] == "");
  CHECK(rows["decisions"].back().dump() ==
        R"({"producer":3,"consumer":4,"verdict":"refused","reason":"row-domain-differs","together":false,)"
        R"("bytes":128,"domains":[[{"extent":4,"reduced":false},{"extent":8,"reduced":true}],)"
        R"([{"extent":4,"reduced":true},{"extent":8,"reduced":false}]]})");
  CHECK(rows["bytes_fused"] == 2 * 128 + 128 + 32);

  PlaygroundOptions options;
  options.policy = "regions";
  const std::string beside =
      text.substr(0, text.size() - 2) + R"(,{"name": "q", "kind": "neg", "inputs": ["p"]}]})";
  const Json regions = planned(beside, options);
  CHECK(regions["options"]["policy"] == "regions");
  CHECK(regions["decisions"].back().dump() ==
        R"({"producer":3,"consumer":5,"verdict":"refused","reason":"region-is-closed","together":false,)"
        R"("bytes":128,"region":[1,3]})");
  REQUIRE(regions["policies"].size() == 3);
  for (size_t i = 0; i < 3; ++i) {
    options.policy = regions["policies"][i]["policy"];
    CHECK(regions["policies"][i]["bytes_fused"] == planned(beside, options)["bytes_fused"]);
    CHECK(regions["policies"][i]["launches"] == planned(beside, options)["kernels"].size());
  }
  CHECK(regions["policies"] == planned(beside)["policies"]);
}

TEST_CASE("a listed op that is consumed inside alone is an output; a listed terminal too") {
  const Json plan =
      planned(R"({"outputs": ["y", "z"], "ops": [{"name": "x", "kind": "input", "output_shape": [4]},
    {"name": "y", "kind": "neg", "inputs": ["x"]}, {"name": "z", "kind": "neg", "inputs": ["y"]}]})");
  CHECK(plan["groups"][1]["materialized"].dump() ==
        R"([{"op":1,"why":"output","consumers":[]},{"op":2,"why":"output","consumers":[]}])");
}

TEST_CASE("hostile names come back as they were") {
  const std::string name = "a\"\\\n</script>\u00e9\x01\u2028";
  const std::string text =
      "{\"ops\": [{\"kind\": \"input\", \"output_shape\": [], \"name\": " + Json(name).dump() + "}]}";
  CHECK(planned(text)["ops"][0]["name"] == name);
}

TEST_CASE("the op table goes out row by row, and kernels.json launch by launch") {
  const Json table = Json::parse(ops_json(), nullptr, false);
  REQUIRE(table.is_array());
  CHECK(table.size() + 1 == op_kind_count());  // all but foreign
  for (const Json& row : table) {
    const bool is_point = row["class"] == "point";
    CHECK(keys(row) == (is_point ? "kind class arity attributes reference names bound ptx"
                                 : "kind class arity attributes reference names"));
    if (is_point) CHECK(keys(row["bound"]) == "fast precise f64 slack source");
  }
  CHECK(table[0].dump().starts_with(R"({"kind":"input","class":"source","arity":[0,0])"));
  for (const Json& row : table) {
    if (row["kind"] == "concat") CHECK(row["arity"].dump() == "[1,null]");
  }
  const Json kernels = Json::parse(Playground::open(kText, {}).kernels_json(), nullptr, false);
  for (const Json& each : kernels) {
    CHECK(keys(each) ==
          "entry file group kind name emitted parameters grid block shared_mem_bytes diagnostics");
    CHECK((each["file"] == "" || each["file"] == std::string(each["entry"]) + ".ptx"));
  }
  CHECK(kernels.size() == planned(kText)["kernels"].size());
}
