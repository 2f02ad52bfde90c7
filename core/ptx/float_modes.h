// The rounding and flushing of one instruction in the eight bits of MicroOp::mode.
// It must not know what is rounded.
#pragma once

#include <cstdint>

#include "ptx/binding.h"
#include "ptx/rounding.h"

namespace fuseboard::ptx {

constexpr uint8_t kRoundingBits = 7, kFtz = 8, kSat = 16, kRelu = 32, kSatFinite = 64;

inline Rounding rounding_in(uint8_t mode) { return static_cast<Rounding>(mode & kRoundingBits); }

inline uint8_t float_mode(const Binding& b) {
  Rounding rounding = Rounding::nearest;
  if (b.has(Modifier::rz) || b.has(Modifier::rzi)) rounding = Rounding::zero;
  if (b.has(Modifier::rm) || b.has(Modifier::rmi)) rounding = Rounding::down;
  if (b.has(Modifier::rp) || b.has(Modifier::rpi)) rounding = Rounding::up;
  if (b.has(Modifier::rna)) rounding = Rounding::nearest_away;
  return static_cast<uint8_t>(static_cast<uint8_t>(rounding) | (b.has(Modifier::ftz) ? kFtz : 0) |
                              (b.has(Modifier::sat) ? kSat : 0) | (b.has(Modifier::relu) ? kRelu : 0) |
                              (b.has(Modifier::satfinite) ? kSatFinite : 0));
}

}  // namespace fuseboard::ptx
