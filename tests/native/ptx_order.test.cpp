// The order of a block's threads: races in shared memory, barriers, locks; what is reported and what is not.
// It must not know how the machine finds them.
#include "ptx_thread_kernel.h"

namespace fuseboard::ptx {

TEST_CASE("ptx order: a spin lock inside a warp and between warps ends") {
  const std::string variables = ".shared .align 4 .u32 lock;\n.shared .align 4 .u32 sum;\n";
  const std::string spin = R"(
SPIN:
atom.shared.cas.b32 %r4, [lock], 0, 1;
setp.ne.u32 %p1, %r4, 0;
@%p1 bra SPIN;
membar.cta;
ld.shared.u32 %r5, [sum];
add.u32 %r5, %r5, 1;
st.shared.u32 [sum], %r5;
membar.cta;
atom.shared.exch.b32 %r6, [lock], 0;
bar.sync 0;
ld.shared.u32 %r5, [sum];
st.global.u32 [%rd3], %r5;
ret;
)";
  PtxRun run(thread_kernel(spin, variables));
  run.empty_buffer(4 * 64);
  // Nothing was written to the lock yet.
  REQUIRE(run.run({1, 1, 1}, {64, 1, 1}) == RunState::faulted);
  CHECK(run.fault()->kind == FaultKind::never_written);
  const std::string first = R"(
setp.eq.u32 %p2, %r1, 0;
@%p2 st.shared.u32 [lock], 0;
@%p2 st.shared.u32 [sum], 0;
bar.sync 0;
)";
  PtxRun again(thread_kernel(first + spin, variables));
  const uint32_t out = again.empty_buffer(4 * 64);
  REQUIRE(again.run({1, 1, 1}, {64, 1, 1}, 0, 50'000'000) == RunState::finished);
  for (const uint32_t each : again.values<uint32_t>(out)) CHECK(each == 64);
}

TEST_CASE("ptx order: a race in shared memory is told with both threads and lines") {
  const std::string shared = ".shared .align 4 .u32 s[64];\n";
  const std::string racy = R"(
mov.u64 %rd5, s; add.s64 %rd6, %rd5, %rd2;
st.shared.u32 [%rd6], %r1;
xor.b32 %r4, %r1, 32; mul.wide.u32 %rd7, %r4, 4; add.s64 %rd7, %rd5, %rd7;
BARRIER
ld.shared.u32 %r5, [%rd7];
st.global.u32 [%rd3], %r5;
ret;
)";
  std::string with = racy, without = racy;
  with.replace(with.find("BARRIER"), 7, "bar.sync 0;");
  without.replace(without.find("BARRIER"), 7, "");
  const auto values = run_threads(with, 1, 64, shared);
  for (uint32_t i = 0; i < 64; ++i) CHECK(values[i] == (i ^ 32));
  // Warp 0 reads what nobody has written yet: that comes first.
  CHECK(thread_fault(without, 64, shared).kind == FaultKind::never_written);
  const Fault race = thread_fault(R"(
mov.u64 %rd5, s; add.s64 %rd6, %rd5, %rd2;
st.shared.u32 [%rd6], %r1;
bar.sync 0;
xor.b32 %r4, %r1, 32; mul.wide.u32 %rd7, %r4, 4; add.s64 %rd7, %rd5, %rd7;
ld.shared.u32 %r5, [%rd7];
st.shared.u32 [%rd6], %r5;
ret;
)",
                                  64, shared);
  CHECK(race.kind == FaultKind::race);
  CHECK(race.thread == std::array<uint32_t, 3>{32, 0, 0});
  CHECK(race.message.find("thread (0, 0, 0) wrote in line") != std::string::npos);
  CHECK(race.has_address);
}

TEST_CASE("ptx order: two lanes of one warp need bar.warp.sync between them") {
  const std::string shared = ".shared .align 4 .u32 s[32];\n";
  const std::string text = R"(
mov.u64 %rd5, s; add.s64 %rd6, %rd5, %rd2;
st.shared.u32 [%rd6], %r1;
SYNC
xor.b32 %r4, %r1, 1; mul.wide.u32 %rd7, %r4, 4; add.s64 %rd7, %rd5, %rd7;
ld.shared.u32 %r5, [%rd7];
st.global.u32 [%rd3], %r5;
ret;
)";
  std::string with = text, without = text;
  with.replace(with.find("SYNC"), 4, "bar.warp.sync -1;");
  without.replace(without.find("SYNC"), 4, "");
  const auto values = run_threads(with, 1, 32, shared);
  for (uint32_t i = 0; i < 32; ++i) CHECK(values[i] == (i ^ 1));
  CHECK(thread_fault(without, 32, shared).kind == FaultKind::race);
}

