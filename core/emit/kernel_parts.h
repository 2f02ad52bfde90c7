// What the bodies of a kernel share: the graph, where its text grows, the pointers; and how an op is told in
// it. It must not know loops, rows or index maps.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "emit/op_code.h"
#include "emit/ptx.h"
#include "emit/ptx_writer.h"
#include "graph/fusion_graph.h"

namespace fuseboard {

struct KernelParts {
  const FusionGraph& graph;
  const EmitOptions& options;
  PtxWriter& writer;
  OpCode& ops;
  const std::map<uint32_t, std::string>& inputs;  ///< op: register with the pointer
  const std::map<uint32_t, std::string>& outputs;

  /// A comment, and the place in the pasted text, before an op's instructions; all that follows belongs to
  /// it.
  void begin_op(uint32_t op, const std::string& comment) const;
  std::string title(uint32_t op) const;    ///< an op's name, fit for a comment
  std::string formula(uint32_t op) const;  ///< "y = add(x, b)"
  std::string reading(uint32_t op) const;  ///< "x: f32[8] is read"

  /// a * b + c, or with a sign: rounded once, of f32 values.
  PtxValue fused(PtxValue* a, PtxValue* b, PtxValue* c, bool negates_product, bool negates_c) const;
};

}  // namespace fuseboard
