// Running a group's ops alone, in order, and comparing what the fused kernel stored.
// It must not know plans as a whole, nor library calls.
#include "verify/unfused_check.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "graph/reducer_of.h"
#include "verify/register_value.h"

namespace fuseboard {

UnfusedCheck::UnfusedCheck(const FusionGraph& graph, const Storages& storages, const Kernel& fused,
                           const std::vector<Kernel>& unfused, const EmitOptions& options, double scalar,
                           TensorValues& values)
    : graph_(graph),
      storages_(storages),
      fused_(fused),
      unfused_(unfused),
      options_(options),
      scalar_(scalar),
      values_(values) {
  for (const uint32_t op : fused.order) {
    if (unfused[op].kind == LaunchKind::kernel) ops_.push_back(op);
    if (unfused[op].kind == LaunchKind::library) has_library_ = true;
  }
  if (has_library_) ops_.clear();
  if (ops_.size() < 2) ops_.clear();  // alone already
  find_rounded();
}

void UnfusedCheck::find_rounded() {
  std::unordered_map<uint32_t, bool>
      rounds;  // by op: whether reading it from memory rounds what a register holds
  std::unordered_map<uint32_t, bool> reordered;  // by op: whether a sum behind it is added up differently
  for (const uint32_t op : ops_) {
    bool behind = false;
    bool is_reordered = reorders(op);
    for (const uint32_t input : graph_.op(op).inputs) {
      const auto found = rounds.find(storages_.root[input]);
      behind = behind || (found != rounds.end() && found->second);
      const auto sum = reordered.find(storages_.root[input]);
      is_reordered = is_reordered || (sum != reordered.end() && sum->second);
    }
    reordered[op] = is_reordered;
    reordered_ops_.push_back(is_reordered);
    rounded_.push_back(behind);
    const FusionOp& each = graph_.op(op);
    const bool is_narrow = each.dtype == DType::f16 || each.dtype == DType::bf16;
    rounds[op] = behind || (is_narrow && each.kind != OpKind::cast);
  }
}

/// A float sum, mean or product whose kernel shares its rows in another way than the fused one.
bool UnfusedCheck::reorders(uint32_t op) const {
  const FusionOp& each = graph_.op(op);
  if (each.op_class() != OpClass::Reduce || each.inputs.empty()) return false;
  const std::string_view name = reducer_of(each);
  const bool is_ordered = name == "sum" || name == "mean" || name == "prod";
  if (!is_ordered || dtype_class(graph_.op(each.inputs[0]).dtype) != DTypeClass::Float) return false;
  const std::optional<RowShape>& a = fused_.rows;
  const std::optional<RowShape>& b = unfused_[op].rows;
  const bool shares_alike = a && b && a->domain == b->domain && a->walk == b->walk &&
                            a->along_rows == b->along_rows && a->slots == b->slots &&
                            a->threads == b->threads && a->passes == b->passes &&
                            (!a->along_rows || a->rows_in_block == b->rows_in_block);
  // A looped kernel may scale a sum of exponentials as its maximum grows (launch/online_sum.h).
  const uint32_t summed = storages_.root[each.inputs[0]];
  const bool may_scale = a && a->walk == RowWalk::looped && graph_.op(summed).kind == OpKind::exp;
  return !shares_alike || may_scale;
}

bool UnfusedCheck::advance(uint64_t& steps) {
  while (steps > 0 && next_ < ops_.size() && !mismatch_ && fault_.empty()) {
    if (!check_) begin(ops_[next_]);
    if (!check_ || !check_->advance(steps)) continue;
    end(ops_[next_]);
    check_.reset();
    ++next_;
  }
  if (next_ < ops_.size() && !mismatch_ && fault_.empty()) return false;
  finish();
  return true;
}

void UnfusedCheck::begin(uint32_t op) {
  emitted_ = emit(graph_, unfused_[op], options_);
  if (emitted_.text.empty()) {
    fault_ = "the PTX of " + graph_.name_of(op) + " alone is not written";
    return;
  }
  KernelCheckSetup setup{graph_, unfused_[op], emitted_, values_};
  setup.holds = false;
  setup.scalar = scalar_;
  check_.emplace(setup);
}

void UnfusedCheck::end(uint32_t op) {
  if (check_->fault()) {
    fault_ = graph_.name_of(op) + " alone: " + check_->fault()->message;
    return;
  }
  const std::vector<KernelParameter>& parameters = unfused_[op].parameters;
  const auto output = std::find_if(parameters.begin(), parameters.end(), [](const KernelParameter& each) {
    return each.role == ParameterRole::output;
  });
  if (output == parameters.end()) return;
  std::vector<uint8_t> alone = check_->bytes_of(static_cast<size_t>(output - parameters.begin()));
  const bool is_stored = std::any_of(
      fused_.parameters.begin(), fused_.parameters.end(),
      [&](const KernelParameter& each) { return each.role == ParameterRole::output && each.op == op; });
  if (!is_stored) {
    values_.hold(op, std::move(alone));
    added_.push_back(op);
  } else if (rounded_[next_]) {
    ++left_out_;
  } else if (reordered_ops_[next_]) {
    ++reordered_;
  } else {
    compare(op, alone);
  }
}

void UnfusedCheck::compare(uint32_t op, const std::vector<uint8_t>& alone) {
  const std::vector<uint8_t> fused = values_.dense(op);
  const DType dtype = graph_.op(op).dtype;
  const size_t size = dtype_bytes(dtype);
  ++tensors_;
  if (fused == alone) return;
  for (size_t at = 0; at + size <= std::min(fused.size(), alone.size()); at += size) {
    if (std::memcmp(&fused[at], &alone[at], size) == 0) continue;
    const Element got = element_from_bytes(dtype, &fused[at]);
    const Element expected = element_from_bytes(dtype, &alone[at]);
    if (is_same_element(dtype, got, expected)) continue;
    Mismatch found;
    found.what = Mismatch::What::differs_from_unfused;
    found.op = op;
    found.element = at / size;
    found.expected = element_text(dtype, expected);
    found.got = element_text(dtype, got);
    found.message = graph_.name_of(op) + coordinates_text(graph_.op(op).output_shape, found.element) +
                    " is " + found.got + " fused, but " + found.expected + " where every op runs alone";
    mismatch_ = std::move(found);
    return;
  }
}

void UnfusedCheck::finish() {
  for (const uint32_t op : added_) values_.release(op);
  added_.clear();
}

}  // namespace fuseboard
