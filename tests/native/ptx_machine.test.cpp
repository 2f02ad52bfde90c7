// Launches: blocks and warps, divergence and reconvergence, calls, faults, budgets, what observers see.
// It must not know arithmetic's last bit.
#include <numeric>

#include "ptx_thread_kernel.h"

namespace fuseboard::ptx {
TEST_CASE("ptx machine: every thread of every block runs, also of a part of a warp") {
  const auto values = run_threads("st.global.u32 [%rd3], %r1;\nret;\n", 3, 45);
  for (uint32_t i = 0; i < values.size(); ++i) CHECK(values[i] == i);
}

TEST_CASE("ptx machine: three dimensions count x first") {
  PtxRun run(kHeader + R"(.visible .entry k(.param .u64 out)
{
.reg .b32 %r<20>; .reg .b64 %rd<5>;
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z;
mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ctaid.y; mov.u32 %r6, %ctaid.z;
mad.lo.u32 %r7, %r3, 3, %r2; mad.lo.u32 %r7, %r7, 5, %r1;
mad.lo.u32 %r8, %r6, 2, %r5; mad.lo.u32 %r8, %r8, 2, %r4;
mad.lo.u32 %r9, %r8, 60, %r7;
mul.wide.u32 %rd2, %r9, 4; add.s64 %rd3, %rd1, %rd2;
mad.lo.u32 %r10, %r3, 100, %r1; mad.lo.u32 %r10, %r2, 10, %r10; mad.lo.u32 %r10, %r8, 1000, %r10;
st.global.u32 [%rd3], %r10;
ret;
}
)");
  const uint32_t out = run.empty_buffer(4 * 60 * 8);
  REQUIRE(run.run({2, 2, 2}, {5, 3, 4}) == RunState::finished);
  const auto values = run.values<uint32_t>(out);
  for (uint32_t b = 0; b < 8; ++b)
    for (uint32_t t = 0; t < 60; ++t)
      CHECK(values[b * 60 + t] == b * 1000 + t / 15 * 100 + t / 5 % 3 * 10 + t % 5);
}

TEST_CASE("ptx machine: nested branches part a warp and join it again") {
  const auto values = run_threads(R"(
and.b32 %r4, %r1, 1; setp.eq.u32 %p1, %r4, 0;
mov.u32 %r5, 0;
@%p1 bra EVEN;
add.u32 %r5, %r5, 100;
setp.gt.u32 %p2, %r1, 15;
@!%p2 bra JOIN;
add.u32 %r5, %r5, 1000;
bra JOIN;
EVEN:
and.b32 %r6, %r1, 2; setp.ne.u32 %p3, %r6, 0;
@%p3 add.u32 %r5, %r5, 7;
JOIN:
activemask.b32 %r7;
popc.b32 %r8, %r7;
add.u32 %r5, %r5, %r8;
st.global.u32 [%rd3], %r5;
ret;
)",
                                  1, 32);
  for (uint32_t i = 0; i < 32; ++i) {
    uint32_t expected = 32;
    if (i % 2 == 0)
      expected += (i & 2) != 0 ? 7 : 0;
    else
      expected += 100 + (i > 15 ? 1000 : 0);
    CHECK(values[i] == expected);
  }
}

