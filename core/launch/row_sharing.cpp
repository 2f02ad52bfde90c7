// Slots first, then threads by what each would hold, then rows of a block by what the rest leaves room for.
// It must not know PTX, nor grids.
#include "launch/row_sharing.h"

#include <algorithm>
#include <bit>

#include "graph/reducer_of.h"
#include "launch/row_closure.h"
#include "launch/row_walks.h"
#include "launch/row_words.h"

namespace fuseboard {
namespace {

constexpr uint32_t kWarpSize = 32;
constexpr uint32_t kMostBlockThreads = 1024;
constexpr uint64_t kMostPartialBytes = 48 * 1024;  ///< of shared memory that is declared
constexpr uint32_t kUsualBlock = 128;
/// A GPU of 132 multiprocessors runs twice as many threads; with fewer of them memory is not kept busy.
constexpr uint64_t kBusyThreads = uint64_t{1} << 17;
constexpr uint64_t kBusyBlocks = 264;
constexpr uint64_t kSectorBytes = 32;  ///< that memory moves at once
constexpr uint64_t kLineBytes = 128;

constexpr uint64_t kMostValuesOfPass = 1024;  ///< as launch_shape.cpp has it
constexpr uint64_t kMostHeldValues = 4096;    ///< that a thread's unrolled passes make
constexpr uint64_t kMostHeldAccesses = 64;    ///< passes * slots unrolled
constexpr uint64_t kMostFedPasses = 8;        ///< unrolled where nothing is kept
constexpr uint64_t kMostKeptWords = 64;
/// A thread of a block of 1024 has 64 registers, of 512 128.
constexpr uint64_t kMostWordsOf1024 = 40;
constexpr uint64_t kMostWordsOf512 = 96;
/// What a thread keeps of a row where there are rows enough: less where lanes of a warp share a row, as all
/// of them are there anyway.
constexpr uint64_t kUsualWords = 32;
constexpr uint64_t kUsualWordsInWarp = 8;

uint32_t most_block(uint64_t words) {
  if (words <= kMostWordsOf1024) return kMostBlockThreads;
  return words <= kMostWordsOf512 ? 512 : 256;
}

/// The least power of two that is no less than `value`, at most `most` (a power of two).
uint32_t power_up_to(uint64_t value, uint32_t most) {
  return value >= most ? most : std::bit_ceil(static_cast<uint32_t>(value));
}

class RowSharer {
 public:
  RowSharer(const FusionGraph& graph, const RowSchedule& schedule, RowShape& shape)
      : graph_(graph),
        schedule_(schedule),
        shape_(shape),
        rows_(shape.domain.rows()),
        columns_(shape.domain.columns()),
        words_(row_words(graph, schedule, row_placement(schedule, RowWalk::held))),
        full_steps_(static_cast<uint64_t>(std::count_if(schedule.steps.begin(), schedule.steps.end(),
                                                        [](const RowStep& step) { return !step.by_row; }))) {}

  void share() {
    shape_.along_rows = !shape_.domain.is_innermost_reduced();
    find_slots();
    for (most_threads_ = kMostBlockThreads; most_threads_ >= kWarpSize; most_threads_ /= 2) {
      if (shape_.along_rows) {
        share_along_rows();
      } else {
        share_along_columns();
      }
      if (partial_bytes() <= kMostPartialBytes) break;  // a block of one warp leaves none
    }
  }

 private:
  bool is_accessed(uint32_t step) const;
  void find_slots();
  bool moves_evenly() const;
  void share_along_columns();
  void share_along_rows();
  void settle_walk(uint32_t threads, uint32_t beside);
  uint64_t partial_bytes() const;

  uint64_t passes(uint32_t threads) const {
    return (columns_ - 1) / (uint64_t{threads} * (shape_.along_rows ? 1 : shape_.slots)) + 1;
  }
  uint64_t kept_words(uint32_t threads) const {
    const uint64_t held = std::min(passes(threads), uint64_t{1} << 20) * shape_.slots;  // no more are held
    return held * std::max<uint64_t>(words_.kept, 1);
  }
  /// Twice `least` until each keeps no more than is usual and there are enough of them, `most` at most.
  /// `units`: rows, or groups of them, that each are shared by that many threads.
  uint32_t threads_for(uint64_t units, uint32_t least, uint32_t most) const;
  bool can_hold(uint32_t threads, uint32_t beside) const;

