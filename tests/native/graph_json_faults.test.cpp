// What can be wrong in graph JSON: each fault with its code, its exact token and its JSON pointer, several at
// once. It must not know plans.
#include "catch.h"
#include "formats/graph_json.h"

namespace {

using namespace fuseboard;

/// "code path token" of each diagnostic; warnings begin with ~.
std::vector<std::string> faults(const std::string& text) {
  const Result<ReadGraph> read = read_graph_json(text);
  CHECK(read.value.has_value() != has_errors(read.diagnostics));
  std::vector<std::string> out;
  for (const Diagnostic& each : read.diagnostics) {
    REQUIRE(size_t{each.place.offset} + each.place.length <= text.size());
    CHECK_FALSE(each.message.empty());
    CHECK(each.message.size() < 1000);
    out.push_back(std::string(each.severity == Severity::error ? "" : "~") +
                  std::string(code_text(each.code)) + " " + each.place.path + " " +
                  text.substr(each.place.offset, std::min(each.place.length, 60U)));
  }
  return out;
}

std::vector<std::string> in_ops(const std::string& ops) { return faults("{\"ops\": [" + ops + "]}"); }

using Faults = std::vector<std::string>;

const std::string x = R"({"name": "x", "kind": "input", "output_shape": [4]},)";

}  // namespace

TEST_CASE("what is no graph at all") {
  CHECK(faults("{}") == Faults{"syntax /ops {}"});
  CHECK(faults(R"({"ops": 3})") == Faults{"syntax /ops 3"});
  CHECK(faults(R"({"nodes": [], "edges": []})") == Faults{R"(syntax /ops {"nodes": [], "edges": []})"});
  CHECK(faults("[]") == Faults{"syntax /ops []"});
  CHECK(faults("{\"ops\": [}") == Faults{"syntax  }"});
  CHECK(faults("") == Faults{"syntax  "});
}

TEST_CASE("an op of the wrong form") {
  CHECK(in_ops("3") == Faults{"syntax /ops/0 3"});
  CHECK(in_ops(R"({"output_shape": []})") == Faults{R"(syntax /ops/0/kind {"output_shape": []})"});
  CHECK(in_ops(R"({"kind": 7, "output_shape": []})") == Faults{"syntax /ops/0/kind 7"});
  CHECK(in_ops(R"({"kind": "input", "name": null, "output_shape": []})") ==
        Faults{"syntax /ops/0/name null"});
  CHECK(in_ops(x + R"({"kind": "relu", "inputs": "x"})") == Faults{"syntax /ops/1/inputs \"x\""});
  CHECK(in_ops(R"({"kind": "input", "output_shape": 4})") == Faults{"syntax /ops/0/output_shape 4"});
}

TEST_CASE("an input that is no op, by any name or number") {
  for (const char* token :
       {"\"y\"", "9", "-1", "1.0", "4294967296", "18446744073709551616", "null", "[0]", "{}"}) {
    INFO(token);
    CHECK(in_ops(x + R"({"kind": "add", "output_shape": [4], "inputs": ["x", )" + token + "]}") ==
          Faults{std::string("dangling-input /ops/1/inputs/1 ") + token});
  }
  CHECK(in_ops(R"({"kind": "relu", "inputs": [0], "output_shape": []})") ==
        Faults{"self-reference /ops/0/inputs/0 0"});
  CHECK(in_ops(R"({"name": "y", "kind": "relu", "inputs": ["y"], "output_shape": []})") ==
        Faults{"self-reference /ops/0/inputs/0 \"y\""});
}

TEST_CASE("an output that is no op") {
  CHECK(faults(R"({"ops": [], "outputs": "x"})") == Faults{"syntax /outputs \"x\""});
  CHECK(faults("{\"ops\": [" + x.substr(0, x.size() - 1) + R"(], "outputs": ["x", "y", 1]})") ==
        Faults{"dangling-input /outputs/1 \"y\"", "dangling-input /outputs/2 1"});
}

TEST_CASE("dimensions that are no sizes") {
  CHECK(in_ops(R"({"kind": "input", "output_shape": [4, -1, 2.5, "8", 1e3]})") ==
        Faults{"bad-attribute /ops/0/output_shape/1 -1", "bad-attribute /ops/0/output_shape/2 2.5",
               "bad-attribute /ops/0/output_shape/3 \"8\"", "bad-attribute /ops/0/output_shape/4 1e3"});
  CHECK(in_ops(R"({"kind": "input", "output_shape": [18446744073709551616]})") ==
        Faults{"overflow /ops/0/output_shape/0 18446744073709551616"});
  CHECK(in_ops(R"({"name": "big", "kind": "input", "output_shape": [4294967296, 4294967296]})") ==
        Faults{"overflow /ops/0/output_shape [4294967296, 4294967296]"});
}

