// Loads, stores and atomics of every width and space, asynchronous copies, matrices, named barriers.
// It must not know how memory is kept.
#include <cstring>

#include "ptx_lanes.h"

namespace fuseboard::ptx {
namespace {

std::string kernel(const std::string& body, const std::string& before = "") {
  return kHeader + before +
         ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .pred %p<4>;\n.reg .b16 %h<4>;\n.reg "
         ".b32 "
         "%r<40>;\n.reg .b64 %d<20>;\nld.param.u64 %d0, [in];\nld.param.u64 %d1, [out];\nmov.u32 %r0, "
         "%tid.x;\n"
         "mul.wide.u32 %d2, %r0, 16;\nadd.u64 %d3, %d0, %d2;\nadd.u64 %d4, %d1, %d2;\n" +
         body + "ret;\n}\n";
}

/// in: 16 bytes a thread, byte i is i * 7; out: 16 bytes a thread, zero.
std::vector<uint8_t> run_bytes(const std::string& body, const std::string& before = "",
                               uint32_t threads = 64) {
  PtxRun run(kernel(body, before));
  std::vector<uint8_t> in(size_t{16} * threads);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<uint8_t>(i * 7);
  run.buffer(in);
  const uint32_t out = run.buffer(std::vector<uint8_t>(in.size()));
  INFO(body);
  REQUIRE(run.run({1, 1, 1}, {threads, 1, 1}) == RunState::finished);
  return run.values<uint8_t>(out);
}
Fault fault_of(const std::string& body, const std::string& before = "") {
  PtxRun run(kernel(body, before));
  run.buffer(std::vector<uint8_t>(1024));
  run.buffer(std::vector<uint8_t>(1024));
  REQUIRE(run.run({1, 1, 1}, {64, 1, 1}) == RunState::faulted);
  return *run.fault();
}

bool copied(const std::vector<uint8_t>& bytes, uint32_t of_16 = 16) {
  for (size_t i = 0; i < bytes.size(); ++i)
    if (bytes[i] != (i % 16 < of_16 ? static_cast<uint8_t>(i * 7) : 0)) return false;
  return true;
}

}  // namespace

TEST_CASE("ptx memory: every width and vector moves its bytes, through every space") {
  CHECK(copied(run_bytes(
      "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d3];\nst.global.v4.b32 [%d4], {%r1, %r2, %r3, %r4};\n")));
  CHECK(copied(run_bytes("ld.global.nc.v2.u64 {%d5, %d6}, [%d3];\nst.global.v2.b64 [%d4], {%d5, %d6};\n")));
  CHECK(copied(run_bytes(
      "ld.global.b64 %d5, [%d3+8];\nst.global.b64 [%d4+8], %d5;\nld.global.b32 %r1, [%d3+4];\nst.global.b32 "
      "[%d4+4], %r1;\n"
      "ld.global.v4.u8 {%r1, %r2, %r3, %r4}, [%d3];\nst.global.v4.u8 [%d4], {%r1, %r2, %r3, %r4};\n")));
  CHECK(copied(run_bytes("{ .reg .b128 %q; ld.global.b128 %q, [%d3]; st.global.b128 [%d4], %q; }\n")));
  CHECK(copied(run_bytes("ld.u16 %h1, [%d3];\nst.u16 [%d4], %h1;\n"), 2));
  CHECK(copied(run_bytes(R"(mov.u64 %d6, s; add.u64 %d6, %d6, %d2;
ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d3];
st.shared.v4.b32 [%d6], {%r1, %r2, %r3, %r4};
cvta.shared.u64 %d7, %d6;
isspacep.shared %p1, %d7; @!%p1 trap; isspacep.global %p1, %d7; @%p1 trap;
ld.v2.u64 {%d8, %d9}, [%d7];
st.global.v2.u64 [%d4], {%d8, %d9};
)",
                         ".shared .align 16 .b8 s[1024];\n")));
  CHECK(copied(run_bytes(R"(.local .align 16 .b8 l[32];
mov.u64 %d6, l;
ld.global.v2.u64 {%d8, %d9}, [%d3];
st.local.v2.u64 [%d6+16], {%d8, %d9};
cvta.local.u64 %d7, %d6;
ld.v2.u64 {%d10, %d11}, [%d7+16];
st.global.v2.u64 [%d4], {%d10, %d11};
)")));
  // Sign and width follow the type and the register.
  const auto wide = run_bytes(
      "ld.global.s8 %d5, [%d3+5];\nst.global.u64 [%d4], %d5;\nld.global.s8 %h1, [%d3+5];\nst.global.b16 "
      "[%d4+8], %h1;\n");
  for (size_t i = 0; i < 64; ++i) {
    const auto byte = static_cast<int8_t>((16 * i + 5) * 7);
    int64_t got = 0;
    int16_t narrow = 0;
    std::memcpy(&got, &wide[16 * i], 8);
    std::memcpy(&narrow, &wide[16 * i + 8], 2);
    CHECK(got == byte);
    CHECK(narrow == byte);
  }
}

TEST_CASE("ptx memory: variables with initialisers, and addresses of variables in them") {
  const auto values = run_bytes(R"(mov.u64 %d5, table;
ld.global.u64 %d6, [%d5]; ld.const.u32 %r1, [numbers+4];
ld.global.u32 %r2, [%d6];
add.u32 %r1, %r1, %r2;
st.global.u32 [%d4], %r1;
)",
                                ".global .align 4 .u32 first[2] = {5, 6};\n.global .align 8 .u64 table[1] = "
                                "{first+4};\n.const .align 4 .u32 numbers[3] = {1, 20, 300};\n");
  uint32_t got = 0;
  std::memcpy(&got, values.data(), 4);
  CHECK(got == 26);
}

