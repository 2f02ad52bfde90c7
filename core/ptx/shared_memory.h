// The shared memory of one block: bytes, who wrote them and who read them since, and so races.
// It must not know instructions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ptx/access_order.h"

namespace fuseboard::ptx {

/// One lane's access.
struct SharedAccess {
  uint32_t warp = 0;
  uint32_t lane = 0;
  uint32_t step = 0;
  uint32_t address = 0;
  uint32_t bytes = 0;
  bool strong =
      false;  ///< atomic, volatile, or with a memory order: such accesses do not race with each other
  const MicroOp* op = nullptr;
};

/// Why an access may not be.
struct SharedProblem {
  FaultKind kind = FaultKind::race;
  uint32_t address = 0;
  uint32_t other_warp = 0;  ///< of a race: who touched it before
  uint32_t other_lane = 0;
  bool other_wrote = false;
  bool other_pending = false;  ///< a cp.async that nobody has waited for
  const MicroOp* other = nullptr;
};

/// Histories are kept by granule: the least size of any access that the module makes, so that a granule is
/// always touched whole. Two that write the same value do not race, nor two strong accesses.
class SharedMemory {
 public:
  /// `granule`: 1, 2 or 4.
  void resize(uint32_t bytes, uint32_t granule);
  /// A new block: nothing holds a value.
  void begin(uint32_t warps);
  uint32_t size() const { return static_cast<uint32_t>(bytes_.size()); }
  AccessOrder& order() { return order_; }

  std::optional<SharedProblem> load(const SharedAccess& access, uint8_t* data);
  std::optional<SharedProblem> store(const SharedAccess& access, const uint8_t* data);
  /// cp.async: from now on until the store that completes it nobody may touch these bytes.
  std::optional<SharedProblem> start_copy(const SharedAccess& access);
  /// Its bytes have come, as if `access` wrote them now.
  void finish_copy(const SharedAccess& access, const uint8_t* data);

 private:
  struct Record {
    AccessMoment moment;
    const MicroOp* op = nullptr;
    bool present = false;
    bool strong = false;
    bool pending = false;
  };
  struct Granule {
    Record write, read;
    uint32_t block = 0;
    uint32_t more = 0;  ///< readers_[more - 1] holds further readers; 0: none
  };
  Granule& granule(uint32_t index);
  bool conflicts(const Record& record, const SharedAccess& access) const;
  static SharedProblem problem(const Record& record, const SharedAccess& access, uint32_t index,
                               uint32_t shift, bool wrote);
  std::optional<SharedProblem> check_write(const SharedAccess& access, const uint8_t* data);
  void write(const SharedAccess& access, const uint8_t* data);
  void add_reader(Granule& at, const SharedAccess& access);

  std::vector<uint8_t> bytes_;
  std::vector<Granule> granules_;
  std::vector<std::vector<Record>> readers_;
  AccessOrder order_;
  uint32_t shift_ = 2;
  uint32_t block_ = 0;
};

}  // namespace fuseboard::ptx
