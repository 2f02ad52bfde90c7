// What is refused rather than run wrongly, and what must stay bounded however long a kernel runs.
// It must not know how the machine is built.
#include "ptx_thread_kernel.h"

namespace fuseboard::ptx {

TEST_CASE("ptx limits: tables of the same name in two bodies are two tables") {
  PtxRun run(kHeader +
             ".func (.param .b32 r) second()\n{\n.const .align 4 .u32 t[1] = {7};\n.reg .b32 %r<3>;\n"
             "ld.const.u32 %r1, [t];\nst.param.b32 [r], %r1;\nret;\n}\n"
             ".visible .entry k(.param .u64 out)\n{\n.const .align 4 .u32 t[1] = {5};\n.reg .b32 %r<4>;\n"
             ".reg .b64 %rd<2>;\nld.param.u64 %rd1, [out];\nld.const.u32 %r1, [t];\n{\n.param .b32 r;\n"
             "call.uni (r), second, ();\nld.param.b32 %r2, [r];\n}\nst.global.u32 [%rd1], %r1;\n"
             "st.global.u32 [%rd1+4], %r2;\nret;\n}\n");
  const uint32_t out = run.empty_buffer(8);
  REQUIRE(run.run({1, 1, 1}, {1, 1, 1}) == RunState::finished);
  CHECK(run.values<uint32_t>(out) == std::vector<uint32_t>{5, 7});
}

TEST_CASE("ptx limits: an entry that wants clusters is not launched") {
  Result<Module> read = read_module(kHeader + ".visible .entry k()\n.reqnctapercluster 2\n{\nret;\n}\n");
  REQUIRE(read.value.has_value());
  Memory memory;
  Launch launch;
  launch.entry = "k";
  const Result<Machine> made = Machine::make(*read.value, memory, launch);
  REQUIRE_FALSE(made.value.has_value());
  CHECK(made.diagnostics[0].message.find("clusters") != std::string::npos);
}

TEST_CASE("ptx limits: what is remembered of a shared word's readers does not grow with their reads") {
  // With a record for each of 100,000 reads, every read would look through all before it: this would not end
  // today.
  PtxRun run(thread_kernel(
      "setp.eq.u32 %p1, %r1, 0;\n@%p1 st.shared.u32 [word], 3;\nbar.sync 0;\nmov.u32 %r4, 0;\nAGAIN:\n"
      "ld.shared.u32 %r5, [word];\nadd.u32 %r4, %r4, 1;\nsetp.lt.u32 %p2, %r4, 100000;\n@%p2 bra AGAIN;\n"
      "st.global.u32 [%rd3], %r5;\nret;\n",
      ".shared .align 4 .u32 word;\n"));
  const uint32_t out = run.empty_buffer(4 * 32);
  REQUIRE(run.run({1, 1, 1}, {32, 1, 1}, 0, 100'000'000) == RunState::finished);
  CHECK(run.values<uint32_t>(out) == std::vector<uint32_t>(32, 3));
}

TEST_CASE("ptx limits: f32 sums of atoms flush subnormals in global memory, and keep them in shared") {
  PtxRun run(
      thread_kernel("mov.f32 %f1, 0f00000001;\nst.global.f32 [%rd3], 0f00000001;\n"
                    "red.global.add.f32 [%rd3], %f1;\nst.shared.f32 [word], 0f00000001;\n"
                    "red.shared.add.f32 [word], %f1;\nld.shared.f32 %f2, [word];\n"
                    "st.global.f32 [%rd3+4], %f2;\nret;\n",
                    ".shared .align 4 .f32 word;\n"));
  const uint32_t out = run.empty_buffer(8);
  REQUIRE(run.run({1, 1, 1}, {1, 1, 1}) == RunState::finished);
  CHECK(run.values<uint32_t>(out) == std::vector<uint32_t>{0, 2});
}

TEST_CASE("ptx limits: rsqrt of a subnormal f64 is flushed only where it says so") {
  PtxRun run(
      thread_kernel(".reg .f64 %fd<4>;\nmov.f64 %fd1, 0d0000000000000004;\nrsqrt.approx.f64 %fd2, %fd1;\n"
                    "rsqrt.approx.ftz.f64 %fd3, %fd1;\nst.global.f64 [%rd3], %fd2;\n"
                    "st.global.f64 [%rd3+8], %fd3;\nret;\n",
                    ""));
  const uint32_t out = run.empty_buffer(16);
  REQUIRE(run.run({1, 1, 1}, {1, 1, 1}) == RunState::finished);
  CHECK(run.values<double>(out)[0] == 0x1p536);  // 1 / sqrt(2^-1072)
  CHECK(run.values<uint64_t>(out)[1] == 0x7ff0000000000000);
}

TEST_CASE("ptx limits: half a warp that arrives is no warp") {
  PtxRun run(
      thread_kernel("setp.lt.u32 %p1, %r1, 16;\n@%p1 bra HALF;\nbar.arrive 1, 64;\nbra END;\n"
                    "HALF:\nbar.arrive 1, 64;\nEND:\nret;\n"));
  run.empty_buffer(4 * 64);
  REQUIRE(run.run({1, 1, 1}, {64, 1, 1}) == RunState::faulted);
  CHECK(run.fault()->kind == FaultKind::barrier);
}

TEST_CASE("ptx limits: a call through an address must hand over what the function declares") {
  PtxRun run(
      kHeader +
      ".func f(.param .b64 a)\n{\nret;\n}\n.visible .entry k()\n{\n.reg .b64 %rd<3>;\nmov.u64 %rd1, f;\n"
      "{\n.param .b32 x;\nst.param.b32 [x], 1;\nP : .callprototype _ (.param .b32 _);\n"
      "call %rd1, (x), P;\n}\nret;\n}\n");
  REQUIRE(run.run({1, 1, 1}, {1, 1, 1}) == RunState::faulted);
  CHECK(run.fault()->kind == FaultKind::bad_branch);
}

}  // namespace fuseboard::ptx
