// Every granule remembers its last writer and the readers since.
// It must not know instructions.
#include "ptx/shared_memory.h"

#include <cstring>

namespace fuseboard::ptx {

void SharedMemory::resize(uint32_t bytes, uint32_t granule) {
  shift_ = granule >= 4 ? 2 : granule >= 2 ? 1 : 0;
  bytes_.assign(bytes, 0);
  granules_.assign((bytes + (1U << shift_) - 1) >> shift_, Granule{});
  block_ = 0;
}

void SharedMemory::begin(uint32_t warps) {
  ++block_;
  readers_.clear();
  order_.begin(warps);
}

SharedMemory::Granule& SharedMemory::granule(uint32_t index) {
  Granule& found = granules_[index];
  if (found.block != block_) {
    found = Granule{};
    found.block = block_;
  }
  return found;
}

bool SharedMemory::conflicts(const Record& record, const SharedAccess& access) const {
  if (!record.present || record.moment.lanes == 0 || (record.strong && access.strong)) return false;
  return record.pending || !order_.ordered(record.moment, access.warp, access.lane);
}

SharedProblem SharedMemory::problem(const Record& record, const SharedAccess& access, uint32_t index,
                                    uint32_t shift, bool wrote) {
  SharedProblem found;
  found.address = index << shift;
  found.other_warp = record.moment.warp;
  const uint32_t others =
      record.moment.warp == access.warp ? record.moment.lanes & ~(1U << access.lane) : record.moment.lanes;
  found.other_lane = first_lane(others != 0 ? others : record.moment.lanes);
  found.other_wrote = wrote;
  found.other_pending = record.pending;
  found.other = record.op;
  return found;
}

void SharedMemory::add_reader(Granule& at, const SharedAccess& access) {
  const Record mine{{access.warp, access.step, 1U << access.lane}, access.op, true, access.strong, false};
  // A lane's own earlier read is no longer needed either: so there are at most a warp's lanes of records.
  const auto supersede = [&](Record& record) {
    if (record.moment.warp == access.warp && record.moment.step != access.step &&
        record.strong == access.strong)
      record.moment.lanes &= ~(1U << access.lane);
  };
  const auto takes = [&](Record& record) {
    if (record.moment.lanes == 0) {
      record = mine;
      return true;
    }
    if (record.moment.warp == access.warp && record.moment.step == access.step &&
        record.strong == access.strong) {
      record.moment.lanes |= 1U << access.lane;
      return true;
    }
    // A reader that comes before this one is no longer needed: who comes after this one comes after both.
    if (record.strong == access.strong && order_.ordered(record.moment, access.warp, access.lane)) {
      record = mine;
      return true;
    }
    return false;
  };
  if (!at.read.present) {
    at.read = mine;
    return;
  }
  supersede(at.read);
  if (at.more != 0)
    for (Record& record : readers_[at.more - 1]) supersede(record);
  if (takes(at.read)) return;
  if (at.more == 0) {
    readers_.emplace_back();
    at.more = static_cast<uint32_t>(readers_.size());
  }
  for (Record& record : readers_[at.more - 1])
    if (takes(record)) return;
  readers_[at.more - 1].push_back(mine);
}

std::optional<SharedProblem> SharedMemory::load(const SharedAccess& access, uint8_t* data) {
  const uint32_t last = (access.address + access.bytes - 1) >> shift_;
  for (uint32_t index = access.address >> shift_; index <= last; ++index) {
    Granule& at = granule(index);
    if (!at.write.present) {
      SharedProblem missing;
      missing.kind = FaultKind::never_written;
      missing.address = index << shift_;
      return missing;
    }
    if (conflicts(at.write, access)) return problem(at.write, access, index, shift_, true);
    add_reader(at, access);
  }
  std::memcpy(data, bytes_.data() + access.address, access.bytes);
  return std::nullopt;
}

std::optional<SharedProblem> SharedMemory::check_write(const SharedAccess& access, const uint8_t* data) {
  const uint32_t first = access.address >> shift_;
  const uint32_t last = (access.address + access.bytes - 1) >> shift_;
  for (uint32_t index = first; index <= last; ++index) {
    Granule& at = granule(index);
    const AccessMoment& before = at.write.moment;
    const bool together = at.write.present && !at.write.pending && before.warp == access.warp &&
                          before.step == access.step && before.lanes != 1U << access.lane;
    if ((together && !(at.write.strong && access.strong)) || conflicts(at.write, access)) {
      const uint32_t from = index << shift_, count = 1U << shift_;
      const bool same = data && !at.write.pending &&
                        std::memcmp(bytes_.data() + from, data + (from - access.address), count) == 0;
      if (!same) return problem(at.write, access, index, shift_, true);
    }
    if (at.read.present && conflicts(at.read, access)) return problem(at.read, access, index, shift_, false);
    if (at.more != 0)
      for (const Record& record : readers_[at.more - 1])
        if (conflicts(record, access)) return problem(record, access, index, shift_, false);
  }
  return std::nullopt;
}

std::optional<SharedProblem> SharedMemory::store(const SharedAccess& access, const uint8_t* data) {
  if (auto found = check_write(access, data)) return found;
  write(access, data);
  return std::nullopt;
}

void SharedMemory::finish_copy(const SharedAccess& access, const uint8_t* data) { write(access, data); }

void SharedMemory::write(const SharedAccess& access, const uint8_t* data) {
  const uint32_t last = (access.address + access.bytes - 1) >> shift_;
  for (uint32_t index = access.address >> shift_; index <= last; ++index) {
    Granule& at = granule(index);
    const bool together =
        at.write.present && at.write.moment.warp == access.warp && at.write.moment.step == access.step;
    const uint32_t lanes = (1U << access.lane) | (together ? at.write.moment.lanes : 0);
    at.write = {{access.warp, access.step, lanes}, access.op, true, access.strong, false};
    at.read.present = false;
    if (at.more != 0) readers_[at.more - 1].clear();
  }
  std::memcpy(bytes_.data() + access.address, data, access.bytes);
}

std::optional<SharedProblem> SharedMemory::start_copy(const SharedAccess& access) {
  if (auto found = check_write(access, nullptr)) return found;
  const uint32_t last = (access.address + access.bytes - 1) >> shift_;
  for (uint32_t index = access.address >> shift_; index <= last; ++index) {
    Granule& at = granule(index);
    at.write = {{access.warp, access.step, 1U << access.lane}, access.op, true, false, true};
  }
  return std::nullopt;
}

}  // namespace fuseboard::ptx
