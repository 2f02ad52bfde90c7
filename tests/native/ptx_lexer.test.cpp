// The tokens of PTX text and their places.
// It must not know directives.
#include "catch.h"
#include "ptx/lexer.h"

using namespace fuseboard::ptx;

namespace {

std::string tokens(std::string_view text) {
  Lexer lexer(text);
  std::string all;
  while (lexer.peek().kind != TokenKind::end) {
    if (!all.empty()) all += ' ';
    all += lexer.take().text;
  }
  return all;
}

}  // namespace

TEST_CASE("words hold dots and double colons, directives end before the next dot") {
  CHECK(tokens("ld.global.L1::evict_last.v4.b32{%r1,%r2},[%rd3+16];") ==
        "ld.global.L1::evict_last.v4.b32 { %r1 , %r2 } , [ %rd3 + 16 ] ;");
  CHECK(tokens(".reg.v4.f32 %f;") == ".reg .v4 .f32 %f ;");
  CHECK(tokens("$L__BB0_1:@!%p1 bra L;") == "$L__BB0_1 : @ ! %p1 bra L ;");
  CHECK(tokens("a % b<<2") == "a % b << 2");
}

TEST_CASE("numbers keep their exponent's sign, hexadecimal ones do not") {
  CHECK(tokens("1.5e-3 0xe-3 0f3F800000 12U") == "1.5e-3 0xe - 3 0f3F800000 12U");
}

TEST_CASE("both kinds of comments and the lines in them count") {
  Lexer lexer("// one\n/* two\n three */ x\n  y");
  CHECK(lexer.peek().line == 3);
  CHECK(lexer.take().column == 11);
  CHECK(lexer.peek().line == 4);
  CHECK(lexer.peek().column == 3);
  CHECK(lexer.take().offset == 28);
}

TEST_CASE("a string, a comment and a character of another world may end the text") {
  for (const char* text :
       {"\"open", "/* open", "\"\\", "/", "//", "\xc3\xa9", "\x01", "%", ".", "0", "a::", "1e+"}) {
    INFO(text);
    Lexer lexer(text);
    size_t count = 0;
    while (lexer.peek().kind != TokenKind::end && count < 10) {
      CHECK(lexer.take().text.size() > 0);
      ++count;
    }
    CHECK(count < 10);
  }
}

TEST_CASE("a block is passed with all that is nested in it") {
  Lexer lexer("{ a { b } \"}\" } c");
  lexer.take();
  CHECK(lexer.skip_block());
  CHECK(lexer.peek().is("c"));
  Lexer open("{ a { b }");
  open.take();
  CHECK_FALSE(open.skip_block());
}
