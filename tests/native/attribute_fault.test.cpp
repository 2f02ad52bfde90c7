// Attribute values that no op may have, each at its very token.
// It must not know how they are found.
#include <algorithm>

#include "catch.h"
#include "formats/graph_json.h"

namespace {

using namespace fuseboard;

/// "code token" of every fault of a graph with a source x of shape [4,8] and one more op.
std::vector<std::string> faults(const std::string& op) {
  const std::string text = R"({"ops": [{"name": "x", "kind": "input", "output_shape": [4, 8]}, )" + op + "]}";
  std::vector<std::string> out;
  for (const Diagnostic& each : read_graph_json(text).diagnostics) {
    out.push_back(std::string(code_text(each.code)) + " " +
                  text.substr(each.place.offset, each.place.length));
  }
  return out;
}

using Faults = std::vector<std::string>;

}  // namespace

TEST_CASE("an axis lies within the shape, and is named once") {
  CHECK(faults(R"({"kind": "iota", "output_shape": [4], "dtype": "f32", "axis": 1})") ==
        Faults{"bad-attribute 1"});
  CHECK(faults(R"({"kind": "iota", "output_shape": [4], "dtype": "f32", "axis": 0})").empty());
  CHECK(faults(R"({"kind": "reduce", "inputs": ["x"], "axes": [2], "output_shape": [4]})") ==
        Faults{"bad-attribute [2]"});
  CHECK(faults(R"({"kind": "reduce", "inputs": ["x"], "axes": [1, -1], "output_shape": [4]})") ==
        Faults{"bad-attribute [1, -1]"});
  CHECK(faults(R"({"kind": "transpose", "inputs": ["x"], "perm": [1, 2], "output_shape": [8, 4]})") ==
        Faults{"bad-attribute [1, 2]"});
  CHECK(faults(R"({"kind": "reverse", "inputs": ["x"], "axes": [-2]})").empty());
}

TEST_CASE("a reducer is one of nine words") {
  CHECK(faults(R"({"kind": "reduce", "inputs": ["x"], "reducer": "frob", "axes": [1]})") ==
        Faults{"bad-attribute \"frob\""});
  CHECK(faults(R"({"kind": "reduce", "inputs": ["x"], "reducer": "argmax", "axes": [1]})").empty());
}

TEST_CASE("reduce_precision keeps bits that a float can have") {
  CHECK(faults(R"({"kind": "reduce_precision", "inputs": ["x"], "exponent_bits": 0, "mantissa_bits": 7})") ==
        Faults{"bad-attribute 0"});
  CHECK(faults(R"({"kind": "reduce_precision", "inputs": ["x"], "exponent_bits": 5, "mantissa_bits": -5})") ==
        Faults{"bad-attribute -5"});
  CHECK(faults(R"({"kind": "reduce_precision", "inputs": ["x"], "exponent_bits": 8, "mantissa_bits": 7})")
            .empty());
}

TEST_CASE("a constant's dtype holds its value") {
  const auto constant = [](const std::string& dtype, const std::string& value) {
    return faults(R"({"kind": "constant", "dtype": ")" + dtype + R"(", "value": )" + value + "}");
  };
  CHECK(constant("u8", "255").empty());
  CHECK(constant("u8", "256") == Faults{"bad-attribute 256"});
  CHECK(constant("i8", "-128").empty());
  CHECK(constant("i8", "-129") == Faults{"bad-attribute -129"});
  CHECK(constant("i32", "1.5") == Faults{"bad-attribute 1.5"});
  CHECK(constant("i32", "\"nan\"") == Faults{"bad-attribute \"nan\""});
  CHECK(constant("i64", "9223372036854775807").empty());
  CHECK(constant("i64", "9223372036854775808") == Faults{"bad-attribute 9223372036854775808"});
  CHECK(constant("u64", "18446744073709551615").empty());
  CHECK(constant("u64", "-1") == Faults{"bad-attribute -1"});
  CHECK(constant("bool", "2") == Faults{"bad-attribute 2"});
  CHECK(constant("bf16", "1e30").empty());
}

TEST_CASE("a result belongs to an opaque op: what a kernel computes cannot hide behind one") {
  CHECK(
      faults(R"({"kind": "result", "index": 0, "inputs": ["x"], "output_shape": [4, 8], "dtype": "f32"})") ==
      Faults{"bad-attribute \"result\""});
  const std::string call =
      R"({"name": "c", "kind": "call", "inputs": ["x"], "output_shape": [64], "dtype": "u8"}, )";
  CHECK(
      faults(call + R"({"kind": "result", "index": 1, "inputs": ["c"], "output_shape": [8], "dtype": "f32"})")
          .empty());
  CHECK(faults(call +
               R"({"kind": "result", "index": -3, "inputs": ["c"], "output_shape": [8], "dtype": "f32"})") ==
        Faults{"bad-attribute -3"});
}