TEST_CASE("ptx memory: atomics in order of lanes, in global, shared and generic memory") {
  const auto total = [](const std::string& operation, const std::string& type, const std::string& operand,
                        uint32_t first, const std::string& space, const std::string& before = "") {
    const bool shared = space == "shared";
    const std::string body = std::string(shared ? "mov.u64 %d5, s;\n" : "mov.u64 %d5, %d1;\n") + before +
                             "setp.eq.u32 %p1, %r0, 0;\n@%p1 st" + (shared ? ".shared" : ".global") +
                             ".u32 [%d5], " + std::to_string(first) + ";\nbar.sync 0;\n" + "atom." +
                             (space.empty() ? "" : space + ".") + operation + "." + type + " %r1, [%d5], " +
                             operand + ";\nbar.sync 0;\nld" + (shared ? ".shared" : ".global") +
                             ".u32 %r2, [%d5];\nst.global.u32 [%d1], %r2;\n";
    const auto out = run_bytes(body, ".shared .align 16 .b8 s[16];\n");
    uint32_t value = 0;
    std::memcpy(&value, out.data(), 4);
    return value;
  };
  for (const std::string space : {"global", "shared", ""}) {
    CHECK(total("add", "u32", "%r0", 0, space) == 2016);
    CHECK(total("max", "u32", "%r0", 7, space) == 63);
    CHECK(total("min", "s32", "%r0", 7, space) == 0);
    CHECK(total("or", "b32", "%r0", 64, space) == 127);
    CHECK(total("and", "b32", "3", 6, space) == 2);
    CHECK(total("xor", "b32", "%r0", 9, space) == 9);
    CHECK(total("exch", "b32", "%r0", 9, space) == 63);
    CHECK(total("inc", "u32", "9", 0, space) == 4);  // 64 steps round 0 to 9
    CHECK(total("dec", "u32", "9", 3, space) == 9);  // 64 steps down from 3
    CHECK(total("cas", "b32", "63, 5", 63, space) == 5);
    CHECK(total("add", "f32", "0f3F000000", 0x3f800000, space) == 0x42040000);  // 1 + 64 / 2
    CHECK(total("add.noftz", "f16x2", "%r9", 0, space, "mov.b32 %r9, 0x3c004000;\n") ==
          0x54005800);  // 64 and 128
    CHECK(total("add.noftz", "bf16x2", "%r9", 0, space, "mov.b32 %r9, 0x3f804000;\n") == 0x42804300);
  }
  // What was there before comes back: each lane sees the sum of those below.
  const auto back = run_bytes(
      "setp.eq.u32 %p1, %r0, 0;\n@%p1 st.global.u32 [%d0], 0;\nbar.sync 0;\natom.global.add.u32 %r1, [%d0], "
      "%r0;\nst.global.u32 [%d4], %r1;\n");
  for (uint32_t i = 0; i < 64; ++i) {
    uint32_t value = 0;
    std::memcpy(&value, &back[16 * i], 4);
    CHECK(value == i * (i - 1) / 2);
  }
  const auto wide = run_bytes(
      "setp.eq.u32 %p1, %r0, 0;\n@%p1 st.global.u64 [%d1], 0;\nbar.sync 0;\nred.global.add.u64 [%d1], "
      "0x100000001;\nred.global.add.f64 [%d1+8], 0d3FF0000000000000;\n");
  uint64_t sum = 0;
  double real = 0;
  std::memcpy(&sum, wide.data(), 8);
  std::memcpy(&real, wide.data() + 8, 8);
  CHECK(sum == 64 * 0x100000001);
  CHECK(real == 64);
}