  const FusionGraph& graph_;
  const RowSchedule& schedule_;
  RowShape& shape_;
  const uint64_t rows_;
  const uint64_t columns_;
  const RowWords words_;
  const uint64_t full_steps_;
  uint32_t most_threads_ = kMostBlockThreads;  ///< of a block
  uint64_t narrowest_ = 16;                    ///< bytes of the narrowest access that has slots
};

/// Whether a step is read or written in slots.
bool RowSharer::is_accessed(uint32_t step) const {
  if (schedule_.steps[step].by_row && !shape_.along_rows) return false;
  return shape_.domain.elements() == 1 || !schedule_.loop.maps[schedule_.loop.steps[step].map].digits.empty();
}

bool RowSharer::moves_evenly() const {
  const std::vector<MapWalk> walks = row_walks(schedule_.loop.maps, shape_);
  const auto is_even = [&](uint32_t step) {
    return !is_accessed(step) || walks[schedule_.loop.steps[step].map].is_affine;
  };
  for (uint32_t i = 0; i < schedule_.loop.steps.size(); ++i) {
    if (schedule_.loop.steps[i].kind == StepKind::load && !is_even(i)) return false;
  }
  return std::all_of(schedule_.loop.stored.begin(), schedule_.loop.stored.end(), is_even);
}

void RowSharer::find_slots() {
  uint64_t widest = 1;
  const auto see = [&](uint32_t step) {
    if (!is_accessed(step)) return;
    const uint64_t bytes = graph_.op(schedule_.loop.steps[step].op).dtype_bytes;
    narrowest_ = std::min(narrowest_, bytes);
    widest = std::max(widest, bytes);
  };
  for (uint32_t i = 0; i < schedule_.loop.steps.size(); ++i) {
    if (schedule_.loop.steps[i].kind == StepKind::load) see(i);
  }
  for (const uint32_t step : schedule_.loop.stored) see(step);
  const uint64_t innermost = shape_.domain.parts.empty() ? 1 : shape_.domain.parts.back().extent;
  uint32_t& slots = shape_.slots;
  slots = 1;
  while (2 * slots * narrowest_ <= 16 && 2 * slots * widest <= 32 && innermost % (2 * slots) == 0) slots *= 2;
  while (slots > 1 && full_steps_ * slots > kMostValuesOfPass) slots /= 2;
  while (slots > 1 && std::max(words_.kept, words_.within) * slots > kMostKeptWords) slots /= 2;
  while (slots > 1 && !moves_evenly()) slots /= 2;
}

uint32_t RowSharer::threads_for(uint64_t units, uint32_t least, uint32_t most) const {
  uint32_t threads = least;
  while (threads < most) {
    const bool in_warp = threads < kWarpSize && !shape_.along_rows;
    const bool is_usual = kept_words(threads) <= (in_warp ? kUsualWordsInWarp : kUsualWords);
    if (is_usual && units >= kBusyThreads / threads) break;
    threads *= 2;
  }
  return threads;
}

/// `beside`: of each thread of a row, those of the block that have other rows.
bool RowSharer::can_hold(uint32_t threads, uint32_t beside) const {
  const uint64_t count = passes(threads);
  if (count == 1) return true;
  if (count * shape_.slots > kMostHeldAccesses || full_steps_ * shape_.slots * count > kMostHeldValues) {
    return false;
  }
  if (schedule_.walks == 1) return count <= kMostFedPasses;
  const uint64_t kept = kept_words(threads);
  return kept <= kMostKeptWords && threads * beside <= most_block(kept);
}

void RowSharer::settle_walk(uint32_t threads, uint32_t beside) {
  shape_.walk = can_hold(threads, beside) ? RowWalk::held : RowWalk::looped;
  const uint32_t most = most_block(words_.within * shape_.slots);
  while (shape_.walk == RowWalk::looped && threads > 1 && threads * beside > most) threads /= 2;
  shape_.threads = threads;
  shape_.passes = passes(threads);
}

/// Both areas of shared memory, each with room for the folds of the walk that has the most.
uint64_t RowSharer::partial_bytes() const {
  std::vector<uint64_t> bytes_of_walk(schedule_.walks, 0);
  const uint64_t places = uint64_t{shape_.partial_places()} * (shape_.along_rows ? shape_.slots : 1);
  for (uint32_t i = 0; i < schedule_.steps.size(); ++i) {
    const Step& step = schedule_.loop.steps[i];
    if (step.kind != StepKind::fold) continue;
    const bool has_place = reducer_of(graph_.op(step.op)).starts_with("arg");
    bytes_of_walk[schedule_.steps[i].walk] += places * (has_place ? 16 : 8);
  }
  return 2 * *std::max_element(bytes_of_walk.begin(), bytes_of_walk.end());
}

void RowSharer::share_along_columns() {
  const uint32_t most = power_up_to(columns_ / shape_.slots, most_threads_);
  const uint64_t neighbours = (2 * kSectorBytes - 1) / (shape_.slots * narrowest_) + 1;
  settle_walk(threads_for(rows_, power_up_to(neighbours, most), most), 1);
  const uint32_t least = std::max(kWarpSize / shape_.threads, 1U);
  const uint32_t usual = std::max(std::min(kUsualBlock, most_threads_) / shape_.threads, 1U);
  shape_.rows_in_block = std::max(least, power_up_to(rows_, usual));
}

/// Groups of `slots` neighbours in memory: at least a sector of them, or half of one where only then a row is
/// held (the other half is another block's, and still in the cache); a line where that leaves blocks enough.
void RowSharer::share_along_rows() {
  const uint64_t units = rows_ / shape_.slots;
  const uint64_t bytes = shape_.slots * narrowest_;
  const uint32_t most = power_up_to(units, most_threads_);
  uint32_t groups = std::min(power_up_to((kSectorBytes - 1) / bytes + 1, kWarpSize), most);
  const auto settle = [&](uint32_t beside) {
    settle_walk(threads_for(units, 1, power_up_to(columns_, std::max(most_threads_ / beside, 1U))), beside);
    return shape_.walk == RowWalk::held;
  };
  if (!settle(groups) && schedule_.walks > 1 && groups > 1) {
    if (settle(groups / 2)) {
      groups /= 2;
    } else {
      settle(groups);
    }
  }
  const auto can_widen = [&] {
    const bool is_wanted = groups * bytes < kLineBytes || shape_.threads * groups < kUsualBlock;
    return is_wanted && groups < most && 2 * shape_.threads * groups <= std::min(512U, most_threads_) &&
           units / (2 * groups) >= kBusyBlocks;
  };
  while (can_widen()) groups *= 2;
  while (shape_.threads * groups < kWarpSize) groups *= 2;
  shape_.rows_in_block = groups * shape_.slots;
}

}  // namespace

void share_rows(const FusionGraph& graph, const RowSchedule& schedule, RowShape& shape) {
  RowSharer(graph, schedule, shape).share();
}

}  // namespace fuseboard
