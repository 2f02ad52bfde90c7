// Lines of PTX, right and wrong, read exactly where ptxas takes them.
// It must not know why either refuses a line.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "ptx_checks.h"
#include "ptxas.h"

using namespace ptx_checks;

namespace {

/// One instruction each, a mistake in about half of them. None that ends ptxas's reading.
const std::vector<std::string> kLines = {
    "add.ftz.rn.f32 %f1, %f2, %f3;",
    "add.f32.rn %f1, %f2, %f3;",
    "add.sat.rn.f32 %f1, %f2, %f3;",
    "add.sat.u32 %r1, %r2, %r3;",
    "add.cc.b32 %r1, %r2, %r3;",
    "add.f32 %f1, %f2, 1;",
    "add.f32 %f1, %f2, 1.5;",
    "add.s32 %r1, %r2, 1.5;",
    "add.s32 %r1, %r2, 0f3F800000;",
    "add.s32 %u1, %s1, %r1;",
    "add.u32 %f1, %s1, %r1;",
    "add.s32 %r1, %rd1, %r2;",
    "add.s32 %r1, %r2, 0x1FFFFFFFF;",
    "add.s16 %rs1, %rs2, 70000;",
    "add.s32 %r1, %tid.x, 5;",
    "add.f16 %h1, %us1, %h2;",
    "add.f16 %h1, %h1, %rs2;",
    "add.f16x2 %r1, %hh1, %r2;",
    "add.f16x2 %r1, %u1, %r2;",
    "add.rn.bf16 %h1, %h2, %h3;",
    "add.f16 %h1, %h2, 0x3C00;",
    "sub.s32 %r1, %r2;",
    "mul.s32 %r1, %r2, %r3;",
    "mul.lo.b32 %r1, %r2, %r3;",
    "mul.wide.s64 %rd1, %rd2, %rd3;",
    "mul.wide.s32 %r1, %r2, %r3;",
    "mul.wide.s32 %rd1, %r2, -5;",
    "mad.f32 %f1, %f2, %f3, %f4;",
    "mad.rn.f32 %f1, %f2, %f3, %f4;",
    "mad.wide.s32 %rd1, %r2, 5, 0x7fffffffffffffff;",
    "mad.lo.cc.s32 %r1, %r2, %r3, %r4;",
    "madc.hi.s32 %r1, %r2, %r3, %r4;",
    "fma.f32 %f1, %f2, %f3, %f4;",
    "fma.rn.f32 %f1, %f2, %f3;",
    "fma.rn.f16 %rs1, %rs2, %h3, %rs1;",
    "neg.s32 %r1, 5;",
    "neg.u32 %r1, %r2;",
    "min.NaN.xorsign.abs.f32 %f1, %f2, %f3;",
    "min.xorsign.f32 %f1, %f2, %f3;",
    "ex2.approx.f16x2 %r1, %r2;",
    "ex2.approx.ftz.f16x2 %r1, %r2;",
    "ex2.f32 %f1, %f2;",
    "sqrt.f32 %f1, %f2;",
    "rcp.approx.f64 %fd1, %fd2;",
    "rcp.approx.ftz.f64 %fd1, %fd2;",
    "div.f32 %f1, %f2, %f3;",
    "div.full.ftz.f32 %f1, %f2, %f3;",
    "setp.s32.lt %p1, %r1, %r2;",
    "setp.lo.s32 %p1, %r1, %r2;",
    "setp.lt.b32 %p1, %r1, %r2;",
    "setp.num.s32 %p1, %r1, %r2;",
    "setp.ltu.u32 %p1, %r1, %r2;",
    "setp.lt.ftz.f64 %p1, %fd1, %fd2;",
    "setp.eq.s32 %r1, %r1, %r2;",
    "setp.eq.and.s32 %p1, %r1, %r2;",
    "setp.eq.and.s32 %p1, %r1, %r2, !%p3;",
    "setp.eq.s32 %p1|_, %r1, %r2;",
    "setp.lt.f16x2 %p1|%p2, %r1, %r2;",
    "setp.lt.f16 %p1|%p2, %rs1, %rs2;",
    "set.eq.f32.u32 %f1, %r1, %r2;",
    "set.lt.f32.f16 %f1, %rs1, %rs2;",
    "set.lt.b32.s32 %r1, %r1, %r1;",
    "selp.f16 %rs1, %rs1, %rs1, %p1;",
    "selp.b16 %h1, %h1, %h1, %p1;",
    "selp.f32 %f1, %f2, %f3, !%p1;",
    "slct.f32.s32 %f1, %f1, %f2, %r1;",
    "lop3.b32 %r1, %r2, %r3, %r4, 0x80;",
    "lop3.b32 %r1, %r2, %r3, %r4, %r5;",
    "lop3.or.b32 %r1, %r2, %r3, %r4, 0x80, %p2;",
    "shf.l.wrap.b64 %rd1, %rd2, %rd3, 5;",
    "shl.s32 %r1, %r2, 5;",
    "shl.b64 %rd1, %rd2, %r1;",
    "shl.b64 %rd1, %rd2, %rd1;",
    "shl.b32 %f1, %f2, 1;",
    "and.s32 %r1, %r2, %r3;",
    "and.pred %p1, %p2, !%p3;",
    "and.pred %p1, %p2, 1;",
    "mov.b32 %r1, 0f3F800000;",
    "mov.u32 %r1, 0f3F800000;",
    "mov.b32 %r1, 0d3FF0000000000000;",
    "mov.f32 %f1, 0d3FF0000000000000;",
    "mov.b64 %rd1, 0f3F800000;",
    "mov.f32 %f1, 5;",
    "mov.u32 %f1, %r1;",
    "mov.f32 %f1, %r1;",
    "mov.u32 %r1, %tid.x;",
    "mov.u64 %rd1, %tid.x;",
    "mov.f32 %f1, %tid.x;",
    "mov.u32 %r1, %clock64;",
    "mov.u16 %rs1, %tid.x;",
    "mov.u32 %r1, L;",
    "mov.f64 %fd1, g;",
    "mov.b64 {%r1, %r2}, %rd1;",
    "mov.b64 {%rs1, %rs2}, %rd1;",
    "mov.u64 %rd1, {%r1, %r2};",
    "mov.b64 %rd1, {%r1, 5};",
    "cvta.to.global.u64 %rd1, %rd2;",
    "cvta.global.u64 %rd1, sh;",
    "cvt.u8.u32 %r1, %r1;",
    "cvt.f32.s32 %f1, %r1;",
    "cvt.rn.f32.s32 %f1, %f1;",
    "cvt.rn.f32.f32 %f1, %f2;",
    "cvt.rni.f32.f32 %f1, %f2;",
    "cvt.rn.f64.f32 %fd1, %f2;",
    "cvt.rzi.s32.f32 %f1, %f1;",
    "cvt.rzi.s32.f32 %rd1, %f1;",
    "cvt.bf16.f32 %rs1, %f1;",
    "cvt.rn.f16.f32 %r1, %f1;",
    "cvt.s32.s16 %r1, %h2;",
    "cvt.sat.f32.bf16 %f1, %rs1;",
    "cvt.rn.bf16x2.f32 %r1, %f1, %f2;",
    "cvt.rna.tf32.f32 %f1, %f1;",
    "cvt.u32.u32 %r1, %tid.x;",
    "ld.v2.global.f32 {%f1, %f2}, [%rd1];",
    "ld.global.v2.b32 {%f1, %r2}, [%rd1];",
    "ld.global.v2.u8 {%rs1, %r1}, [%rd1];",
    "ld.global.u8 %r1, [%rd1];",
    "ld.global.u8 %f1, [%rd1];",
    "ld.global.b8 %f1, [%rd1];",
    "ld.global.f32 %rd2, [%rd1];",
    "ld.global.f32 %s2, [%rd1];",
    "ld.global.u32 %rs1, [%rd1];",
    "ld.global.u32 %r1, [%f1];",
    "ld.global.f16 %h1, [%rd1];",
    "ld.global.b32 {%r1}, [%rd1];",
    "ld.global.f32 %f1, [sh];",
    "ld.global.f32 %f1, [1024];",
    "ld.shared.f32 %f1, [%r1];",
    "ld.f32 %f1, [g];",
    "ld.param.u32 %rd1, [a];",
    "ld.global.L1::evict_last.L2::cache_hint.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1], %rd2;",
    "ld.global.L2::cache_hint.b32 %r1, [%rd1];",
    "ld.global.b32 %r1, [%rd1], %rd2;",
    "st.global.f32 [%rd1], 5;",
    "st.global.b32 [%rd1], 0f3F800000;",
    "st.global.u8 [%rd1], %rd2;",
    "st.global.u32 [%rd1], %tid.x;",
    "atom.add.global.f32 %f1, [%rd1], %f2;",
    "atom.global.add.s64 %rd1, [%rd1], %rd2;",
    "atom.global.cas.b32 %r1, [%rd1], %r2;",
    "atom.global.add.u32 _, [%rd1], %r1;",
    "red.acquire.global.add.u32 [%rd1], %r1;",
    "shfl.sync.up.b32 %f1, %f2, %r1, 0, %u1;",
    "shfl.sync.up.b32 %r1, %r2, 1, 0;",
    "shfl.sync.up.s32 %r1, %r2, 1, 0, -1;",
    "vote.sync.ballot.b32 %r1, %p1, -1;",
    "vote.sync.ballot.pred %p1, %p1, -1;",
    "bar.red.popc.u32 %r1, 0, %r2, !%p1;",
    "bar.red.popc.u32 %r1, 0;",
    "bar.sync %r1, 64;",
    "@%r1 bra L;",
    "bra M;",
    "foo.s32 %r1;",
    "add.s31 %r1, %r1, %r2;",
    "add.s32 %r99, %r1, %r2;",
};

/// Of the lines of this file that ptxas refuses, the numbers.
std::set<uint32_t> refused_by_ptxas(const std::string& text) {
  const std::string base =
      (std::filesystem::temp_directory_path() / "fuseboard_lines_").string() + std::to_string(getpid());
  std::ofstream(base + ".ptx") << text;
  const std::string command =
      fuseboard_test::ptxas() + " -arch=sm_90 " + base + ".ptx -o " + base + ".cubin > " + base + ".log 2>&1";
  CHECK(std::system(command.c_str()) != 0);
  std::ifstream log(base + ".log");
  std::set<uint32_t> refused;
  for (std::string line; std::getline(log, line);) {
    const size_t at = line.find(", line ");
    if (at == std::string::npos || line.find("; error") == std::string::npos) continue;
    refused.insert(static_cast<uint32_t>(std::stoul(line.substr(at + 7))));
  }
  for (const char* end : {".ptx", ".cubin", ".log"}) std::remove((base + end).c_str());
  return refused;
}

}  // namespace

TEST_CASE("PTX: a line reads exactly where ptxas takes it") {
  if (fuseboard_test::ptxas().empty()) {
    std::printf("skipped: ptxas not found: %zu lines were not held against it\n", kLines.size());
    return;
  }
  std::string body;
  for (const std::string& line : kLines) body += line + "\n";
  const std::set<uint32_t> refused = refused_by_ptxas(in_kernel(body));
  CHECK(refused.size() > kLines.size() / 3);
  for (size_t i = 0; i < kLines.size(); ++i) {
    INFO(kLines[i]);
    CHECK(wrong(in_kernel(kLines[i])).empty() == (refused.count(kFirstLine + static_cast<uint32_t>(i)) == 0));
  }
}
