// Keeps what the traced lines of a running kernel show: for each warp and slot the values of the steps and
// the addresses of loads and stores; tells when a pass has made its last store. It must not know graphs, nor
// what the values should be.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "emit/ptx.h"
#include "ptx/machine.h"
#include "ptx/module.h"

namespace fuseboard {

using LaneRow = std::array<uint64_t, ptx::kWarp>;

/// One slot of one body, and where its rows begin.
struct TracedPass {
  uint32_t body = 0, slot = 0;
  uint32_t lanes = 0;             ///< that made all stores of the pass
  uint32_t partial_lanes = 0;     ///< that made the last store, but not all the others
  std::span<const LaneRow> rows;  ///< a value for each step, then an address for each step, for each store
};

/// Whoever holds passes against something.
class PassSink {
 public:
  virtual ~PassSink() = default;
  virtual void pass_ended(const TracedPass& pass) = 0;
};

class TraceTable : public ptx::Observer {
 public:
  /// Null where the traces do not fit the text: `fault` says why. `emitted` and `sink` must outlive it.
  static std::unique_ptr<TraceTable> make(const EmittedKernel& emitted, const ptx::Function& entry,
                                          PassSink& sink, std::string& fault);

  std::span<const uint32_t> lines() const { return lines_; }  ///< to be watched
  void executed(const ptx::WarpView& warp, uint32_t index) override;

  bool has_value(uint32_t body, uint32_t step) const { return bodies_[body].traced[step] != 0; }
  bool has_load(uint32_t body, uint32_t step) const { return bodies_[body].loaded[step] != 0; }

 private:
  struct Action {
    TraceKind kind = TraceKind::value;
    bool is_last = false;  ///< the last store of this slot's pass
    uint32_t line = 0;
    uint32_t body = 0, slot = 0;
    uint32_t instruction = 0;  ///< after which the action is done
    uint32_t row = 0;          ///< of a warp's rows
    uint32_t mask = 0;         ///< of a store: of a warp's masks
    uint32_t reg = 0;
    uint32_t slot_offset = 0;
  };
  struct BodyRows {
    uint32_t steps = 0, stores = 0;
    uint32_t first_row = 0, first_mask = 0;  ///< of slot 0; the other slots follow
    std::vector<uint8_t> traced, loaded;     ///< by step: in how many slots
    uint32_t rows() const { return 2 * steps + stores; }
  };
  struct WarpRows {
    std::vector<LaneRow> rows;
    std::vector<uint32_t> masks;
  };

  TraceTable(const EmittedKernel& emitted, PassSink& sink) : emitted_(emitted), sink_(sink) {}
  bool prepare(const ptx::Function& entry, std::string& fault);
  bool add(const Trace& trace, const ptx::Function& entry, std::string& fault);
  bool order(const ptx::Function& entry, std::string& fault);
  WarpRows& rows_of(uint32_t warp);
  void end_pass(const Action& action, WarpRows& rows);

  const EmittedKernel& emitted_;
  PassSink& sink_;
  std::vector<BodyRows> bodies_;
  std::vector<Action> actions_;         ///< by instruction
  std::vector<uint32_t> first_action_;  ///< by instruction, and one more
  std::vector<uint32_t> lines_;
  std::vector<WarpRows> warps_;  ///< of the block at hand
  uint32_t row_count_ = 0, mask_count_ = 0;
};

}  // namespace fuseboard
