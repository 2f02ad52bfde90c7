// Names in messages.
// It must not know what is named.
#include "base/in_quotes.h"

#include "catch.h"

using fuseboard::in_quotes;

TEST_CASE("a name in a message stays on one line and shows what it hides") {
  CHECK(in_quotes("add.1") == R"("add.1")");
  CHECK(in_quotes("a\nb") == R"("a\nb")");
  CHECK(in_quotes("\x1b[31m") == R"("\x1b[31m")");
  CHECK(in_quotes(R"(say "x\y")") == R"("say \"x\\y\"")");
  CHECK(in_quotes(std::string(1, '\0')) == R"("\x00")");
}

TEST_CASE("a long name is cut between characters and says so") {
  CHECK(in_quotes(std::string(80, 'n')) == '"' + std::string(80, 'n') + '"');
  CHECK(in_quotes(std::string(1000000, 'n')) == '"' + std::string(80, 'n') + "...\"");
  CHECK(in_quotes(std::string(79, 'n') + "\xc3\xa9" + "tail") == '"' + std::string(79, 'n') + "...\"");
}
