// Pages on demand, and range-wise marks: one warp's contiguous access is one copy and a few words of marks.
// It must not know addresses, nor other buffers.
#include "ptx/memory_pages.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace fuseboard::ptx {
namespace {

/// Calls step(word, mask) for each word that the bits [from, from + count) touch, until one returns false.
template <class Step>
bool each_word(uint32_t from, uint32_t count, Step step) {
  while (count > 0) {
    const uint32_t bit = from % 64;
    const uint32_t here = std::min(count, 64 - bit);
    const uint64_t mask = (here == 64 ? ~uint64_t{0} : (uint64_t{1} << here) - 1) << bit;
    if (!step(from / 64, mask)) return false;
    from += here;
    count -= here;
  }
  return true;
}

/// Cuts [offset, offset + count) at the page's ends: step(page, offset in it, offset in the range, count).
template <class Step>
bool each_page(uint64_t page_bytes, uint64_t offset, uint64_t count, Step step) {
  for (uint64_t done = 0; done < count;) {
    const uint64_t within = (offset + done) % page_bytes;
    const uint64_t here = std::min(count - done, page_bytes - within);
    if (!step((offset + done) / page_bytes, static_cast<uint32_t>(within), done, static_cast<uint32_t>(here)))
      return false;
    done += here;
  }
  return true;
}

}  // namespace

void ByteMarks::set(uint32_t from, uint32_t count) {
  each_word(from, count, [this](uint32_t word, uint64_t mask) {
    words_[word] |= mask;
    return true;
  });
}

bool ByteMarks::all(uint32_t from, uint32_t count) const {
  return each_word(from, count,
                   [this](uint32_t word, uint64_t mask) { return (words_[word] & mask) == mask; });
}

uint64_t ByteMarks::count() const {
  uint64_t sum = 0;
  for (const uint64_t word : words_) sum += static_cast<uint64_t>(std::popcount(word));
  return sum;
}

void ByteMarks::fill(bool value) { words_.fill(value ? ~uint64_t{0} : 0); }

MemoryPages::MemoryPages(uint64_t bytes, Fill fill) : bytes_(bytes), fill_(std::move(fill)) {
  const uint64_t pages = (bytes + kPage - 1) / kPage;
  if (pages <= kMostDense) dense_.resize(pages);
}

MemoryPages::Page* MemoryPages::page(uint64_t number) const {
  if (number == last_number_) return last_;
  Page* found = nullptr;
  if (!dense_.empty()) {
    found = dense_[number].get();
  } else if (const auto at = sparse_.find(number); at != sparse_.end()) {
    found = at->second.get();
  }
  if (found) {
    last_number_ = number;
    last_ = found;
  }
  return found;
}

MemoryPages::Page& MemoryPages::touch(uint64_t number) {
  if (Page* const found = page(number)) return *found;
  std::unique_ptr<Page>& slot = dense_.empty() ? sparse_[number] : dense_[number];
  slot = std::make_unique<Page>();
  ++pages_held_;
  if (fill_) {
    const uint64_t offset = number * kPage;
    fill_(offset, {slot->data.data(), static_cast<size_t>(std::min<uint64_t>(kPage, bytes_ - offset))});
    slot->held.fill(true);
  }
  last_number_ = number;
  last_ = slot.get();
  return *slot;
}

void MemoryPages::write(uint64_t offset, std::span<const uint8_t> from) {
  each_page(kPage, offset, from.size(), [&](uint64_t number, uint32_t within, uint64_t done, uint32_t count) {
    Page& target = touch(number);
    std::memcpy(target.data.data() + within, from.data() + done, count);
    target.held.set(within, count);
    return true;
  });
}

void MemoryPages::read(uint64_t offset, std::span<uint8_t> out) {
  each_page(kPage, offset, out.size(), [&](uint64_t number, uint32_t within, uint64_t done, uint32_t count) {
    const Page* const source = fill_ ? &touch(number) : page(number);
    if (source)
      std::memcpy(out.data() + done, source->data.data() + within, count);
    else
      std::memset(out.data() + done, 0, count);
    return true;
  });
}

bool MemoryPages::holds(uint64_t offset, uint64_t count) const {
  if (fill_) return true;
  return each_page(kPage, offset, count, [&](uint64_t number, uint32_t within, uint64_t, uint32_t here) {
    const Page* const source = page(number);
    return source && source->held.all(within, here);
  });
}

bool MemoryPages::load(uint64_t offset, uint32_t count, uint8_t* data) {
  return each_page(kPage, offset, count, [&](uint64_t number, uint32_t within, uint64_t done, uint32_t here) {
    Page* const source = fill_ ? &touch(number) : page(number);
    if (!source || !source->held.all(within, here)) return false;
    source->read.set(within, here);
    std::memcpy(data + done, source->data.data() + within, here);
    return true;
  });
}

void MemoryPages::store(uint64_t offset, uint32_t count, const uint8_t* data) {
  each_page(kPage, offset, count, [&](uint64_t number, uint32_t within, uint64_t done, uint32_t here) {
    Page& target = touch(number);
    std::memcpy(target.data.data() + within, data + done, here);
    target.held.set(within, here);
    target.written.set(within, here);
    return true;
  });
}

uint64_t MemoryPages::bytes_read() const {
  uint64_t sum = 0;
  for (const auto& one : dense_) sum += one ? one->read.count() : 0;
  for (const auto& one : sparse_) sum += one.second->read.count();
  return sum;
}

uint64_t MemoryPages::bytes_written() const {
  uint64_t sum = 0;
  for (const auto& one : dense_) sum += one ? one->written.count() : 0;
  for (const auto& one : sparse_) sum += one.second->written.count();
  return sum;
}

void MemoryPages::reset_history() {
  const auto reset = [](Page& one) {
    one.read.fill(false);
    one.written.fill(false);
  };
  for (const auto& one : dense_)
    if (one) reset(*one);
  for (const auto& one : sparse_) reset(*one.second);
}

}  // namespace fuseboard::ptx
