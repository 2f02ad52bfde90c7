// Every row of the instruction table runs, or is one of those that are declared not to; none is forgotten.
// It must not know what the instructions compute: ptx_integer, ptx_float and the like hold that.
#include <algorithm>
#include <map>

#include "ptx_run.h"

namespace fuseboard::ptx {
namespace {

const char* const kMnemonics[] = {
#define INSTRUCTION(identifier, mnemonic, ...) mnemonic,
#include "ptx/instructions.def"
};

/// A row's instruction as a kernel of one warp would have it. %d1 points to 4 KiB of global memory, %d2 to 1
/// KiB of shared memory, both written; %d3 to local memory.
struct Sample {
  const char* mnemonic;
  const char* text;
};
const Sample kRun[] = {
    {"add", "add.s32 %r3, %r1, %r2;"},
    {"sub", "sub.f32 %f3, %f1, %f2;"},
    {"mul", "mul.wide.s16 %r3, %h1, %h2;"},
    {"mad", "mad.lo.u64 %d4, %d4, %d5, %d6;"},
    {"mul24", "mul24.lo.u32 %r3, %r1, %r2;"},
    {"mad24", "mad24.hi.s32 %r3, %r1, %r2, %r1;"},
    {"sad", "sad.u16 %h3, %h1, %h2, %h1;"},
    {"div", "div.s64 %d4, %d5, %d6;"},
    {"rem", "rem.u32 %r3, %r1, 7;"},
    {"abs", "abs.s16 %h3, %h1;"},
    {"neg", "neg.f64 %g1, %g2;"},
    {"min", "min.NaN.f32 %f3, %f1, %f2;"},
    {"max", "max.u64 %d4, %d5, %d6;"},
    {"dp4a", "dp4a.u32.s32 %r3, %r1, %r2, %r1;"},
    {"dp2a", "dp2a.hi.s32.u32 %r3, %r1, %r2, %r1;"},
    {"popc", "popc.b64 %r3, %d4;"},
    {"clz", "clz.b32 %r3, %r1;"},
    {"bfind", "bfind.shiftamt.s64 %r3, %d4;"},
    {"fns", "fns.b32 %r3, %r1, 0, 1;"},
    {"brev", "brev.b64 %d4, %d5;"},
    {"bfe", "bfe.s64 %d4, %d5, 3, 7;"},
    {"bfi", "bfi.b32 %r3, %r1, %r2, 3, 7;"},
    {"szext", "szext.wrap.s32 %r3, %r1, 5;"},
    {"bmsk", "bmsk.clamp.b32 %r3, %r1, %r2;"},
    {"addc", "addc.cc.u32 %r3, %r1, %r2;"},
    {"subc", "subc.u64 %d4, %d5, %d6;"},
    {"madc", "madc.hi.cc.u32 %r3, %r1, %r2, %r1;"},
    {"fma", "fma.rp.f64 %g1, %g2, %g2, %g1;"},
    {"testp", "testp.normal.f32 %p1, %f1;"},
    {"copysign", "copysign.f64 %g1, %g2, %g1;"},
    {"rcp", "rcp.approx.ftz.f64 %g1, %g2;"},
    {"sqrt", "sqrt.rm.f32 %f3, %f1;"},
    {"rsqrt", "rsqrt.approx.f32 %f3, %f1;"},
    {"sin", "sin.approx.f32 %f3, %f1;"},
    {"cos", "cos.approx.ftz.f32 %f3, %f1;"},
    {"lg2", "lg2.approx.f32 %f3, %f1;"},
    {"ex2", "ex2.approx.ftz.bf16x2 %r3, %r1;"},
    {"tanh", "tanh.approx.f16x2 %r3, %r1;"},
    {"set", "set.gt.and.f32.s32 %f3, %r1, %r2, %p1;"},
    {"setp", "setp.geu.xor.f64 %p1|%p2, %g1, %g2, !%p3;"},
    {"selp", "selp.b64 %d4, %d5, %d6, %p1;"},
    {"slct", "slct.f64.f32 %g1, %g2, %g1, %f1;"},
    {"and", "and.b16 %h3, %h1, %h2;"},
    {"or", "or.pred %p1, %p2, %p3;"},
    {"xor", "xor.b64 %d4, %d5, %d6;"},
    {"not", "not.b16 %h3, %h1;"},
    {"cnot", "cnot.b64 %d4, %d5;"},
    {"lop3", "lop3.or.b32 %r3|%p1, %r1, %r2, %r1, 0x96, %p2;"},
    {"shf", "shf.l.clamp.b32 %r3, %r1, %r2, 7;"},
    {"shl", "shl.b64 %d4, %d5, 70;"},
    {"shr", "shr.s16 %h3, %h1, 3;"},
    {"mov", "mov.b64 {%r3, %r4}, %d4;"},
    {"prmt", "prmt.b32.ecr %r3, %r1, %r2, 1;"},
    {"cvta", "cvta.shared.u64 %d4, %d2;"},
    {"isspacep", "isspacep.local %p1, %d4;"},
    {"cvt", "cvt.rzi.sat.u8.f64 %h3, %g1;"},
    {"cvt.pack", "cvt.pack.sat.u16.s32 %r3, %r1, %r2;"},
    {"shfl", "shfl.sync.idx.b32 %r3|%p1, %r1, 3, 31, -1;"},
    {"ld", "ld.volatile.shared.v2.u16 {%h1, %h2}, [%d2+4];"},
    {"ldu", "ldu.global.u32 %r3, [%d1];"},
    {"st", "st.release.gpu.global.u8 [%d1], %r1;"},
    {"prefetch", "prefetch.global.L2 [%d1];"},
    {"prefetchu", "prefetchu.L1 [%d1];"},
    {"applypriority", "applypriority.global.L2::evict_normal [%d1], 128;"},
    {"createpolicy", "createpolicy.fractional.L2::evict_first.b64 %d4, 0.5;"},
    {"createpolicy.cvt", "createpolicy.cvt.L2.b64 %d4, %d5;"},
    {"cp.async", "cp.async.ca.shared.global [%d7], [%d1], 4;"},
    {"cp.async.commit_group", "cp.async.commit_group;"},
    {"cp.async.wait_group", "cp.async.wait_group 0;"},
    {"cp.async.wait_all", "cp.async.wait_all;"},
    {"atom", "atom.acq_rel.gpu.global.cas.b64 %d4, [%d1], %d5, %d6;"},
    {"red", "red.shared.max.s32 [%d2], %r1;"},
    {"bra", "bra.uni NEXT;\nNEXT:"},
    {"brx.idx", "T: .branchtargets NEXT, NEXT;\nbrx.idx %r5, T;\nNEXT:"},
    {"call", "call.uni nothing;"},
    {"ret", "@%p1 ret;"},
    {"exit", "@%p1 exit;"},
    {"trap", "@%p1 trap;"},
    {"brkpt", "@%p1 brkpt;"},
    {"bar", "bar.red.popc.u32 %r3, 0, %p1;"},
    {"barrier", "barrier.sync.aligned 1, 32;"},
    {"bar.warp", "bar.warp.sync 0xffffffff;"},
    {"membar", "membar.gl;"},
    {"fence", "fence.acq_rel.gpu;"},
    {"fence.proxy", "fence.proxy.alias;"},
    {"vote", "vote.sync.ballot.b32 %r3, %p1, -1;"},
    {"match", "match.all.sync.b64 %r3|%p1, %d4, -1;"},
    {"activemask", "activemask.b32 %r3;"},
    {"redux", "redux.sync.min.s32 %r3, %r1, -1;"},
    {"elect", "elect.sync %r3|%p1, -1;"},
    {"griddepcontrol", "griddepcontrol.wait;"},
    {"ldmatrix", "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r3, %r4}, [%d8];"},
    {"stmatrix", "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%d8], {%r1};"},
    {"movmatrix", "movmatrix.sync.aligned.m8n8.trans.b16 %r3, %r1;"},
    {"nanosleep", "nanosleep.u32 10;"},
    {"pmevent", "pmevent 1;"},
    {"setmaxnreg", "setmaxnreg.inc.sync.aligned.u32 64;"},
};
/// Rows that are read, and not run: a kernel that comes to one ends in a fault that names it.
const Sample kNotRun[] = {
    {"vabsdiff2", "vabsdiff2.u32.u32.u32 %r3, %r1, %r2, %r1;"},
    {"vabsdiff4", "vabsdiff4.u32.u32.u32 %r3, %r1, %r2, %r1;"},
    {"mapa", "mapa.shared::cluster.u32 %r3, %r1, 0;"},
    {"getctarank", "getctarank.shared::cluster.u32 %r3, %r1;"},
    {"discard", "discard.global.L2 [%d1], 128;"},
    {"cp.async.mbarrier.arrive", "cp.async.mbarrier.arrive.shared.b64 [%d2];"},
    {"barrier.cluster", "barrier.cluster.arrive;"},
    {"mbarrier.init", "mbarrier.init.shared.b64 [%d2], 32;"},
    {"mbarrier.inval", "mbarrier.inval.shared.b64 [%d2];"},
    {"mbarrier.arrive", "mbarrier.arrive.shared.b64 %d4, [%d2];"},
    {"mbarrier.arrive_drop", "mbarrier.arrive_drop.shared.b64 %d4, [%d2];"},
    {"mbarrier.expect_tx", "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%d2], %r1;"},
    {"mbarrier.complete_tx", "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%d2], %r1;"},
    {"mbarrier.test_wait", "mbarrier.test_wait.shared.b64 %p1, [%d2], %d4;"},
    {"mbarrier.try_wait", "mbarrier.try_wait.shared.b64 %p1, [%d2], %d4;"},
    {"mbarrier.pending_count", "mbarrier.pending_count.b64 %r3, %d4;"},
    {"mma",
     "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r3}, {%f1, %f2, "
     "%f3, %f4};"},
    {"wmma.load.a",
     "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r1, %r2, %r3, %r4, %r6, %r7, %r8, %r9}, [%d2];"},
    {"wmma.load.b",
     "wmma.load.b.sync.aligned.row.m16n16k16.shared.f16 {%r1, %r2, %r3, %r4, %r6, %r7, %r8, %r9}, [%d2];"},
    {"wmma.load.c", "wmma.load.c.sync.aligned.row.m16n16k16.shared.f16 {%r1, %r2, %r3, %r4}, [%d2];"},
    {"wmma.store.d", "wmma.store.d.sync.aligned.row.m16n16k16.shared.f16 [%d2], {%r1, %r2, %r3, %r4};"},
    {"wmma.mma",
     "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16 {%r1, %r2, %r3, %r4}, {%r1, %r2, %r3, %r4, %r6, %r7, "
     "%r8, "
     "%r9}, {%r1, %r2, %r3, %r4, %r6, %r7, %r8, %r9}, {%r1, %r2, %r3, %r4};"},
    {"stacksave", "stacksave.u64 %d4;"},
    {"stackrestore", "stackrestore.u64 %d4;"},
    {"alloca", "alloca.u64 %d4, 16;"},
};

std::string kernel(const std::string& instruction) {
  return ".version 8.6\n.target sm_90a\n.address_size 64\n.func nothing\n{\nret;\n}\n.shared .align 16 .b8 "
         "s[1024];\n"
         ".visible .entry k(.param .u64 out)\n{\n.reg .pred %p<4>;\n.reg .b16 %h<4>;\n.reg .b32 "
         "%r<10>;\n.reg .f32 "
         "%f<5>;\n.reg .f64 %g<3>;\n.reg .b64 %d<10>;\n.local .align 16 .b8 l[64];\nld.param.u64 %d1, "
         "[out];\nmov.u64 %d2, s;\n"
         "mov.u64 %d3, l;\nmov.u32 %r1, %tid.x;\nadd.u32 %r2, %r1, 5;\nmov.f32 %f1, 0f3F000000;\nmov.f32 "
         "%f2, 0f40400000;\n"
         "mov.f64 %g1, 0d3FE0000000000000;\nmov.f64 %g2, 0d4008000000000000;\nmov.u64 %d6, 7;\n"
         "shl.b32 %r5, %r1, 4;\ncvt.u64.u32 %d8, %r5;\nadd.u64 %d8, %d8, %d2;\nadd.u64 %d7, %d8, "
         "512;\nmov.u32 %r5, 0;\n"
         "st.shared.v4.u32 [%d8], {%r1, %r1, %r1, %r1};\nbar.sync 0;\n" +
         instruction + "\nret;\n}\n";
}

RunState run(const Sample& sample, std::optional<Fault>& fault) {
  PtxRun one(kernel(sample.text));
  one.buffer(std::vector<uint32_t>(1024));
  const RunState state = one.run({1, 1, 1}, {32, 1, 1});
  fault = one.fault();
  return state;
}

}  // namespace

TEST_CASE("ptx table: every row runs or is declared not to") {
  std::map<std::string_view, int> listed;
  for (const Sample& each : kRun) ++listed[each.mnemonic];
  for (const Sample& each : kNotRun) ++listed[each.mnemonic];
  for (const char* each : kMnemonics) {
    INFO(each);
    CHECK(listed[each] == 1);
  }
  CHECK(listed.size() == std::size(kMnemonics));
}

TEST_CASE("ptx table: what runs ends without a fault") {
  for (const Sample& each : kRun) {
    std::optional<Fault> fault;
    INFO(each.text);
    CHECK(std::string(each.text).find(each.mnemonic) != std::string::npos);
    CHECK(run(each, fault) == RunState::finished);
  }
}

TEST_CASE("ptx table: what does not run is a fault with its name and line") {
  for (const Sample& each : kNotRun) {
    std::optional<Fault> fault;
    INFO(each.text);
    CHECK(run(each, fault) == RunState::faulted);
    REQUIRE(fault);
    CHECK(fault->kind == FaultKind::unsupported);
    CHECK(fault->message.find(each.mnemonic) != std::string::npos);
    CHECK(fault->line > 20);
  }
}

TEST_CASE("ptx table: a form that is not run is refused where it stands, not run as its plain kin") {
  PtxRun one(kHeader +
             ".visible .entry k()\n{\n.reg .b16 %h<5>;\nmov.b16 %h1, 0;\nmov.b16 %h2, 0;\n"
             "fma.rn.oob.f16 %h3, %h1, %h2, %h1;\nret;\n}\n");
  REQUIRE(one.run({1, 1, 1}, {1, 1, 1}) == RunState::faulted);
  CHECK(one.fault()->kind == FaultKind::unsupported);
}

TEST_CASE("ptx table: a declared function without a body cannot be called") {
  PtxRun one(kHeader +
             ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n.visible .entry "
             "k()\n{\n.reg .b64 %d;\n"
             "mov.u64 %d, 0;\n{\n.param .b64 x; .param .b64 y; .param .b32 z;\nst.param.b64 [x], "
             "%d;\nst.param.b64 [y], %d;\n"
             "call.uni (z), vprintf, (x, y);\n}\nret;\n}\n");
  REQUIRE(one.run({1, 1, 1}, {1, 1, 1}) == RunState::faulted);
  CHECK(one.fault()->kind == FaultKind::unsupported);
  CHECK(one.fault()->message.find("vprintf") != std::string::npos);
}

}  // namespace fuseboard::ptx