TEST_CASE("ptx memory: cp.async comes with its group; before that nobody may look") {
  const std::string shared = ".shared .align 16 .b8 s[1024];\n";
  const std::string start = "mov.u64 %d5, s; add.u64 %d5, %d5, %d2;\n";
  const std::string end = "ld.shared.v2.u64 {%d6, %d7}, [%d5];\nst.global.v2.u64 [%d4], {%d6, %d7};\n";
  CHECK(copied(run_bytes(
      start +
          "cp.async.cg.shared.global [%d5], [%d3], 16;\ncp.async.commit_group;\ncp.async.wait_group 0;\n" +
          end,
      shared)));
  CHECK(copied(run_bytes(start +
                             "cp.async.ca.shared.global [%d5], [%d3], 8;\ncp.async.ca.shared.global [%d5+8], "
                             "[%d3+8], 8;\ncp.async.wait_all;\n" +
                             end,
                         shared)));
  // The bytes of the source that are not wanted are zero.
  CHECK(copied(
      run_bytes(start + "cp.async.cg.shared.global [%d5], [%d3], 16, 4;\ncp.async.wait_all;\n" + end, shared),
      4));
  CHECK(copied(run_bytes(start +
                             "setp.eq.u32 %p1, 0, 0;\ncp.async.cg.shared.global [%d5], [%d3], 16, "
                             "%p1;\ncp.async.wait_all;\n" +
                             end,
                         shared),
               0));
  const Fault early =
      fault_of(start + "cp.async.cg.shared.global [%d5], [%d3], 16;\ncp.async.commit_group;\n" + end, shared);
  CHECK(early.kind == FaultKind::race);
  CHECK(early.message.find("cp.async") != std::string::npos);
  // One group may still be on its way: the older one is there.
  CHECK(copied(run_bytes(start +
                             "cp.async.cg.shared.global [%d5], [%d3], 16;\ncp.async.commit_group;\nadd.u64 "
                             "%d8, %d5, 1024;\ncp.async.cg.shared.global [%d8], [%d3], 16;\n"
                             "cp.async.commit_group;\ncp.async.wait_group 1;\n" +
                             end,
                         ".shared .align 16 .b8 s[2048];\n")));
  CHECK(fault_of(start +
                     "cp.async.cg.shared.global [%d5], [%d3], "
                     "16;\ncp.async.commit_group;\ncp.async.wait_group 1;\n" +
                     end,
                 shared)
            .kind == FaultKind::race);
}

