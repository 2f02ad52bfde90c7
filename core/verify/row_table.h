// Keeps what the traced lines of a kernel that reduces show, for the block at hand: for each warp the values
// of the steps by walk, pass and slot, and the addresses of loads and stores; tells when all of a pass was
// seen and when a block has ended. It must not know graphs, nor what the values should be.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "emit/ptx.h"
#include "launch/row_shape.h"
#include "ptx/machine.h"
#include "ptx/module.h"
#include "verify/trace_table.h"

namespace fuseboard {

/// One slot of one pass of a walk, of one warp.
struct TracedUnit {
  uint64_t block = 0;
  uint32_t warp = 0, walk = 0, slot = 0;
  uint32_t lanes = 0;     ///< that executed its last line
  uint32_t partial = 0;   ///< of these: some other line of it was not executed
  uint32_t repeated = 0;  ///< of these: it was executed before
  uint32_t first_line = 0;
  std::array<uint64_t, ptx::kWarp> passes{};  ///< of each lane
};

class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void unit_ended(const TracedUnit& unit) = 0;
  /// Of the lanes of a pass that is not ended: those that have an element in it.
  virtual uint32_t lanes_there(const TracedUnit& unit) const = 0;
  /// A line loaded or stored full values for these lanes, which have no element in any of its passes.
  virtual void accessed_beyond(const TracedUnit& unit, uint32_t line) = 0;
  virtual void block_ended(uint64_t block) = 0;
};

/// What is kept: a held row's values of every pass (they are in registers all at once); of a looped walk
/// those of one pass, since each is told before the next overwrites it. So memory is that of the traced
/// registers of a block, whatever the length of its rows.
class RowTable : public ptx::Observer {
 public:
  /// Null where the traces do not fit the text or the shape: `fault` says why. All must outlive it.
  static std::unique_ptr<RowTable> make(const EmittedKernel& emitted, const RowShape& shape,
                                        const ptx::Function& entry, RowSink& sink, std::string& fault);

  std::span<const uint32_t> lines() const { return lines_; }  ///< to be watched
  void executed(const ptx::WarpView& warp, uint32_t index) override;
  /// Behind the last block of a machine: that block ends, whether or not a traced line was executed.
  void end_block(uint64_t block);
  /// The block was left before its end.
  void drop_block();

  bool has_value(uint32_t walk, uint32_t step) const { return places_[walk * steps_ + step].rows != kNone; }
  bool has_load(uint32_t walk, uint32_t step) const { return loads_[walk * steps_ + step].rows != kNone; }
  bool has_store(uint32_t store, uint32_t walk) const {
    return stores_[walk * stored_ + store].rows != kNone;
  }
  /// Whether one line of a walk serves all its passes.
  bool is_repeated(uint32_t walk) const { return is_repeated_[walk] != 0; }

  /// Of the warp: 32 lanes. Of what is by row the walk is 0, the pass 0.
  const LaneRow& value(uint32_t warp, uint32_t walk, uint32_t step, uint64_t pass, uint32_t slot) const;
  const LaneRow& load(uint32_t warp, uint32_t walk, uint32_t step, uint64_t pass, uint32_t slot) const;
  const LaneRow& store(uint32_t warp, uint32_t walk, uint32_t store, uint64_t pass, uint32_t slot) const;
  /// Lanes of which a by-row step was seen, a load of it, a store of it.
  uint32_t value_lanes(uint32_t warp, uint32_t step, uint32_t slot) const;
  uint32_t load_lanes(uint32_t warp, uint32_t step, uint32_t slot) const;
  uint32_t store_lanes(uint32_t warp, uint32_t store, uint32_t slot) const;
  /// How many passes of a walk a lane has ended, in a slot.
  uint64_t passes_ended(uint32_t warp, uint32_t walk, uint32_t slot, uint32_t lane) const;
  uint32_t warps() const { return warp_count_; }

 private:
  static constexpr uint32_t kNone = 0xffffffff;

  struct Place {
    uint32_t rows = kNone;           ///< of a warp; slots follow each other, then passes
    uint32_t count = 0, traced = 0;  ///< of them
    bool is_repeated = false;
  };
  struct Action {
    TraceKind kind = TraceKind::value;
    uint32_t line = 0, step = 0;
    uint32_t instruction = 0;
    uint32_t row = 0, unit = kNone;
    uint32_t reg = 0, slot_offset = 0;
    bool is_last = false;
  };
  struct Unit {
    uint32_t walk = 0, pass = 0, slot = 0;
    uint32_t first_line = 0;
    std::vector<uint32_t> actions;
  };
  struct WarpRows {
    std::vector<LaneRow> rows;
    std::vector<uint32_t> masks;                ///< one a row: lanes seen; a repeated unit's are cleared
    std::vector<uint32_t> ended;                ///< one a unit
    std::vector<std::vector<uint64_t>> counts;  ///< one a repeated unit: of each lane
  };

  RowTable(const EmittedKernel& emitted, const RowShape& shape, RowSink& sink);
  bool prepare(const ptx::Function& entry, std::string& fault);
  bool add(const Trace& trace, const ptx::Function& entry, std::string& fault);
  Place* place_of(const Trace& trace, std::string& fault);
  bool is_by_row(uint32_t step) const { return emitted_.rows->steps[step].by_row; }
  uint32_t row_in(const Place& place, uint64_t pass, uint32_t slot) const;
  WarpRows& rows_of(uint32_t warp);
  uint32_t mask_of(uint32_t warp, const Place& place, uint32_t slot) const;
  void end_unit(const Action& action, const ptx::WarpView& warp, WarpRows& rows);
  void tell_beyond(uint32_t index, const ptx::WarpView& warp, const WarpRows& rows);
  void begin_block();

  const EmittedKernel& emitted_;
  const RowShape& shape_;
  RowSink& sink_;
  uint32_t steps_ = 0, stored_ = 0, warp_count_ = 0;
  std::vector<Place> places_, loads_, stores_;  ///< by walk and step, or walk and store
  std::vector<uint8_t> is_repeated_;            ///< by walk
  std::vector<bool> is_traced_;                 ///< by row
  std::vector<Action> actions_;                 ///< by instruction
  std::vector<uint32_t> first_action_;
  std::vector<uint32_t> lines_;
  std::vector<Unit> units_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> unit_of_;  ///< walk, pass, slot
  std::vector<WarpRows> warps_;
  uint32_t row_count_ = 0;
  uint64_t block_ = ~uint64_t{0};  ///< at hand; none at first
};

}  // namespace fuseboard
