// Runs one instruction for many operands at once, one thread each, and tells where the results are not those
// expected. It must not know what the instruction does.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "ptx_run.h"

namespace fuseboard::ptx {

using Operands = std::array<uint64_t, 4>;

/// `kinds`: of $d (and $e), then of $a, $b, $c, $f: p a predicate, h 16, r 32, d 64 bits; "r:rr" is one of
/// two.
inline std::string lanes_kernel(const std::string& instruction, const std::string& kinds) {
  const size_t colon = kinds.find(':');
  const auto name = [](char kind, char which) { return std::string("%") + kind + which; };
  const std::string destinations = "de", sources = "abcf";
  std::string text =
      kHeader +
      ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 count)\n{\n.reg .pred %q;\n"
      ".reg .b32 %i<4>;\n.reg .b64 %x<8>;\n";
  for (size_t n = 0; n < kinds.size(); ++n) {
    if (n == colon) continue;
    const char which = n < colon ? destinations[n] : sources[n - colon - 1];
    const char kind = kinds[n];
    text += std::string(".reg ") +
            (kind == 'p'   ? ".pred"
             : kind == 'h' ? ".b16"
             : kind == 'r' ? ".b32"
                           : ".b64") +
            " " + name(kind, which) + ";\n";
  }
  text +=
      "ld.param.u64 %x0, [in];\nld.param.u64 %x1, [out];\nld.param.u32 %i0, [count];\nmov.u32 %i1, "
      "%ctaid.x;\n"
      "mov.u32 %i2, %ntid.x;\nmov.u32 %i3, %tid.x;\nmad.lo.u32 %i1, %i1, %i2, %i3;\nsetp.ge.u32 %q, %i1, "
      "%i0;\n"
      "@%q ret;\nmul.wide.u32 %x2, %i1, 32;\nadd.u64 %x0, %x0, %x2;\nmul.wide.u32 %x2, %i1, 16;\nadd.u64 "
      "%x1, %x1, "
      "%x2;\n";
  for (size_t n = colon + 1; n < kinds.size(); ++n) {
    const char kind = kinds[n];
    const std::string reg = name(kind, sources[n - colon - 1]);
    const std::string at = "[%x0+" + std::to_string(8 * (n - colon - 1)) + "]";
    if (kind == 'p')
      text += "ld.global.u64 %x3, " + at + ";\nsetp.ne.u64 " + reg + ", %x3, 0;\n";
    else
      text += std::string("ld.global.") +
              (kind == 'h'   ? "b16 "
               : kind == 'r' ? "b32 "
                             : "b64 ") +
              reg + ", " + at + ";\n";
  }
  std::string filled = instruction;
  for (size_t n = 0; n < kinds.size(); ++n) {
    if (n == colon) continue;
    const char which = n < colon ? destinations[n] : sources[n - colon - 1];
    for (size_t at; (at = filled.find(std::string("$") + which)) != std::string::npos;)
      filled.replace(at, 2, name(kinds[n], which));
  }
  text += filled + "\n";
  for (size_t n = 0; n < colon; ++n) {
    const char kind = kinds[n];
    const std::string reg = name(kind, destinations[n]);
    const std::string at = "[%x1+" + std::to_string(8 * n) + "]";
    if (kind == 'p')
      text += "selp.b64 %x3, 1, 0, " + reg + ";\n";
    else if (kind == 'd')
      text += "mov.b64 %x3, " + reg + ";\n";
    else
      text += std::string("cvt.u64.") + (kind == 'h' ? "u16" : "u32") + " %x3, " + reg + ";\n";
    text += "st.global.u64 " + at + ", %x3;\n";
  }
  return text + "ret;\n}\n";
}

/// $d and $e of every thread.
inline std::vector<std::array<uint64_t, 2>> run_lanes(const std::string& instruction,
                                                      const std::string& kinds,
                                                      const std::vector<Operands>& inputs) {
  PtxRun run(lanes_kernel(instruction, kinds));
  run.buffer(inputs);
  const uint32_t out = run.buffer(std::vector<std::array<uint64_t, 2>>(inputs.size()));
  run.pass(static_cast<uint32_t>(inputs.size()));
  INFO(instruction);
  REQUIRE(run.run({static_cast<uint32_t>((inputs.size() + 63) / 64), 1, 1}, {64, 1, 1}, 0, 1'000'000'000) ==
          RunState::finished);
  return run.values<std::array<uint64_t, 2>>(out);
}

/// Checks $d of every thread against a reference; shows the first three that differ.
inline void check_lanes(const std::string& instruction, const std::string& kinds,
                        const std::vector<Operands>& inputs,
                        const std::function<uint64_t(const Operands&)>& expected) {
  const auto got = run_lanes(instruction, kinds, inputs);
  size_t wrong = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const uint64_t wanted = expected(inputs[i]);
    if (got[i][0] == wanted) continue;
    if (++wrong > 3) continue;
    INFO(instruction << std::hex << " of " << inputs[i][0] << " " << inputs[i][1] << " " << inputs[i][2]
                     << " " << inputs[i][3] << ": got " << got[i][0] << ", expected " << wanted);
    CHECK(got[i][0] == wanted);
  }
  CHECK(wrong == 0);
}

/// All tuples of `arity` of the values; beyond `most` of them a fixed choice.
inline std::vector<Operands> tuples(const std::vector<uint64_t>& values, uint32_t arity,
                                    size_t most = 20'000) {
  std::vector<Operands> all;
  size_t total = 1;
  for (uint32_t n = 0; n < arity; ++n) total *= values.size();
  uint64_t state = 88172645463325252;
  for (size_t i = 0; i < std::min(total, most); ++i) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    size_t pick = total <= most ? i : state % total;
    Operands one{};
    for (uint32_t n = 0; n < arity; ++n) {
      one[n] = values[pick % values.size()];
      pick /= values.size();
    }
    all.push_back(one);
  }
  return all;
}

/// Integers where things change: small ones, powers of two and their neighbours, extremes, some in between.
inline std::vector<uint64_t> integer_edges(uint32_t bits) {
  std::vector<uint64_t> all;
  const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  for (const uint64_t value : {0ULL, 1ULL, 2ULL, 3ULL, 5ULL, 7ULL, 31ULL, 32ULL, 33ULL, 0x5a5a5a5a5a5a5a5aULL,
                               0x123456789abcdef0ULL, 0xfedcba9876543210ULL, 0xffff0000ffff0000ULL})
    for (const uint64_t each : {value, ~value + 1}) all.push_back(each & mask);
  for (uint32_t bit = 7; bit < bits; bit += 8)
    for (const uint64_t each : {(uint64_t{1} << bit) - 1, uint64_t{1} << bit, (uint64_t{1} << bit) + 1})
      all.push_back(each & mask);
  all.push_back(mask);
  return all;
}

}  // namespace fuseboard::ptx
