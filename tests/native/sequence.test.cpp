// The math sequences as a table: what they and the op table use is there, with as many operands, and no
// sequence needs itself. It must not know what a sequence computes (ptx_rows.test.cpp runs them all).
#include "emit/math/sequence.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/words.h"
#include "catch.h"
#include "emit/template_code.h"
#include "graph/op_kind.h"

namespace {

using namespace fuseboard;

struct Use {
  std::string name;
  size_t operands = 0;
};

/// The sequences that a text uses or calls, and the tables that it names.
std::vector<Use> uses(std::string_view text) {
  std::vector<Use> out;
  while (!text.empty()) {
    std::string_view statement = trimmed(take_until(text, ';'));
    for (const std::string_view word : {"use ", "call "}) {
      const size_t at = statement.find(word);
      if (at == std::string_view::npos || (at != 0 && statement[at - 1] != ' ')) continue;
      std::string_view rest = trimmed(statement.substr(at + word.size()));
      Use use{std::string(take_until(rest, ' ')), 0};
      while (!rest.empty()) {
        take_until(rest, ',');
        ++use.operands;
      }
      out.push_back(use);
    }
  }
  return out;
}

}  // namespace

TEST_CASE("whatever is used or called is a sequence, with as many results and operands as are named") {
  std::vector<std::string_view> texts;
  for (const Sequence& each : sequences()) texts.push_back(each.text);
  for (uint32_t k = 0; k < op_kind_count(); ++k) {
    std::string_view column = op_info(static_cast<OpKind>(k)).ptx;
    while (!column.empty()) texts.push_back(take_until(column, '|'));
  }
  size_t found = 0;
  for (const std::string_view text : texts) {
    for (const Use& use : uses(text)) {
      INFO(use.name << " in " << text);
      const Sequence* sequence = sequence_named(use.name);
      REQUIRE(sequence != nullptr);
      CHECK(use.operands == sequence->results.size() + sequence->operands.size());
      ++found;
    }
  }
  CHECK(found > 120);
}

TEST_CASE("names are used once, and no sequence needs itself by way of others") {
  std::set<std::string_view> names;
  std::map<std::string, std::vector<Use>> needs;
  for (const Sequence& each : sequences()) {
    CHECK(names.insert(each.name).second);
    needs[std::string(each.name)] = uses(each.text);
  }
  for (size_t removed = 1; removed != 0;) {  // whoever needs nothing that is left goes
    removed = 0;
    for (auto each = needs.begin(); each != needs.end();) {
      bool waits = false;
      for (const Use& use : each->second) waits = waits || needs.contains(use.name);
      each = waits ? std::next(each) : needs.erase(each);
      removed += waits ? 0 : 1;
    }
  }
  CHECK(needs.empty());
}

TEST_CASE("a function's text stands after the functions and tables that it needs") {
  FunctionList list;
  add_function(list, "sin_f64");
  add_function(list, "cos_f64");
  CHECK(list == FunctionList{"$two_over_pi", "quarter_turns_of_large_f64", "sin_f64", "cos_f64"});
  const Target target;
  CHECK(math_function_text("$two_over_pi", target).starts_with(".const .align 8 .b64 two_over_pi[20] = {0x"));
  const std::string text = math_function_text("quarter_turns_of_large_f64", target);
  CHECK(text.starts_with(
      ".func (.param .align 8 .b8 given[24]) quarter_turns_of_large_f64(.param .b64 taken0)\n{\n"));
  CHECK(text.find("two_over_pi;") != std::string::npos);
  CHECK(text.ends_with("    ret;\n}\n"));
  CHECK(math_function_text("nothing", target).empty());
}
