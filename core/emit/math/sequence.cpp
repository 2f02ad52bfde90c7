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
#define SEQUENCE(name, results, operands, text) {#name, results, operands, text},
#include "emit/math/logarithm_f32.def"
#define SEQUENCE(name, results, operands, text) {#name, results, operands, text},
#include "emit/math/circle_f32.def"
#define SEQUENCE(name, results, operands, text) {#name, results, operands, text},
#include "emit/math/error_f32.def"
#define SEQUENCE(name, results, operands, text) {#name, results, operands, text},
#include "emit/math/power_f32.def"
#define SEQUENCE(name, results, operands, text) {#name, results, operands, text},
#include "emit/math/exponential_f64.def"
#define SEQUENCE(name, results, operands, text) {#name, results, operands, text},
#include "emit/math/logarithm_f64.def"
#define SEQUENCE(name, results, operands, text) {#name, results, operands, text},
#include "emit/math/circle_f64.def"
#define SEQUENCE(name, results, operands, text) {#name, results, operands, text},
#include "emit/math/error_f64.def"
#define SEQUENCE(name, results, operands, text) {#name, results, operands, text},
#include "emit/math/power_f64.def"
};

/// 64 zeros, then the first 1,216 bits of 2 / pi.
constexpr ConstantTable kTables[] = {
    {"two_over_pi", "b64",
     "0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, "
     "0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, "
     "0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, "
     "0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, "
     "0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab",
     20},
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
