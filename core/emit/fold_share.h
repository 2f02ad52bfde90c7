// How the threads of a row make one of what each has folded: shuffles within a warp, shared memory across.
// It must not know ops, nor how a row is walked.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "emit/fold_code.h"
#include "emit/ptx_writer.h"
#include "emit/row_index.h"
#include "launch/row_shape.h"

namespace fuseboard {

/// What each thread of a row has of one fold, in each of its slots that are rows of their own.
struct FoldedSlots {
  FoldCode* code = nullptr;
  std::vector<Folded> slots;
};

/// Every lane of a row has the whole row's value behind it. Folds that end together share one barrier; the
/// shared memory of one time and the next are two areas, so that no second barrier is needed: who writes
/// an area again has passed the barrier of the other, and with it all who read the first.
class FoldShare {
 public:
  FoldShare(PtxWriter& writer, const RowShape& shape, const RowIndex& index);

  /// Bytes of shared memory that folds want that end together; 0 where a warp holds whole rows.
  uint64_t bytes_of(std::span<const FoldCode* const> folds) const;
  /// Declares both areas; before `share`, where any fold wants bytes.
  void declare(uint64_t bytes_of_area, uint32_t areas);

  void share(std::span<FoldedSlots> folds);

 private:
  /// Parts lie in shared memory as many as `places` for each slot.
  struct Route {
    std::vector<uint32_t> first;   ///< lanes apart, exchanged before
    uint32_t places = 0;           ///< 0: nothing is left to share
    uint32_t reads = 1;            ///< parts that a lane reads ...
    uint32_t read_step = 0;        ///< ... so many places apart
    std::vector<uint32_t> behind;  ///< lanes apart, exchanged behind the reading
  };

  static Route route_of(const RowShape& shape);
  void exchange(FoldedSlots& fold, const std::vector<uint32_t>& distances);
  void find_places();
  std::string masked(const std::string& reg, uint32_t mask);
  std::string shifted(const std::string& reg, uint32_t by);
  std::string scaled_sum(const std::string& high, uint32_t factor, const std::string& low);
  std::string address(const std::string& place, uint32_t bytes);
  static uint32_t stride_of(const FoldCode& code);

  PtxWriter& writer_;
  const RowShape& shape_;
  const RowIndex& index_;
  const Route route_;
  uint64_t area_bytes_ = 0;
  uint32_t areas_ = 0;
  uint32_t times_ = 0;
  std::string writes_;  ///< predicate of the lanes that write; "": all
  std::string write_place_, read_place_;
  std::map<std::pair<std::string, uint32_t>, std::string> addresses_;  ///< by place and stride
};

}  // namespace fuseboard
