// Splitting and joining atoms from the innermost on.
// It must not know ops.
#include "verify/dimension_atoms.h"

#include <numeric>
#include <utility>

namespace fuseboard {

uint32_t DimensionAtoms::add(uint64_t size) {
  atoms_.push_back({size, {}});
  return count() - 1;
}

std::vector<uint32_t> DimensionAtoms::expanded(std::span<const uint32_t> atoms) const {
  std::vector<uint32_t> pending(atoms.rbegin(), atoms.rend());
  std::vector<uint32_t> out;
  while (!pending.empty()) {
    const uint32_t atom = pending.back();
    pending.pop_back();
    const std::vector<uint32_t>& parts = atoms_[atom].parts;
    if (parts.empty()) out.push_back(atom);
    pending.insert(pending.end(), parts.rbegin(), parts.rend());
  }
  return out;
}

bool DimensionAtoms::join(std::vector<uint32_t> a, std::vector<uint32_t> b) {
  a = expanded(a);
  b = expanded(b);
  while (!a.empty() && !b.empty()) {
    const uint32_t x = expanded(std::span(&a.back(), 1)).back();
    const uint32_t y = expanded(std::span(&b.back(), 1)).back();
    if (x != a.back() || y != b.back()) {  // split since it was listed
      const std::vector<uint32_t> more_a = expanded(std::span(&a.back(), 1));
      const std::vector<uint32_t> more_b = expanded(std::span(&b.back(), 1));
      a.pop_back();
      b.pop_back();
      a.insert(a.end(), more_a.begin(), more_a.end());
      b.insert(b.end(), more_b.begin(), more_b.end());
      continue;
    }
    if (x == y) {
      a.pop_back();
      b.pop_back();
      continue;
    }
    const uint64_t shared = std::gcd(size(x), size(y));
    if (shared == 1) return false;
    for (const uint32_t atom : {x, y}) {
      if (size(atom) == shared) continue;
      const uint32_t outer = add(size(atom) / shared);
      const uint32_t inner = add(shared);
      atoms_[atom].parts = {outer, inner};
    }
    const uint32_t inner_x = expanded(std::span(&x, 1)).back();
    const uint32_t inner_y = expanded(std::span(&y, 1)).back();
    if (inner_x != inner_y) atoms_[inner_y].parts = {inner_x};
  }
  return a.empty() && b.empty();
}

}  // namespace fuseboard