TEST_CASE("ptx memory: matrices go to lanes and back, transposed and not") {
  const std::string shared = ".shared .align 16 .b8 s[512];\n";
  // 32 threads, each a row of 16 bytes: four matrices.
  const std::string start =
      "mov.u64 %d5, s; add.u64 %d5, %d5, %d2;\nld.global.v2.u64 {%d6, %d7}, [%d3];\nst.shared.v2.u64 [%d5], "
      "{%d6, %d7};\nbar.warp.sync -1;\n";
  const auto direct = run_bytes(start +
                                    "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, "
                                    "[%d5];\nst.global.v4.u32 [%d4], {%r1, %r2, %r3, %r4};\n",
                                shared, 32);
  const auto transposed = run_bytes(start +
                                        "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r1, %r2, %r3, "
                                        "%r4}, [%d5];\nst.global.v4.u32 [%d4], {%r1, %r2, %r3, %r4};\n",
                                    shared, 32);
  const auto moved =
      run_bytes(start +
                    "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, "
                    "[%d5];\nmovmatrix.sync.aligned.m8n8.trans.b16 %r1, %r1;\nst.global.u32 [%d4], %r1;\n",
                shared, 32);
  const auto element = [](uint32_t matrix, uint32_t row, uint32_t column) {
    const uint32_t at = (8 * matrix + row) * 16 + 2 * column;
    return static_cast<uint16_t>(static_cast<uint8_t>(at * 7) | static_cast<uint8_t>((at + 1) * 7) << 8);
  };
  const auto half = [](const std::vector<uint8_t>& bytes, uint32_t lane, uint32_t matrix, uint32_t n) {
    uint16_t value = 0;
    std::memcpy(&value, &bytes[16 * lane + 4 * matrix + 2 * n], 2);
    return value;
  };
  for (uint32_t lane = 0; lane < 32; ++lane)
    for (uint32_t n = 0; n < 2; ++n) {
      const uint32_t row = lane / 4, column = lane % 4 * 2 + n;
      for (uint32_t m = 0; m < 4; ++m) {
        CHECK(half(direct, lane, m, n) == element(m, row, column));
        CHECK(half(transposed, lane, m, n) == element(m, column, row));
      }
      CHECK(half(moved, lane, 0, n) == element(0, column, row));
    }
  CHECK(copied(run_bytes(
      start + "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%d5];\nbar.warp.sync -1;\n"
              "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%d5], {%r1, %r2, %r3, %r4};\nbar.warp.sync -1;\n"
              "ld.shared.v2.u64 {%d6, %d7}, [%d5];\nst.global.v2.u64 [%d4], {%d6, %d7};\n",
      shared, 32)));
}

TEST_CASE(
    "ptx memory: bar.red counts and votes over the block; named barriers for some warps, arrival without "
    "waiting") {
  const auto red = run_bytes(R"(and.b32 %r1, %r0, 3; setp.eq.u32 %p1, %r1, 0;
bar.red.popc.u32 %r2, 0, %p1;
bar.red.and.pred %p2, 0, %p1;
bar.red.or.pred %p3, 1, 64, %p1;
selp.u32 %r3, 1, 0, %p2; selp.u32 %r4, 1, 0, %p3;
st.global.v2.u32 [%d4], {%r2, %r3}; st.global.u32 [%d4+8], %r4;
)");
  for (uint32_t i = 0; i < 64; ++i) {
    std::array<uint32_t, 3> got{};
    std::memcpy(got.data(), &red[16 * i], 12);
    CHECK(got == std::array<uint32_t, 3>{16, 0, 1});
  }
  // Warp 1 produces and only arrives; warp 0 waits for it.
  const auto produced = run_bytes(R"(setp.ge.u32 %p1, %r0, 32;
mov.u64 %d5, s; and.b32 %r1, %r0, 31; mul.wide.u32 %d6, %r1, 4; add.u64 %d5, %d5, %d6;
@%p1 bra PRODUCE;
barrier.sync 3, 64;
ld.shared.u32 %r2, [%d5];
st.global.u32 [%d4], %r2;
bra END;
PRODUCE:
st.shared.u32 [%d5], %r0;
barrier.arrive 3, 64;
END:
)",
                                  ".shared .align 4 .b8 s[128];\n");
  for (uint32_t i = 0; i < 32; ++i) {
    uint32_t value = 0;
    std::memcpy(&value, &produced[16 * i], 4);
    CHECK(value == i + 32);
  }
  CHECK(fault_of("bar.sync 16;\n").kind == FaultKind::barrier);
  CHECK(fault_of("bar.sync 0, 40;\n").kind == FaultKind::barrier);
}

}  // namespace fuseboard::ptx
