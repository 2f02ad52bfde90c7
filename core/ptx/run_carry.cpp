// Extended-precision integers: the instructions that read or write the condition code.
// It must not know memory, nor how warps run.
#include "ptx/integer_lanes.h"

namespace fuseboard::ptx {
namespace {

// mode bits
constexpr uint8_t kReads = 1, kWrites = 2, kSubtracts = 4, kMultiplies = 8, kHigh = 16, kSigned = 32;

template <class T>
T high_half(T a, T b, bool is_signed) {
  constexpr uint32_t half = 4 * sizeof(T);
  const T mask = static_cast<T>((T{1} << half) - 1);
  const T low = (a & mask) * (b & mask);
  const T first = (a >> half) * (b & mask) + (low >> half);
  const T second = (a & mask) * (b >> half) + (first & mask);
  T high = (a >> half) * (b >> half) + (first >> half) + (second >> half);
  constexpr uint32_t top = 8 * sizeof(T) - 1;
  if (is_signed) high -= (a >> top != 0 ? b : 0) + (b >> top != 0 ? a : 0);
  return high;
}

template <class T>
Flow run_carry(Execution& x, const MicroOp& op) {
  const LaneSource<T> a(x, op.s[0]), b(x, op.s[1]), c(x, op.s[2]);
  const Slot code = op.target;
  const uint32_t carry_in = (op.mode & kReads) != 0 ? x.predicate(code) : 0;
  alignas(64) std::array<T, kLanes> values;
  uint32_t carry_out = 0;
  for (uint32_t i = 0; i < kLanes; ++i) {
    T left = a[i], right = b[i];
    if ((op.mode & kMultiplies) != 0) {
      const T product = (op.mode & kHigh) != 0 ? high_half(left, right, (op.mode & kSigned) != 0)
                                               : static_cast<T>(left * right);
      left = product;
      right = c[i];
    }
    const T in = carry_in >> i & 1;
    bool out;
    if ((op.mode & kSubtracts) != 0) {
      values[i] = left - right - in;
      out = left < right || (left == right && in != 0);
    } else {
      const T sum = left + right;
      values[i] = sum + in;
      out = sum < left || values[i] < sum;
    }
    carry_out |= out ? kLaneBits[i] : 0;
  }
  keep(x, op.d, values.data());
  if ((op.mode & kWrites) != 0) x.set_predicate(code, carry_out);
  return Flow::next;
}

}  // namespace

void bind_carry(Binding& b) {
  const Opcode opcode = b.i.opcode;
  const Type type = b.i.type();
  MicroOp& op = b.op;
  b.same(type);
  op.target = b.frame().carry();
  const bool reads = opcode == Opcode::addc || opcode == Opcode::subc || opcode == Opcode::madc;
  const bool subtracts = opcode == Opcode::sub || opcode == Opcode::subc;
  const bool multiplies = opcode == Opcode::mad || opcode == Opcode::madc;
  op.mode = static_cast<uint8_t>((reads ? kReads : 0) | (b.has(Modifier::cc) ? kWrites : 0) |
                                 (subtracts ? kSubtracts : 0) | (multiplies ? kMultiplies : 0) |
                                 (b.has(Modifier::hi) ? kHigh : 0) |
                                 (type_class(type) == TypeClass::Signed ? kSigned : 0));
  op.run = type_bits(type) == 64 ? run_carry<uint64_t> : run_carry<uint32_t>;
}

}  // namespace fuseboard::ptx