TEST_CASE("ptx machine: loops of different length, break, and an early end inside") {
  const auto values = run_threads(R"(
mov.u32 %r4, 0; mov.u32 %r5, 0;
setp.eq.u32 %p1, %r1, 13;
st.global.u32 [%rd3], 77;
@%p1 exit;
LOOP:
add.u32 %r5, %r5, %r4;
setp.eq.u32 %p2, %r4, 20;
@%p2 bra DONE;
setp.ge.u32 %p3, %r4, %r1;
add.u32 %r4, %r4, 1;
@!%p3 bra LOOP;
DONE:
activemask.b32 %r7;
popc.b32 %r8, %r7;
mad.lo.u32 %r5, %r8, 1000, %r5;
st.global.u32 [%rd3], %r5;
ret;
)",
                                  1, 32);
  for (uint32_t i = 0; i < 32; ++i) {
    uint32_t sum = 0;
    for (uint32_t n = 0; n <= std::min(i, 20U); ++n) sum += n;
    CHECK(values[i] == (i == 13 ? 77 : 31'000 + sum));
  }
}

TEST_CASE("ptx machine: brx.idx takes each lane to its target") {
  const auto values = run_threads(R"(
and.b32 %r4, %r1, 3;
TABLE: .branchtargets A, B, C, B;
brx.idx %r4, TABLE;
A: mov.u32 %r5, 10; bra END;
B: mov.u32 %r5, 20; bra END;
C: mov.u32 %r5, 30;
END:
st.global.u32 [%rd3], %r5;
ret;
)",
                                  1, 32);
  const uint32_t expected[] = {10, 20, 30, 20};
  for (uint32_t i = 0; i < 32; ++i) CHECK(values[i] == expected[i % 4]);
}

TEST_CASE("ptx machine: device functions take and return parameters, diverge, and call each other") {
  const std::string functions = R"(
.func (.param .u32 back) twice(.param .u32 value)
{
.reg .b32 %r<4>;
ld.param.u32 %r1, [value];
add.u32 %r1, %r1, %r1;
st.param.u32 [back], %r1;
ret;
}
.func (.param .u32 back) odd_even(.param .u32 value)
{
.reg .b32 %r<5>; .reg .pred %p<2>;
ld.param.u32 %r1, [value];
and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0;
@%p1 bra EVEN;
add.u32 %r1, %r1, 1000;
st.param.u32 [back], %r1;
ret;
EVEN:
{
.param .u32 a; .param .u32 b;
st.param.u32 [a], %r1;
call.uni (b), twice, (a);
ld.param.u32 %r3, [b];
}
st.param.u32 [back], %r3;
ret;
}
)";
  const auto values = run_threads(R"(
{
.param .u32 a; .param .u32 b;
st.param.u32 [a], %r1;
call.uni (b), odd_even, (a);
ld.param.u32 %r5, [b];
}
activemask.b32 %r7;
popc.b32 %r8, %r7;
mad.lo.u32 %r5, %r8, 100000, %r5;
st.global.u32 [%rd3], %r5;
ret;
)",
                                  1, 32, functions);
  for (uint32_t i = 0; i < 32; ++i) CHECK(values[i] == 3'200'000 + (i % 2 == 0 ? 2 * i : i + 1000));
}

TEST_CASE("ptx machine: an endless loop stays running, budget after budget") {
  PtxRun run(thread_kernel("LOOP: bra LOOP;\n"));
  run.empty_buffer(128);
  CHECK(run.run({1, 1, 1}, {32, 1, 1}, 0, 1000) == RunState::running);
  const uint64_t before = run.machine().steps();
  CHECK(before >= 1000);
  CHECK(run.machine().run(1000) == RunState::running);
  CHECK(run.machine().steps() > before);
}

TEST_CASE("ptx machine: memory faults say who, where, and at which address") {
  const Fault outside = thread_fault("st.global.u32 [%rd3+4], %r1;\nret;\n", 40);
  CHECK(outside.kind == FaultKind::out_of_bounds);
  CHECK(outside.thread == std::array<uint32_t, 3>{39, 0, 0});
  CHECK(outside.has_address);
  CHECK(outside.message.find("the end of b0") != std::string::npos);
  CHECK(thread_fault("ld.global.u32 %r4, [%rd3];\nst.global.u32 [%rd3], %r4;\nret;\n", 32).kind ==
        FaultKind::never_written);
  const Fault odd = thread_fault("add.s64 %rd4, %rd3, 2;\nst.global.u32 [%rd4], %r1;\nret;\n", 32);
  CHECK(odd.kind == FaultKind::misaligned);
  CHECK(odd.thread == std::array<uint32_t, 3>{0, 0, 0});
  const Fault shared =
      thread_fault("mov.u64 %rd5, 64;\nst.shared.u32 [%rd5], %r1;\nret;\n", 32, ".shared .u32 s[16];\n");
  CHECK(shared.kind == FaultKind::out_of_bounds);
  const Fault constant = thread_fault("mov.u64 %rd5, c;\nst.global.u32 [%rd5], %r1;\nret;\n", 32,
                                      ".const .u32 c[4] = {1, 2, 3, 4};\n");
  CHECK(constant.kind == FaultKind::read_only);
  CHECK(thread_fault("trap;\n", 32).kind == FaultKind::trap);
}

