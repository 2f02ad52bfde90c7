// Every row of the op table: complete, unique, and found again by its text and by each name elsewhere.
// It must not know graphs.
#include "graph/op_kind.h"

#include <map>
#include <set>
#include <sstream>
#include <string>

#include "catch.h"
#include "formats/op_attributes.h"

namespace {

using namespace fuseboard;

std::vector<OpInfo> rows() {
  std::vector<OpInfo> all;
  for (uint32_t i = 0; i < op_kind_count(); ++i) all.push_back(op_info(static_cast<OpKind>(i)));
  return all;
}

std::vector<std::string> words(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

}  // namespace

TEST_CASE("each row has a unique text by which it is found, and a reference") {
  std::set<std::string_view> texts;
  for (const OpInfo& row : rows()) {
    INFO(row.text);
    CHECK(texts.insert(row.text).second);
    CHECK_FALSE(row.reference.empty());
    CHECK(row.least_arity <= row.most_arity);
    CHECK_FALSE(op_class_text(row.op_class).empty());
    CHECK(op_text(row.kind) == row.text);
    CHECK(row.text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos);
    if (row.kind != OpKind::foreign) CHECK(op_kind_from_text(row.text) == row.kind);
  }
  CHECK_FALSE(op_kind_from_text("foreign").has_value());
  CHECK_FALSE(op_kind_from_text("").has_value());
  CHECK_FALSE(op_kind_from_text("Add").has_value());
}

TEST_CASE("each name elsewhere belongs to one row and is found") {
  std::map<std::string, std::string_view> owners;
  for (const OpInfo& row : rows()) {
    for (const std::string& name : words(row.names)) {
      INFO(name << " of " << row.text);
      const size_t colon = name.find(':');
      REQUIRE(colon != std::string::npos);
      CHECK(owners.emplace(name, row.text).second);
      CHECK(op_kind_from_name(name.substr(0, colon), name.substr(colon + 1)) == row.kind);
    }
  }
  CHECK(op_kind_from_name("hlo", "multiply") == OpKind::mul);
  CHECK(op_kind_from_name("hlo", "compare.LT") == OpKind::lt);
  CHECK_FALSE(op_kind_from_name("hlo", "mul").has_value());
  CHECK_FALSE(op_kind_from_name("aten", "multiply").has_value());
}

TEST_CASE("classes and arities go together") {
  for (const OpInfo& row : rows()) {
    INFO(row.text);
    if (row.op_class == OpClass::Source) CHECK(row.most_arity == 0);
    if (row.op_class == OpClass::View) CHECK((row.least_arity == 1 && row.most_arity == 1));
    if (row.op_class == OpClass::Point) CHECK(row.most_arity <= 3);
    if (row.op_class == OpClass::Point && row.most_arity > 0) CHECK(row.shape_rule == ShapeRule::Broadcast);
  }
}

TEST_CASE("all Points and only Points have PTX, with a bound that has a source") {
  for (const OpInfo& row : rows()) {
    INFO(row.text);
    CHECK(row.ptx.empty() == (row.op_class != OpClass::Point));
    CHECK_FALSE(row.bound_source.empty());
    CHECK(row.ulps_fast >= row.ulps_precise);
    for (const double ulps : {row.ulps_fast, row.ulps_precise, row.ulps_f64})
      CHECK((ulps >= 0 && ulps < 10000));
  }
}

TEST_CASE("attribute columns parse, with types that readers know") {
  const std::set<std::string_view> types = {"scalar", "number", "int", "ints", "bool", "word"};
  for (const OpInfo& row : rows()) {
    std::set<std::string_view> names;
    for (const AttributeRule& rule : attribute_rules(row)) {
      INFO(row.text << ": " << rule.name << ":" << rule.type);
      CHECK(types.contains(rule.type));
      CHECK(names.insert(rule.name).second);
      CHECK(attribute_rule(row, rule.name).type == rule.type);
    }
    CHECK(attribute_rule(row, "no_such_thing").name.empty());
  }
  CHECK(attribute_rule(op_info(OpKind::leaky_relu), "negative_slope").optional);
  CHECK_FALSE(attribute_rule(op_info(OpKind::reduce_precision), "exponent_bits").optional);
}

TEST_CASE("all that the first issue asks for is a row") {
  std::istringstream list(
      "add mul sub div relu sigmoid tanh scale axpy matmul reduce transpose input constant neg abs exp exp2 "
      "log log1p expm1 asin acos atan sinh cosh asinh acosh atanh "
      "sqrt rsqrt cbrt reciprocal pow sin cos tan atan2 erf gelu gelu_tanh silu softplus leaky_relu elu "
      "floor ceil round "
      "sign min max clamp select eq ne lt le gt ge and or xor not shift_left shift_right_logical "
      "shift_right_arithmetic rem "
      "popcount clz round_even copy bitcast_convert fma cast reduce_precision is_finite iota reshape "
      "broadcast result "
      "reverse concat slice pad gather conv scatter sort call");
  for (std::string kind; list >> kind;) {
    INFO(kind);
    CHECK(op_kind_from_text(kind).has_value());
  }
}

TEST_CASE("the spec's twelve kinds fuse or break as the spec says") {
  for (const char* each : {"add", "mul", "sub", "div", "relu", "sigmoid", "tanh", "scale", "axpy"}) {
    CHECK(op_info(*op_kind_from_text(each)).op_class == OpClass::Point);
  }
  CHECK(op_info(OpKind::matmul).op_class == OpClass::Opaque);
  CHECK(op_info(OpKind::reduce).op_class == OpClass::Reduce);
  CHECK(op_info(OpKind::transpose).op_class == OpClass::Move);
}
