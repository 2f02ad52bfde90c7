// Choosing the accumulator and writing its instructions; graph/library_reference.h says what they must give.
// It must not know rows, nor how threads share them.
#include "emit/fold_code.h"

#include <limits>

#include "graph/reducer_of.h"

namespace fuseboard {
namespace {

std::string typed(std::string_view opcode, Arithmetic arithmetic) {
  return std::string(opcode) + "." + std::string(arithmetic_text(arithmetic));
}

}  // namespace

FoldCode::FoldCode(const FusionGraph& graph, uint32_t op, PtxWriter& writer, OpCode& ops,
                   const Target& target, uint64_t columns)
    : op_(graph.op(op)),
      writer_(writer),
      ops_(ops),
      conversion_(writer, target),
      columns_(columns),
      reducer_(reducer_of(op_)),
      operand_(graph.op(op_.inputs[0]).dtype) {
  const DTypeClass kind = dtype_class(operand_);
  const bool is_bool = kind == DTypeClass::Bool;
  dtype_ = dtype_of(arithmetic_of(operand_));
  has_index_ = reducer_.starts_with("arg");
  if (reducer_ == "sum" || reducer_ == "mean" || reducer_ == "prod") {
    kind_ = reducer_ == "prod" ? OpKind::mul : OpKind::add;
    if (is_bool) dtype_ = DType::u64;
    if (reducer_ == "mean" && kind == DTypeClass::Signed) dtype_ = DType::i64;
    if (reducer_ == "mean" && kind == DTypeClass::Unsigned) dtype_ = DType::u64;
  } else if (reducer_ == "any" || reducer_ == "all") {
    dtype_ = DType::boolean;
    kind_ = reducer_ == "any" ? OpKind::or_ : OpKind::and_;
  } else if (has_index_) {
    if (is_bool) dtype_ = DType::u32;
    kind_ = reducer_ == "argmax" ? OpKind::max : OpKind::min;
  } else {
    kind_ = reducer_ == "max" ? OpKind::max : OpKind::min;
    if (is_bool) kind_ = reducer_ == "max" ? OpKind::or_ : OpKind::and_;
  }
}

/// A literal; of predicates "1" or "0".
std::string FoldCode::identity() const {
  if (kind_ == OpKind::add || kind_ == OpKind::or_) return literal(arithmetic(), {0, 0});
  if (kind_ == OpKind::mul || kind_ == OpKind::and_) return literal(arithmetic(), {1, 1});
  const double infinity = std::numeric_limits<double>::infinity();
  const Element end{kind_ == OpKind::max ? -infinity : infinity, 0};
  return literal(arithmetic(), converted(DType::f64, dtype_, end));
}

std::string FoldCode::in_word(const std::string& reg) {
  return conversion_.to_arithmetic(arithmetic(), reg,
                                   arithmetic() == Arithmetic::pred ? Arithmetic::u32 : arithmetic());
}

std::string FoldCode::from_word(const std::string& reg) {
  return arithmetic() == Arithmetic::pred ? conversion_.to_arithmetic(Arithmetic::u32, reg, Arithmetic::pred)
                                          : reg;
}

Folded FoldCode::nothing() {
  Folded out;
  if (arithmetic() == Arithmetic::pred) {
    const std::string word = writer_.fresh(RegisterClass::b32);
    writer_.instruction("mov.u32", {word, identity()});
    out.value = from_word(word);
  } else {
    out.value = writer_.fresh(register_class_of(arithmetic()));
    writer_.instruction(typed("mov", arithmetic()), {out.value, identity()});
  }
  if (!has_index_) return out;
  out.index = writer_.fresh(RegisterClass::b64);
  writer_.instruction("mov.u64", {out.index, "0xFFFFFFFFFFFFFFFF"});
  return out;
}

std::string FoldCode::converted_element(PtxValue& element) {
  PtxValue held = element;
  if (!element.immediate) return conversion_.to_arithmetic(element.arithmetic, element.own(), arithmetic());
  std::string value = ops_.as(held, arithmetic());
  if (arithmetic() == Arithmetic::pred) return value;
  std::string reg = writer_.fresh(register_class_of(arithmetic()));
  writer_.instruction(typed("mov", arithmetic()), {reg, value});
  return reg;
}

Folded FoldCode::one(PtxValue& element, const std::string& column, bool wide) {
  Folded out{converted_element(element), {}};
  if (!has_index_) return out;
  out.index = column;
  if (!wide) {
    out.index = writer_.fresh(RegisterClass::b64);
    writer_.instruction("cvt.u64.u32", {out.index, column});
  }
  return out;
}

Folded FoldCode::both(const Folded& a, const Folded& b) {
  if (has_index_) return winner(a, b);
  return {ops_.pair(kind_, dtype_, a.value, b.value), {}};
}

Folded FoldCode::plus_product(const Folded& folded, const std::string& a, const std::string& b) {
  Folded out{writer_.fresh(RegisterClass::f32), {}};
  writer_.instruction("fma.rn.f32", {out.value, a, b, folded.value});
  return out;
}

/// NaN wins, then the greater or the less, then the first.
Folded FoldCode::winner(const Folded& a, const Folded& b) {
  const std::string wins = writer_.fresh(RegisterClass::pred);
  const std::string tie = writer_.fresh(RegisterClass::pred);
  const std::string first = writer_.fresh(RegisterClass::pred);
  const bool most = kind_ == OpKind::max;
  if (is_float(arithmetic())) {
    const std::string number = writer_.fresh(RegisterClass::pred);
    const std::string neither = writer_.fresh(RegisterClass::pred);
    writer_.instruction(typed("setp.num", arithmetic()), {number, a.value, a.value});
    writer_.instruction(typed(most ? "setp.gtu.and" : "setp.ltu.and", arithmetic()),
                        {wins, b.value, a.value, number});
    writer_.instruction("not.pred", {neither, number});
    writer_.instruction(typed("setp.nan.and", arithmetic()), {neither, b.value, b.value, neither});
    writer_.instruction(typed("setp.eq.or", arithmetic()), {tie, b.value, a.value, neither});
  } else {
    writer_.instruction(typed(most ? "setp.gt" : "setp.lt", arithmetic()), {wins, b.value, a.value});
    writer_.instruction(typed("setp.eq", arithmetic()), {tie, b.value, a.value});
  }
  writer_.instruction("setp.lt.and.u64", {first, b.index, a.index, tie});
  writer_.instruction("or.pred", {wins, wins, first});
  return selected(wins, b, a);
}

Folded FoldCode::selected(const std::string& predicate, const Folded& a, const Folded& b) {
  const auto chosen = [&](RegisterClass register_class, const std::string& opcode, const std::string& x,
                          const std::string& y) {
    std::string out = writer_.fresh(register_class);
    writer_.instruction(opcode, {out, x, y, predicate});
    return out;
  };
  Folded out;
  if (arithmetic() == Arithmetic::pred) {
    out.value = from_word(chosen(RegisterClass::b32, "selp.b32", in_word(a.value), in_word(b.value)));
  } else {
    const std::string bits = value_bytes() == 8 ? "b64" : "b32";
    const std::string type = is_float(arithmetic()) ? std::string(arithmetic_text(arithmetic())) : bits;
    out.value = chosen(register_class_of(arithmetic()), "selp." + type, a.value, b.value);
  }
  if (has_index_) out.index = chosen(RegisterClass::b64, "selp.b64", a.index, b.index);
  return out;
}

Folded FoldCode::where(const std::string& predicate, const Folded& folded) {
  return predicate.empty() ? folded : selected(predicate, folded, nothing());
}

void FoldCode::assign(const Folded& to, const Folded& from) {
  writer_.instruction(typed("mov", arithmetic()), {to.value, from.value});
  if (has_index_) writer_.instruction("mov.u64", {to.index, from.index});
}

std::string FoldCode::shuffled(const std::string& reg, RegisterClass register_class, uint32_t lanes,
                               const std::string& mask) {
  std::string out = writer_.fresh(register_class);
  const std::string by = std::to_string(lanes);
  if (register_class == RegisterClass::b32 || register_class == RegisterClass::f32) {
    writer_.instruction("shfl.sync.bfly.b32", {out, reg, by, "31", mask});
    return out;
  }
  const std::string low = writer_.fresh(RegisterClass::b32);
  const std::string high = writer_.fresh(RegisterClass::b32);
  writer_.instruction("mov.b64", {"{" + low + ", " + high + "}", reg});
  writer_.instruction("shfl.sync.bfly.b32", {low, low, by, "31", mask});
  writer_.instruction("shfl.sync.bfly.b32", {high, high, by, "31", mask});
  writer_.instruction("mov.b64", {out, "{" + low + ", " + high + "}"});
  return out;
}

Folded FoldCode::exchanged(const Folded& folded, uint32_t lanes, const std::string& mask) {
  const bool is_pred = arithmetic() == Arithmetic::pred;
  const RegisterClass held = is_pred ? RegisterClass::b32 : register_class_of(arithmetic());
  Folded out{from_word(shuffled(in_word(folded.value), held, lanes, mask)), {}};
  if (has_index_) out.index = shuffled(folded.index, RegisterClass::b64, lanes, mask);
  return out;
}

void FoldCode::store(const Folded& folded, const std::string& address, uint64_t value_at, uint64_t index_at,
                     const std::string& predicate) {
  const std::string type = value_bytes() == 8 ? "64" : "32";
  const std::string opcode = std::string("st.shared.") + (is_float(arithmetic()) ? "f" : "b") + type;
  const std::string word = in_word(folded.value);
  writer_.guard(predicate);
  writer_.instruction(opcode, {"[" + address + "+" + std::to_string(value_at) + "]", word});
  if (has_index_) {
    writer_.instruction("st.shared.b64",
                        {"[" + address + "+" + std::to_string(index_at) + "]", folded.index});
  }
  writer_.guard("");
}

Folded FoldCode::load(const std::string& address, uint64_t value_at, uint64_t index_at) {
  const bool is_pred = arithmetic() == Arithmetic::pred;
  const std::string type = value_bytes() == 8 ? "64" : "32";
  const std::string word = writer_.fresh(is_pred ? RegisterClass::b32 : register_class_of(arithmetic()));
  writer_.instruction(std::string("ld.shared.") + (is_float(arithmetic()) ? "f" : "b") + type,
                      {word, "[" + address + "+" + std::to_string(value_at) + "]"});
  Folded out{from_word(word), {}};
  if (!has_index_) return out;
  out.index = writer_.fresh(RegisterClass::b64);
  writer_.instruction("ld.shared.b64", {out.index, "[" + address + "+" + std::to_string(index_at) + "]"});
  return out;
}

PtxValue FoldCode::result(Folded folded, PtxValue* initial) {
  if (initial != nullptr) {
    const std::string as_operand =
        conversion_.to_dtype(initial->arithmetic, ops_.in_register(*initial), operand_);
    Folded first{conversion_.to_arithmetic(arithmetic_of(operand_), as_operand, arithmetic()), {}};
    if (has_index_) {
      first.index = writer_.fresh(RegisterClass::b64);
      writer_.instruction("mov.u64", {first.index, "0"});
    }
    folded = both(first, folded);
  }
  Arithmetic from = has_index_ ? Arithmetic::u64 : arithmetic();
  std::string value = has_index_ ? folded.index : folded.value;
  if (reducer_ == "mean") {
    const DType in = dtype_ == DType::f32 ? DType::f32 : DType::f64;
    value = conversion_.to_arithmetic(from, value, arithmetic_of(in));
    from = arithmetic_of(in);
    const double count = static_cast<double>(columns_) + (initial == nullptr ? 0 : 1);
    value = ops_.pair(OpKind::div, in, value, {}, count);
  }
  const bool is_narrow_integer = !is_float(from) && from != Arithmetic::pred && !has_index_ &&
                                 dtype_bytes(operand_) < 4 && operand_ != DType::boolean;
  if (is_narrow_integer) value = conversion_.to_dtype(from, value, operand_);
  PtxValue out;
  out.arithmetic = arithmetic_of(op_.dtype);
  const bool stays = from == out.arithmetic && is_float(from);
  out.in(out.arithmetic) =
      stays ? value
            : conversion_.to_dtype(from, value,
                                   is_float(out.arithmetic) ? dtype_of(out.arithmetic) : op_.dtype);
  return out;
}

}  // namespace fuseboard
