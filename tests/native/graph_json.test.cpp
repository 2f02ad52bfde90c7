// Graph JSON as it should be read: names and ids, inference of shapes and dtypes, attributes, sizes.
// It must not know plans.
#include "formats/graph_json.h"

#include <algorithm>

#include "catch.h"

namespace {

using namespace fuseboard;

FusionGraph graph_of(const std::string& text) {
  Result<ReadGraph> read = read_graph_json(text);
  for (const Diagnostic& each : read.diagnostics) UNSCOPED_INFO(code_text(each.code) << ": " << each.message);
  REQUIRE(read);
  REQUIRE_FALSE(has_errors(read.diagnostics));
  REQUIRE(read.value->places.size() == read.value->graph.size());
  return std::move(read.value->graph);
}

/// "f32[4,8]" of the last op of a list of ops.
std::string last(const std::string& ops) {
  const FusionGraph graph = graph_of("{\"ops\": [" + ops + "]}");
  const FusionOp& op = graph.op(graph.size() - 1);
  return std::string(op.dtype_name()) + "/" + std::to_string(op.dtype_bytes) + shape_text(op.output_shape);
}

std::string input(const std::string& name, const std::string& shape, const std::string& dtype) {
  return R"({"name": ")" + name + R"(", "kind": "input", "output_shape": )" + shape + R"(, "dtype": ")" +
         dtype + "\"},";
}

}  // namespace

TEST_CASE("the spec's minimal form, and an empty graph") {
  const FusionGraph graph =
      graph_of(R"({"ops": [{"kind": "add", "inputs": [1, 1], "output_shape": [2, 3], "dtype_bytes": 2},
    {"kind": "matmul", "inputs": [], "output_shape": [], "dtype_bytes": 8}]})");
  CHECK(graph.size() == 2);
  CHECK(graph.op(0).kind == OpKind::add);
  CHECK(graph.op(0).inputs == std::vector<uint32_t>{1, 1});
  CHECK(graph.op(0).output_shape == Shape{2, 3});
  CHECK(graph.op(0).dtype == DType::f16);
  CHECK(graph.output_bytes(1) == 8);
  CHECK(graph_of(R"({"ops": []})").size() == 0);
}

TEST_CASE("inputs and outputs are ids or names, of ops before or behind") {
  const FusionGraph graph = graph_of(R"({"outputs": ["c", 0, "c"], "ops": [
    {"name": "a", "kind": "add", "inputs": ["c", 1]},
    {"kind": "input", "output_shape": [4]},
    {"name": "c", "kind": "relu", "inputs": [1]}]})");
  CHECK(graph.op(0).inputs == std::vector<uint32_t>{2, 1});
  CHECK(graph.op(0).output_shape == Shape{4});
  CHECK(graph.outputs() == std::vector<uint32_t>{2, 0, 2});
  CHECK(graph.name_of(0) == "a");
  CHECK(graph.name_of(1) == "%1");
}

