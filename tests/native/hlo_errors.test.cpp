// What is wrong with HLO text, each fault with its code and its exact place; and sizes that must not break
// the reader. It must not know what sound text becomes.
#include "hlo_checks.h"

using namespace hlo;

namespace {

/// Checks that `text` gets `code` at the token `at`.
void faulty(const std::string& text, Code code, const std::string& at) {
  INFO(text);
  const Complaint found = complaint(text, code);
  CHECK(found.at == at);
  CHECK_FALSE(found.diagnostic.message.empty());
}

std::string repeat(const std::string& what, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += what;
  return out;
}

}  // namespace

TEST_CASE("HLO errors: operands") {
  faulty(entry("a = f32[2] add(b, %c.9)\nb = f32[2] parameter(0)"), Code::dangling_input, "c.9");
  faulty(entry("a = f32[2] parameter(0)\na = f32[2] parameter(1)"), Code::duplicate_name, "a");
  faulty(entry("a = f32[2] negate(%a)"), Code::self_reference, "a");
  const Complaint ring =
      complaint(entry("a = f32[2] negate(b)\nb = f32[2] negate(c)\nc = f32[2] negate(a)"), Code::cycle);
  CHECK(ring.at == "a");
  CHECK(ring.diagnostic.message.find("c reads b reads a reads c") != std::string::npos);
  faulty(entry("a = f32[2] parameter(0)\nb = f32[2] get-tuple-element(a), index=0"), Code::shape_mismatch,
         "a");
  faulty(entry("a = (f32[2]) parameter(0)\nb = f32[2] get-tuple-element(a), index=1"), Code::bad_attribute,
         "1");
  faulty(entry("a = (f32[2]) parameter(0)\nb = f32[2] negate(a)"), Code::shape_mismatch, "a");
  faulty(entry("a = (f32[2]) parameter(0)\nb = f32[2] negate(a#3)"), Code::bad_attribute, "#3");
}

TEST_CASE("HLO errors: types") {
  faulty(entry("a = f33[2] parameter(0)"), Code::unknown_dtype, "f33");
  faulty(entry("a = f32[2,?] parameter(0)"), Code::unsupported, "?");
  faulty(entry("a = f32[2,<=?] parameter(0)"), Code::unsupported, "<=?");
  faulty(entry("a = f32[2,x] parameter(0)"), Code::syntax, "x");
  faulty(entry("a = (f32[], (g7[2])) parameter(0)"), Code::unknown_dtype, "g7");
  faulty(entry("a = f32[99999999999999999999] parameter(0)"), Code::overflow, "99999999999999999999");
  faulty(entry("a = f32[9999999999,9999999999] parameter(0)"), Code::overflow,
         "a = f32[9999999999,9999999999] parameter(0)");
  faulty(entry("x = f32[2] parameter(0)\na = reshape(x)"), Code::syntax, "reshape");
}

TEST_CASE("HLO errors: attributes and literals") {
  faulty(entry("a = f32[2] parameter(0)\nb = pred[2] compare(a, a)"), Code::bad_attribute, "compare");
  faulty(entry("a = f32[2] parameter(0)\nb = pred[2] compare(a, a), direction=XX"), Code::bad_attribute,
         "XX");
  faulty(entry("a = f32[2] parameter(0)\nb = f32[2] transpose(a)"), Code::bad_attribute, "transpose");
  faulty(entry("a = f32[2] parameter(0)\nb = f32[2] reverse(a), dimensions={q}"), Code::bad_attribute, "q");
  faulty(entry("a = f32[2] parameter(0)\nb = f32[1] slice(a), slice={[0:1:2:3]}"), Code::bad_attribute, "3");
  faulty(entry("a = u8[] constant(300)"), Code::bad_attribute, "300");
  faulty(entry("a = f32[] constant(<<MAX>>)"), Code::bad_attribute, "<<MAX>>");
  faulty(entry("a = pred[] constant(2)"), Code::bad_attribute, "2");
  faulty(entry("a = f32[] call(), to_apply=nowhere"), Code::dangling_input, "nowhere");
}

