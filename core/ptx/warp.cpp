// Groups of lanes part at branches and join where they meet.
// It must not know barriers' completion, nor other warps.
#include "ptx/warp.h"

#include <algorithm>

namespace fuseboard::ptx {
namespace {

constexpr uint32_t kMostDepth = 1000;
constexpr uint32_t kMostLines = 1U << 20;  // 64 MiB of registers a warp
constexpr uint32_t kMostLocal = 1U << 19;  // bytes a lane: what hardware allows

}  // namespace

void Warp::grow_local(uint32_t bytes) {
  if (bytes <= local_bytes) return;
  std::vector<uint8_t> wider(static_cast<size_t>(bytes) * kLanes), marks(wider.size());
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    for (uint32_t i = 0; i < local_bytes; ++i) {
      wider[static_cast<size_t>(lane) * bytes + i] = local[static_cast<size_t>(lane) * local_bytes + i];
      marks[static_cast<size_t>(lane) * bytes + i] =
          local_written[static_cast<size_t>(lane) * local_bytes + i];
    }
  local = std::move(wider);
  local_written = std::move(marks);
  local_bytes = bytes;
}

void Warp::begin(const Program& entry) {
  frames.clear();
  groups.clear();
  copies.clear();
  commits.fill(0);
  owed = stored = step = current = turn_used = 0;
  frames.push_back({&entry, nullptr, 0, 0, 0, live, 0, 0});
  groups.push_back({live, 0, 0});
  registers.assign(entry.frame_lines, Line64{});
  if (local_bytes != 0) std::fill(local_written.begin(), local_written.end(), uint8_t{0});
  grow_local(entry.local_bytes);
}

bool Warp::call(const Program& callee, const MicroOp& op, uint32_t lanes, uint32_t return_pc) {
  const uint32_t parent = group().frame;
  const Frame& top = frames.back();
  const uint32_t first_line = top.first_line + top.program->frame_lines;
  const uint32_t local_base = top.local_base + (top.program->local_bytes + 15) / 16 * 16;
  const uint32_t depth = frames[parent].depth + 1;
  if (depth > kMostDepth || first_line + callee.frame_lines > kMostLines ||
      local_base + callee.local_bytes > kMostLocal || frames.size() > kMostDepth * kLanes)
    return false;
  if (registers.size() < first_line + callee.frame_lines) registers.resize(first_line + callee.frame_lines);
  std::fill(registers.begin() + first_line, registers.begin() + first_line + callee.frame_lines, Line64{});
  grow_local(local_base + callee.local_bytes);
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    std::fill_n(local_written.begin() + static_cast<std::ptrdiff_t>(lane) * local_bytes + local_base,
                callee.local_bytes, uint8_t{0});
  const auto frame = static_cast<uint32_t>(frames.size());
  frames.push_back({&callee, &op, parent, return_pc, depth, lanes, first_line, local_base});
  part(lanes, 0);
  groups.back().frame = frame;
  return true;
}

void Warp::part(uint32_t lanes, uint32_t pc) {
  Group parted = group();
  parted.lanes = lanes;
  parted.pc = pc;
  parted.wait = Wait::none;
  parted.released = false;
  group().lanes &= ~lanes;
  groups.push_back(parted);
}

void Warp::leave(uint32_t lanes) {
  Frame& frame = frames[group().frame];
  const uint32_t parent = frame.parent, pc = frame.return_pc;
  frame.lanes &= ~lanes;
  part(lanes, pc);
  groups.back().frame = parent;
}

void Warp::end(uint32_t lanes) {
  live &= ~lanes;
  owed |= lanes & stored;
  group().lanes &= ~lanes;
  for (Frame& frame : frames) frame.lanes &= ~lanes;
}

bool Warp::choose() {
  if (groups.size() == 1 && groups[0].lanes != 0 && groups[0].wait == Wait::none &&
      frames.back().lanes != 0) {
    current = 0;
    return true;
  }
  std::erase_if(groups, [](const Group& one) { return one.lanes == 0; });
  // Groups that have met become one.
  for (size_t i = 0; i < groups.size(); ++i)
    for (size_t k = i + 1; k < groups.size();) {
      const Group& other = groups[k];
      const bool met = groups[i].frame == other.frame && groups[i].pc == other.pc &&
                       groups[i].wait == other.wait && groups[i].mask == other.mask &&
                       groups[i].released == other.released;
      if (!met || groups[i].wait == Wait::block || groups[i].released) {
        ++k;
        continue;
      }
      groups[i].lanes |= other.lanes;
      groups[i].yielded = groups[i].yielded && other.yielded;
      groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(k));
    }
  while (frames.size() > 1 && frames.back().lanes == 0) frames.pop_back();
  // A .sync goes through when all of its lanes that have not ended are there.
  for (Group& one : groups) {
    if (one.wait != Wait::warp && one.wait != Wait::warp_anywhere) continue;
    uint32_t there = one.lanes;
    if (one.wait == Wait::warp_anywhere)
      for (const Group& other : groups)
        if (other.wait == Wait::warp_anywhere && other.mask == one.mask) there |= other.lanes;
    if ((one.mask & live & ~there) != 0) continue;
    if (one.wait == Wait::warp_anywhere) {
      const uint32_t mask = one.mask;
      for (Group& other : groups)
        if ((other.wait == Wait::warp_anywhere || other.released) && other.mask == mask) {
          other.wait = Wait::none;
          other.released = true;
          other.result = step;
        }
    }
    one.wait = Wait::none;
    one.released = true;
    one.result = step;
  }
  const auto runnable = [](const Group& one) { return one.wait == Wait::none; };
  bool fresh = false, any = false;
  for (const Group& one : groups) {
    any = any || runnable(one);
    fresh = fresh || (runnable(one) && !one.yielded);
  }
  if (!any) return false;
  bool found = false;
  for (uint32_t i = 0; i < groups.size(); ++i) {
    Group& one = groups[i];
    if (!runnable(one)) continue;
    if (!fresh) one.yielded = false;
    if (one.yielded) continue;
    const Group& best = groups[current < groups.size() ? current : 0];
    const auto order = [this](const Group& g) {
      return std::array<uint32_t, 3>{~frames[g.frame].depth, g.frame, g.pc};
    };
    if (!found || order(one) < order(best)) current = i;
    found = true;
  }
  return true;
}

uint32_t Warp::meeting_place() const {
  uint32_t least = 0xffffffff;
  const Group& mine = groups[current];
  for (uint32_t i = 0; i < groups.size(); ++i)
    if (i != current && groups[i].frame == mine.frame && groups[i].wait == Wait::none && !groups[i].yielded)
      least = std::min(least, groups[i].pc);
  return least;
}

}  // namespace fuseboard::ptx
