// Dimensions as products of atoms: joining, splitting, refusing.
// It must not know ops.
#include "verify/dimension_atoms.h"

#include "catch.h"

using namespace fuseboard;

namespace {

std::vector<uint64_t> sizes(const DimensionAtoms& atoms, std::vector<uint32_t> list) {
  std::vector<uint64_t> out;
  for (const uint32_t atom : atoms.expanded(list)) out.push_back(atoms.size(atom));
  return out;
}

}  // namespace

TEST_CASE("equal dimensions become one atom") {
  DimensionAtoms atoms;
  const uint32_t a = atoms.add(12);
  const uint32_t b = atoms.add(12);
  REQUIRE(atoms.join({a}, {b}));
  CHECK(atoms.expanded(std::vector<uint32_t>{a}) == atoms.expanded(std::vector<uint32_t>{b}));
}

TEST_CASE("a dimension that a reshape splits is split wherever it stands") {
  DimensionAtoms atoms;
  const uint32_t whole = atoms.add(4096);
  const uint32_t same = atoms.add(4096);
  const uint32_t outer = atoms.add(64);
  const uint32_t inner = atoms.add(64);
  REQUIRE(atoms.join({whole}, {same}));
  REQUIRE(atoms.join({same}, {outer, inner}));
  CHECK(sizes(atoms, {whole}) == std::vector<uint64_t>{64, 64});
  CHECK(atoms.expanded(std::vector<uint32_t>{whole}) == atoms.expanded(std::vector<uint32_t>{outer, inner}));
}

TEST_CASE("dimensions that overlap share their common part") {
  DimensionAtoms atoms;
  const uint32_t a = atoms.add(6);
  const uint32_t b = atoms.add(4);
  const uint32_t c = atoms.add(3);
  const uint32_t d = atoms.add(8);
  REQUIRE(atoms.join({a, b}, {c, d}));
  CHECK(sizes(atoms, {a, b}) == std::vector<uint64_t>{3, 2, 4});
  CHECK(atoms.expanded(std::vector<uint32_t>{a, b}) == atoms.expanded(std::vector<uint32_t>{c, d}));
}

TEST_CASE("what does not split at the other's bounds is refused") {
  DimensionAtoms atoms;
  CHECK_FALSE(atoms.join({atoms.add(6), atoms.add(4)}, {atoms.add(8), atoms.add(3)}));
  CHECK_FALSE(atoms.join({atoms.add(6)}, {}));
}

TEST_CASE("atoms split by later reshapes stay consistent with earlier ones") {
  DimensionAtoms atoms;
  const uint32_t flat = atoms.add(24);
  const uint32_t six = atoms.add(6);
  const uint32_t four = atoms.add(4);
  const uint32_t two = atoms.add(2);
  const uint32_t twelve = atoms.add(12);
  REQUIRE(atoms.join({flat}, {six, four}));
  REQUIRE(atoms.join({flat}, {two, twelve}));
  CHECK(sizes(atoms, {flat}) == std::vector<uint64_t>{2, 3, 4});
  CHECK(sizes(atoms, {twelve}) == std::vector<uint64_t>{3, 4});
  CHECK(sizes(atoms, {six}) == std::vector<uint64_t>{2, 3});
}
