// Walking a body's steps from the last to the first, and from each to its operands through the views between.
// It must not know PTX, nor how the kernel computes its indices.
#include "verify/body_walk.h"

#include <map>
#include <type_traits>
#include <utility>

#include "launch/loop_schedule.h"

namespace fuseboard {
namespace {

/// Over TracedBody or TracedRows.
template <class Traced>
class Walker {
 public:
  /// `more`: values from outside beside the stores'.
  Walker(const FusionGraph& graph, const Traced& body, uint32_t more) : graph_(graph), body_(body) {
    walk_.stores = static_cast<uint32_t>(body.stored.size()) + more;
    walk_.values.resize(walk_.stores);
    walk_.value_of_step.assign(body.steps.size(), BodyWalk::kNoValue);
  }

  bool walk(std::string& fault) {
    for (uint32_t store = 0; store < body_.stored.size(); ++store) {
      if (body_.stored[store] >= body_.steps.size()) return fail(fault, "a store of no step");
      reach(body_.stored[store], value_of_store(store));
    }
    for (uint32_t step = static_cast<uint32_t>(body_.steps.size()); step-- > 0;) {
      if (walk_.value_of_step[step] == BodyWalk::kNoValue) continue;
      const auto& each = body_.steps[step];
      if (each.kind != StepKind::compute && each.kind != StepKind::fold) continue;
      const FusionOp& op = graph_.op(each.op);
      if (each.operands.size() != op.inputs.size()) return fail(fault, "a step without all its operands");
      for (uint32_t input = 0; input < each.operands.size(); ++input) {
        if (each.operands[input] >= step) return fail(fault, "a step before its operand");
        const std::optional<uint32_t> value = operand_value(step, input, fault);
        if (!value) return false;
        reach(each.operands[input], *value);
      }
    }
    return true;
  }

  BodyWalk take() { return std::move(walk_); }

 private:
  static bool fail(std::string& fault, std::string_view why) {
    fault = why;
    return false;
  }

  uint32_t value_of_store(uint32_t store) const {
    if constexpr (std::is_same_v<Traced, TracedRows>) {
      const bool is_by_row = body_.steps[body_.stored[store]].by_row;
      return is_by_row ? BodyWalk::row_of(body_) : BodyWalk::full_of(body_);
    } else {
      return store;
    }
  }

  /// The element of the operand that a step's own operation reads, before any view.
  uint32_t first_value(uint32_t step, uint32_t input) {
    const uint32_t own = walk_.value_of_step[step];
    if constexpr (std::is_same_v<Traced, TracedRows>) {
      if (body_.steps[step].kind == StepKind::fold) {
        if (input != 0) return value_at(own, ElementMap{});  // the initial value: an element alone
        if (own != BodyWalk::row_of(body_)) walk_.agreements.push_back({step, own, BodyWalk::row_of(body_)});
        return BodyWalk::full_of(body_);
      }
    }
    return mapped(own, body_.steps[step].op, input);
  }

  void reach(uint32_t step, uint32_t value) {
    uint32_t& known = walk_.value_of_step[step];
    if (known == BodyWalk::kNoValue) known = value;
    if (known != value) walk_.agreements.push_back({step, known, value});
  }

  std::optional<uint32_t> operand_value(uint32_t step, uint32_t input, std::string& fault) {
    const auto& each = body_.steps[step];
    const uint32_t wanted = body_.steps[each.operands[input]].op;
    uint32_t value = first_value(step, input);
    uint32_t at = graph_.op(each.op).inputs[input];
    while (at != wanted && is_seen_through(graph_.op(at))) {
      value = mapped(value, at, 0);
      at = graph_.op(at).inputs[0];
    }
    if (at == wanted) return value;
    fault = graph_.name_of(each.op) + " does not read " + graph_.name_of(wanted);
    return std::nullopt;
  }

  uint32_t mapped(uint32_t from, uint32_t op, uint32_t input) {
    const auto [edge, is_new_edge] = map_of_edge_.try_emplace({op, input}, 0);
    if (is_new_edge) edge->second = intern(element_map(graph_, op, input));
    return value_of_map(from, edge->second);
  }

  uint32_t value_at(uint32_t from, const ElementMap& map) { return value_of_map(from, intern(map)); }

  uint32_t value_of_map(uint32_t from, uint32_t map) {
    if (walk_.maps[map].is_identity) return from;
    const auto [value, is_new] = values_.try_emplace({from, map}, 0);
    if (is_new) {
      value->second = static_cast<uint32_t>(walk_.values.size());
      walk_.values.push_back({from, map});
    }
    return value->second;
  }

  uint32_t intern(const ElementMap& map) {
    std::vector<uint64_t> key{map.is_identity ? 1U : 0U};
    for (const ElementMap::Digit& digit : map.digits) {
      key.insert(key.end(), {digit.divisor, digit.extent, digit.stride});
    }
    const auto [found, is_new] = maps_.try_emplace(std::move(key), static_cast<uint32_t>(walk_.maps.size()));
    if (is_new) walk_.maps.push_back(map);
    return found->second;
  }

  const FusionGraph& graph_;
  const Traced& body_;
  BodyWalk walk_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> map_of_edge_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> values_;
  std::map<std::vector<uint64_t>, uint32_t> maps_;
};

}  // namespace

std::optional<BodyWalk> BodyWalk::make(const FusionGraph& graph, const TracedBody& body, std::string& fault) {
  Walker<TracedBody> walker(graph, body, 0);
  if (!walker.walk(fault)) return std::nullopt;
  return walker.take();
}

std::optional<BodyWalk> BodyWalk::make_of_rows(const FusionGraph& graph, const TracedRows& rows,
                                               std::string& fault) {
  Walker<TracedRows> walker(graph, rows, 2);
  if (!walker.walk(fault)) return std::nullopt;
  return walker.take();
}

}  // namespace fuseboard
