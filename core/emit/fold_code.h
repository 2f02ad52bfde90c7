// The arithmetic of one reduce: what its accumulator is, how two of them become one, how a whole row's
// becomes the op's value. It must not know rows, nor how threads share them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "emit/conversion_code.h"
#include "emit/op_code.h"
#include "emit/ptx_writer.h"
#include "graph/fusion_graph.h"

namespace fuseboard {

/// Some elements of a row, folded. `index`: of argmax and argmin, the column of the one that won.
struct Folded {
  std::string value;
  std::string index;
};

class FoldCode {
 public:
  /// `columns` that a row has.
  FoldCode(const FusionGraph& graph, uint32_t op, PtxWriter& writer, OpCode& ops, const Target& target,
           uint64_t columns);

  bool has_index() const { return has_index_; }
  Arithmetic arithmetic() const { return arithmetic_of(dtype_); }
  Folded nothing();  ///< folds as if it were not there
  Folded one(PtxValue& element, const std::string& column, bool wide);
  Folded both(const Folded& a, const Folded& b);
  Folded plus_product(const Folded& folded, const std::string& a, const std::string& b);  ///< of f32 sums
  Folded where(const std::string& predicate, const Folded& folded);                 ///< nothing() elsewhere
  Folded selected(const std::string& predicate, const Folded& a, const Folded& b);  ///< a where it holds
  void assign(const Folded& to, const Folded& from);
  Folded exchanged(const Folded& folded, uint32_t lanes, const std::string& mask);  ///< of lane ^ lanes
  /// Where `predicate` holds, or everywhere.
  void store(const Folded& folded, const std::string& address, uint64_t value_at, uint64_t index_at,
             const std::string& predicate);
  Folded load(const std::string& address, uint64_t value_at, uint64_t index_at);
  uint32_t value_bytes() const { return dtype_bytes(dtype_) == 8 ? 8 : 4; }
  static constexpr uint32_t kIndexBytes = 8;

  /// Of a whole row; `initial` may be null.
  PtxValue result(Folded folded, PtxValue* initial);

 private:
  std::string identity() const;
  std::string shuffled(const std::string& reg, RegisterClass register_class, uint32_t lanes,
                       const std::string& mask);
  Folded winner(const Folded& a, const Folded& b);
  std::string in_word(const std::string& reg);
  std::string from_word(const std::string& reg);
  std::string converted_element(PtxValue& element);

  const FusionOp& op_;
  PtxWriter& writer_;
  OpCode& ops_;
  ConversionCode conversion_;
  const uint64_t columns_;
  std::string_view reducer_;
  const DType operand_;
  DType dtype_ = DType::f32;  ///< of the accumulator
  OpKind kind_ = OpKind::add;
  bool has_index_ = false;
};

}  // namespace fuseboard
