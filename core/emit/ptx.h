// The PTX text of a kernel that launch described, with its line map and the registers that hold each op's
// value. It must not know plans, prices or pages.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emit/target.h"
#include "graph/fusion_graph.h"
#include "launch/kernel.h"

namespace fuseboard {

/// Where an op stands in the pasted text, from 1; line 0: nowhere.
struct SourceLine {
  uint32_t line = 0;
  uint32_t column = 0;
};

struct EmitOptions {
  Target target;
  Math math = Math::fast;                         ///< as the kernel was lowered
  std::span<const SourceLine> source_lines = {};  ///< one an op, for .loc; may be empty
  std::string_view file_name = "pasted";
};

struct EmittedKernel {
  std::string text;            ///< a whole module; "" where the kernel is not emittable
  std::vector<int64_t> lines;  ///< for each line of the text its op, or -1
  std::vector<std::pair<uint32_t, std::string>>
      registers;  ///< op, register with its value; again for every index and loop
};

/// O(instructions), without recursion.
EmittedKernel emit(const FusionGraph& graph, const Kernel& kernel, const EmitOptions& options);

}  // namespace fuseboard
