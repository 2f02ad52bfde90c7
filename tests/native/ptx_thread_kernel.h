// A kernel whose threads each write one u32, for tests of how threads run: its text, its results, its fault.
// It must not know what the kernels do.
#pragma once

#include "ptx_run.h"

namespace fuseboard::ptx {

/// An entry with a pointer to u32 results, and i = the thread's number in the grid in %r1.
inline std::string thread_kernel(const std::string& body, const std::string& before = "") {
  return kHeader + before +
         ".visible .entry k(.param .u64 out)\n{\n"
         ".reg .pred %p<8>;\n.reg .b32 %r<40>;\n.reg .f32 %f<20>;\n.reg .b64 %rd<20>;\n"
         "ld.param.u64 %rd1, [out];\n"
         "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmad.lo.s32 %r1, %r2, %r3, "
         "%r1;\n"
         "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n" +
         body + "}\n";
}

inline std::vector<uint32_t> run_threads(const std::string& body, uint32_t blocks, uint32_t threads,
                                         const std::string& before = "") {
  PtxRun run(thread_kernel(body, before));
  const uint32_t out = run.empty_buffer(uint64_t{4} * blocks * threads);
  INFO(body);
  REQUIRE(run.run({blocks, 1, 1}, {threads, 1, 1}) == RunState::finished);
  return run.values<uint32_t>(out);
}

inline Fault thread_fault(const std::string& body, uint32_t threads, const std::string& before = "",
                          uint32_t shared = 0) {
  PtxRun run(thread_kernel(body, before));
  run.empty_buffer(uint64_t{4} * threads);
  INFO(body);
  REQUIRE(run.run({1, 1, 1}, {threads, 1, 1}, shared) == RunState::faulted);
  REQUIRE(run.fault());
  return *run.fault();
}

}  // namespace fuseboard::ptx
