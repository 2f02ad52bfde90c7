// Changes tokens of valid modules and runs what still reads: an error, a fault, or a run within its budget,
// the same twice over. It must not know what a right answer is.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "ptx/machine.h"
#include "ptx/read.h"

namespace {

using namespace fuseboard;
using namespace fuseboard::ptx;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

const char* const kModules[] = {
    R"(.version 8.3
.target sm_90
.address_size 64
.shared .align 16 .b8 s [ 512 ] ;
.func ( .param .u32 back ) f ( .param .u32 value )
{
.reg .b32 %r < 3 > ; ld.param.u32 %r1 , [ value ] ; add.u32 %r1 , %r1 , 3 ; st.param.u32 [ back ] , %r1 ; ret ;
}
.visible .entry k ( .param .u64 p , .param .u64 q )
{
.reg .pred %p < 4 > ; .reg .b16 %h < 4 > ; .reg .b32 %r < 12 > ; .reg .f32 %f < 6 > ; .reg .b64 %d < 8 > ; .local .align 8 .b8 l [ 32 ] ;
ld.param.u64 %d1 , [ p ] ; ld.param.u64 %d2 , [ q ] ; mov.u32 %r1 , %tid.x ; mov.u64 %d3 , s ; mul.wide.u32 %d4 , %r1 , 4 ;
add.u64 %d5 , %d3 , %d4 ; add.u64 %d6 , %d1 , %d4 ; st.shared.u32 [ %d5 ] , %r1 ; bar.sync 0 ;
ld.shared.u32 %r2 , [ %d5 ] ; and.b32 %r3 , %r1 , 3 ; setp.eq.u32 %p1 , %r3 , 1 ; @%p1 bra A ;
shl.b32 %r2 , %r2 , 2 ; atom.global.add.u32 %r4 , [ %d2 ] , 1 ; bra B ;
A : setp.gt.s32 %p2 , %r2 , 20 ; @%p2 exit ; mov.u32 %r5 , 0 ;
L : add.u32 %r5 , %r5 , 1 ; setp.lt.u32 %p3 , %r5 , %r1 ; @%p3 bra L ;
B : bar.warp.sync 0xffffffff ; shfl.sync.bfly.b32 %r6 | %p2 , %r2 , 1 , 31 , 0xffffffff ;
{ .param .u32 x ; .param .u32 y ; st.param.u32 [ x ] , %r6 ; call.uni ( y ) , f , ( x ) ; ld.param.u32 %r7 , [ y ] ; }
T : .branchtargets C , D , C , D ; brx.idx %r3 , T ;
C : cvt.rn.f32.s32 %f1 , %r7 ; ex2.approx.ftz.f32 %f2 , %f1 ; fma.rn.f32 %f3 , %f2 , %f1 , %f1 ; st.global.f32 [ %d6 ] , %f3 ; ret ;
D : mov.u64 %d7 , l ; st.local.u32 [ %d7 + 4 ] , %r7 ; ld.local.u16 %h1 , [ %d7 + 4 ] ; st.global.u16 [ %d6 ] , %h1 ; ret ;
}
)",
    R"(.version 8.3
.target sm_90
.address_size 64
.extern .shared .align 16 .b8 e [ ] ;
.const .align 4 .u32 c [ 4 ] = { 1 , 2 , 3 , 4 } ;
.visible .entry k ( .param .u64 p , .param .u64 q )
{
.reg .pred %p < 4 > ; .reg .b16 %h < 6 > ; .reg .b32 %r < 12 > ; .reg .f64 %g < 4 > ; .reg .b64 %d < 9 > ;
ld.param.u64 %d1 , [ p ] ; ld.param.u64 %d2 , [ q ] ; mov.u32 %r1 , %tid.x ; mul.wide.u32 %d3 , %r1 , 16 ; add.u64 %d4 , %d1 , %d3 ;
ld.global.nc.v4.u32 { %r2 , %r3 , %r4 , %r5 } , [ %d4 ] ; mov.u64 %d5 , e ; add.u64 %d6 , %d5 , %d3 ;
cp.async.cg.shared.global [ %d6 ] , [ %d4 ] , 16 ; cp.async.commit_group ; cp.async.wait_group 0 ; bar.sync 0 ;
ldmatrix.sync.aligned.m8n8.x2.shared.b16 { %r6 , %r7 } , [ %d6 ] ; mov.b32 { %h1 , %h2 } , %r6 ; fma.rn.f16x2 %r8 , %r6 , %r7 , %r2 ;
add.f16 %h3 , %h1 , %h2 ; mov.b32 %r9 , { %h3 , %h1 } ; prmt.b32 %r9 , %r9 , %r8 , 0x5410 ; lop3.b32 %r9 , %r9 , %r3 , %r4 , 0x96 ;
div.rn.f64 %g1 , %g2 , 0d3FF0000000000000 ; cvt.rzi.s64.f64 %d7 , %g1 ; bfe.u64 %d7 , %d7 , 3 , 9 ; ld.const.u32 %r10 , [ c + 4 ] ;
vote.sync.ballot.b32 %r11 , %p1 , 0xffffffff ; redux.sync.add.u32 %r10 , %r10 , 0xffffffff ; bar.red.popc.u32 %r11 , 1 , %p1 ;
match.any.sync.b32 %r11 , %r1 , 0xffffffff ; red.shared.max.u32 [ %d6 ] , %r1 ; membar.gl ; st.global.v2.u64 [ %d4 ] , { %d7 , %d3 } ;
ret ;
}
)"};

