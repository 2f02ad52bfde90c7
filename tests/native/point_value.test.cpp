// The reference column against values that do not come from it: Python's integers, mpmath's functions at 400
// bits. It must not know tensors, kernels or PTX.
#include <cmath>
#include <limits>

#include "catch.h"
#include "graph/evaluate.h"

namespace {

using namespace fuseboard;

/// inputs -> one op, one element each.
FusionGraph graph_of(OpKind kind, const std::vector<DType>& operands, DType result) {
  FusionGraph graph;
  FusionOp op;
  op.kind = kind;
  op.dtype = result;
  op.dtype_bytes = dtype_bytes(result);
  op.output_shape = {4};
  for (const DType dtype : operands) {
    FusionOp input;
    input.kind = OpKind::input;
    input.dtype = dtype;
    input.dtype_bytes = dtype_bytes(dtype);
    input.output_shape = {4};
    op.inputs.push_back(graph.add_op(input));
  }
  graph.add_op(op);
  return graph;
}

int64_t whole(OpKind kind, DType dtype, int64_t a, int64_t b = 0) {
  const FusionGraph graph = graph_of(kind, {dtype, dtype}, dtype);
  const Element operands[] = {converted(DType::i64, dtype, {0, static_cast<uint64_t>(a)}),
                              converted(DType::i64, dtype, {0, static_cast<uint64_t>(b)})};
  return static_cast<int64_t>(point_value(graph, {2, operands, 0, {}}).bits);
}

double real(OpKind kind, DType dtype, double a, double b = 0) {
  const FusionGraph graph = graph_of(kind, {dtype, dtype}, dtype);
  const Element operands[] = {{a, 0}, {b, 0}};
  return point_value(graph, {2, operands, 0, {}}).real;
}

struct Known {
  OpKind kind;
  double argument;
  double f32, f64;  ///< mpmath's value, rounded to nearest
};

constexpr Known kKnown[] = {
    {OpKind::exp, 0x1.99999a0000000p-4, 0x1.1aec7c0000000p+0, 0x1.1aec7b3cb2c38p+0},
    {OpKind::exp, -0x1.5d33340000000p+6, 0x1.0987160000000p-126, 0x1.098716f092c5ep-126},
    {OpKind::exp, 0x1.4800000000000p+4, 0x1.7d6c500000000p+29, 0x1.7d6c4f0bcdd5cp+29},
    {OpKind::log, 0x1.3333340000000p-2, -0x1.3437900000000p+0, -0x1.34378f212fc79p+0},
    {OpKind::log, 0x1.16c2000000000p-133, -0x1.7069e40000000p+6, -0x1.7069e413e07a0p+6},
    {OpKind::log, 0x1.d000000000000p+2, 0x1.fb22ea0000000p+0, 0x1.fb22e98a1c24ep+0},
    {OpKind::log1p, 0x1.5798ee0000000p-27, 0x1.5798ee0000000p-27, 0x1.5798ede32d4d7p-27},
    {OpKind::log1p, -0x1.cccccc0000000p-1, -0x1.26bb1a0000000p+1, -0x1.26bb19bb55556p+1},
    {OpKind::log1p, 0x1.c000000000000p+1, 0x1.810b380000000p+0, 0x1.810b375dce91ep+0},
    {OpKind::expm1, 0x1.5798ee0000000p-27, 0x1.5798ee0000000p-27, 0x1.5798ee1cd2b29p-27},
    {OpKind::expm1, -0x1.4000000000000p+1, -0x1.d5f8f40000000p-1, -0x1.d5f8f47ed617bp-1},
    {OpKind::expm1, 0x1.4000000000000p+3, 0x1.5825dc0000000p+14, 0x1.5825dcf950560p+14},
    {OpKind::tanh, 0x1.3333340000000p-2, 0x1.2a4ddc0000000p-2, 0x1.2a4ddb38fcd80p-2},
    {OpKind::tanh, -0x1.4000000000000p+1, -0x1.f925820000000p-1, -0x1.f9258260a71c2p-1},
    {OpKind::tanh, 0x1.a36e2e0000000p-14, 0x1.a36e2e0000000p-14, 0x1.a36e2de88b337p-14},
    {OpKind::erf, 0x1.3333340000000p-2, 0x1.50838a0000000p-2, 0x1.5083895512669p-2},
    {OpKind::erf, -0x1.8000000000000p+0, -0x1.eea5560000000p-1, -0x1.eea5557137ae0p-1},
    {OpKind::erf, 0x1.8000000000000p+1, 0x1.fffd1a0000000p-1, 0x1.fffd1ac4135f9p-1},
    {OpKind::sin, 0x1.8000000000000p+1, 0x1.2103860000000p-3, 0x1.210386db6d55bp-3},
    {OpKind::sin, 0x1.2a05f20000000p+33, -0x1.f334c80000000p-2, -0x1.f334c7896a4e3p-2},
    {OpKind::sin, -0x1.0000000000000p-1, -0x1.eaee880000000p-2, -0x1.eaee8744b05f0p-2},
    {OpKind::cos, 0x1.8000000000000p+1, -0x1.fae04c0000000p-1, -0x1.fae04be85e5d2p-1},
    {OpKind::cos, 0x1.2a05f20000000p+33, 0x1.bf098a0000000p-1, 0x1.bf098901c931ap-1},
    {OpKind::cos, 0x1.921fb60000000p+0, -0x1.777a5c0000000p-25, -0x1.777a5cf72ceccp-25},
    {OpKind::tan, 0x1.8000000000000p+0, 0x1.c33ed60000000p+3, 0x1.c33ed50b88777p+3},
    {OpKind::tan, 0x1.86a0000000000p+16, -0x1.250a9e0000000p-5, -0x1.250a9d503313dp-5},
    {OpKind::tan, -0x1.3333340000000p-2, -0x1.3cc2a60000000p-2, -0x1.3cc2a52e8f413p-2},
    {OpKind::asinh, 0x1.3333340000000p-2, 0x1.2ec4ec0000000p-2, 0x1.2ec4eb1a897adp-2},
    {OpKind::asinh, -0x1.2a05f20000000p+33, -0x1.7b81040000000p+4, -0x1.7b810429a7c2ap+4},
    {OpKind::acosh, 0x1.00068e0000000p+0, 0x1.cf71b00000000p-7, 0x1.cf71af8b310dfp-7},
    {OpKind::acosh, 0x1.9000000000000p+5, 0x1.26b9780000000p+2, 0x1.26b9783d0a89dp+2},
    {OpKind::atanh, 0x1.0000000000000p-1, 0x1.193ea80000000p-1, 0x1.193ea7aad030bp-1},
    {OpKind::atanh, -0x1.ff7cee0000000p-1, -0x1.e66d340000000p+1, -0x1.e66d33f0c8e66p+1},
    {OpKind::sinh, 0x1.0000000000000p-1, 0x1.0acd000000000p-1, 0x1.0acd00fe63b97p-1},
    {OpKind::sinh, -0x1.4000000000000p+3, -0x1.5829dc0000000p+13, -0x1.5829dced69992p+13},
    {OpKind::cosh, 0x1.0000000000000p-1, 0x1.20ac180000000p+0, 0x1.20ac1862ae8d0p+0},
    {OpKind::cosh, -0x1.4000000000000p+3, 0x1.5829de0000000p+13, 0x1.5829dd053712dp+13},
    {OpKind::asin, 0x1.0000000000000p-1, 0x1.0c15240000000p-1, 0x1.0c152382d7366p-1},
    {OpKind::asin, -0x1.fae1480000000p-1, -0x1.6de3c80000000p+0, -0x1.6de3c81598eb5p+0},
    {OpKind::acos, 0x1.0000000000000p-1, 0x1.0c15240000000p+0, 0x1.0c152382d7366p+0},
    {OpKind::acos, -0x1.fae1480000000p-1, 0x1.8001be0000000p+1, 0x1.8001beacedde7p+1},
    {OpKind::atan, 0x1.0000000000000p-1, 0x1.dac6700000000p-2, 0x1.dac670561bb4fp-2},
    {OpKind::atan, -0x1.86a0000000000p+16, -0x1.921f0e0000000p+0, -0x1.921f0d7e968a8p+0},
    {OpKind::cbrt, 0x1.b800000000000p+4, 0x1.825b1c0000000p+1, 0x1.825b1b6bac03bp+1},
    {OpKind::cbrt, -0x1.0624de0000000p-10, -0x1.99999a0000000p-4, -0x1.99999a0666665p-4},
    {OpKind::exp2, 0x1.0000000000000p-1, 0x1.6a09e60000000p+0, 0x1.6a09e667f3bcdp+0},
    {OpKind::exp2, -0x1.49999a0000000p+3, 0x1.9fdf880000000p-11, 0x1.9fdf883275843p-11},
};

constexpr double kInf = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("transcendental references are mpmath's values") {
  for (const Known& each : kKnown) {
    INFO(op_text(each.kind) << " " << each.argument);
    const FusionGraph single = graph_of(each.kind, {DType::f32}, DType::f32);
    const FusionGraph wide = graph_of(each.kind, {DType::f64}, DType::f64);
    const Element operand[] = {{each.argument, 0}};
    CHECK(point_value(single, {1, operand, 0, {}}).real == each.f32);
    // a libm of double alone, as wasm has for some, may be one unit off
    CHECK(std::fabs(point_value(wide, {1, operand, 0, {}}).real - each.f64) <=
          std::fabs(each.f64) * 0x1.8p-52);
  }
}

TEST_CASE("integer arithmetic wraps, truncates, and divides by zero as XLA has it") {
  CHECK(whole(OpKind::add, DType::i8, 127, 1) == -128);
  CHECK(whole(OpKind::add, DType::u8, 255, 1) == 0);
  CHECK(whole(OpKind::mul, DType::i16, 300, 300) == 24464);
  CHECK(whole(OpKind::mul, DType::i64, INT64_MIN, -1) == INT64_MIN);
  CHECK(whole(OpKind::sub, DType::u32, 0, 1) == 4294967295);
  CHECK(whole(OpKind::div, DType::i32, -7, 2) == -3);
  CHECK(whole(OpKind::div, DType::i32, 7, 0) == -1);
  CHECK(whole(OpKind::div, DType::u8, 7, 0) == 255);
  CHECK(whole(OpKind::div, DType::i32, INT32_MIN, -1) == INT32_MIN);
  CHECK(whole(OpKind::div, DType::i8, -128, -1) == -128);
  CHECK(whole(OpKind::rem, DType::i32, -7, 2) == -1);
  CHECK(whole(OpKind::rem, DType::i32, -7, 0) == -7);
  CHECK(whole(OpKind::rem, DType::i64, INT64_MIN, -1) == 0);
  CHECK(whole(OpKind::neg, DType::i8, -128) == -128);
  CHECK(whole(OpKind::abs, DType::i8, -128) == -128);
  CHECK(whole(OpKind::neg, DType::u16, 1) == 65535);
  CHECK(whole(OpKind::sign, DType::i32, -9) == -1);
}

TEST_CASE("integer powers wrap; negative exponents keep 1 and -1 alone") {
  CHECK(whole(OpKind::pow, DType::i32, 3, 13) == 1594323);
  CHECK(whole(OpKind::pow, DType::u8, 3, 13) == 1594323 % 256);
  CHECK(whole(OpKind::pow, DType::i64, -2, 63) == INT64_MIN);
  CHECK(whole(OpKind::pow, DType::i32, 0, 0) == 1);
  CHECK(whole(OpKind::pow, DType::i32, -1, -3) == -1);
  CHECK(whole(OpKind::pow, DType::i32, 1, -3) == 1);
  CHECK(whole(OpKind::pow, DType::i32, 2, -1) == 0);
}

TEST_CASE("shifts and counts use the dtype's width") {
  CHECK(whole(OpKind::shift_left, DType::i8, 1, 7) == -128);
  CHECK(whole(OpKind::shift_left, DType::i8, 1, 8) == 0);
  CHECK(whole(OpKind::shift_left, DType::i32, 1, -1) == 0);
  CHECK(whole(OpKind::shift_right_logical, DType::i8, -1, 1) == 127);
  CHECK(whole(OpKind::shift_right_logical, DType::i64, -1, 63) == 1);
  CHECK(whole(OpKind::shift_right_logical, DType::u16, 65535, 16) == 0);
  CHECK(whole(OpKind::shift_right_arithmetic, DType::i8, -128, 3) == -16);
  CHECK(whole(OpKind::shift_right_arithmetic, DType::u8, 128, 3) == 240);
  CHECK(whole(OpKind::shift_right_arithmetic, DType::i32, -5, 40) == -1);
  CHECK(whole(OpKind::popcount, DType::i8, -1) == 8);
  CHECK(whole(OpKind::popcount, DType::u64, -1) == 64);
  CHECK(whole(OpKind::clz, DType::u16, 1) == 15);
  CHECK(whole(OpKind::clz, DType::i8, 0) == 8);
  CHECK(whole(OpKind::clz, DType::i64, -1) == 0);
  CHECK(whole(OpKind::not_, DType::u8, 5) == 250);
  CHECK(whole(OpKind::xor_, DType::i8, -1, 5) == -6);
}

TEST_CASE("float arithmetic rounds once, minima keep NaN and order the zeros") {
  CHECK(real(OpKind::add, DType::f32, 1, 0x1p-24) == 1);
  CHECK(real(OpKind::add, DType::f32, 1, 0x1.000002p-24) == 0x1.000002p0);
  CHECK(real(OpKind::add, DType::f16, 2048, 1) == 2049);  // inside a kernel f16 stays f32
  CHECK(real(OpKind::div, DType::f64, 1, 3) == 1.0 / 3);
  CHECK(real(OpKind::rem, DType::f32, 3e38, 0.3125) == std::fmod(0x1.c363ccp127, 0.3125));
  CHECK(std::isnan(real(OpKind::max, DType::f32, std::nan(""), 1)));
  CHECK(std::isnan(real(OpKind::min, DType::f64, 1, std::nan(""))));
  CHECK(std::isnan(real(OpKind::relu, DType::f32, std::nan(""))));
  CHECK_FALSE(std::signbit(real(OpKind::max, DType::f32, -0.0, 0.0)));
  CHECK(std::signbit(real(OpKind::min, DType::f32, 0.0, -0.0)));
  CHECK(real(OpKind::round, DType::f32, 2.5) == 3);
  CHECK(real(OpKind::round, DType::f64, 0.49999999999999994) == 0);
  CHECK(real(OpKind::round_even, DType::f32, 2.5) == 2);
  CHECK(real(OpKind::pow, DType::f32, -8, 3) == -512);
  CHECK(std::isnan(real(OpKind::pow, DType::f32, -8, 0.5)));
  CHECK(real(OpKind::atan2, DType::f32, 1, -kInf) == 0x1.921fb6p1);
}

TEST_CASE("a value is held within its row's bound and slack, and no further") {
  const FusionGraph graph = graph_of(OpKind::exp, {DType::f32}, DType::f32);
  const PointReference exp_of(graph, 1);
  const Element one[] = {{1, 0}};
  const double e = 0x1.5bf0a8p1;
  const double bound = op_info(OpKind::exp).ulps_precise;
  CHECK(exp_of.hold(one, 0, false, {e, 0}).holds);
  CHECK(exp_of.hold(one, 0, false, {e + (bound - 1) * 0x1p-22, 0}).holds);
  CHECK_FALSE(exp_of.hold(one, 0, false, {e + (bound + 1) * 0x1p-22, 0}).holds);
  CHECK_FALSE(exp_of.hold(one, 0, false, {std::nan(""), 0}).holds);
  const Element beyond[] = {{88.72284, 0}};  // e^a is 2^128 less 10 units: an infinity is one step too far
  CHECK(exp_of.hold(beyond, 0, false, {0x1.fffffep127, 0}).ulps < 40);
  CHECK_FALSE(exp_of.hold(one, 0, false, {kInf, 0}).holds);
  const FusionGraph sum = graph_of(OpKind::add, {DType::f32, DType::f32}, DType::f32);
  const Element terms[] = {{0.5, 0}, {-0.5, 0}};
  CHECK(PointReference(sum, 2).hold(terms, 0, true, {0.0, 0}).holds);
  CHECK_FALSE(PointReference(sum, 2).hold(terms, 0, true, {-0.0, 0}).holds);
  CHECK_FALSE(PointReference(sum, 2).hold(terms, 0, true, {1e-45, 0}).holds);
}

TEST_CASE("mixed operands promote, then become the op's own dtype") {
  const FusionGraph mixed = graph_of(OpKind::add, {DType::i32, DType::f16}, DType::f32);
  const Element operands[] = {{0, 16777217}, {0.5, 0}};
  CHECK(point_value(mixed, {2, operands, 0, {}}).real == 16777216.0);  // 2^24 + 1 is no f32
  const FusionGraph narrowed = graph_of(OpKind::add, {DType::u8, DType::u8}, DType::i32);
  const Element bytes[] = {{0, 200}, {0, 100}};
  CHECK(point_value(narrowed, {2, bytes, 0, {}}).bits == 44);  // wraps as u8, then widens
  const FusionGraph root = graph_of(OpKind::sqrt, {DType::i64}, DType::f32);
  const Element four[] = {{0, 4}};
  CHECK(point_value(root, {1, four, 0, {}}).real == 2);
}

TEST_CASE("casts round to the dtype itself, bit casts keep bits, total order orders NaN and zeros") {
  const FusionGraph cast = graph_of(OpKind::cast, {DType::f32}, DType::f16);
  const Element third[] = {{0x1.555556p-2, 0}};
  CHECK(point_value(cast, {1, third, 0, {}}).real == 0x1.554p-2);
  const FusionGraph bits = graph_of(OpKind::bitcast_convert, {DType::f32}, DType::i32);
  const Element minus[] = {{-2, 0}};
  CHECK(static_cast<int64_t>(point_value(bits, {1, minus, 0, {}}).bits) == -1073741824);
  FusionGraph less = graph_of(OpKind::lt, {DType::f32, DType::f32}, DType::boolean);
  less.op(2).attributes.push_back({"total_order", true});
  const double ordered[] = {-std::nan(""), -kInf, -1, -0.0, 0.0, 1, kInf, std::nan("")};
  for (size_t i = 0; i < std::size(ordered); ++i) {
    for (size_t j = 0; j < std::size(ordered); ++j) {
      const Element pair[] = {{ordered[i], 0}, {ordered[j], 0}};
      CHECK(point_value(less, {2, pair, 0, {}}).bits == (i < j ? 1 : 0));
    }
  }
}

TEST_CASE("iota counts along its axis; a parameter's value is asked for") {
  FusionGraph graph;
  FusionOp iota;
  iota.kind = OpKind::iota;
  iota.dtype = DType::i32;
  iota.output_shape = {2, 3, 4};
  iota.attributes.push_back({"axis", int64_t{1}});
  graph.add_op(iota);
  CHECK(point_value(graph, {0, {}, 4, {}}).bits == 1);
  CHECK(point_value(graph, {0, {}, 23, {}}).bits == 2);
  const FusionGraph scale = graph_of(OpKind::scale, {DType::i32}, DType::i32);
  const Element seven[] = {{0, 7}};
  CHECK(point_value(scale, {1, seven, 0, 2.9}).bits == 14);  // as an integer parameter
}

TEST_CASE("reduce-precision without a mantissa bit ties to the even exponent field") {
  FusionGraph graph = graph_of(OpKind::reduce_precision, {DType::f32}, DType::f32);
  graph.op(1).attributes = {{"exponent_bits", int64_t{8}}, {"mantissa_bits", int64_t{0}}};
  const auto reduced = [&](double value) {
    const Element operand{value, 0};
    return point_value(graph, {1, {&operand, 1}, 0, {}}).real;
  };
  CHECK(reduced(3) == 2);  // 1.5 * 2^1: the field is 128
  CHECK(reduced(6) == 8);  // 1.5 * 2^2: the field is 129
  CHECK(reduced(-3) == -2);
}

TEST_CASE("a bound holds for results of another dtype than the row computes in") {
  const Element operand{0x1.d8bd8e0000000p-2, 0};
  const FusionGraph widened = graph_of(OpKind::tanh, {DType::f32}, DType::f64);
  const double expected = point_value(widened, {1, {&operand, 1}, 0, {}}).real;
  const double beside = std::nextafter(static_cast<float>(expected), 1.0F);
  CHECK(hold(widened, {1, {&operand, 1}, 0, {}}, true, {beside, 0}).holds);
  CHECK_FALSE(hold(widened, {1, {&operand, 1}, 0, {}}, true, {expected + 1e-3, 0}).holds);

  const Element low{-17, 0};  // expm1(-17) is just above -1: cut, it is 0; a unit further down it is -1
  const FusionGraph cut = graph_of(OpKind::expm1, {DType::f32}, DType::i16);
  CHECK(hold(cut, {1, {&low, 1}, 0, {}}, false, {0, 0}).holds);
  CHECK(hold(cut, {1, {&low, 1}, 0, {}}, false, {0, ~uint64_t{0}}).holds);
  CHECK_FALSE(hold(cut, {1, {&low, 1}, 0, {}}, false, {0, 1}).holds);
}

TEST_CASE("the sign of an infinity is held in fast math too") {
  const FusionGraph graph = graph_of(OpKind::pow, {DType::f32, DType::f32}, DType::f32);
  const Element operands[] = {{-0.0, 0}, {-3, 0}};
  const double infinite = std::numeric_limits<double>::infinity();
  CHECK(hold(graph, {2, operands, 0, {}}, true, {-infinite, 0}).holds);
  CHECK_FALSE(hold(graph, {2, operands, 0, {}}, true, {infinite, 0}).holds);
}
