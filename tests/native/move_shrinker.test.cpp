// Moves at small sizes: what they cut and pad shrinks with their operands, and they walk as they did.
// It must not know how sizes are chosen.
#include "verify/move_shrinker.h"

#include "catch.h"
#include "one_move.h"
#include "verified.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;
using Ints = std::vector<int64_t>;

}  // namespace

TEST_CASE("a long move is sampled, and stands at small sizes that walk as it does") {
  const auto tried = [](OpKind kind, const std::vector<Shape>& operands, DType dtype,
                        const std::vector<Attribute>& attributes) {
    const PlannedGraph planned(one_move(kind, operands, dtype, attributes), Math::fast);
    VerifyOptions options;
    options.most_elements = 1000;
    const VerifyReport report = planned.verify(options);
    REQUIRE(report.kernels.size() == 1);
    CHECK(first_wrong(report, planned) == "");
    CHECK(report.kernels[0].verdict == RunVerdict::held);
    REQUIRE(report.kernels[0].shrunk);
    INFO(op_text(kind) << " " << report.kernels[0].shrunk->why_not);
    CHECK(report.kernels[0].shrunk->verdict == RunVerdict::verified);
    return report.kernels[0].shrunk->shapes;
  };
  const DType f = DType::f32;
  CHECK(tried(OpKind::transpose, {{64, 4096, 1024}}, DType::i8, {{"perm", Ints{0, 2, 1}}}) ==
        "[64,1024,4096] as [2,160,144], [64,1024,4096] as [2,135,133]");
  tried(OpKind::transpose, {{100, 100, 100, 100}}, DType::f16, {{"perm", Ints{3, 1, 0, 2}}});
  CHECK(tried(OpKind::slice, {{5000, 4096}}, f, {{"starts", Ints{7, 64}}, {"limits", Ints{4990, 4064}}}) ==
        "[4983,4000] as [2,128], [4983,4000] as [2,103]");
  tried(OpKind::slice, {{1 << 20}}, f,
        {{"starts", Ints{1000}}, {"limits", Ints{1 << 19}}, {"strides", Ints{7}}});
  tried(OpKind::pad, {{5000, 4096}, {}}, f,
        {{"low", Ints{1000, 0}}, {"high", Ints{-3000, 1}}, {"interior", Ints{0, 5}}});
  tried(OpKind::reverse, {{5000, 4096}}, f, {{"axes", Ints{1}}});
  CHECK(tried(OpKind::concat, {{64, 4096}, {64, 1000}, {64, 1}}, f, {{"axis", int64_t{1}}})
            .find("[64,5097] as [64,") == 0);
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {50000, 768});
  const uint32_t i = b.add("i", OpKind::input, {}, {8, 2048}, DType::i64);
  b.add("g", OpKind::gather, {x, i}, {8, 2048, 768}, f, {{"axis", int64_t{0}}});
  const PlannedGraph planned(std::move(b.graph), Math::fast);
  const VerifyReport report = planned.verify();
  CHECK(first_wrong(report, planned) == "");
  REQUIRE(report.kernels[0].shrunk);
  CHECK(report.kernels[0].shrunk->verdict == RunVerdict::verified);
}

TEST_CASE("the dimension that a move leaves as long as it was is found in its result") {
  FusionOp op;
  op.inputs = {0, 1};
  op.output_shape = {4, 5, 6};
  op.kind = OpKind::transpose;
  op.attributes = {{"perm", Ints{2, 0, -2}}};
  CHECK(moved_dimension(op, 0, 0) == 1);
  CHECK(moved_dimension(op, 0, 1) == 2);
  CHECK(moved_dimension(op, 0, 2) == 0);
  op.attributes = {{"axis", int64_t{-2}}};
  op.kind = OpKind::concat;
  CHECK(moved_dimension(op, 1, 0) == 0);
  CHECK_FALSE(moved_dimension(op, 1, 1));
  op.kind = OpKind::pad;
  CHECK_FALSE(moved_dimension(op, 0, 0));
}
