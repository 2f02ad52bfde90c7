// Looking up from a reduction at what it folds, and down at what is made of it.
// It must not know names of ops, nor kernels.
#include "plan/pattern.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "plan/row_domain.h"

namespace fuseboard {
namespace {

constexpr size_t kMostSeen = 64;      ///< ops around a reduction
constexpr size_t kMostVisits = 1024;  ///< edges that are followed to find them

class PatternFinder {
 public:
  PatternFinder(const FusionGraph& graph, const Dag& dag, std::span<const uint32_t> members)
      : graph_(graph), dag_(dag), members_(members) {
    for (const uint32_t id : members) {
      if (graph.op(id).kind == OpKind::reshape) see_reshape(id);
      if (graph.op(id).op_class() != OpClass::Reduce) continue;
      folds_.push_back(id);
      if (adds(id)) ++sums_of_[bare(graph.op(id).inputs[0])];
    }
  }

  GroupPattern find() const {
    if (folds_.empty()) return GroupPattern::none;
    GroupPattern norm = GroupPattern::generic;
    for (const uint32_t fold : folds_) {
      if (!adds(fold)) continue;
      const uint32_t folded = bare(graph_.op(fold).inputs[0]);
      if (is_kind(folded, {OpKind::exp, OpKind::exp2})) {
        if (const GroupPattern found = of_exponentials(fold, folded); found != GroupPattern::generic)
          return found;
      }
      if (const std::optional<uint32_t> root = squared(folded)) norm = of_squares(fold, *root, norm);
    }
    return norm;
  }

 private:
  bool inside(uint32_t id) const { return std::binary_search(members_.begin(), members_.end(), id); }
  const FusionOp& op(uint32_t id) const { return graph_.op(id); }

  bool is_kind(uint32_t id, std::initializer_list<OpKind> kinds) const {
    return std::find(kinds.begin(), kinds.end(), op(id).kind) != kinds.end();
  }

  bool adds(uint32_t fold) const {
    const std::string* reducer = text(fold, "reducer");
    return reducer != nullptr && (*reducer == "sum" || *reducer == "mean");
  }

  const std::string* text(uint32_t id, std::string_view name) const {
    const AttributeValue* given = op(id).attribute(name);
    return given == nullptr ? nullptr : std::get_if<std::string>(given);
  }

  /// What stands behind views, casts and copies inside the group.
  uint32_t bare(uint32_t id) const {
    for (size_t seen = 0; seen < kMostSeen && inside(id); ++seen) {
      if (!is_kind(id, {OpKind::reshape, OpKind::broadcast, OpKind::cast, OpKind::copy})) break;
      id = op(id).inputs[0];
    }
    return id;
  }

  /// x of x * x.
  std::optional<uint32_t> squared(uint32_t id) const {
    const std::vector<uint32_t>& inputs = op(id).inputs;
    if (op(id).kind == OpKind::mul && inputs.size() == 2 && bare(inputs[0]) == bare(inputs[1]))
      return bare(inputs[0]);
    if (op(id).kind == OpKind::pow && inputs.size() == 2 && is_two(inputs[1])) return bare(inputs[0]);
    return std::nullopt;
  }

  bool is_two(uint32_t id) const {
    for (size_t seen = 0; seen < kMostSeen; ++seen) {
      if (!is_kind(id, {OpKind::broadcast, OpKind::reshape, OpKind::cast})) break;
      id = op(id).inputs[0];
    }
    const AttributeValue* value = op(id).attribute("value");
    const double* real = value == nullptr ? nullptr : std::get_if<double>(value);
    const int64_t* whole = value == nullptr ? nullptr : std::get_if<int64_t>(value);
    return (real != nullptr && *real == 2) || (whole != nullptr && *whole == 2);
  }

  /// Whether a fold of the group that `is_wanted` is among the ops that `id` is made of.
  template <class Wanted>
  bool comes_from(uint32_t id, Wanted is_wanted) const {
    std::vector<uint32_t> seen{id};
    size_t visits = 0;
    for (size_t at = 0; at < seen.size(); ++at) {
      if (!inside(seen[at])) continue;
      const bool is_fold = op(seen[at]).op_class() == OpClass::Reduce;
      if (is_fold && is_wanted(seen[at])) return true;
      if (is_fold) continue;
      for (const uint32_t p : dag_.predecessors[seen[at]]) {
        if (++visits > kMostVisits) break;
        const bool is_new = std::find(seen.begin(), seen.end(), p) == seen.end();
        if (is_new && seen.size() < kMostSeen) seen.push_back(p);
      }
    }
    return false;
  }

  /// The members that are made of `id`, nearest first.
  std::vector<uint32_t> below(uint32_t id) const {
    std::vector<uint32_t> seen{id};
    size_t visits = 0;
    for (size_t at = 0; at < seen.size(); ++at) {
      for (const uint32_t c : dag_.successors[seen[at]]) {
        if (++visits > kMostVisits) break;
        const bool is_new = inside(c) && std::find(seen.begin(), seen.end(), c) == seen.end();
        if (is_new && seen.size() < kMostSeen) seen.push_back(c);
      }
    }
    seen.erase(seen.begin());
    return seen;
  }

