// Finds the buffer of an address; the buffer's pages do the rest.
// It must not know instructions.
#include "ptx/memory.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ptx/memory_pages.h"

namespace fuseboard::ptx {
namespace {

constexpr uint64_t kFirst = uint64_t{1} << 36;  // past 32 bits, so that a pointer cut to 32 bits misses
constexpr uint64_t kGap = 4096;
constexpr uint64_t kAlign = 256;
constexpr uint64_t kMostBytes = uint64_t{1} << 48;

struct Buffer {
  std::string name;
  uint64_t address;
  uint64_t bytes;
  bool read_only;
  MemoryPages pages;
};

}  // namespace

struct Memory::State {
  std::vector<Buffer> buffers;  // addresses ascend
  uint64_t next = kFirst;
  size_t last = 0;

  /// The last buffer that begins at or before the address; null before the first.
  Buffer* before(uint64_t address) {
    if (last < buffers.size() && address - buffers[last].address < buffers[last].bytes) return &buffers[last];
    const auto after =
        std::upper_bound(buffers.begin(), buffers.end(), address,
                         [](uint64_t one, const Buffer& other) { return one < other.address; });
    if (after == buffers.begin()) return nullptr;
    last = static_cast<size_t>(after - buffers.begin()) - 1;
    return &buffers[last];
  }

  Buffer* holding(uint64_t address, uint64_t count) {
    Buffer* const found = before(address);
    if (!found) return nullptr;
    const uint64_t offset = address - found->address;
    return offset <= found->bytes && count <= found->bytes - offset ? found : nullptr;
  }

  uint32_t add(std::string name, uint64_t bytes, Fill fill) {
    bytes = std::min(bytes, kMostBytes);
    buffers.push_back({std::move(name), next, bytes, false, MemoryPages(bytes, std::move(fill))});
    next += (bytes + kGap + kAlign - 1) / kAlign * kAlign;
    return static_cast<uint32_t>(buffers.size() - 1);
  }
};

Memory::Memory() : state_(std::make_unique<State>()) {}
Memory::~Memory() = default;
Memory::Memory(Memory&&) noexcept = default;
Memory& Memory::operator=(Memory&&) noexcept = default;

uint32_t Memory::add(std::string name, uint64_t bytes) { return state_->add(std::move(name), bytes, {}); }

uint32_t Memory::add_filled(std::string name, uint64_t bytes, Fill fill) {
  return state_->add(std::move(name), bytes, std::move(fill));
}

uint32_t Memory::find(std::string_view name) const {
  for (size_t i = state_->buffers.size(); i-- > 0;)
    if (state_->buffers[i].name == name) return static_cast<uint32_t>(i);
  return kNoBuffer;
}

void Memory::protect(uint32_t buffer) { state_->buffers[buffer].read_only = true; }
uint64_t Memory::address(uint32_t buffer) const { return state_->buffers[buffer].address; }
uint64_t Memory::bytes(uint32_t buffer) const { return state_->buffers[buffer].bytes; }
const std::string& Memory::name(uint32_t buffer) const { return state_->buffers[buffer].name; }

void Memory::write(uint32_t buffer, uint64_t offset, std::span<const uint8_t> from) {
  state_->buffers[buffer].pages.write(offset, from);
}

void Memory::read(uint32_t buffer, uint64_t offset, std::span<uint8_t> out) const {
  state_->buffers[buffer].pages.read(offset, out);
}

bool Memory::holds_values(uint32_t buffer, uint64_t offset, uint64_t count) const {
  return state_->buffers[buffer].pages.holds(offset, count);
}

uint64_t Memory::bytes_held() const {
  uint64_t sum = 0;
  for (const Buffer& buffer : state_->buffers) sum += buffer.pages.bytes_held();
  return sum;
}

uint64_t Memory::bytes_read(uint32_t buffer) const { return state_->buffers[buffer].pages.bytes_read(); }
uint64_t Memory::bytes_written(uint32_t buffer) const {
  return state_->buffers[buffer].pages.bytes_written();
}

void Memory::reset_history() {
  for (Buffer& buffer : state_->buffers) buffer.pages.reset_history();
}

Memory::Access Memory::load(uint64_t address, uint32_t count, uint8_t* data) {
  Buffer* const buffer = state_->holding(address, count);
  if (!buffer) return Access::out_of_bounds;
  return buffer->pages.load(address - buffer->address, count, data) ? Access::ok : Access::never_written;
}

Memory::Access Memory::store(uint64_t address, uint32_t count, const uint8_t* data) {
  Buffer* const buffer = state_->holding(address, count);
  if (!buffer) return Access::out_of_bounds;
  if (buffer->read_only) return Access::read_only;
  buffer->pages.store(address - buffer->address, count, data);
  return Access::ok;
}

std::string Memory::describe(uint64_t address) const {
  constexpr uint64_t kNear = uint64_t{1} << 20;
  const Buffer* const found = state_->before(address);
  if (found && address - found->address < found->bytes)
    return found->name + " + " + std::to_string(address - found->address);
  const size_t next = found ? static_cast<size_t>(found - state_->buffers.data()) + 1 : 0;
  const uint64_t past = found ? address - found->address - found->bytes : ~uint64_t{0};
  const uint64_t before =
      next < state_->buffers.size() ? state_->buffers[next].address - address : ~uint64_t{0};
  if (std::min(past, before) > kNear) return "no buffer is near";
  if (past < before)
    return past == 0 ? "the end of " + found->name
                     : std::to_string(past) + " bytes past the end of " + found->name;
  return std::to_string(before) + " bytes before " + state_->buffers[next].name;
}

}  // namespace fuseboard::ptx
