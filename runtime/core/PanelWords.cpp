//===-- runtime/core/PanelWords.cpp - Parameters as words of panels -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PanelWords.h"

#include <algorithm>
#include <cstring>
#include <limits>

using namespace cambium::runtime;

namespace {

uint32_t bitsOf(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

float numberOf(uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

constexpr uint32_t kInfinity = 0x7f800000, kMagnitude = 0x7fffffff;
/// The bits of 2^-120, whose inverse is a number.
constexpr uint32_t kLeast = 7u << 23;

uint32_t rounded(float value) {
  uint32_t bits = bitsOf(value);
  if ((bits & kMagnitude) > kInfinity)
    return (bits | 0x00400000) >> 16;
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

/// A column: its words, scale and correction.
void quantizeColumn(const PanelOfColumns &panel, int64_t column) {
  const float *from = panel.from + column;
  uint32_t largest = 0;
  for (int64_t k = 0; k < panel.depth; ++k)
    largest = std::max(largest, bitsOf(from[k * panel.stride]) & kMagnitude);
  float size = numberOf(largest), scale = 0, inverse = 0;
  if (largest >= kInfinity)
    scale = std::numeric_limits<float>::quiet_NaN();
  else if (largest >= kLeast)
    scale = size / 127, inverse = 127 / size;
  uint32_t *to = panel.to + column;
  int32_t sum = 0;
  for (int64_t first = 0; first < panel.depth; first += 4, to += panel.width) {
    uint32_t word = 0;
    for (int64_t k = first; k < std::min(first + 4, panel.depth); ++k) {
      // The last bits are those of the nearest integer. What is not finite has
      // an inverse of 0: its scale says that there is no number.
      float shifted = from[k * panel.stride] * inverse + 12582912.0f;
      int32_t q = largest >= kInfinity
                      ? 0
                      : int32_t(bitsOf(shifted)) - int32_t(0x4b400000);
      sum += q;
      word |= (uint32_t(q) & 0xff) << 8 * (k - first);
    }
    *to = word;
  }
  to[0] = bitsOf(scale);
  to[panel.width] = uint32_t(-128 * sum);
}

} // namespace

void cambium::runtime::roundPanel(const PanelOfColumns &panel) {
  uint32_t *to = panel.to;
  for (int64_t k = 0; k < panel.depth; k += 2, to += panel.width) {
    const float *low = panel.from + k * panel.stride;
    bool hasHigh = k + 1 < panel.depth;
    for (int64_t column = 0; column < panel.columns; ++column) {
      uint32_t high = hasHigh ? rounded(low[panel.stride + column]) : 0;
      to[column] = rounded(low[column]) | high << 16;
    }
  }
}

void cambium::runtime::quantizePanel(const PanelOfColumns &panel) {
  for (int64_t column = 0; column < panel.columns; ++column)
    quantizeColumn(panel, column);
}
