// The sequences' look-up.
// It must not know what a sequence computes.
#include "emit/math/sequence.h"

#include <algorithm>
#include <iterator>

namespace fuseboard {
namespace {

constexpr Sequence kSequences[] = {
#define SEQUENCE(name, results, operands, text) {#name, results, operands, text},
#include "emit/math/exponential_f32.def"
};

constexpr ConstantTable kTables[] = {
    {"two_over_pi", "b64", "0", 1},
};

}  // namespace

const Sequence* sequence_named(std::string_view name) {
  const auto* found = std::find_if(std::begin(kSequences), std::end(kSequences),
                                   [&](const Sequence& each) { return each.name == name; });
  return found == std::end(kSequences) ? nullptr : found;
}

std::span<const Sequence> sequences() { return kSequences; }

const ConstantTable* constant_table_named(std::string_view name) {
  const auto* found = std::find_if(std::begin(kTables), std::end(kTables),
                                   [&](const ConstantTable& each) { return each.name == name; });
  return found == std::end(kTables) ? nullptr : found;
}

}  // namespace fuseboard