TEST_CASE("ptx machine: counters") {
  PtxRun run(thread_kernel(R"(
setp.lt.u32 %p1, %r1, 16;
@%p1 bra LOW;
add.u32 %r4, %r1, 1;
LOW:
st.global.u32 [%rd3], %r1;
ld.global.u32 %r5, [%rd3];
shl.b32 %r6, %r1, 2; cvt.u64.u32 %rd8, %r6; mul.lo.u64 %rd8, %rd8, 8; and.b64 %rd8, %rd8, 1023; mov.u64 %rd9, s; add.s64 %rd8, %rd8, %rd9;
st.shared.u32 [%rd8], 0;
ret;
)",
                           ".shared .align 16 .u32 s[256];\n"));
  const uint32_t out = run.empty_buffer(4 * 64);
  REQUIRE(run.run({1, 1, 1}, {64, 1, 1}) == RunState::finished);
  const Counters& counters = run.counters();
  CHECK(counters.threads == 64);
  CHECK(counters.branches == 2);
  CHECK(counters.divergent_branches == 1);
  CHECK(counters.global_store_requests == 2);
  CHECK(counters.global_store_sectors == 8);
  CHECK(counters.global_store_bytes == 256);
  CHECK(counters.global_load_requests == 2);
  CHECK(counters.global_load_sectors == 8);
  CHECK(counters.shared_requests == 2);
  CHECK(counters.shared_bank_conflicts == 14);  // 32 lanes over 8 words a bank: 8 passes a warp
  CHECK(run.memory().bytes_written(out) == 256);
  CHECK(run.memory().bytes_read(out) == 256);
  // 18 by all; the add by 48 threads, and the branch, whose guard holds for 16.
  CHECK(counters.warp_instructions == 2 * 20);
  CHECK(counters.thread_instructions == 64 * 18 + 48 + 16);
}

namespace {
struct Seen : Observer {
  std::vector<std::pair<uint32_t, uint64_t>> first;
  std::vector<uint64_t> addresses;
  void executed(const WarpView& warp, uint32_t index) override {
    std::array<uint64_t, kWarp> lanes{};
    warp.lanes(reg, lanes);
    first.emplace_back(index, lanes[3]);
    addresses.push_back(warp.addresses()[3]);
    active = warp.active();
  }
  uint32_t reg = 0;
  uint32_t active = 0;
};
}  // namespace

TEST_CASE("ptx machine: an observer sees a register after its line, and addresses of an access") {
  PtxRun run(thread_kernel("add.u32 %r9, %r1, 5;\nst.global.u32 [%rd3], %r9;\nret;\n"));
  const uint32_t out = run.empty_buffer(4 * 30);
  const Function* const entry = run.module().entry("k");
  REQUIRE(entry);
  Seen seen;
  seen.reg = entry->register_named("%r9");
  std::vector<uint32_t> lines;
  for (const Instruction& each : entry->instructions)
    if (each.opcode == Opcode::st || (each.opcode == Opcode::add && each.type() == Type::u32))
      lines.push_back(each.line);
  run.watch(lines, seen);
  REQUIRE(run.run({1, 1, 1}, {30, 1, 1}) == RunState::finished);
  REQUIRE(seen.first.size() == 2);
  CHECK(seen.first[0].second == 8);
  CHECK(seen.first[1].second == 8);
  CHECK(entry->instructions[seen.first[1].first].opcode == Opcode::st);
  CHECK(seen.addresses[1] == run.memory().address(out) + 12);
  CHECK(seen.active == 0x3fffffff);
}

