// A list whose items compare by position in constant time: order maintenance with numeric labels.
// It must not know what an item is.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fuseboard {

/// Items 0 .. n-1 in a doubly linked list with 64-bit labels that rise along it. Where a gap closes, the
/// smallest label range around it that is sparse enough is spread out again (Bender et al., "Two simplified
/// algorithms for maintaining order in a list", 2002): O(log n) amortised an insertion, never a global
/// relabel.
class OrderList {
 public:
  /// The items in the order given, with even gaps. O(n).
  explicit OrderList(std::span<const uint32_t> items);

  uint64_t label(uint32_t item) const { return items_[item].label; }

  void remove(uint32_t item);
  /// `heir` takes the place of `item`, which leaves the list; heir must not be in it. O(1).
  void replace(uint32_t item, uint32_t heir);
  /// Puts items, none of which is in the list, right behind `place` in the order given.
  void insert_after(uint32_t place, std::span<const uint32_t> items);
  /// The item before, or the head sentinel, which is a valid place to insert after.
  uint32_t before(uint32_t item) const { return items_[item].previous; }

 private:
  struct Item {
    uint64_t label;
    uint32_t previous;
    uint32_t next;
  };

  uint64_t room_after(uint32_t place) const;
  void make_room(uint32_t place, uint64_t wanted);

  uint32_t end_;  ///< sentinel: next of the last, previous of the first; its label is that of the head, 0
  std::vector<Item> items_;
};

}  // namespace fuseboard
