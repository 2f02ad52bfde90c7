// The registry: each text goes to the format that it looks like, or to none.
// It must not know plans.
#include "formats/format.h"

#include <set>

#include "catch.h"

using namespace fuseboard;

namespace {

std::string_view format_of(std::string_view text) {
  const Format* format = recognise_format(text);
  return format == nullptr ? "" : format->name;
}

}  // namespace

TEST_CASE("formats have names of their own") {
  std::set<std::string_view> names;
  for (const Format& each : all_formats()) {
    CHECK(names.insert(each.name).second);
    CHECK_FALSE(each.title.empty());
  }
  CHECK(names == std::set<std::string_view>{"graph-json", "hlo"});
}

TEST_CASE("a text is recognised by how it begins") {
  CHECK(format_of("  {\"ops\": []}") == "graph-json");
  CHECK(format_of("\xef\xbb\xbf{}") == "graph-json");
  CHECK(format_of("HloModule m\n") == "hlo");
  for (const char* text : {"", " \n", "[1]", "SELECT 1", "digraph {}"}) CHECK(format_of(text).empty());
}

TEST_CASE("a text in no format is told so, an empty one that it is empty") {
  const Result<ReadGraph> none = read_graph("SELECT 1");
  REQUIRE(none.diagnostics.size() == 1);
  CHECK_FALSE(none);
  CHECK(none.diagnostics[0].code == Code::unknown_format);
  CHECK(none.diagnostics[0].message == "the text is in no format known here");
  CHECK(none.diagnostics[0].hint == "paste one of: Graph JSON, HLO text");
  CHECK(read_graph(" \n\t").diagnostics[0].message == "there is no text");
  CHECK(read_graph("{\"ops\": []}"));
}
