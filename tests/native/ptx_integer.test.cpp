// Integer instructions against plain statements of what they compute, in wider arithmetic.
// It must not know how the machine computes them.
#include <algorithm>
#include <bit>

#include "ptx_lanes.h"

namespace fuseboard::ptx {
namespace {

__extension__ using Wide = __int128;

struct IntegerType {
  const char* text;
  uint32_t bits;
  bool is_signed;
  char kind;
};
constexpr IntegerType kIntegers[] = {{"u16", 16, false, 'h'}, {"s16", 16, true, 'h'},
                                     {"u32", 32, false, 'r'}, {"s32", 32, true, 'r'},
                                     {"u64", 64, false, 'd'}, {"s64", 64, true, 'd'}};

Wide value_of(uint64_t bits, const IntegerType& type) {
  if (!type.is_signed) return static_cast<Wide>(bits);
  const uint64_t sign = uint64_t{1} << (type.bits - 1);
  return static_cast<Wide>(bits & (sign - 1)) - static_cast<Wide>(bits & sign);
}
uint64_t cut(Wide value, uint32_t bits) {
  const auto low = static_cast<uint64_t>(value);
  return bits == 64 ? low : low & ((uint64_t{1} << bits) - 1);
}

/// Wraps: the product of two u64 leaves 127 bits.
Wide product(Wide a, Wide b) {
  __extension__ using Unsigned = unsigned __int128;
  return static_cast<Wide>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
}
Wide product_sum(Wide a, Wide b, Wide c) {
  __extension__ using Unsigned = unsigned __int128;
  return static_cast<Wide>(static_cast<Unsigned>(product(a, b)) + static_cast<Unsigned>(c));
}

using Reference = std::function<Wide(Wide, Wide, Wide)>;

/// One instruction for all six types.
void check_all(const std::string& mnemonic, uint32_t arity, const Reference& reference) {
  for (const IntegerType& type : kIntegers) {
    std::string text = mnemonic + "." + type.text + " $d, $a";
    if (arity > 1) text += ", $b";
    if (arity > 2) text += ", $c";
    const std::string kinds = std::string(1, type.kind) + ":" + std::string(arity, type.kind);
    check_lanes(text + ";", kinds, tuples(integer_edges(type.bits), arity, 4000), [&](const Operands& x) {
      return cut(reference(value_of(x[0], type), value_of(x[1], type), value_of(x[2], type)), type.bits);
    });
  }
}

Wide clamp32(Wide value) { return std::clamp<Wide>(value, INT32_MIN, INT32_MAX); }
Wide signed32(uint64_t bits) { return static_cast<int32_t>(bits); }

}  // namespace

TEST_CASE("ptx integer: sums, products, differences, extremes of every type") {
  check_all("add", 2, [](Wide a, Wide b, Wide) { return a + b; });
  check_all("sub", 2, [](Wide a, Wide b, Wide) { return a - b; });
  check_all("mul.lo", 2, [](Wide a, Wide b, Wide) { return product(a, b); });
  check_all("mad.lo", 3, product_sum);
  check_all("min", 2, [](Wide a, Wide b, Wide) { return std::min(a, b); });
  check_all("max", 2, [](Wide a, Wide b, Wide) { return std::max(a, b); });
  check_all("sad", 3, [](Wide a, Wide b, Wide c) { return c + (a < b ? b - a : a - b); });
}

TEST_CASE("ptx integer: upper halves and wide products") {
  for (const IntegerType& type : kIntegers) {
    const std::string three = std::string(1, type.kind) + ":" + std::string(2, type.kind);
    const auto inputs = tuples(integer_edges(type.bits), 2);
    check_lanes(std::string("mul.hi.") + type.text + " $d, $a, $b;", three, inputs, [&](const Operands& x) {
      if (!type.is_signed && type.bits == 64) {
        __extension__ using Unsigned = unsigned __int128;
        return static_cast<uint64_t>(static_cast<Unsigned>(x[0]) * x[1] >> 64);
      }
      return cut((value_of(x[0], type) * value_of(x[1], type)) >> type.bits, type.bits);
    });
    if (type.bits == 64) continue;
    const std::string wide = std::string(type.bits == 16 ? "r" : "d") + ":" + std::string(2, type.kind);
    check_lanes(std::string("mul.wide.") + type.text + " $d, $a, $b;", wide, inputs, [&](const Operands& x) {
      return cut(value_of(x[0], type) * value_of(x[1], type), 2 * type.bits);
    });
    check_lanes(
        std::string("mad.wide.") + type.text + " $d, $a, $b, $c;", wide + (type.bits == 16 ? "r" : "d"),
        tuples(integer_edges(type.bits), 3, 4000), [&](const Operands& x) {
          return cut(value_of(x[0], type) * value_of(x[1], type) + static_cast<Wide>(x[2]), 2 * type.bits);
        });
    check_lanes(std::string("mad.hi.") + type.text + " $d, $a, $b, $c;", three + type.kind,
                tuples(integer_edges(type.bits), 3, 4000), [&](const Operands& x) {
                  return cut(
                      ((value_of(x[0], type) * value_of(x[1], type)) >> type.bits) + value_of(x[2], type),
                      type.bits);
                });
  }
}

TEST_CASE("ptx integer: division, remainder, sign") {
  for (const IntegerType& type : kIntegers) {
    auto inputs = tuples(integer_edges(type.bits), 2);
    std::erase_if(inputs, [](const Operands& x) { return x[1] == 0; });
    const std::string three = std::string(1, type.kind) + ":" + std::string(2, type.kind);
    check_lanes(std::string("div.") + type.text + " $d, $a, $b;", three, inputs, [&](const Operands& x) {
      return cut(value_of(x[0], type) / value_of(x[1], type), type.bits);
    });
    check_lanes(std::string("rem.") + type.text + " $d, $a, $b;", three, inputs, [&](const Operands& x) {
      return cut(value_of(x[0], type) % value_of(x[1], type), type.bits);
    });
    if (!type.is_signed) continue;
    const std::string two = std::string(1, type.kind) + ":" + type.kind;
    const auto singles = tuples(integer_edges(type.bits), 1);
    check_lanes(std::string("neg.") + type.text + " $d, $a;", two, singles,
                [&](const Operands& x) { return cut(-value_of(x[0], type), type.bits); });
    check_lanes(std::string("abs.") + type.text + " $d, $a;", two, singles, [&](const Operands& x) {
      const Wide value = value_of(x[0], type);
      return cut(value < 0 ? -value : value, type.bits);
    });
  }
}

TEST_CASE("ptx integer: saturation, 24 bits, dot products, pairs") {
  const auto pairs = tuples(integer_edges(32), 2);
  const auto triples = tuples(integer_edges(32), 3, 8000);
  check_lanes("add.sat.s32 $d, $a, $b;", "r:rr", pairs,
              [](const Operands& x) { return cut(clamp32(signed32(x[0]) + signed32(x[1])), 32); });
  check_lanes("sub.sat.s32 $d, $a, $b;", "r:rr", pairs,
              [](const Operands& x) { return cut(clamp32(signed32(x[0]) - signed32(x[1])), 32); });
  check_lanes("mad.hi.sat.s32 $d, $a, $b, $c;", "r:rrr", triples, [](const Operands& x) {
    return cut(clamp32((signed32(x[0]) * signed32(x[1]) >> 32) + signed32(x[2])), 32);
  });
  for (const bool is_signed : {false, true}) {
    const auto low24 = [is_signed](uint64_t bits) {
      const Wide value = static_cast<Wide>(bits & 0xffffff);
      return is_signed && (bits & 0x800000) != 0 ? value - 0x1000000 : value;
    };
    const std::string type = is_signed ? "s32" : "u32";
    check_lanes("mul24.lo." + type + " $d, $a, $b;", "r:rr", pairs,
                [&](const Operands& x) { return cut(low24(x[0]) * low24(x[1]), 32); });
    check_lanes("mul24.hi." + type + " $d, $a, $b;", "r:rr", pairs,
                [&](const Operands& x) { return cut(low24(x[0]) * low24(x[1]) >> 16, 32); });
    check_lanes("mad24.lo." + type + " $d, $a, $b, $c;", "r:rrr", triples, [&](const Operands& x) {
      return cut(low24(x[0]) * low24(x[1]) + static_cast<Wide>(x[2]), 32);
    });
    check_lanes("mad24.hi." + type + " $d, $a, $b, $c;", "r:rrr", triples, [&](const Operands& x) {
      return cut((low24(x[0]) * low24(x[1]) >> 16) + static_cast<Wide>(x[2]), 32);
    });
  }
  check_lanes("mad24.hi.sat.s32 $d, $a, $b, $c;", "r:rrr", triples, [](const Operands& x) {
    const auto low24 = [](uint64_t bits) { return static_cast<Wide>(static_cast<int32_t>(bits << 8) >> 8); };
    return cut(clamp32((low24(x[0]) * low24(x[1]) >> 16) + signed32(x[2])), 32);
  });
  for (const char* a : {"u32", "s32"})
    for (const char* b : {"u32", "s32"}) {
      const auto byte = [](uint64_t value, int n, bool is_signed) {
        const auto bits = static_cast<uint8_t>(value >> (8 * n));
        return is_signed ? static_cast<Wide>(static_cast<int8_t>(bits)) : static_cast<Wide>(bits);
      };
      const bool a_signed = a[0] == 's', b_signed = b[0] == 's';
      check_lanes(std::string("dp4a.") + a + "." + b + " $d, $a, $b, $c;", "r:rrr", triples,
                  [&](const Operands& x) {
                    Wide sum = static_cast<Wide>(x[2]);
                    for (int n = 0; n < 4; ++n) sum += byte(x[0], n, a_signed) * byte(x[1], n, b_signed);
                    return cut(sum, 32);
                  });
      for (const bool high : {false, true})
        check_lanes(std::string("dp2a.") + (high ? "hi." : "lo.") + a + "." + b + " $d, $a, $b, $c;", "r:rrr",
                    triples, [&](const Operands& x) {
                      Wide sum = static_cast<Wide>(x[2]);
                      for (int n = 0; n < 2; ++n) {
                        const auto half = static_cast<uint16_t>(x[0] >> (16 * n));
                        const Wide wide = a_signed ? static_cast<Wide>(static_cast<int16_t>(half)) : half;
                        sum += wide * byte(x[1], n + (high ? 2 : 0), b_signed);
                      }
                      return cut(sum, 32);
                    });
    }
  const auto each_half = [](const Operands& x, auto operation) {
    uint64_t result = 0;
    for (int n = 0; n < 2; ++n)
      result |= static_cast<uint64_t>(static_cast<uint16_t>(operation(
                    static_cast<uint16_t>(x[0] >> (16 * n)), static_cast<uint16_t>(x[1] >> (16 * n)))))
                << (16 * n);
    return result;
  };
  check_lanes("add.u16x2 $d, $a, $b;", "r:rr", pairs,
              [&](const Operands& x) { return each_half(x, [](uint32_t a, uint32_t b) { return a + b; }); });
  check_lanes("min.u16x2 $d, $a, $b;", "r:rr", pairs, [&](const Operands& x) {
    return each_half(x, [](uint16_t a, uint16_t b) { return std::min(a, b); });
  });
  check_lanes("max.s16x2 $d, $a, $b;", "r:rr", pairs, [&](const Operands& x) {
    return each_half(
        x, [](uint16_t a, uint16_t b) { return std::max(static_cast<int16_t>(a), static_cast<int16_t>(b)); });
  });
  check_lanes("max.relu.s32 $d, $a, $b;", "r:rr", pairs, [](const Operands& x) {
    return cut(std::max<Wide>(std::max(signed32(x[0]), signed32(x[1])), 0), 32);
  });
}

TEST_CASE("ptx integer: carries run through a chain of 32-bit sums, differences and products") {
  const auto inputs = tuples(integer_edges(64), 2);
  const std::string split = "{ .reg .b32 %u<8>; mov.b64 {%u0, %u1}, $a; mov.b64 {%u2, %u3}, $b; ";
  check_lanes(split + "add.cc.u32 %u0, %u0, %u2; addc.u32 %u1, %u1, %u3; mov.b64 $d, {%u0, %u1}; }", "d:dd",
              inputs, [](const Operands& x) { return x[0] + x[1]; });
  check_lanes(split + "sub.cc.u32 %u0, %u0, %u2; subc.u32 %u1, %u1, %u3; mov.b64 $d, {%u0, %u1}; }", "d:dd",
              inputs, [](const Operands& x) { return x[0] - x[1]; });
  check_lanes(
      split + "mad.lo.cc.u32 %u4, %u0, %u2, %u1; madc.hi.u32 %u5, %u0, %u2, %u3; mov.b64 $d, {%u4, %u5}; }",
      "d:dd", inputs, [](const Operands& x) {
        const uint64_t product = (x[0] & 0xffffffff) * (x[1] & 0xffffffff);
        return product + (x[0] >> 32) + (x[1] >> 32 << 32);
      });
  check_lanes("add.cc.u64 $d, $a, $b; addc.u64 $d, 0, 0;", "d:dd", inputs,
              [](const Operands& x) { return x[0] + x[1] < x[0] ? 1 : 0; });
  check_lanes("sub.cc.s64 $d, $a, $b; subc.cc.s64 $d, 0, 0;", "d:dd", inputs,
              [](const Operands& x) { return x[0] < x[1] ? ~uint64_t{0} : 0; });
}

}  // namespace fuseboard::ptx