TEST_CASE("HLO errors: calls") {
  const std::string f = "f { p = f32[] parameter(0) }\n";
  faulty(f + "ENTRY e { a = f32[] call(), to_apply=f }", Code::wrong_arity, "a = f32[] call()");
  faulty(f + "ENTRY e { p = f32[] parameter(0) a = f32[] call(p, p), to_apply=f }", Code::wrong_arity,
         "a = f32[] call(p, p)");
  faulty(f + "ENTRY e { p = f32[2] parameter(0) a = f32[2] map(p, p), dimensions={0}, to_apply=f }",
         Code::wrong_arity, "a = f32[2] map(p, p)");
  faulty(
      "f { ROOT c = f32[] call(), to_apply=g }\ng { ROOT d = f32[] call(), to_apply=f }\nENTRY e { a = f32[] "
      "call(), to_apply=f }",
      Code::cycle, "d = f32[] call()");
  faulty("f { }\nENTRY e { a = f32[] call(), to_apply=f }", Code::syntax, "f");
  faulty(entry("a = f32[] call()"), Code::bad_attribute, "call");
  const Result<ReadGraph> unknown = read_hlo(entry("a = f32[] call(), to_apply=nope"));
  REQUIRE(unknown.diagnostics.size() == 1);  // once, where the name stands
  CHECK(unknown.diagnostics[0].code == Code::dangling_input);
}

TEST_CASE("HLO errors: parameters are numbered in sequence, each number once") {
  const Complaint twice =
      complaint(entry("a = f32[] parameter(0)\nb = f32[] parameter( 0 )"), Code::bad_attribute);
  CHECK(twice.at == "0");
  CHECK(twice.diagnostic.place.path == "b");
  faulty(entry("a = f32[] parameter(5)"), Code::bad_attribute, "5");
  faulty(entry("a = f32[] parameter(0)\nb = f32[] parameter(4294967295)\nc = f32[] parameter(2)"),
         Code::bad_attribute, "2");
  const std::string f = "f { p = f32[] parameter(1) }\n";
  faulty(f + "ENTRY e { p = f32[] parameter(0) a = f32[] call(p), to_apply=f }", Code::bad_attribute, "1");
  CHECK(read_hlo(entry("b = f32[] parameter(1)\na = f32[] parameter(0)")).diagnostics.empty());
  CHECK(read_hlo(entry("a = $X parameter(0)\nb = f32[] parameter(1)")).diagnostics.size() == 1);
  CHECK(read_hlo(f + "ENTRY e { p = f32[] parameter(0) }").value);  // f is not planned
}

TEST_CASE("HLO errors: elementwise operands of another shape than the result's are warned about") {
  const auto warned = [](const std::string& body, const std::string& at) {
    const Complaint found =
        complaint(entry("x = f32[8,4] parameter(0)\ny = f32[4] parameter(1)\ns = f32[] parameter(2)\n"
                        "q = pred[] parameter(3)\nr = " +
                        body),
                  Code::shape_mismatch, Severity::warning);
    INFO(body);
    CHECK(found.at == at);
    CHECK(found.diagnostic.message.find("HLO broadcasts none") != std::string::npos);
  };
  warned("f32[8,4] add(x, y)", "y");
  warned("f32[8,4] multiply(s, x)", "s");
  warned("f32[8,4] select(q, x, s)", "s");
  warned("f32[8,4] clamp(s, s, s)", "s");
  warned("f32[8,4] acos(y)", "y");
  CHECK(read_hlo(entry("x = f32[8,4] parameter(0)\ns = f32[] parameter(1)\nq = pred[] parameter(2)\n"
                       "c = f32[8,4] clamp(s, x, s)\nROOT r = f32[8,4] select(q, c, x)"))
            .diagnostics.empty());
  // What does not even broadcast is told once, by the graph.
  CHECK(read_hlo(entry("x = f32[8] parameter(0)\ny = f32[4] parameter(1)\nROOT r = f32[8] add(x, y)"))
            .diagnostics.size() == 1);
}

TEST_CASE("HLO errors: syntax, several in one text") {
  faulty(entry("a f32[2] parameter(0)"), Code::syntax, "f32");
  faulty(entry("a = f32[2] parameter"), Code::syntax, "}");
  faulty(entry("a = f32[2] add(x y)"), Code::syntax, "y");
  faulty(entry("a = f32[2] add(x, $Y)"), Code::syntax, "$");
  faulty(entry("a = f32[2] add(x, f32[2])"), Code::syntax, ")");
  faulty(entry("a = f32[2] parameter(0), b"), Code::syntax, "}");
  faulty(entry("a = f32[2] add(x, (y)"), Code::syntax, "(");
  faulty(entry("a = f32[2] parameter(0)\nb = f32[2] negate(a))"), Code::syntax, ")");
  faulty(entry("a = f32[2] custom-call(), custom_call_target=\"x\n"), Code::syntax, "\"");
  faulty("a = f32[2] parameter(0)\n", Code::syntax, "a");
  faulty("f { a = f32[] parameter(0) }\n} stray", Code::syntax, "}");
  const Result<ReadGraph> read =
      read_hlo(entry("a = q[2] parameter(0)\nb ? \nc = f32[2] add(z, a)\nd = f32[2] nope"));
  CHECK(read.diagnostics.size() == 4);
  CHECK_FALSE(read.value);
}

