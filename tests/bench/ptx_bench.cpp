// How fast the PTX interpreter is: a chain of twelve elementwise ops, four elements a thread, every check on,
// beside the same loop in C++. It must not know how it interprets.
#include <cmath>
#include <cstring>
#include <string>

#include "bench.h"
#include "ptx/machine.h"
#include "ptx/read.h"

namespace fuseboard {
namespace {

/// add mul sub relu tanh sigmoid exp neg max add mul sqrt of one slot: %a, %b, %c in, %o out.
const char* const kChain = R"(
add.f32 %t0, %aN, %bN;
mul.f32 %t0, %t0, %cN;
sub.f32 %t0, %t0, %aN;
max.f32 %t0, %t0, 0f00000000;
tanh.approx.f32 %t0, %t0;
mul.f32 %t1, %t0, 0fBFB8AA3B;
ex2.approx.ftz.f32 %t1, %t1;
add.f32 %t1, %t1, 0f3F800000;
rcp.approx.ftz.f32 %t0, %t1;
mul.f32 %t0, %t0, 0f3FB8AA3B;
ex2.approx.ftz.f32 %t0, %t0;
neg.f32 %t0, %t0;
max.f32 %t0, %t0, %bN;
add.f32 %t0, %t0, %cN;
mul.f32 %t0, %t0, %aN;
abs.f32 %t0, %t0;
sqrt.approx.f32 %oN, %t0;
)";

std::string chain_module() {
  std::string text = R"(.version 8.1
.target sm_90
.address_size 64
.visible .entry chain(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 o, .param .u32 n)
{
.reg .pred %p<2>; .reg .b32 %r<8>; .reg .f32 %a<4>, %b<4>, %c<4>, %o<4>, %t<2>; .reg .b64 %rd<10>;
ld.param.u64 %rd0, [a]; ld.param.u64 %rd1, [b]; ld.param.u64 %rd2, [c]; ld.param.u64 %rd3, [o]; ld.param.u32 %r0, [n];
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r1, %r1, %r2, %r3;
mov.u32 %r4, %nctaid.x; mul.lo.u32 %r4, %r4, %r2;
shr.u32 %r0, %r0, 2;
LOOP:
setp.ge.u32 %p0, %r1, %r0;
@%p0 bra END;
mul.wide.u32 %rd4, %r1, 16;
add.u64 %rd5, %rd0, %rd4; add.u64 %rd6, %rd1, %rd4; add.u64 %rd7, %rd2, %rd4; add.u64 %rd8, %rd3, %rd4;
ld.global.nc.v4.f32 {%a0, %a1, %a2, %a3}, [%rd5];
ld.global.nc.v4.f32 {%b0, %b1, %b2, %b3}, [%rd6];
ld.global.nc.v4.f32 {%c0, %c1, %c2, %c3}, [%rd7];
)";
  for (char slot = '0'; slot < '4'; ++slot) {
    std::string one = kChain;
    std::replace(one.begin(), one.end(), 'N', slot);
    text += one;
  }
  return text + R"(
st.global.v4.f32 [%rd8], {%o0, %o1, %o2, %o3};
add.u32 %r1, %r1, %r4;
bra LOOP;
END:
ret;
}
)";
}

float loop(const std::vector<float>& a, const std::vector<float>& b, const std::vector<float>& c,
           std::vector<float>& o) {
  for (size_t i = 0; i < a.size(); ++i) {
    float x = (a[i] + b[i]) * c[i] - a[i];
    x = std::tanh(x > 0.0F ? x : 0.0F);
    x = -std::exp(1.0F / (1.0F + std::exp(-x)));
    x = ((x > b[i] ? x : b[i]) + c[i]) * a[i];
    o[i] = std::sqrt(std::fabs(x));
  }
  return o[a.size() / 2];
}

}  // namespace

void ptx_bench() {
  constexpr uint32_t kElements = 1U << 18;
  const Result<ptx::Module> read = ptx::read_module(chain_module());
  if (!read.value) {
    std::fprintf(stderr, "%s\n", read.diagnostics.front().message.c_str());
    return;
  }
  std::vector<float> values[4];
  ptx::Memory memory;
  std::vector<uint8_t> parameters(36);
  uint32_t state = 1;
  for (uint32_t n = 0; n < 4; ++n) {
    values[n].resize(kElements);
    for (float& each : values[n]) {
      state = state * 1664525 + 1013904223;
      each = static_cast<float>(state >> 8) * 0x1p-22F - 2.0F;
    }
    const uint32_t id = memory.add("b", kElements * sizeof(float));
    memory.write(id, 0, {reinterpret_cast<const uint8_t*>(values[n].data()), kElements * sizeof(float)});
    const uint64_t address = memory.address(id);
    std::memcpy(parameters.data() + size_t{8} * n, &address, sizeof address);
  }
  std::memcpy(parameters.data() + 32, &kElements, sizeof kElements);
  uint64_t lane_instructions = 0;
  const double interpreted = median_seconds(5, [&] {
    Result<ptx::Machine> machine =
        ptx::Machine::make(*read.value, memory, {"chain", {64, 1, 1}, {256, 1, 1}, 0, parameters});
    if (!machine.value || machine.value->run(uint64_t{1} << 40) != ptx::RunState::finished)
      return uint64_t{0};
    return lane_instructions = machine.value->counters().thread_instructions;
  });
  const double compiled = median_seconds(5, [&] { return loop(values[0], values[1], values[2], values[3]); });
  report("ptx", "chain12", kElements, "run", interpreted, "C++ loop", compiled);
  report("ptx", "chain12", kElements, "lane", interpreted, "ns a lane's instruction",
         static_cast<double>(lane_instructions) * 1e-9);
}

}  // namespace fuseboard