TEST_CASE("element types that are none, or contradict their size") {
  CHECK(in_ops(R"({"kind": "input", "output_shape": [], "dtype": "f33"})") ==
        Faults{"unknown-dtype /ops/0/dtype \"f33\""});
  CHECK(in_ops(R"({"kind": "input", "output_shape": [], "dtype": 4})") ==
        Faults{"unknown-dtype /ops/0/dtype 4"});
  CHECK(in_ops(R"({"kind": "input", "output_shape": [], "dtype_bytes": 0})") ==
        Faults{"zero-dtype /ops/0/dtype_bytes 0"});
  CHECK(in_ops(R"({"kind": "input", "output_shape": [], "dtype": "f32", "dtype_bytes": 2})") ==
        Faults{"dtype-conflict /ops/0/dtype_bytes 2"});
  CHECK(in_ops(R"({"kind": "input", "output_shape": [], "dtype": "c64", "dtype_bytes": 4})").size() == 1);
  for (const char* bytes : {"-4", "4.0", "\"4\""}) {
    CHECK(in_ops(std::string(R"({"kind": "input", "output_shape": [], "dtype_bytes": )") + bytes + "}") ==
          Faults{std::string("bad-attribute /ops/0/dtype_bytes ") + bytes});
  }
  CHECK(in_ops(x + R"({"kind": "cast", "inputs": ["x"]})") == Faults{"bad-attribute /ops/1 \"cast\""});
}

TEST_CASE("attributes of the wrong type, missing, or unknown") {
  CHECK(in_ops(x + R"({"kind": "scale", "inputs": ["x"], "alpha": "two"})") ==
        Faults{"bad-attribute /ops/1/alpha \"two\""});
  CHECK(in_ops(x + R"({"kind": "reduce", "inputs": ["x"], "axes": [0.5]})") ==
        Faults{"bad-attribute /ops/1/axes [0.5]"});
  CHECK(in_ops(x + R"({"name": "p", "kind": "reduce_precision", "inputs": ["x"]})") ==
        Faults{"bad-attribute /ops/1/exponent_bits \"p\"", "bad-attribute /ops/1/mantissa_bits \"p\""});
  CHECK(in_ops(x + R"({"kind": "relu", "inputs": ["x"], "alpha": 2})") ==
        Faults{"~bad-attribute /ops/1/alpha \"alpha\""});
}

TEST_CASE("two ops of one name; readers of that name read the first") {
  CHECK(in_ops(x + x + R"({"kind": "relu", "inputs": ["x"]})") == Faults{"duplicate-name /ops/1 \"x\""});
}

TEST_CASE("a cycle is told at its smallest op") {
  CHECK(in_ops(x + R"({"name": "a", "kind": "relu", "inputs": ["b"], "output_shape": [4]},
                      {"name": "b", "kind": "add", "inputs": ["a", "x"], "output_shape": [4]})") ==
        Faults{"cycle /ops/1 \"a\""});
}

TEST_CASE("shapes: an error where they had to be inferred, a warning where they are given") {
  const std::string y = R"({"name": "y", "kind": "input", "output_shape": [3]},)";
  CHECK(in_ops(x + y + R"({"name": "z", "kind": "add", "inputs": ["x", "y"]})") ==
        Faults{"shape-mismatch /ops/2 \"z\""});
  CHECK(in_ops(x + y + R"({"name": "z", "kind": "add", "inputs": ["x", "y"], "output_shape": [4]})") ==
        Faults{"~shape-mismatch /ops/2 \"z\""});
  CHECK(in_ops(R"({"name": "z", "kind": "input"})") == Faults{"shape-mismatch /ops/0 \"z\""});
  CHECK(in_ops(x + R"({"name": "z", "kind": "reshape", "inputs": ["x"]})") ==
        Faults{"shape-mismatch /ops/1 \"z\""});
}

