// Logic, shifts, fields and counts, bit by bit.
// It must not know how the machine computes them.
#include <algorithm>

#include "ptx_lanes.h"

namespace fuseboard::ptx {
namespace {

bool bit(uint64_t value, int64_t n, int64_t width) { return n >= 0 && n < width && (value >> n & 1) != 0; }

template <class F>
uint64_t bit_by_bit(uint32_t width, F f) {
  uint64_t result = 0;
  for (uint32_t n = 0; n < width; ++n) result |= static_cast<uint64_t>(f(n)) << n;
  return result;
}

struct Width {
  const char* type;
  uint32_t bits;
  char kind;
};
constexpr Width kWidths[] = {{"b16", 16, 'h'}, {"b32", 32, 'r'}, {"b64", 64, 'd'}};

}  // namespace

TEST_CASE("ptx bits: logic of every width, and of predicates") {
  for (const Width& w : kWidths) {
    const auto inputs = tuples(integer_edges(w.bits), 2, 3000);
    const std::string two = std::string(1, w.kind) + ":" + std::string(2, w.kind);
    const auto check = [&](const std::string& name, auto f) {
      check_lanes(name + "." + w.type + " $d, $a, $b;", two, inputs, [&](const Operands& x) {
        return bit_by_bit(w.bits, [&](uint32_t n) { return f(bit(x[0], n, 64), bit(x[1], n, 64)); });
      });
    };
    check("and", [](bool a, bool b) { return a && b; });
    check("or", [](bool a, bool b) { return a || b; });
    check("xor", [](bool a, bool b) { return a != b; });
    const std::string one = std::string(1, w.kind) + ":" + w.kind;
    check_lanes(std::string("not.") + w.type + " $d, $a;", one, inputs, [&](const Operands& x) {
      return bit_by_bit(w.bits, [&](uint32_t n) { return !bit(x[0], n, 64); });
    });
    check_lanes(std::string("cnot.") + w.type + " $d, $a;", one, inputs,
                [](const Operands& x) { return x[0] == 0 ? 1 : 0; });
  }
  const auto both = tuples({0, 1}, 2);
  check_lanes("and.pred $d, $a, $b;", "p:pp", both, [](const Operands& x) { return x[0] & x[1]; });
  check_lanes("or.pred $d, $a, $b;", "p:pp", both, [](const Operands& x) { return x[0] | x[1]; });
  check_lanes("xor.pred $d, $a, $b;", "p:pp", both, [](const Operands& x) { return x[0] ^ x[1]; });
  check_lanes("not.pred $d, $a;", "p:p", both, [](const Operands& x) { return 1 - x[0]; });
  check_lanes("mov.pred $d, $a;", "p:p", both, [](const Operands& x) { return x[0]; });
}

TEST_CASE("ptx bits: shifts by any amount") {
  for (const Width& w : kWidths) {
    std::vector<Operands> inputs;
    for (const uint64_t value : integer_edges(w.bits))
      for (const uint64_t n : {0, 1, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256, 1000})
        inputs.push_back({value, n, 0, 0});
    inputs.push_back({1, 0xffffffff, 0, 0});
    const std::string kinds = std::string(1, w.kind) + ":" + w.kind + "r";
    const std::string bits = std::to_string(w.bits);
    const auto at = [&](const Operands& x, int64_t n) { return bit(x[0], n, w.bits); };
    check_lanes("shl.b" + bits + " $d, $a, $b;", kinds, inputs, [&](const Operands& x) {
      return bit_by_bit(w.bits, [&](int64_t n) { return at(x, n - static_cast<int64_t>(x[1])); });
    });
    check_lanes("shr.u" + bits + " $d, $a, $b;", kinds, inputs, [&](const Operands& x) {
      return bit_by_bit(w.bits, [&](int64_t n) { return at(x, n + static_cast<int64_t>(x[1])); });
    });
    check_lanes("shr.s" + bits + " $d, $a, $b;", kinds, inputs, [&](const Operands& x) {
      return bit_by_bit(w.bits, [&](int64_t n) {
        return at(x, std::min<int64_t>(n + static_cast<int64_t>(x[1]), w.bits - 1));
      });
    });
  }
  std::vector<Operands> funnels;
  for (const Operands& two : tuples(integer_edges(32), 2, 400))
    for (const uint64_t n : {0, 1, 15, 31, 32, 33, 47, 64}) funnels.push_back({two[0], two[1], n, 0});
  const auto both = [](const Operands& x) { return x[1] << 32 | x[0]; };
  const auto funnel = [&](const std::string& mode, bool left, bool wrap) {
    check_lanes("shf." + mode + ".b32 $d, $a, $b, $c;", "r:rrr", funnels, [&](const Operands& x) {
      const auto n = static_cast<int64_t>(wrap ? x[2] % 32 : std::min<uint64_t>(x[2], 32));
      return bit_by_bit(32, [&](int64_t k) { return bit(both(x), left ? k + 32 - n : k + n, 64); });
    });
  };
  funnel("l.wrap", true, true);
  funnel("l.clamp", true, false);
  funnel("r.wrap", false, true);
  funnel("r.clamp", false, false);
}

TEST_CASE("ptx bits: fields are taken and put in") {
  for (const uint32_t width : {32U, 64U}) {
    std::vector<Operands> inputs;
    for (const uint64_t value : integer_edges(width))
      for (const uint64_t position : {0, 1, 8, 31, 32, 40, 63, 64, 100, 255, 256})
        for (const uint64_t length : {0, 1, 5, 16, 31, 32, 33, 63, 64, 200})
          inputs.push_back({value, position, length, 0});
    const std::string kinds = width == 64 ? "d:drr" : "r:rrr";
    const std::string bits = std::to_string(width);
    const auto ends = [&](const Operands& x) { return std::pair<int64_t, int64_t>(x[1] & 255, x[2] & 255); };
    check_lanes("bfe.u" + bits + " $d, $a, $b, $c;", kinds, inputs, [&](const Operands& x) {
      const auto [position, length] = ends(x);
      return bit_by_bit(
          width, [&, p = position, l = length](int64_t n) { return n < l && bit(x[0], n + p, width); });
    });
    // The sign is the field's last bit, or the value's where the field reaches past it.
    check_lanes("bfe.s" + bits + " $d, $a, $b, $c;", kinds, inputs, [&](const Operands& x) {
      const auto [position, length] = ends(x);
      const int64_t last = std::min<int64_t>(position + length - 1, width - 1);
      return bit_by_bit(width, [&, p = position, l = length](int64_t n) {
        if (l == 0) return false;
        return n < l && n + p < width ? bit(x[0], n + p, width) : bit(x[0], last, width);
      });
    });
    std::vector<Operands> puts;
    for (const Operands& each : inputs)
      puts.push_back({each[0], 0x5555aaaa3333cccc & (width == 64 ? ~0ULL : 0xffffffff), each[1], each[2]});
    check_lanes("bfi.b" + bits + " $d, $a, $b, $c, $f;", width == 64 ? "d:ddrr" : "r:rrrr", puts,
                [&](const Operands& x) {
                  const int64_t position = x[2] & 255, length = x[3] & 255;
                  return bit_by_bit(width, [&](int64_t n) {
                    return n >= position && n < position + length ? bit(x[0], n - position, width)
                                                                  : bit(x[1], n, width);
                  });
                });
  }
}

TEST_CASE("ptx bits: counts, places, masks, tables") {
  for (const uint32_t width : {32U, 64U}) {
    const auto inputs = tuples(integer_edges(width), 1);
    const std::string kind = width == 64 ? "d" : "r", bits = std::to_string(width);
    const auto highest = [&](uint64_t value, bool wanted) {
      for (int64_t n = width - 1; n >= 0; --n)
        if (bit(value, n, width) == wanted) return n;
      return int64_t{-1};
    };
    check_lanes("popc.b" + bits + " $d, $a;", "r:" + kind, inputs, [&](const Operands& x) {
      uint64_t count = 0;
      for (uint32_t n = 0; n < width; ++n) count += bit(x[0], n, width) ? 1 : 0;
      return count;
    });
    check_lanes("clz.b" + bits + " $d, $a;", "r:" + kind, inputs,
                [&](const Operands& x) { return static_cast<uint64_t>(width - 1 - highest(x[0], true)); });
    check_lanes("brev.b" + bits + " $d, $a;", kind + ":" + kind, inputs, [&](const Operands& x) {
      return bit_by_bit(width, [&](uint32_t n) { return bit(x[0], width - 1 - n, width); });
    });
    check_lanes("bfind.u" + bits + " $d, $a;", "r:" + kind, inputs,
                [&](const Operands& x) { return static_cast<uint32_t>(highest(x[0], true)); });
    check_lanes("bfind.s" + bits + " $d, $a;", "r:" + kind, inputs, [&](const Operands& x) {
      return static_cast<uint32_t>(highest(x[0], !bit(x[0], width - 1, width)));
    });
    check_lanes("bfind.shiftamt.u" + bits + " $d, $a;", "r:" + kind, inputs, [&](const Operands& x) {
      const int64_t found = highest(x[0], true);
      return static_cast<uint32_t>(found < 0 ? -1 : width - 1 - found);
    });
  }
  const auto triples = tuples(integer_edges(32), 3, 4000);
  for (const uint32_t table : {0x00U, 0x80U, 0x96U, 0xe8U, 0xcaU, 0x1bU, 0xffU})
    check_lanes("lop3.b32 $d, $a, $b, $c, " + std::to_string(table) + ";", "r:rrr", triples,
                [&](const Operands& x) {
                  return bit_by_bit(32, [&](uint32_t n) {
                    return bit(table, 4 * bit(x[0], n, 32) + 2 * bit(x[1], n, 32) + bit(x[2], n, 32), 8);
                  });
                });
  std::vector<Operands> masks;
  for (uint64_t a = 0; a < 40; ++a)
    for (uint64_t b = 0; b < 40; ++b) masks.push_back({a, b, 0xdeadbeef, 0});
  check_lanes("bmsk.clamp.b32 $d, $a, $b;", "r:rr", masks, [](const Operands& x) {
    return bit_by_bit(32, [&](uint64_t n) { return n >= x[0] && n < x[0] + x[1]; });
  });
  check_lanes("bmsk.wrap.b32 $d, $a, $b;", "r:rr", masks, [](const Operands& x) {
    return bit_by_bit(32, [&](uint64_t n) { return n >= x[0] % 32 && n < x[0] % 32 + x[1] % 32; });
  });
  check_lanes("szext.clamp.s32 $d, $c, $a;", "r:rrr", masks, [](const Operands& x) {
    return bit_by_bit(32, [&](uint64_t n) {
      if (x[0] == 0) return false;
      return bit(x[2], static_cast<int64_t>(x[0] >= 32 ? n : std::min(n, x[0] - 1)), 32);
    });
  });
  check_lanes("szext.wrap.u32 $d, $c, $a;", "r:rrr", masks, [](const Operands& x) {
    return bit_by_bit(32,
                      [&](uint64_t n) { return n < x[0] % 32 && bit(x[2], static_cast<int64_t>(n), 32); });
  });
  std::vector<Operands> places;
  for (const uint64_t mask : integer_edges(32))
    for (uint64_t base = 0; base < 32; base += 5)
      for (int64_t offset = -3; offset <= 3; ++offset)
        places.push_back({mask, base, static_cast<uint32_t>(offset), 0});
  check_lanes("fns.b32 $d, $a, $b, $c;", "r:rrr", places, [](const Operands& x) -> uint64_t {
    const auto offset = static_cast<int32_t>(x[2]);
    auto position = static_cast<int64_t>(x[1]);
    if (offset == 0) return bit(x[0], position, 32) ? x[1] : 0xffffffff;
    int32_t found = 0;
    for (; position >= 0 && position<32; position += offset> 0 ? 1 : -1)
      if (bit(x[0], position, 32) && ++found == std::abs(offset)) return static_cast<uint64_t>(position);
    return 0xffffffff;
  });
}

TEST_CASE("ptx bits: prmt in every mode, and packing by mov") {
  std::vector<Operands> inputs;
  for (const Operands& two : tuples({0x00112233, 0x8899aabb, 0xffeeddcc, 0x7f80017e}, 2))
    for (const uint64_t selector : {0x3210, 0x7654, 0x0000, 0x1234, 0xfedc, 0x8888, 0x5140, 0x3715})
      inputs.push_back({two[0], two[1], selector, 0});
  const auto byte = [](const Operands& x, uint64_t n) {
    return ((x[1] << 32 | x[0]) >> (8 * (n % 8))) & 0xff;
  };
  check_lanes("prmt.b32 $d, $a, $b, $c;", "r:rrr", inputs, [&](const Operands& x) {
    uint64_t result = 0;
    for (uint32_t n = 0; n < 4; ++n) {
      const uint64_t pick = x[2] >> (4 * n) & 15;
      const uint64_t value = byte(x, pick & 7);
      result |= (pick < 8 ? value : value >= 128 ? 255 : 0) << (8 * n);
    }
    return result;
  });
  struct Mode {
    const char* name;
    std::array<std::array<uint32_t, 4>, 4> picks;  // by the selector; least significant byte first
  };
  const Mode modes[] = {{"f4e", {{{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6}}}},
                        {"b4e", {{{0, 7, 6, 5}, {1, 0, 7, 6}, {2, 1, 0, 7}, {3, 2, 1, 0}}}},
                        {"rc8", {{{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}}},
                        {"ecl", {{{0, 1, 2, 3}, {1, 1, 2, 3}, {2, 2, 2, 3}, {3, 3, 3, 3}}}},
                        {"ecr", {{{0, 0, 0, 0}, {0, 1, 1, 1}, {0, 1, 2, 2}, {0, 1, 2, 3}}}},
                        {"rc16", {{{0, 1, 0, 1}, {2, 3, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3}}}}};
  for (const Mode& mode : modes)
    check_lanes(std::string("prmt.b32.") + mode.name + " $d, $a, $b, $c;", "r:rrr", inputs,
                [&](const Operands& x) {
                  uint64_t result = 0;
                  for (uint32_t n = 0; n < 4; ++n) result |= byte(x, mode.picks[x[2] & 3][n]) << (8 * n);
                  return result;
                });
  const auto wide = tuples(integer_edges(64), 1);
  check_lanes("{ .reg .b16 %w<4>; mov.b64 {%w0, %w1, %w2, %w3}, $a; mov.b64 $d, {%w3, %w0, %w1, %w2}; }",
              "d:d", wide, [](const Operands& x) { return x[0] << 16 | x[0] >> 48; });
  check_lanes("{ .reg .b32 %w<2>; mov.b64 {%w0, %w1}, $a; mov.b64 $d, {%w1, %w0}; }", "d:d", wide,
              [](const Operands& x) { return x[0] << 32 | x[0] >> 32; });
  check_lanes("{ .reg .b16 %w<2>; mov.b32 {%w0, %w1}, $a; mov.b32 $d, {%w1, %w0}; }", "r:r",
              tuples(integer_edges(32), 1),
              [](const Operands& x) { return (x[0] << 16 | x[0] >> 16) & 0xffffffff; });
  check_lanes("{ .reg .b128 %w; mov.b128 %w, {$a, $b}; mov.b128 {$d, $e}, %w; sub.u64 $d, $d, $e; }", "dd:dd",
              tuples(integer_edges(64), 2, 500), [](const Operands& x) { return x[0] - x[1]; });
}

}  // namespace fuseboard::ptx
