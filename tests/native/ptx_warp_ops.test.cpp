// What the lanes of a warp do together: shuffles, votes, matches, reductions, elections, in part of a warp
// too. It must not know how they come to meet.
#include <algorithm>

#include "ptx_lanes.h"

namespace fuseboard::ptx {
namespace {

/// 64 threads, two warps: lane-dependent values with repeats.
std::vector<Operands> threads() {
  std::vector<Operands> all;
  for (uint64_t i = 0; i < 64; ++i) all.push_back({i * 2654435761U & 0xffffffff, i % 3, i % 5 == 0, i});
  return all;
}
std::vector<std::array<uint64_t, 2>> run64(const std::string& text, const std::string& kinds) {
  return run_lanes(text, kinds, threads());
}

}  // namespace

TEST_CASE("ptx warp: shuffles up, down, across and by index, in segments, tell who was in range") {
  const auto all = threads();
  for (const uint32_t width : {32U, 16U, 8U})
    for (const uint32_t by : {0U, 1U, 3U, 16U, 31U}) {
      const uint32_t segment = (32 - width) << 8;
      const auto check = [&](const std::string& mode, uint32_t clamp, auto source) {
        const std::string text = "shfl.sync." + mode + ".b32 $d|$e, $a, " + std::to_string(by) + ", " +
                                 std::to_string(segment | clamp) + ", -1;";
        const auto got = run64(text, "rp:r");
        for (uint32_t i = 0; i < 64; ++i) {
          const uint32_t lane = i % 32, first = lane / width * width;
          const int from = source(static_cast<int>(lane), static_cast<int>(first));
          // An exchange may reach into an earlier segment (PTX ISA's pseudo-code), never into a later one.
          const bool inside =
              (mode == "bfly" || from >= static_cast<int>(first)) && from < static_cast<int>(first + width);
          INFO(text << " lane " << lane);
          CHECK(got[i][1] == inside);
          CHECK(got[i][0] == all[i / 32 * 32 + (inside ? static_cast<uint32_t>(from) : lane)][0]);
        }
      };
      check("up", 0, [&](int lane, int) { return lane - static_cast<int>(by); });
      check("down", 31, [&](int lane, int) { return lane + static_cast<int>(by); });
      check("bfly", 31, [&](int lane, int) { return lane ^ static_cast<int>(by); });
      check("idx", 31, [&](int, int first) { return first + static_cast<int>(by % width); });
    }
}

TEST_CASE("ptx warp: votes, matches, reductions, elections") {
  const auto all = threads();
  const auto mask_of = [&](uint32_t i, auto holds) {
    uint64_t mask = 0;
    for (uint32_t k = 0; k < 32; ++k) mask |= static_cast<uint64_t>(holds(all[i / 32 * 32 + k])) << k;
    return mask;
  };
  const auto each = [&](const std::string& text, const std::string& kinds, auto expected) {
    const auto got = run64(text, kinds);
    for (uint32_t i = 0; i < 64; ++i) {
      INFO(text << " thread " << i);
      CHECK(got[i][0] == static_cast<uint64_t>(expected(i)));
    }
  };
  each("vote.sync.ballot.b32 $d, $c, -1;", "r:rrp",
       [&](uint32_t i) { return mask_of(i, [](const Operands& x) { return x[2] != 0; }); });
  each("vote.sync.ballot.b32 $d, !$c, -1;", "r:rrp",
       [&](uint32_t i) { return mask_of(i, [](const Operands& x) { return x[2] == 0; }); });
  each("vote.sync.any.pred $d, $c, -1;", "p:rrp", [](uint32_t) { return 1; });
  each("vote.sync.all.pred $d, $c, -1;", "p:rrp", [](uint32_t) { return 0; });
  each("vote.sync.uni.pred $d, $c, -1;", "p:rrp", [](uint32_t) { return 0; });
  each("{ .reg .pred %one; setp.eq.u32 %one, 1, 1; vote.sync.uni.pred $d, %one, -1; }", "p:r",
       [](uint32_t) { return 1; });
  each("activemask.b32 $d;", "r:r", [](uint32_t) { return 0xffffffff; });
  each("match.any.sync.b32 $d, $b, -1;", "r:rr",
       [&](uint32_t i) { return mask_of(i, [&](const Operands& x) { return x[1] == all[i][1]; }); });
  each("match.all.sync.b32 $d|$e, $b, -1;", "rp:rr", [](uint32_t) { return 0; });
  each("match.any.sync.b64 $d, $b, -1;", "r:rd",
       [&](uint32_t i) { return mask_of(i, [&](const Operands& x) { return x[1] == all[i][1]; }); });
  const auto fold = [&](auto step, uint64_t first) {
    return [&, step, first](uint32_t i) {
      uint64_t sum = first;
      for (uint32_t k = 0; k < 32; ++k) sum = step(sum, all[i / 32 * 32 + k][0]) & 0xffffffff;
      return sum;
    };
  };
  each("redux.sync.add.u32 $d, $a, -1;", "r:r", fold([](uint64_t a, uint64_t b) { return a + b; }, 0));
  each("redux.sync.xor.b32 $d, $a, -1;", "r:r", fold([](uint64_t a, uint64_t b) { return a ^ b; }, 0));
  each("redux.sync.and.b32 $d, $a, -1;", "r:r",
       fold([](uint64_t a, uint64_t b) { return a & b; }, 0xffffffff));
  each("redux.sync.or.b32 $d, $a, -1;", "r:r", fold([](uint64_t a, uint64_t b) { return a | b; }, 0));
  each("redux.sync.max.u32 $d, $a, -1;", "r:r",
       fold([](uint64_t a, uint64_t b) { return std::max(a, b); }, 0));
  each("redux.sync.min.s32 $d, $a, -1;", "r:r",
       fold(
           [](uint64_t a, uint64_t b) {
             return static_cast<uint64_t>(std::min(static_cast<int32_t>(a), static_cast<int32_t>(b)));
           },
           0x7fffffff));
  each("elect.sync $d|$e, -1;", "rp:r", [](uint32_t) { return 0; });
}

TEST_CASE("ptx warp: part of a warp meets, the rest goes its way") {
  const auto all = threads();
  // Lanes of an odd number shuffle among themselves inside a branch; the others skip it.
  const auto got = run64(R"({
.reg .pred %odd; .reg .b32 %l;
mov.u32 %l, %laneid; and.b32 %l, %l, 1; setp.ne.u32 %odd, %l, 0;
mov.u32 $d, 7;
@!%odd bra PAST;
shfl.sync.bfly.b32 $d, $a, 2, 31, 0xaaaaaaaa;
PAST:
bar.warp.sync 0xffffffff;
})",
                         "r:r");
  for (uint32_t i = 0; i < 64; ++i) CHECK(got[i][0] == (i % 2 == 0 ? 7 : all[i ^ 2][0]));
}

TEST_CASE("ptx warp: a mask that leaves its own lane out, or names one that never comes, is a fault") {
  const auto fault_of = [](const std::string& text) {
    PtxRun run(kHeader +
               ".visible .entry k()\n{\n.reg .b32 %r<4>; .reg .pred %p<2>;\nmov.u32 %r0, %laneid;\n" + text +
               "ret;\n}\n");
    REQUIRE(run.run({1, 1, 1}, {32, 1, 1}) == RunState::faulted);
    return *run.fault();
  };
  CHECK(fault_of("shfl.sync.bfly.b32 %r1, %r0, 1, 31, 0xfffffffe;\n").kind == FaultKind::barrier);
  const Fault stuck = fault_of(R"(setp.lt.u32 %p0, %r0, 16;
@%p0 bra LOW;
bar.sync 0;
bra.uni END;
LOW:
shfl.sync.bfly.b32 %r1, %r0, 1, 31, 0xffffffff;
END:
)");
  CHECK(stuck.kind == FaultKind::barrier);
  CHECK(stuck.message.find("waits at") != std::string::npos);
}

}  // namespace fuseboard::ptx