TEST_CASE("ptx order: a barrier that not all reach is a fault; one that some left early is not") {
  const Fault missed = thread_fault(R"(
setp.ge.u32 %p1, %r1, 16;
@%p1 bra PAST;
bar.sync 0;
PAST:
st.global.u32 [%rd3], %r1;
ret;
)",
                                    64);
  CHECK(missed.kind == FaultKind::barrier);
  CHECK(missed.message.find("which has ended") != std::string::npos);
  const Fault warps = thread_fault(R"(
setp.ge.u32 %p1, %r1, 32;
@%p1 bra PAST;
bar.sync 0;
bra.uni END;
PAST:
bar.sync 1;
END:
ret;
)",
                                   64);
  CHECK(warps.kind == FaultKind::barrier);
  const auto values = run_threads(R"(
setp.ge.u32 %p1, %r1, 50;
st.global.u32 [%rd3], 5;
bar.sync 0;
@%p1 bra END;
bar.sync 0;
st.global.u32 [%rd3], %r1;
END:
ret;
)",
                                  1, 64);
  for (uint32_t i = 0; i < 64; ++i) CHECK(values[i] == (i < 50 ? i : 5));
}

TEST_CASE("ptx order: a lock without a fence orders nothing, one with fences does") {
  const std::string shared = ".shared .align 4 .u32 lock;\n.shared .align 4 .u32 sum;\n";
  const std::string text = R"(
setp.eq.u32 %p2, %r1, 0;
@%p2 st.shared.u32 [lock], 0;
@%p2 st.shared.u32 [sum], 0;
bar.sync 0;
SPIN:
atom.shared.cas.b32 %r4, [lock], 0, 1;
setp.ne.u32 %p1, %r4, 0;
@%p1 bra SPIN;
ld.shared.u32 %r5, [sum];
add.u32 %r5, %r5, 1;
st.shared.u32 [sum], %r5;
atom.shared.exch.b32 %r6, [lock], 0;
ret;
)";
  CHECK(thread_fault(text, 64, shared).kind == FaultKind::race);
}

TEST_CASE("ptx order: what all write alike, and what is volatile or atomic, is no race") {
  const std::string shared = ".shared .align 4 .u32 s[4];\n";
  const auto same = run_threads(
      "st.shared.u32 [s], 9;\nbar.sync 0;\nld.shared.u32 %r4, [s];\nst.global.u32 [%rd3], %r4;\nret;\n", 1,
      64, shared);
  for (const uint32_t each : same) CHECK(each == 9);
  CHECK(thread_fault("st.shared.u32 [s], %r1;\nret;\n", 64, shared).kind == FaultKind::race);
  const auto strong = run_threads(
      "st.volatile.shared.u32 [s], %r1;\nld.volatile.shared.u32 %r4, [s];\nst.global.u32 [%rd3], 1;\nret;\n",
      1, 64, shared);
  for (const uint32_t each : strong) CHECK(each == 1);
  // A plain read of what an atomic of another thread wrote is one.
  CHECK(
      thread_fault(
          "st.volatile.shared.u32 [s], 0;\natom.shared.add.u32 %r4, [s], 1;\nld.shared.u32 %r5, [s];\nret;\n",
          64, shared)
          .kind == FaultKind::race);
}

TEST_CASE("ptx order: a reader must be passed before its value is overwritten") {
  const std::string shared = ".shared .align 4 .u32 s[64];\n";
  const std::string text = R"(
mov.u64 %rd5, s; add.s64 %rd6, %rd5, %rd2;
st.shared.u32 [%rd6], %r1;
bar.sync 0;
ld.shared.u32 %r5, [s+8];
BARRIER
setp.eq.u32 %p1, %r1, 40;
@%p1 st.shared.u32 [s+8], 5;
st.global.u32 [%rd3], %r5;
ret;
)";
  std::string with = text, without = text;
  with.replace(with.find("BARRIER"), 7, "bar.sync 0;");
  without.replace(without.find("BARRIER"), 7, "");
  for (const uint32_t each : run_threads(with, 1, 64, shared)) CHECK(each == 2);
  const Fault race = thread_fault(without, 64, shared);
  CHECK(race.kind == FaultKind::race);
  CHECK(race.message.find("read in line") != std::string::npos);
}

}  // namespace fuseboard::ptx