const char* const kWords[] = {".u8",
                              ".s16",
                              ".b32",
                              ".u64",
                              ".f16",
                              ".bf16x2",
                              ".f64",
                              ".pred",
                              ".global",
                              ".local",
                              "0",
                              "-1",
                              "31",
                              "4096",
                              "1000000",
                              "0f7f800000",
                              "0d7FF8000000000000",
                              "%clock",
                              "%lanemask_lt",
                              "@%p1",
                              "@!%p2",
                              "_",
                              "bar.sync",
                              "exit",
                              "ret",
                              "trap",
                              "bra",
                              "add.cc.u32",
                              "shfl.sync.up.b32"};

std::vector<std::string> tokens_of(const char* text) {
  std::vector<std::string> all;
  std::string one;
  for (const char* at = text; *at; ++at) {
    if (*at != ' ' && *at != '\n') {
      one += *at;
      continue;
    }
    if (!one.empty()) all.push_back(one);
    one.clear();
    if (*at == '\n') all.emplace_back("\n");
  }
  return all;
}

struct Outcome {
  RunState state{};
  uint64_t steps = 0;
  std::string message;
  std::vector<uint8_t> bytes;
  bool operator==(const Outcome&) const = default;
};

Outcome run(const Module& module) {
  Outcome outcome;
  const Function* entry = nullptr;
  for (const Function& each : module.functions)
    if (each.is_entry) entry = &each;
  if (!entry || entry->parameter_bytes > 4096) return outcome;
  Memory memory;
  const uint32_t buffer = memory.add("b", 1024);
  std::vector<uint8_t> bytes(768, 7);
  memory.write(buffer, 0, bytes);
  Launch launch;
  launch.entry = entry->name;
  launch.grid = {2, 1, 1};
  launch.block = {40, 1, 1};
  launch.shared_bytes = 640;
  launch.parameters.resize(entry->parameter_bytes);
  for (size_t i = 0; i < launch.parameters.size(); ++i)
    launch.parameters[i] = static_cast<uint8_t>(memory.address(buffer) >> (8 * (i % 8)));
  Result<Machine> machine = Machine::make(module, memory, launch);
  require(machine.value.has_value() != has_errors(machine.diagnostics),
          "a machine exactly when there is no error");
  if (!machine.value) return outcome;
  outcome.state = machine.value->run(20'000);
  outcome.steps = machine.value->steps();
  require(outcome.steps < 40'000, "a run keeps about to its budget");
  require((outcome.state == RunState::faulted) == machine.value->fault().has_value(),
          "a fault exactly when faulted");
  if (machine.value->fault()) {
    outcome.message = machine.value->fault()->message;
    require(!outcome.message.empty(), "a fault says something");
  }
  const Counters& counters = machine.value->counters();
  require(counters.thread_instructions <= counters.warp_instructions * kWarp, "a warp has 32 lanes");
  outcome.bytes.resize(1024);
  memory.read(buffer, 0, outcome.bytes);
  return outcome;
}

}  // namespace

/// The first byte chooses a module; then each three bytes put another token at a place.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  static const std::vector<std::string> modules[] = {tokens_of(kModules[0]), tokens_of(kModules[1])};
  std::vector<std::string> tokens = modules[data[0] % 2];
  const size_t own = tokens.size(), words = std::size(kWords);
  for (size_t i = 1; i + 3 < size && i < 60; i += 4) {
    const size_t place = (data[i] | data[i + 1] << 8) % own,
                 other = (data[i + 2] | data[i + 3] << 8) % (own + words);
    tokens[place] = other < own ? modules[data[0] % 2][other] : kWords[other - own];
  }
  std::string text;
  for (const std::string& each : tokens) (text += each) += ' ';
  const Result<Module> read = read_module(text);
  require(read.value.has_value() != has_errors(read.diagnostics), "a module exactly when there is no error");
  if (!read.value) return 0;
  require(run(*read.value) == run(*read.value), "the same run gives the same");
  return 0;
}
