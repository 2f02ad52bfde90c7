// Separators, escapes and numbers, read back by another library.
// It must not know what is written.
#include "report/json_writer.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "catch.h"

namespace {

using namespace fuseboard;

std::string written(const std::string& text) {
  JsonWriter json;
  json.value(text);
  return json.take();
}

std::string written(double number) {
  JsonWriter json;
  json.value(number);
  return json.take();
}

}  // namespace

TEST_CASE("objects and arrays nest, with commas where they belong and nowhere else") {
  JsonWriter json;
  const std::vector<uint32_t> ids{1, 2, 3};
  json.begin_object()
      .field("a", 1)
      .key("b")
      .begin_array()
      .begin_object()
      .end_object()
      .begin_array()
      .end_array();
  json.value("x").null().value(true).end_array().field("c", std::span<const uint32_t>(ids));
  json.key("d").raw("{\"e\":0}").key("f").begin_object().field("g", false).end_object().end_object();
  CHECK(json.take() == R"({"a":1,"b":[{},[],"x",null,true],"c":[1,2,3],"d":{"e":0},"f":{"g":false}})");
}

TEST_CASE("a new line stands before an element or a closing bracket, once") {
  JsonWriter json;
  json.begin_array().new_line().value(1).new_line().new_line().value(2).new_line().end_array();
  CHECK(json.take() == "[\n1,\n2\n]");
}

TEST_CASE("text comes back as it was, whatever stands in it") {
  std::string all;
  for (int c = 0; c < 128; ++c) all += static_cast<char>(c);
  for (const std::string& text : {std::string(), std::string("plain"), all,
                                  std::string("\u00e9\u4e2d\U0001f600"), std::string("a\0b", 3)}) {
    const nlohmann::json read = nlohmann::json::parse(written(text), nullptr, false);
    REQUIRE(read.is_string());
    CHECK(read.get<std::string>() == text);
  }
  CHECK(written("q\"\\\n") == R"("q\"\\\n")");
}

TEST_CASE("bytes that are no UTF-8 become replacement characters, and the text stays JSON") {
  for (const std::string& text : {std::string("\xff"), std::string("a\xc3"), std::string("\xed\xa0\x80 x")}) {
    const nlohmann::json read = nlohmann::json::parse(written(text), nullptr, false);
    REQUIRE(read.is_string());
    CHECK(read.get<std::string>().find("\u00ef\u00bf\u00bd") == std::string::npos);
    CHECK(read.get<std::string>().find("\xef\xbf\xbd") != std::string::npos);
  }
}

TEST_CASE("keys are escaped as values are") {
  JsonWriter json;
  json.begin_object().field("a\"\n", 1).end_object();
  CHECK(json.take() == "{\"a\\\"\\n\":1}");
}

TEST_CASE("doubles come back bit by bit; what JSON has no number for is a word") {
  for (const double number : {0.0, -0.0, 1.0, 0.1, 1.0 / 3, 1e300, 5e-324, -2.5e-7, 9007199254740993.0}) {
    const nlohmann::json read = nlohmann::json::parse(written(number), nullptr, false);
    REQUIRE(read.is_number());
    CHECK(read.get<double>() == number);
  }
  CHECK(written(3.0) == "3.0");
  CHECK(written(std::numeric_limits<double>::quiet_NaN()) == "\"nan\"");
  CHECK(written(std::numeric_limits<double>::infinity()) == "\"inf\"");
  CHECK(written(-std::numeric_limits<double>::infinity()) == "\"-inf\"");
}

TEST_CASE("whole numbers keep every digit") {
  JsonWriter json;
  json.begin_array().value(UINT64_MAX).value(INT64_MIN).value(uint8_t{7}).end_array();
  CHECK(json.take() == "[18446744073709551615,-9223372036854775808,7]");
}
