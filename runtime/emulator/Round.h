//===-- runtime/emulator/Round.h - Rounding to small formats ----*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_EMULATOR_ROUND_H
#define CAMBIUM_EMULATOR_ROUND_H

#include <cmath>
#include <cstdint>
#include <cstring>

namespace cambium::emulator {

/// A format of floating-point numbers by the bits of its fraction and exponent.
struct FloatFormat {
  int fraction, exponent;
};
constexpr FloatFormat kHalfFormat{10, 5}, kBFloatFormat{7, 8},
    kTf32Format{10, 8}, kSingleFormat{23, 8};

/// `x` in units of 2^-fraction of its leading digit, or of the smallest normal
/// number. `mode`: `n` to nearest even, `a` to nearest away from zero, `z`,
/// `m`, `p` towards zero, down, up.
static inline double roundUnits(double units, char mode) {
  switch (mode) {
  case 'z':
    return ::trunc(units);
  case 'm':
    return ::floor(units);
  case 'p':
    return ::ceil(units);
  case 'a':
    return ::round(units);
  default:
    return ::nearbyint(units);
  }
}

/// The bits of `x` in a format.
static inline uint32_t roundBits(double x, FloatFormat format, char mode) {
  int bias = (1 << (format.exponent - 1)) - 1;
  uint32_t infinity = ((1u << format.exponent) - 1) << format.fraction;
  uint32_t sign = (std::signbit(x) ? 1u : 0u)
                  << (format.fraction + format.exponent);
  if (x != x)
    return (1u << (format.fraction + format.exponent)) - 1;
  if (x == 0)
    return sign;
  int exponent = 0;
  if (x - x == 0)
    ::frexp(x, &exponent);
  else
    return sign | infinity;
  --exponent;
  if (exponent < 1 - bias)
    exponent = 1 - bias;
  double units = roundUnits(::ldexp(x, format.fraction - exponent), mode);
  auto digits = static_cast<uint64_t>(units < 0 ? -units : units);
  // A carry out of the fraction raises the exponent by itself.
  uint64_t result =
      (static_cast<uint64_t>(exponent + bias - 1) << format.fraction) + digits;
  if (result < infinity)
    return sign | static_cast<uint32_t>(result);
  bool inward = mode == 'z' || (mode == 'm' && x > 0) || (mode == 'p' && x < 0);
  return sign | (inward ? infinity - 1 : infinity);
}

static inline float floatOfBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

static inline float floatOfHalf(uint16_t half) {
  uint32_t sign = (half & 0x8000u) << 16, rest = half & 0x7fffu;
  if (rest >= 0x7c00u)
    return floatOfBits(sign | 0x7f800000u | (rest & 0x3ffu) << 13);
  float value = floatOfBits(rest << 13) * 0x1p112f;
  return sign ? -value : value;
}

} // namespace cambium::emulator
#endif
