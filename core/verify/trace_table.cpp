// Turning traces by line into actions by instruction, and doing them as the kernel runs.
// It must not know graphs, nor what the values should be.
#include "verify/trace_table.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "verify/trace_lines.h"

namespace fuseboard {

std::unique_ptr<TraceTable> TraceTable::make(const EmittedKernel& emitted, const ptx::Function& entry,
                                             PassSink& sink, std::string& fault) {
  std::unique_ptr<TraceTable> table(new TraceTable(emitted, sink));
  if (!table->prepare(entry, fault)) return nullptr;
  return table;
}

bool TraceTable::prepare(const ptx::Function& entry, std::string& fault) {
  for (const TracedBody& each : emitted_.bodies) {
    BodyRows body;
    body.steps = static_cast<uint32_t>(each.steps.size());
    body.stores = static_cast<uint32_t>(each.stored.size());
    body.first_row = row_count_;
    body.first_mask = mask_count_;
    body.traced.assign(body.steps, 0);
    body.loaded.assign(body.steps, 0);
    row_count_ += each.slots * body.rows();
    mask_count_ += each.slots * body.stores;
    bodies_.push_back(std::move(body));
  }
  for (const Trace& trace : emitted_.traces) {
    if (!add(trace, entry, fault)) return false;
  }
  return order(entry, fault);
}

bool TraceTable::add(const Trace& trace, const ptx::Function& entry, std::string& fault) {
  Action action{trace.kind, false, trace.line, trace.body, trace.slot, 0, 0, 0, 0, trace.slot_offset};
  const std::string where = "the trace of line " + std::to_string(trace.line);
  if (trace.body >= bodies_.size() || trace.slot >= emitted_.bodies[trace.body].slots ||
      trace.step >= bodies_[trace.body].steps) {
    fault = where + " is of no step";
    return false;
  }
  BodyRows& body = bodies_[trace.body];
  const uint32_t first = body.first_row + trace.slot * body.rows();
  switch (trace.kind) {
    case TraceKind::value:
      action.row = first + trace.step;
      action.reg = entry.register_named(trace.reg);
      if (trace.slot == 0) body.traced[trace.step] = 1;
      if (action.reg == ptx::kNone) {
        fault = where + " names " + trace.reg + ", which is no register";
        return false;
      }
      break;
    case TraceKind::load:
      action.row = first + body.steps + trace.step;
      if (trace.slot == 0) body.loaded[trace.step] = 1;
      break;
    case TraceKind::store: {
      const std::vector<uint32_t>& stored = emitted_.bodies[trace.body].stored;
      const auto store = std::find(stored.begin(), stored.end(), trace.step);
      if (store == stored.end()) {
        fault = where + " stores a step that is not stored";
        return false;
      }
      const uint32_t number = static_cast<uint32_t>(store - stored.begin());
      action.row = first + 2 * body.steps + number;
      action.mask = body.first_mask + trace.slot * body.stores + number;
      break;
    }
  }
  actions_.push_back(action);
  return true;
}

bool TraceTable::order(const ptx::Function& entry, std::string& fault) {
  const TraceLines lines(emitted_.text, entry);
  const std::vector<ptx::Instruction>& instructions = entry.instructions;
  for (Action& each : actions_) {
    const std::optional<uint32_t> instruction = lines.instruction_of(each.line, each.kind, fault);
    if (!instruction) return false;
    each.instruction = *instruction;
  }
  std::stable_sort(actions_.begin(), actions_.end(),
                   [](const Action& a, const Action& b) { return a.instruction < b.instruction; });
  std::unordered_map<uint64_t, bool> has_last;
  for (size_t i = actions_.size(); i-- > 0;) {
    Action& each = actions_[i];
    if (each.kind != TraceKind::store) continue;
    bool& found = has_last[uint64_t{each.body} << 32 | each.slot];
    each.is_last = !found;
    found = true;
  }
  size_t next = 0;
  for (uint32_t i = 0; i < instructions.size(); ++i) {
    first_action_.push_back(static_cast<uint32_t>(next));
    if (next < actions_.size() && actions_[next].instruction == i) lines_.push_back(instructions[i].line);
    while (next < actions_.size() && actions_[next].instruction == i) ++next;
  }
  first_action_.push_back(static_cast<uint32_t>(next));
  return true;
}

TraceTable::WarpRows& TraceTable::rows_of(uint32_t warp) {
  if (warp >= warps_.size()) warps_.resize(warp + 1);
  WarpRows& rows = warps_[warp];
  if (rows.rows.empty()) {
    rows.rows.assign(row_count_, LaneRow{});
    rows.masks.assign(mask_count_, 0);
  }
  return rows;
}

void TraceTable::executed(const ptx::WarpView& warp, uint32_t index) {
  if (index + 1 >= first_action_.size()) return;
  WarpRows& rows = rows_of(warp.warp());
  const uint32_t active = warp.active();
  const bool is_whole = active == 0xffffffff;
  LaneRow seen;
  for (uint32_t i = first_action_[index]; i < first_action_[index + 1]; ++i) {
    const Action& action = actions_[i];
    LaneRow& row = rows.rows[action.row];
    LaneRow& into = is_whole ? row : seen;
    if (action.kind == TraceKind::value) {
      warp.lanes(action.reg, into);
    } else {
      const LaneRow& addresses = warp.addresses();
      for (uint32_t lane = 0; lane < ptx::kWarp; ++lane) into[lane] = addresses[lane] + action.slot_offset;
    }
    if (!is_whole) {
      for (uint32_t lane = 0; lane < ptx::kWarp; ++lane) {
        if ((active >> lane & 1) != 0) row[lane] = seen[lane];
      }
    }
    if (action.kind != TraceKind::store) continue;
    rows.masks[action.mask] |= active;
    if (action.is_last) end_pass(action, rows);
  }
}

void TraceTable::end_pass(const Action& action, WarpRows& rows) {
  const BodyRows& body = bodies_[action.body];
  const std::span<uint32_t> masks =
      std::span(rows.masks).subspan(body.first_mask + action.slot * body.stores, body.stores);
  uint32_t all = 0xffffffff;
  for (const uint32_t mask : masks) all &= mask;
  const uint32_t last = rows.masks[action.mask];
  std::fill(masks.begin(), masks.end(), 0);
  sink_.pass_ended({action.body, action.slot, all, last & ~all,
                    std::span(rows.rows).subspan(body.first_row + action.slot * body.rows(), body.rows())});
}

}  // namespace fuseboard
