// Every code has a text and a meaning of its own.
// It must not know who complains.
#include "base/diagnostic.h"

#include <regex>
#include <set>

#include "base/result.h"
#include "catch.h"

namespace {

using namespace fuseboard;

const std::vector<Code> codes = {
#define DIAGNOSTIC(identifier, text, meaning) Code::identifier,
#include "base/diagnostics.def"
};

}  // namespace

TEST_CASE("each code has a unique kebab-case text and a sentence that says what it means") {
  std::set<std::string_view> texts;
  const std::regex kebab("[a-z]+(-[a-z]+)*");
  for (const Code code : codes) {
    const std::string text(code_text(code));
    INFO(text);
    CHECK(std::regex_match(text, kebab));
    CHECK(texts.insert(code_text(code)).second);
    CHECK(code_meaning(code).size() > 20);
    CHECK(code_meaning(code).back() == '.');
  }
}

TEST_CASE("the codes that issue and oracle speak of are there") {
  std::set<std::string_view> texts;
  for (const Code code : codes) texts.insert(code_text(code));
  for (const char* each : {"dangling-input", "self-reference", "zero-dtype", "dtype-conflict", "overflow",
                           "cycle", "duplicate-name", "shape-mismatch", "unknown-dtype", "bad-attribute",
                           "syntax", "unknown-kind", "kernel-too-large"}) {
    INFO(each);
    CHECK(texts.contains(each));
  }
}

TEST_CASE("only errors are errors") {
  CHECK_FALSE(has_errors({}));
  CHECK_FALSE(
      has_errors({{Severity::warning, Code::syntax, "", {}, ""}, {Severity::note, Code::cycle, "", {}, ""}}));
  CHECK(has_errors({{Severity::note, Code::syntax, "", {}, ""}, {Severity::error, Code::cycle, "", {}, ""}}));
  CHECK(severity_text(Severity::error) == "error");
  CHECK(severity_text(Severity::warning) == "warning");
  CHECK(severity_text(Severity::note) == "note");
}

TEST_CASE("a result is true exactly where it holds a value") {
  CHECK(Result<int>{0, {}});
  CHECK_FALSE(Result<int>{std::nullopt, {{Severity::error, Code::syntax, "", {}, ""}}});
}