TEST_CASE("HLO errors: text that ends too early, and text that is something else") {
  faulty("HloModule m\nENTRY e {\n  a = f32[2] parameter(0)\n  b = f32[2] add(a,", Code::truncated, "{");
  faulty("HloModule m\n", Code::truncated, "m");
  faulty("HloModule m /* never closed", Code::truncated, "/*");
  faulty("# RUN\nhlo_module {\n  name: \"m\"\n}\n", Code::unsupported, "hlo_module");
  faulty("", Code::truncated, "");
  CHECK(
      complaint("name: \"m\"\ncomputations {\n}", Code::unsupported).diagnostic.message.find("text proto") !=
      std::string::npos);
}

TEST_CASE("HLO errors: faults of computations that are not planned are warnings") {
  const std::string text =
      entry("ROOT a = f32[] parameter(0)", "f { x = f32[?] negate(gone) x = f32[] parameter(0) }\n");
  CHECK(read_hlo(text).value);
  CHECK(complaint(text, Code::dangling_input, Severity::warning).at == "gone");
  CHECK(complaint(text, Code::duplicate_name, Severity::warning).at == "x");
}

TEST_CASE("HLO errors: a call tree that explodes is refused, not unfolded") {
  std::string text = "f0 { p = f32[] parameter(0) ROOT r = f32[] negate(p) }\n";
  for (int i = 1; i < 64; ++i) {
    const std::string n = std::to_string(i), m = std::to_string(i - 1);
    text += "f" + n + " { p = f32[] parameter(0) a = f32[] call(p), to_apply=f" + m +
            "\n ROOT b = f32[] call(a), to_apply=f" + m + "\n}\n";
  }
  faulty(text + "ENTRY e { p = f32[] parameter(0) ROOT r = f32[] call(p), to_apply=f63\n}", Code::unsupported,
         "e");
  std::string tuples = "t0 = tuple()\n";
  for (int i = 1; i < 64; ++i) {
    const std::string m = "t" + std::to_string(i - 1);
    tuples += "t" + std::to_string(i) + " = tuple(" + m + ", " + m + ")\n";
  }
  faulty(entry(tuples + "ROOT r = opt-barrier(t63)"), Code::unsupported, "main");
}

TEST_CASE("HLO errors: depth and length are no danger") {
  constexpr size_t kDeep = 200'000;
  CHECK(read_hlo("ENTRY e { a = " + repeat("(", kDeep) + repeat(")", kDeep) + " parameter(0) }").value);
  CHECK_FALSE(read_hlo("ENTRY e { a = " + repeat("(", kDeep)).value);
  CHECK_FALSE(read_hlo(repeat("([{", kDeep) + repeat("}", kDeep)).value);
  CHECK(graph_of("ENTRY e { p = f32[] parameter(0) a = " + repeat("f32[] negate(", kDeep) + "p" +
                 repeat(")", kDeep) + " }")
            .size() == kDeep + 1);
  const std::string bodies =
      repeat("a = f32[] call(), to_apply={", kDeep) + "b = f32[] constant(1)" + repeat("}", kDeep);
  CHECK(graph_of("ENTRY e {" + bodies + "}").size() == 1);
  std::string chain = "a0 = f32[8] parameter(0)\n";
  for (size_t i = 1; i < kDeep; ++i)
    chain += "a" + std::to_string(i) + " = f32[8] negate(a" + std::to_string(i - 1) + ")\n";
  CHECK(graph_of(entry(chain)).size() == kDeep);
  const Result<ReadGraph> many = read_hlo(entry(repeat("a = f32[8] add(b, c)\n", kDeep)));
  CHECK(many.diagnostics.size() <= 100);
  CHECK_FALSE(many.value);
}
