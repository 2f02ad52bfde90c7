// Labels, gaps and local relabelling.
// It must not know what an item is.
#include "analysis/order_list.h"

namespace fuseboard {
namespace {

constexpr uint64_t kLabelEnd = uint64_t{1} << 62;

}  // namespace

OrderList::OrderList(std::span<const uint32_t> items)
    : end_(static_cast<uint32_t>(items.size())), items_(items.size() + 1) {
  const uint64_t gap = kLabelEnd / (items.size() + 1);
  uint32_t last = end_;
  uint64_t label = 0;
  for (const uint32_t item : items) {
    items_[last].next = item;
    items_[item] = {label += gap, last, end_};
    last = item;
  }
  items_[last].next = end_;
  items_[end_].previous = last;
  items_[end_].label = 0;
}

void OrderList::remove(uint32_t item) {
  const Item& gone = items_[item];
  items_[gone.previous].next = gone.next;
  items_[gone.next].previous = gone.previous;
}

void OrderList::replace(uint32_t item, uint32_t heir) {
  items_[heir] = items_[item];
  items_[items_[heir].previous].next = heir;
  items_[items_[heir].next].previous = heir;
}

uint64_t OrderList::room_after(uint32_t place) const {
  const uint32_t next = items_[place].next;
  return (next == end_ ? kLabelEnd : items_[next].label) - items_[place].label;
}

void OrderList::insert_after(uint32_t place, std::span<const uint32_t> items) {
  const uint64_t wanted = items.size() + 1;
  if (room_after(place) < wanted) make_room(place, wanted);
  const uint64_t gap = room_after(place) / wanted;
  for (const uint32_t item : items) {
    const uint32_t next = items_[place].next;
    items_[item] = {items_[place].label + gap, place, next};
    items_[place].next = item;
    items_[next].previous = item;
    place = item;
  }
}

void OrderList::make_room(uint32_t place, uint64_t wanted) {
  // Widen an aligned label range around the place until it is sparse: with b bits it may hold (2/1.3)^b
  // items, counting the wanted ones. Spreading those evenly then leaves room for all.
  const uint64_t label = items_[place].label;
  uint32_t first = place;  // both inclusive; the sentinel stands for the head of the list
  uint32_t last = place;
  uint64_t count = 1;
  double capacity = 1.0;
  for (int bits = 1; bits < 63; ++bits) {
    capacity *= 2 / 1.3;
    const uint64_t low = label >> bits << bits;
    const uint64_t high = low + ((uint64_t{1} << bits) - 1);
    for (; first != end_; ++count) {
      const uint32_t before =
          items_[first].previous;  // the head keeps label 0 and joins where the range reaches it
      if (before == end_ ? low != 0 : items_[before].label < low) break;
      first = before;
    }
    for (; items_[last].next != end_ && items_[items_[last].next].label <= high; ++count)
      last = items_[last].next;
    const uint64_t gap = (high - low + 1) / (count + wanted);
    if (gap == 0 || static_cast<double>(count + wanted) > capacity) continue;
    uint64_t next_label = low;
    for (uint32_t item = first;; item = items_[item].next) {
      items_[item].label = next_label;
      next_label += item == place ? gap * (wanted + 1) : gap;
      if (item == last) break;
    }
    return;
  }
}

}  // namespace fuseboard