TEST_CASE("names are any text: escapes, other alphabets, a megabyte") {
  const std::string name(1 << 20, 'n');
  const FusionGraph graph = graph_of(R"({"ops": [{"name": "\u00e9\"\n", "kind": "input", "output_shape": []},
    {"name": ")" + name + R"(", "kind": "relu", "inputs": ["é\"\n"]}, {"kind": "relu", "inputs": [")" +
                                     name + "\"]}]}");
  CHECK(graph.op(0).name == "\u00e9\"\n");
  CHECK(graph.op(1).inputs == std::vector<uint32_t>{0});
  CHECK(graph.op(2).inputs == std::vector<uint32_t>{1});
}

TEST_CASE("shapes are inferred along any order of ids") {
  CHECK(
      last(
          R"({"name": "z", "kind": "relu", "inputs": ["y"]},
    {"name": "y", "kind": "add", "inputs": ["x", "b"]}, )" +
          input("b", "[8]", "f32") + input("x", "[4, 1]", "f32") +
          R"({"kind": "matmul", "inputs": ["z", "w"]}, {"name": "w", "kind": "input", "output_shape": [8, 3]},
    {"kind": "transpose", "inputs": [4]})") == "f32/4[3,4]");
  CHECK(last(R"({"name": "c", "kind": "constant", "value": 2})") == "f32/4[]");
  CHECK(last(input("x", "[4, 6]", "f32") +
             R"({"kind": "reduce", "inputs": ["x"], "axes": [1], "keepdims": true})") == "f32/4[4,1]");
  CHECK(last(input("x", "[4, 6]", "f32") +
             R"({"kind": "reduce", "reducer": "argmax", "inputs": ["x"], "axes": [-1]})") == "i64/8[4]");
  CHECK(last(input("x", "[4, 6]", "f32") + R"({"kind": "reduce", "reducer": "any", "inputs": ["x"]})") ==
        "bool/1[]");
  CHECK(last(input("x", "[4, 0]", "bool") +
             R"({"kind": "reduce", "reducer": "sum", "inputs": ["x"], "axes": [0, 1]})") == "i64/8[]");
}

TEST_CASE("a dtype comes from its name, its size, the operands, or is f32") {
  CHECK(last(R"({"kind": "input", "output_shape": []})") == "f32/4[]");
  CHECK(last(R"({"kind": "input", "output_shape": [], "dtype_bytes": 1})") == "i8/1[]");
  CHECK(last(R"({"kind": "input", "output_shape": [], "dtype_bytes": 3})") == "/3[]");
  CHECK(last(R"({"kind": "input", "output_shape": [], "dtype": "bfloat16"})") == "bf16/2[]");
  CHECK(last(R"({"kind": "input", "output_shape": [], "dtype": "f16", "dtype_bytes": 2})") == "f16/2[]");
  CHECK(last(input("h", "[4]", "f16") + input("b", "[4]", "bf16") +
             R"({"kind": "add", "inputs": ["h", "b"]})") == "f32/4[4]");
  CHECK(last(input("i", "[4]", "i32") + R"({"kind": "exp", "inputs": ["i"]})") == "f32/4[4]");
  CHECK(last(input("i", "[4]", "i32") + R"({"kind": "lt", "inputs": ["i", "i"]})") == "bool/1[4]");
  CHECK(last(input("i", "[4]", "i32") + R"({"kind": "cast", "inputs": ["i"], "dtype": "u16"})") ==
        "u16/2[4]");
  CHECK(last(R"({"kind": "constant", "value": true})") == "bool/1[]");
}

TEST_CASE("a foreign dtype plans by its size, and passes on to what reads it") {
  CHECK(last(R"({"kind": "input", "output_shape": [2], "dtype": "c64"})") == "c64/8[2]");
  CHECK(last(R"({"kind": "input", "output_shape": [2], "dtype": "my_type", "dtype_bytes": 7})") ==
        "my_type/7[2]");
  CHECK(last(input("z", "[4]", "c64") + input("x", "[4]", "f32") +
             R"({"kind": "add", "inputs": ["z", "x"]})") == "c64/8[4]");
  CHECK(last(input("z", "[4]", "c64") + input("x", "[4]", "f32") +
             R"({"kind": "add", "inputs": ["x", "z"]})") == "c64/8[4]");
  CHECK(last(input("p", "[4]", "bool") + input("z", "[4]", "c64") +
             R"({"kind": "select", "inputs": ["p", "z", "z"]})") == "c64/8[4]");
}

TEST_CASE("attributes stand beside kind, typed by the op table") {
  const FusionGraph graph = graph_of(R"({"ops": [
    {"name": "x", "kind": "input", "output_shape": [4, 4]},
    {"kind": "scale", "inputs": ["x"], "alpha": 2},
    {"kind": "leaky_relu", "inputs": ["x"], "negative_slope": "-inf"},
    {"kind": "constant", "value": 18446744073709551615},
    {"kind": "constant", "value": "nan"},
    {"kind": "transpose", "inputs": ["x"], "perm": [1, 0]},
    {"kind": "reduce", "inputs": ["x"], "reducer": "max"},
    {"kind": "swish", "inputs": ["x"], "output_shape": [4], "beta": 1.5, "mode": "fast", "sizes": [1, 2], "deep": {"a": [1]}}]})");
  CHECK(std::get<double>(*graph.op(1).attribute("alpha")) == 2.0);
  CHECK(std::get<double>(*graph.op(2).attribute("negative_slope")) < -1e308);
  CHECK(std::get<uint64_t>(*graph.op(3).attribute("value")) == UINT64_MAX);
  CHECK(std::get<double>(*graph.op(4).attribute("value")) !=
        std::get<double>(*graph.op(4).attribute("value")));
  CHECK(*graph.op(5).ints("perm") == std::vector<int64_t>{1, 0});
  CHECK(std::get<std::string>(*graph.op(6).attribute("reducer")) == "max");
  const FusionOp& swish = graph.op(7);
  CHECK(swish.kind == OpKind::foreign);
  CHECK(swish.kind_text() == "swish");
  CHECK(std::get<std::string>(*swish.attribute("mode")) == "fast");
  CHECK(*swish.ints("sizes") == std::vector<int64_t>{1, 2});
  CHECK(swish.attribute("deep") == nullptr);
}