  GroupPattern of_exponentials(uint32_t sum, uint32_t exponential) const {
    bool is_logarithm = false;
    for (const uint32_t id : below(sum)) {
      const std::vector<uint32_t>& inputs = op(id).inputs;
      const bool divides = is_kind(id, {OpKind::div, OpKind::mul}) && inputs.size() == 2;
      if (divides && (bare(inputs[0]) == exponential || bare(inputs[1]) == exponential))
        return GroupPattern::softmax;
      is_logarithm = is_logarithm || op(id).kind == OpKind::log;
    }
    if (!is_logarithm) return GroupPattern::generic;
    const std::optional<RowDomain> domain = row_domain_of(graph_, sum);
    bool is_full = false;
    for (const uint32_t id : below(sum)) {
      const bool is_fold = op(id).op_class() == OpClass::Reduce;
      if (is_fold && is_full) return GroupPattern::cross_entropy;
      is_full = is_full || (domain && op(id).kind == OpKind::sub && domain->columns() > 1 &&
                            element_count(op(id).output_shape) == domain->elements());
    }
    return is_full ? GroupPattern::log_softmax : GroupPattern::log_sum_exp;
  }

  GroupPattern of_squares(uint32_t fold, uint32_t root, GroupPattern so_far) const {
    const bool is_centred = op(root).kind == OpKind::sub && op(root).inputs.size() == 2 &&
                            comes_from(op(root).inputs[1], [&](uint32_t mean) { return adds(mean); });
    const bool has_both = sums_of_.contains(root);
    const bool is_mean = text(fold, "reducer") != nullptr && *text(fold, "reducer") == "mean";
    bool is_scaled = is_mean;
    bool has_root = false;
    for (const uint32_t id : below(fold)) {
      if (has_root) break;
      is_scaled = is_scaled || is_kind(id, {OpKind::div, OpKind::mul, OpKind::scale});
      has_root = is_kind(id, {OpKind::sqrt, OpKind::rsqrt});
    }
    if (is_centred || has_both) return centred_norm(fold);
    if (!has_root || so_far != GroupPattern::generic) return so_far;
    return is_scaled ? GroupPattern::rms_norm : GroupPattern::l2_norm;
  }

  GroupPattern centred_norm(uint32_t fold) const {
    const std::optional<RowDomain> domain = row_domain_of(graph_, fold);
    if (domain && domain->parts.size() > 1 &&
        (!domain->is_innermost_reduced() || domain->parts.front().is_reduced)) {
      return GroupPattern::batch_norm_statistics;
    }
    return is_reshaped(fold) ? GroupPattern::group_norm : GroupPattern::layer_norm;
  }

  static Shape plain(const Shape& of) {
    Shape out;
    for (const uint64_t dim : of) {
      if (dim != 1) out.push_back(dim);
    }
    return out;
  }

  void see_reshape(uint32_t id) {
    const Shape from = plain(op(op(id).inputs[0]).output_shape);
    Shape to = plain(op(id).output_shape);
    if (from != to && from.size() > 2) reshaped_.insert(std::move(to));
  }

  /// Whether full values come or go in another shape than the one that is folded.
  bool is_reshaped(uint32_t fold) const {
    return reshaped_.contains(plain(op(op(fold).inputs[0]).output_shape));
  }

  const FusionGraph& graph_;
  const Dag& dag_;
  std::span<const uint32_t> members_;
  std::vector<uint32_t> folds_;
  std::map<uint32_t, uint32_t> sums_of_;  ///< by what is folded, bare: how many add it up
  std::set<Shape> reshaped_;              ///< that members reshape to, dimensions of 1 aside
};

}  // namespace

std::string_view group_pattern_text(GroupPattern pattern) {
  switch (pattern) {
    case GroupPattern::none:
      return "";
    case GroupPattern::generic:
      return "Generic";
    case GroupPattern::softmax:
      return "Softmax";
    case GroupPattern::log_softmax:
      return "LogSoftmax";
    case GroupPattern::log_sum_exp:
      return "LogSumExp";
    case GroupPattern::cross_entropy:
      return "CrossEntropy";
    case GroupPattern::layer_norm:
      return "LayerNorm";
    case GroupPattern::rms_norm:
      return "RMSNorm";
    case GroupPattern::group_norm:
      return "GroupNorm";
    case GroupPattern::batch_norm_statistics:
      return "BatchNormStatistics";
    case GroupPattern::l2_norm:
      return "L2Norm";
  }
  return "";
}

GroupPattern group_pattern(const FusionGraph& graph, const Dag& dag, std::span<const uint32_t> members) {
  return PatternFinder(graph, dag, members).find();
}

}  // namespace fuseboard
