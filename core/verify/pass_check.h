// Holds each pass of a kernel's loops against the graph: every step's element, every load's address and
// value, every op's value on the operands that it had, every store's address and bytes. It must not know
// launches, nor how PTX is run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "emit/ptx.h"
#include "graph/evaluate.h"
#include "launch/kernel.h"
#include "ptx/memory.h"
#include "verify/body_walk.h"
#include "verify/mismatch.h"
#include "verify/tensor_values.h"
#include "verify/trace_table.h"

namespace fuseboard {

/// All of it must outlive the check.
struct PassCheckSetup {
  const FusionGraph& graph;
  const Kernel& kernel;
  const EmittedKernel& emitted;
  const ptx::Memory& memory;
  std::span<const uint32_t> buffers;  ///< of each of the kernel's parameters; anything for a scalar
  const TensorValues& values;         ///< what the input buffers hold
  bool fast = false;
  double scalar = 1;
};

class PassCheck : public PassSink {
 public:
  /// Null where the traced bodies do not fit the graph: `fault` says why.
  static std::unique_ptr<PassCheck> make(const PassCheckSetup& setup, std::string& fault);
  /// After make, when there is a table: false where a step that matters is not traced.
  bool use(const TraceTable& table, std::string& fault);

  void pass_ended(const TracedPass& pass) override;

  const std::optional<Mismatch>& mismatch() const { return mismatch_; }  ///< the first; then nothing is held
  const std::optional<WorstError>& worst() const { return worst_; }
  uint64_t values_held() const { return values_held_; }
  uint64_t elements_held() const { return elements_held_; }
  /// Elements stored through a parameter, repeats counted.
  uint64_t elements_stored(size_t parameter) const { return tensors_[parameter].stored; }

 protected:
  static constexpr uint32_t kNone = 0xffffffff;

  struct StepFacts {
    StepKind kind = StepKind::compute;
    uint32_t op = 0;
    Arithmetic arithmetic = Arithmetic::f32;
    bool is_traced = false;
    bool is_contracted = false;  ///< a product that only its reader, an fma, makes
    bool is_fused = false;       ///< that reader
    uint32_t parameter = kNone;  ///< of a load
    uint32_t line = 0;           ///< of its value, in slot 0
    uint32_t access_line = 0;    ///< of its load, in slot 0
    Element known;               ///< of an immediate
    std::vector<uint32_t> operands;
    std::unique_ptr<PointReference> reference;  ///< of what is computed and traced
  };
  struct StoreFacts {
    uint32_t step = 0;
    uint32_t parameter = kNone;
    uint32_t line = 0;
  };
  struct Body {
    BodyWalk walk;
    std::vector<StepFacts> steps;
    std::vector<StoreFacts> stores;
  };
  struct TensorAt {
    uint32_t op = 0, buffer = 0;
    DType dtype = DType::f32;
    uint32_t bytes = 4;
    uint64_t address = 0, elements = 0, stored = 0;
  };

  explicit PassCheck(const PassCheckSetup& setup) : setup_(setup) {}
  void prepare_tensors();
  /// All of a body but its walk.
  bool prepare_steps(const TracedBody& traced, Body& body, std::string& fault);
  uint32_t parameter_of(ParameterRole role, uint32_t op) const;

  bool find_elements(const Body& body, const TracedPass& pass);
  /// Those that do not come from outside.
  bool map_elements(const Body& body, const TracedPass& pass);
  bool check_load(const Body& body, const TracedPass& pass, uint32_t step);
  bool check_value(const Body& body, const TracedPass& pass, uint32_t step);
  bool check_store(const Body& body, const TracedPass& pass, uint32_t store);
  /// A register's value, or an immediate's: of a step that is not contracted.
  static Element seen_value(const Body& body, const TracedPass& pass, uint32_t step, uint32_t lane);
  Element value_of(const Body& body, const TracedPass& pass, uint32_t step, uint32_t lane) const;
  float f32_of(const Body& body, const TracedPass& pass, uint32_t step, uint32_t lane) const;
  /// An add or sub that swallowed a product: one rounding, of the exact product and the addend.
  Held hold_fused(const Body& body, const TracedPass& pass, const StepFacts& facts, uint32_t lane,
                  Element got) const;
  void note_worst(const StepFacts& step, uint64_t element, const Held& held);
  bool fail(Mismatch mismatch);
  std::string text(const StepFacts& step, Element value) const;
  std::string place(uint32_t op, uint64_t element) const;

  PassCheckSetup setup_;
  std::vector<TensorAt> tensors_;  ///< one a parameter
  std::vector<Body> bodies_;
  std::vector<LaneRow> elements_;  ///< by value of the walk of the pass at hand
  std::vector<Element> operands_;
  std::vector<uint8_t> bytes_;

  std::optional<Mismatch> mismatch_;
  std::optional<WorstError> worst_;
  uint64_t values_held_ = 0, elements_held_ = 0;

 private:
  bool prepare(std::string& fault);
};

}  // namespace fuseboard
