// Dimensions as products of atoms: what must be equal shares atoms, what a reshape splits is split.
// It must not know ops.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fuseboard {

class DimensionAtoms {
 public:
  uint32_t add(uint64_t size);  ///< a new atom of more than one element

  /// Makes two lists of atoms, outermost first and of equal products, one list: equal atoms become one,
  /// others are split. False where they do not split evenly at each other's bounds ([6,4] as [8,3]). O(atoms)
  /// splits.
  bool join(std::vector<uint32_t> a, std::vector<uint32_t> b);

  /// The atoms that a list stands for in the end, outermost first. O(atoms).
  std::vector<uint32_t> expanded(std::span<const uint32_t> atoms) const;
  uint64_t size(uint32_t atom) const { return atoms_[atom].size; }
  uint32_t count() const { return static_cast<uint32_t>(atoms_.size()); }

 private:
  struct Atom {
    uint64_t size = 1;
    std::vector<uint32_t> parts;  ///< outermost first; empty: itself
  };
  std::vector<Atom> atoms_;
};

}  // namespace fuseboard