TEST_CASE("of a repeated key the last value holds, once") {
  const FusionGraph graph = graph_of(R"({"ops": [3], "ops": [
    {"kind": "matmul", "kind": "scale", "name": "a", "name": "b", "inputs": [7], "inputs": [], "output_shape": [3],
     "output_shape": [4, 5], "alpha": 1, "alpha": 2, "dtype": "f64", "dtype": "f16"},
    {"kind": "swish", "inputs": [], "output_shape": [], "beta": 1, "beta": 2}]})");
  const FusionOp& op = graph.op(0);
  CHECK(op.kind == OpKind::scale);
  CHECK(op.name == "b");
  CHECK(op.inputs.empty());
  CHECK(op.output_shape == Shape{4, 5});
  REQUIRE(op.attributes.size() == 1);
  CHECK(std::get<double>(op.attributes[0].value) == 2.0);
  CHECK(op.dtype == DType::f16);
  CHECK(graph.op(1).attributes.size() == 1);
}

TEST_CASE("sizes go to the last byte of 64 bits") {
  CHECK(graph_of(R"({"ops": [{"kind": "input", "output_shape": [18446744073709551615], "dtype_bytes": 1}]})")
            .output_bytes(0) == UINT64_MAX);
  CHECK(
      graph_of(R"({"ops": [{"kind": "input", "output_shape": [0, 18446744073709551615], "dtype_bytes": 8}]})")
          .output_bytes(0) == 0);
}

TEST_CASE("the place of an op is its object in the text") {
  const std::string text =
      "\xef\xbb\xbf{\"ops\": [ {\"kind\": \"input\", \"output_shape\": [2]},\n "
      "{\"kind\":\"relu\",\"inputs\":[0]}]}";
  const Result<ReadGraph> read = read_graph_json(text);
  REQUIRE(read);
  const auto at = [&](size_t op) {
    return text.substr(read.value->places[op].offset, read.value->places[op].length);
  };
  CHECK(at(0) == "{\"kind\": \"input\", \"output_shape\": [2]}");
  CHECK(at(1) == "{\"kind\":\"relu\",\"inputs\":[0]}");
}

TEST_CASE("a text is taken for graph JSON where an object begins") {
  for (const char* text : {"{", " \n\t{}", "\xef\xbb\xbf {"}) CHECK(recognise_graph_json(text));
  for (const char* text : {"", "  ", "[", "HloModule", "\"{\"", "\xef\xbb{"})
    CHECK_FALSE(recognise_graph_json(text));
}
