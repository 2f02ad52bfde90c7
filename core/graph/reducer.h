// One fold of a reduce, an element at a time: what the op table's `fold(reducer, a over axes)` says.
// It must not know graphs, tensors or kernels.
#pragma once

#include <cstdint>
#include <string_view>

#include "graph/dtype.h"
#include "graph/evaluate.h"

namespace fuseboard {

class Reducer {
 public:
  /// sum prod max min mean any all argmax argmin.
  static bool is_known(std::string_view name);

  /// Of elements of one dtype, not foreign; `name` is a known one.
  Reducer(std::string_view name, DType dtype);

  void begin();
  /// In any order of indices: of equal elements argmax and argmin keep the least index; NaN wins. Sums and
  /// products of f32 and narrower are kept in double, of f64 in long double, integers wrap.
  void take(const Element& element, uint64_t index);
  /// As an element of dtype `to`. Max of nothing is the lowest value there is, min the highest.
  Element result(DType to) const;

 private:
  DType whole() const { return dtype_class(dtype_) == DTypeClass::Signed ? DType::i64 : DType::u64; }
  DType wrapped() const { return dtype_ == DType::boolean ? DType::u64 : dtype_; }
  bool wins(const Element& element, uint64_t index) const;
  Element lowest() const;

  enum class Rule : uint8_t { truth, sum, product, extreme };

  std::string_view name_;
  DType dtype_;
  Rule rule_;
  bool is_float_;
  bool is_f64_;
  bool wants_all_;   ///< of `truth`: all, not any
  bool wants_more_;  ///< of `extreme`: the largest, not the least
  bool is_index_;    ///< of `extreme`: its place is asked for
  long double wide_ = 0;
  double narrow_ = 0;
  uint64_t bits_ = 0;
  Element best_;
  uint64_t best_index_ = 0;
  uint64_t count_ = 0;
};

}  // namespace fuseboard
