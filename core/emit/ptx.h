// The PTX text of a kernel that launch described, with its line map and the registers that hold each op's
// value. It must not know plans, prices or pages.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emit/target.h"
#include "graph/fusion_graph.h"
#include "launch/kernel.h"
#include "launch/loop_schedule.h"
#include "launch/lowering.h"
#include "launch/row_schedule.h"

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

/// What a body of a loop computes for each of its slots: the steps of the loop's schedule (loop_schedule.h).
/// A loop has a body for several elements at a time and one for single ones, or one of them.
struct TracedBody {
  uint32_t loop = 0;   ///< index into Kernel::loops
  uint32_t slots = 1;  ///< consecutive elements of the loop's domain that one pass computes
  struct Step {
    StepKind kind = StepKind::compute;
    uint32_t op = 0;
    std::vector<uint32_t> operands;  ///< steps, as many as the op has inputs
    /// math: fast only: a mul whose product stands in no register and has no trace. Its one reader, an add or
    /// sub of f32 arithmetic, is one fma: it takes the exact product of the mul's operands (of f32 values: 48
    /// bits, so a double holds it) and rounds once.
    bool is_contracted = false;
  };
  std::vector<Step> steps;
  std::vector<uint32_t> stored;  ///< the step of each of KernelLoop::stores
};

enum class TraceKind : uint8_t {
  value,  ///< after this line `reg` holds the step's value
  load,   ///< this line reads the step's element at the access's address (of the lane) plus slot_offset
  store,  ///< this line writes it there
};

/// Where the value of one step for one slot can be seen while the kernel runs. Every slot of every step has a
/// value trace, but for immediates, which are known, and contracted products; a load and a store have one of
/// their own besides. A value that does not depend on the slot has a trace for each slot all the same; one
/// made before the loop holds for all its passes, and the lines before the loop may belong to several bodies.
/// A body of one slot may be executed by fewer threads than the one before it; each body's stores tell which
/// elements it computes.
struct Trace {
  TraceKind kind = TraceKind::value;
  uint32_t line = 0;  ///< of the text, from 1
  uint32_t body = 0;  ///< index into EmittedKernel::bodies
  uint32_t slot = 0;
  uint32_t step = 0;                        ///< of a store: the step that is stored
  std::string reg;                          ///< of a value
  Arithmetic arithmetic = Arithmetic::f32;  ///< how `reg` is to be read
  uint32_t slot_offset = 0;                 ///< bytes
  /// Of a kernel that reduces: the pass; kEveryPass where the line is executed once for each of them in turn.
  uint32_t pass = 0;
  uint32_t walk = 0;  ///< of a kernel that reduces: in which the line stands
};
constexpr uint32_t kEveryPass = 0xffffffff;

/// The steps of a kernel that reduces (launch/row_schedule.h), in place of bodies. A trace of it has body 0
/// and `pass`. Every full step of kind compute, load or fold's operand that a walk makes has a value trace
/// for each pass and slot there (a looped walk: one line serves all its passes); each fold and other by-row
/// step one for all lanes of the row, with the whole row's value, in slot 0 (along_rows: in each slot);
/// immediates none.
struct TracedRows {
  struct Step {
    StepKind kind = StepKind::compute;
    uint32_t op = 0;
    std::vector<uint32_t> operands;  ///< steps, as many as the op has inputs
    bool by_row = false;
    uint32_t walk = 0;           ///< as RowStep has it
    bool is_contracted = false;  ///< as TracedBody has it
    /// Of a sum of exp(x - max) that is folded online (launch/online_sum.h): the step of the maximum. It is
    /// fed x in that one's walk; what it reads in the graph has traces only where others read it too.
    uint32_t online_max = RowStep::kNone;
  };
  std::vector<Step> steps;
  std::vector<uint32_t> stored;  ///< the step of each of RowShape::stores
  uint32_t walks = 1;
};

struct EmittedKernel {
  std::string text;            ///< a whole module; "" where the kernel is not emittable
  std::vector<int64_t> lines;  ///< for each line of the text its op, or -1
  std::vector<std::pair<uint32_t, std::string>>
      registers;  ///< op, register with its value; again for every index and loop
  std::vector<TracedBody> bodies;
  std::optional<TracedRows> rows;  ///< of a kernel that reduces; then there are no bodies
  std::vector<Trace> traces;       ///< by line
};

/// The text is for one launch: the kernel's grid and block (strides between a thread's passes are
/// immediates), and pointers that are multiples of kPointerAlignment. O(instructions), without recursion.
EmittedKernel emit(const FusionGraph& graph, const Kernel& kernel, const EmitOptions& options);

}  // namespace fuseboard