TEST_CASE("what follows from a fault is not told again") {
  CHECK(
      in_ops(
          x +
          R"({"name": "y", "kind": "relu", "inputs": ["nowhere"]}, {"name": "z", "kind": "matmul", "inputs": ["y", "x"]},
                      {"kind": "transpose", "inputs": ["z"], "perm": [1, 0]})") ==
      Faults{"dangling-input /ops/1/inputs/0 \"nowhere\""});
  CHECK(in_ops(R"(7, {"kind": "transpose", "inputs": [0], "perm": [1, 0]})") == Faults{"syntax /ops/0 7"});
  CHECK(in_ops(R"({"name": "y", "kind": "input"}, {"kind": "matmul", "inputs": ["y", "y"]})") ==
        Faults{"shape-mismatch /ops/0 \"y\""});
}

TEST_CASE("several faults come by op; a cycle behind them") {
  CHECK(faults(R"({"ops": [
    {"name": "a", "kind": "relu", "inputs": ["b"], "output_shape": [4]},
    {"name": "b", "kind": "relu", "inputs": ["a"], "output_shape": [4]},
    {"name": "c", "kind": "add", "inputs": ["a", "?"], "output_shape": [4], "dtype_bytes": 0},
    {"name": "d", "kind": "input", "output_shape": [], "dtype": "f33"},
    {"name": "a", "kind": "scale", "inputs": [0], "output_shape": [-2], "alpha": []}]})") ==
        Faults{"zero-dtype /ops/2/dtype_bytes 0", "dangling-input /ops/2/inputs/1 \"?\"",
               "unknown-dtype /ops/3/dtype \"f33\"", "bad-attribute /ops/4/output_shape/0 -2",
               "bad-attribute /ops/4/alpha []", "duplicate-name /ops/4 \"a\""});
  CHECK(in_ops(R"({"name": "a", "kind": "relu", "inputs": ["b"], "output_shape": [4]},
    {"name": "b", "kind": "relu", "inputs": ["a"], "output_shape": [4]}, {"kind": "input", "output_shape": [], "dtype": "f33"})") ==
        Faults{"unknown-dtype /ops/2/dtype \"f33\"", "cycle /ops/0 \"a\""});
}

TEST_CASE("warnings: unknown kinds, wrong arity, resident sources") {
  CHECK(in_ops(x + R"({"kind": "swish", "inputs": ["x"], "output_shape": [4]},
                      {"name": "n", "kind": "neg", "inputs": ["x", "x"]}, {"kind": "relu", "inputs": [], "output_shape": [2]})") ==
        Faults{"~wrong-arity /ops/2 \"n\"", "~resident-source /ops/3 \"relu\"",
               "~unknown-kind /ops/1 \"swish\""});
}

TEST_CASE("a fault is told in place even where names are long or bytes are broken") {
  const std::string name(1 << 20, 'n');
  CHECK(in_ops(R"({"kind": "relu", "output_shape": [], "inputs": [")" + name + "\"]}").size() == 1);
  CHECK(in_ops(R"({"name": ")" + name + R"(", "kind": "relu", "output_shape": [], "inputs": [0], ")" + name +
               "\": 1}")
            .size() == 2);
  CHECK(in_ops("{\"kind\": \"re\xfflu\"}").size() == 1);
}

TEST_CASE("a hundred thousand wrong ops are told a thousand times or so, in reasonable time") {
  std::string ops;
  for (int i = 0; i < 100'000; ++i) ops += "{\"inputs\": [-1], \"output_shape\": [-1]},";
  ops.pop_back();
  CHECK(in_ops(ops).size() <= 2000);
}

TEST_CASE("an op with 100,000 attributes or inputs takes no quadratic time") {
  std::string wide = R"({"kind": "swish", "output_shape": [], "inputs": [)";
  for (int i = 0; i < 100'000; ++i) wide += i == 0 ? "1" : ", 1";
  wide += "]";
  for (int i = 0; i < 100'000; ++i) wide += ", \"k" + std::to_string(i) + "\": 1";
  const Faults found = in_ops(wide + R"(}, {"kind": "input", "output_shape": []})");
  CHECK(found == Faults{"~unknown-kind /ops/0 \"swish\""});
}

TEST_CASE("a kernel graph in place of a graph is told to be one") {
  const auto hint = [](std::string_view text) {
    return fuseboard::read_graph_json(text).diagnostics.at(0).hint;
  };
  CHECK(hint(R"({"nodes": [], "edges": []})").find("kernel graph") != std::string::npos);
  CHECK(hint(R"({"node": []})").find("kernel graph") == std::string::npos);
}
