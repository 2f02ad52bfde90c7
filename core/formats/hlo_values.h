// What an instruction yields while a graph is built: an op, a tuple of values, or a part of an op's many
// results. It must not know opcodes; it adds no op but inputs' leaves and `result` views.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "formats/hlo_module.h"
#include "formats/hlo_shape.h"
#include "formats/hlo_type_of.h"

namespace fuseboard {

/// What inlining may cost beyond the text itself; past it the module is too large to plan.
struct HloBudget {
  uint64_t steps = 0;  ///< instructions visited
  uint64_t ops = 0;
  uint64_t reads = 0;  ///< operands, a tuple's leaves each
  uint64_t bytes = 0;  ///< of text looked at
  bool exhausted = false;

  bool spend(uint64_t& left, uint64_t amount) {
    if (amount > left) exhausted = true;
    left -= amount > left ? left : amount;
    return !exhausted;
  }
};

/// The graph under construction with the place of every op and operand, and names that stay unique.
class HloGraph {
 public:
  FusionGraph graph;
  OpPlaces places;
  HloBudget budget;

  void set_layout(uint32_t op, const HloLayout& layout) {
    if (!layout.empty()) layouts_[op] = layout;
  }
  const HloLayout& layout(uint32_t op) const {
    const auto found = layouts_.find(op);
    return found == layouts_.end() ? row_major_ : found->second;
  }

  /// Reserves `name`: no op gets it but by `add` with `own`.
  void reserve(std::string_view name) { own_names_.push_back(name); }
  /// Adds `op`; its name is `name` if nobody has it, otherwise `scope/name` or a numbered one.
  uint32_t add(FusionOp op, HloSpan span, std::string_view name, std::string_view scope, bool own,
               const std::vector<HloSpan>& input_spans);

 private:
  bool take(const std::string& name);

  const HloLayout row_major_{};
  std::unordered_map<uint32_t, HloLayout> layouts_;  ///< of ops that are not row-major
  std::vector<std::string_view> own_names_;
  std::unordered_set<std::string_view> reserved_;  ///< own_names_, once another name is asked for
  std::unordered_set<std::string> used_;
  std::unordered_map<std::string, uint64_t> counters_;
};

struct HloValue {
  enum class Kind : uint8_t {
    Unknown,  ///< a fault was reported where it should have come from
    Op,       ///< a: op id
    Tuple,    ///< elements [a, a + b)
    Results,  ///< a: op id, b: the type node of these results of it
  };
  Kind kind = Kind::Unknown;
  uint32_t a = 0, b = 0;
};

/// All values, by id.
class HloValues {
 public:
  HloValues(HloGraph& out, HloTypes& types) : out_(out), types_(types) {}

  const HloValue& operator[](uint32_t id) const { return values_[id]; }
  uint32_t unknown();
  uint32_t op(uint32_t id);
  uint32_t tuple(const std::vector<uint32_t>& elements);
  uint32_t results(uint32_t op, uint32_t type_node);

  /// How many elements a tuple has; nothing for an array.
  bool is_tuple(uint32_t id) const;
  uint32_t element_count(uint32_t id) const;
  /// Element `index` of a tuple; a result that is an array becomes a `result` op called `name`.
  uint32_t element(uint32_t id, uint32_t index, HloSpan span, std::string_view name, std::string_view scope,
                   bool own);

  /// Resident data for every array among the type nodes from `first` to `root`: ops named `p.0`, `p.1`, ...
  uint32_t leaves(uint32_t first, uint32_t root, OpKind kind, HloSpan span, std::string_view name,
                  std::string_view scope);

  /// Appends the type of a tuple value, and returns its root. Spends the budget; no recursion.
  uint32_t type_of(uint32_t id);

  /// The ops behind a value in order, appended to `ops`. Opaque readers take the op itself for all its
  /// results
  /// (`whole`). An unknown value gives kNoOp. Spends the budget; no recursion.
  void flatten(uint32_t id, bool whole, HloSpan span, std::vector<uint32_t>& ops);

 private:
  uint32_t add(HloValue value);
  uint32_t result_op(uint32_t op, uint32_t node, HloSpan span, std::string_view name, std::string_view scope,
                     bool own);
  void flatten_results(uint32_t op, uint32_t node, HloSpan span, std::vector<uint32_t>& ops);

  HloGraph& out_;
  HloTypes& types_;
  std::vector<HloValue> values_;
  std::vector<uint32_t> elements_;
  std::unordered_map<uint64_t, uint32_t> result_ops_;  ///< op and number of the result -> the `result` op
};

}  // namespace fuseboard
