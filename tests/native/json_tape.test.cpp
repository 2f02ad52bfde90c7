// Tokens with their places: what a reader points at.
// It must not know what the JSON means.
#include "formats/json_tape.h"

#include <nlohmann/json.hpp>
#include <random>

#include "catch.h"

namespace {

using namespace fuseboard;
using Type = JsonTape::Type;

JsonTape tape_of(std::string_view text) {
  Result<JsonTape> tape = JsonTape::parse(text);
  REQUIRE(tape);
  return std::move(*tape.value);
}

Diagnostic fault_of(std::string_view text) {
  const Result<JsonTape> tape = JsonTape::parse(text);
  REQUIRE_FALSE(tape);
  REQUIRE(tape.diagnostics.size() == 1);
  CHECK(tape.diagnostics[0].code == Code::syntax);
  return tape.diagnostics[0];
}

}  // namespace

TEST_CASE("every token stands where it stands in the text") {
  const std::string text = " {\"a\" : [ 1,-2.5e3 ,true,null], \"b\\\"c\":\"\\u00e9\" , \"d\":{}\n}";
  const JsonTape tape = tape_of(text);
  std::vector<std::string> raws;
  for (uint32_t node = 0; node < tape.size(); ++node) raws.emplace_back(tape.raw(node));
  CHECK(raws == std::vector<std::string>{text.substr(1), "\"a\"", "[ 1,-2.5e3 ,true,null]", "1", "-2.5e3",
                                         "true", "null", "\"b\\\"c\"", "\"\\u00e9\"", "\"d\"", "{}"});
  CHECK(tape[0].end == tape.size());
  CHECK(tape[2].end == 7);
  CHECK(tape[9].end == 10);
  CHECK(tape.is(10, Type::object));
  CHECK(tape.string(7) == "b\"c");
  CHECK(tape.string(8) == "\u00e9");
}

TEST_CASE("a key is found by what it says, the last one where it repeats") {
  const JsonTape tape = tape_of(R"({"a": 1, "b": {"a": 5}, "a": 2, "\u0061b": 3, "": 4})");
  REQUIRE(tape.find(0, "a").has_value());
  CHECK(tape.raw(*tape.find(0, "a")) == "2");
  CHECK(tape.raw(*tape.find(0, "ab")) == "3");
  CHECK(tape.raw(*tape.find(0, "")) == "4");
  CHECK_FALSE(tape.find(0, "c").has_value());
  CHECK_FALSE(tape.find(1, "a").has_value());  // no object
}

TEST_CASE("numbers are whole only where written so and small enough") {
  const JsonTape tape = tape_of(
      R"([0, 18446744073709551615, 18446744073709551616, -9223372036854775808, 1.0, 1e3, -0, "1", true])");
  CHECK(tape.as_u64(1) == 0U);
  CHECK(tape.as_u64(2) == UINT64_MAX);
  CHECK_FALSE(tape.as_u64(3).has_value());
  CHECK(tape.as_double(3) == 18446744073709551616.0);
  CHECK_FALSE(tape.as_u64(4).has_value());
  CHECK(tape.as_i64(4) == INT64_MIN);
  CHECK_FALSE(tape.as_i64(2).has_value());
  for (const uint32_t node : {5U, 6U, 8U, 9U}) CHECK_FALSE(tape.as_u64(node).has_value());
  CHECK(tape.as_double(6) == 1000.0);
  CHECK_FALSE(tape.as_double(8).has_value());
  CHECK(tape.as_bool(9) == true);
  CHECK_FALSE(tape.as_bool(1).has_value());
}

TEST_CASE("a byte order mark is passed, and counted") {
  const JsonTape tape = tape_of("\xef\xbb\xbf[7]");
  CHECK(tape[0].offset == 3);
  CHECK(tape.raw(1) == "7");
}

TEST_CASE("a fault stands where the text stops being JSON") {
  CHECK(fault_of("[1, 2,, 3]").place.offset == 6);
  CHECK(fault_of("[1, 2,, 3]").place.length == 1);
  CHECK(fault_of("{\"a\" 1}").place.offset == 5);
  CHECK(fault_of("[\"a\n\"]").place.offset == 3);
  CHECK(fault_of("[1] x").place.offset == 4);
  CHECK(fault_of("\xef\xbb\xbf[1,]").place.offset == 6);
}