TEST_CASE("ptx machine: the same launch gives the same, in one run or in many slices") {
  const std::string body = R"(
mov.u32 %r4, 0;
LOOP:
add.u32 %r4, %r4, 3;
setp.lt.u32 %p1, %r4, %r1;
@%p1 bra LOOP;
atom.global.add.u32 %r5, [%rd1], 1;
bar.sync 0;
atom.global.exch.b32 %r6, [%rd3], %r4;
ret;
)";
  std::optional<Counters> counters;
  std::vector<uint32_t> values;
  for (const uint64_t slice : {1'000'000, 1, 17}) {
    PtxRun run(thread_kernel(body));
    const uint32_t out = run.buffer(std::vector<uint32_t>(192));
    RunState state = run.run({2, 1, 1}, {96, 1, 1}, 0, slice);
    while (state == RunState::running) state = run.machine().run(slice);
    REQUIRE(state == RunState::finished);
    if (!counters) {
      counters = run.counters();
      values = run.values<uint32_t>(out);
    }
    CHECK(run.values<uint32_t>(out) == values);
    CHECK(run.counters().by_class == counters->by_class);
    CHECK(run.counters().warp_instructions == counters->warp_instructions);
    CHECK(run.counters().barriers == 2);
  }
}

TEST_CASE("ptx machine: launches that the entry or the hardware forbid are refused") {
  const Result<Module> read = read_module(thread_kernel("ret;\n"));
  REQUIRE(read.value);
  Memory memory;
  const auto refused = [&](Launch launch) {
    const Result<Machine> made = Machine::make(*read.value, memory, std::move(launch));
    CHECK(made.value.has_value() != has_errors(made.diagnostics));
    return !made.value;
  };
  const std::vector<uint8_t> parameters(8);
  CHECK_FALSE(refused({"k", {1, 1, 1}, {1024, 1, 1}, 0, parameters}));
  CHECK(refused({"other", {1, 1, 1}, {32, 1, 1}, 0, parameters}));
  CHECK(refused({"k", {0, 1, 1}, {32, 1, 1}, 0, parameters}));
  CHECK(refused({"k", {1, 65536, 1}, {32, 1, 1}, 0, parameters}));
  CHECK(refused({"k", {1, 1, 1}, {1025, 1, 1}, 0, parameters}));
  CHECK(refused({"k", {1, 1, 1}, {1, 1, 65}, 0, parameters}));
  CHECK(refused({"k", {1, 1, 1}, {32, 1, 1}, 232449, parameters}));
  CHECK(refused({"k", {1, 1, 1}, {32, 1, 1}, 0, {}}));
  CHECK(refused({"k", {4, 1, 1}, {32, 1, 1}, 0, parameters, {3, 2}}));
  CHECK(refused({"k", {4, 1, 1}, {32, 1, 1}, 0, parameters, {4}}));
}

TEST_CASE("ptx machine: only the blocks that were asked for run, with their own numbers") {
  const Result<Module> read = read_module(thread_kernel("st.global.u32 [%rd3], %r1;\nret;\n"));
  REQUIRE(read.value);
  Memory memory;
  const uint32_t out = memory.add("out", 4 * 320);
  const uint64_t address = memory.address(out);
  std::vector<uint8_t> parameters(8);
  std::memcpy(parameters.data(), &address, 8);
  Result<Machine> made =
      Machine::make(*read.value, memory, {"k", {10, 1, 1}, {32, 1, 1}, 0, parameters, {2, 9}});
  REQUIRE(made.value);
  REQUIRE(made.value->run(100'000) == RunState::finished);
  CHECK(made.value->blocks_finished() == 2);
  CHECK(memory.bytes_written(out) == 2 * 128);
  CHECK(memory.holds_values(out, 9 * 128, 128));
  CHECK_FALSE(memory.holds_values(out, 3 * 128, 1));
}

}  // namespace fuseboard::ptx
