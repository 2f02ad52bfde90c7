// Diagnostics as JSON, with line and column beside the bytes.
// It must not know what was wrong.
#include "report/diagnostics_json.h"

#include "catch.h"

namespace {

using namespace fuseboard;

std::pair<uint32_t, uint32_t> at(std::string_view text, uint32_t offset) {
  const LineMap::Position position = LineMap(text).at(offset);
  return {position.line, position.column};
}

using Position = std::pair<uint32_t, uint32_t>;

}  // namespace

TEST_CASE("lines and columns count from 1, columns in bytes") {
  const std::string_view text =
      "ab\n\xc3\xa9"
      "f\n\nlast";
  CHECK(at(text, 0) == Position{1, 1});
  CHECK(at(text, 2) == Position{1, 3});  // the line break ends its line
  CHECK(at(text, 3) == Position{2, 1});
  CHECK(at(text, 5) == Position{2, 3});
  CHECK(at(text, 7) == Position{3, 1});
  CHECK(at(text, 8) == Position{4, 1});
  CHECK(at(text, 12) == Position{4, 5});  // the end of the text
  CHECK(at("", 0) == Position{1, 1});
  CHECK(at("\n", 1) == Position{2, 1});
  CHECK(at("a\r\nb", 3) == Position{2, 1});
}

TEST_CASE("each diagnostic has every field, in one order") {
  JsonWriter json;
  write_diagnostics(json,
                    {{Severity::error, Code::cycle, "a \"b\"", {3, 2, "/ops/1"}, "do"},
                     {Severity::note, Code::syntax, "m", {}, ""}},
                    LineMap("ab\ncd"));
  CHECK(json.take() ==
        "[\n{\"severity\":\"error\",\"code\":\"cycle\",\"message\":\"a "
        "\\\"b\\\"\",\"hint\":\"do\",\"offset\":3,\"length\":2,"
        "\"line\":2,\"column\":1,\"path\":\"/ops/"
        "1\"},\n{\"severity\":\"note\",\"code\":\"syntax\",\"message\":\"m\",\"hint\":\"\","
        "\"offset\":0,\"length\":0,\"line\":1,\"column\":1,\"path\":\"\"}]");
}

TEST_CASE("no diagnostics are an empty list") {
  JsonWriter json;
  write_diagnostics(json, {}, LineMap(""));
  CHECK(json.take() == "[]");
}