TEST_CASE("a token that is not expected is at fault as a whole, a broken one where it breaks") {
  const auto at = [](const std::string& text) {
    const Place place = fault_of(text).place;
    return text.substr(place.offset, place.length);
  };
  CHECK(at(R"({"a": [] "output_shape": [4]})") == "\"output_shape\"");
  CHECK(at("[1 -2.5e3]") == "-2.5e3");
  CHECK(at("[1, true false]") == "false");
  CHECK(at("{3: 1}") == "3");
  CHECK(at("[1}") == "}");
  CHECK(at("[\"unexpected \\q\"]") == "q");
  CHECK(at("[tru]") == "]");
  CHECK(at("[\"\u00e9\" \"\u00e9\"]") == "\"\u00e9\"");
}

TEST_CASE("a text that is cut is at fault at its end") {
  for (const std::string text : {"", "[", "{", "{\"a\"", "[1, 2", "\"abc", "{\"a\": 1,", "tru"}) {
    INFO(text);
    const Diagnostic fault = fault_of(text);
    CHECK(fault.place.offset + fault.place.length <= text.size());
    CHECK(fault.place.offset + 1 >= text.size());
  }
}

TEST_CASE("bytes that are no UTF-8 are at fault, in strings and out of them") {
  for (const std::string text :
       {"[\"\xff\"]", "[\"\xc3(\"]", "\xff\xfe[", "[\"\xed\xa0\x80\"]", "\xef\xbb[1]"}) {
    const Diagnostic fault = fault_of(text);
    CHECK(fault.place.offset < text.size());
    CHECK(fault.message.size() < 300);
  }
}

TEST_CASE("a number past every double is a fault told without the library's own words") {
  const Diagnostic fault = fault_of("[1e999]");
  CHECK(fault.message == "this is not JSON: number overflow parsing '1e999'");
  CHECK(fault.place.offset < 7);
  CHECK(tape_of("[1e-999]").as_double(1) == 0.0);
}

TEST_CASE("a million brackets deep: closed it parses, open it is at fault at its end") {
  const std::string open(1'000'000, '[');
  CHECK(tape_of(open + std::string(1'000'000, ']')).size() == 1'000'000);
  CHECK(fault_of(open).place.offset == 1'000'000);
  std::string objects;
  for (int i = 0; i < 300'000; ++i) objects += "{\"a\":";
  CHECK(fault_of(objects).place.offset == objects.size());
}

TEST_CASE("random JSON: the tape has the tokens of the text, in order") {
  std::mt19937 random(37);
  for (int i = 0; i < 300; ++i) {
    nlohmann::json value;
    std::vector<nlohmann::json*> open{&value};
    for (int k = 0; k < 30; ++k) {
      nlohmann::json& at = *open[random() % open.size()];
      const nlohmann::json leaf = random() % 3 == 0 ? nlohmann::json(static_cast<int>(random() % 1000) - 500)
                                  : random() % 2 == 0
                                      ? nlohmann::json("s\"\\\n\u00e9" + std::to_string(random() % 10))
                                      : nlohmann::json::array();
      if (at.is_null() || at.is_object()) {
        at["k" + std::to_string(random() % 9)] = leaf;
      } else if (at.is_array()) {
        at.push_back(leaf);
      }
      open = {&value};
      for (auto& each : value.items()) open.push_back(&each.value());
    }
    const std::string text = value.dump(static_cast<int>(random() % 4) - 1);
    const JsonTape tape = tape_of(text);
    for (uint32_t node = 0; node < tape.size(); ++node) {
      const nlohmann::json again = nlohmann::json::parse(tape.raw(node), nullptr, false);
      REQUIRE_FALSE(again.is_discarded());
      if (tape.is(node, Type::string)) REQUIRE(tape.string(node) == again.get<std::string>());
    }
    REQUIRE(nlohmann::json::parse(tape.raw(0)) == value);
  }
}
