//===-- include/cambium/Support/Random.h - Keys and masks of dropout -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The counter-based generator of docs/Design.md, "Random numbers".
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_RANDOM_H
#define CAMBIUM_SUPPORT_RANDOM_H

#include <cmath>
#include <cstdint>

namespace cambium {

/// The key number `index` under a key: the finalizer of splitmix64.
inline uint64_t mixKey(uint64_t key, uint64_t index) {
  uint64_t z = key + (index + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

/// A number in [0, 1) from the upper 24 bits: exact in a float.
inline double uniformFromKey(uint64_t key) { return (key >> 40) * 0x1p-24; }

/// A number in (0, 1), which has a logarithm: an odd number of 24 bits.
inline double openUniformFromKey(uint64_t key) {
  return ((key >> 40) | 1) * 0x1p-24;
}

/// A number of the standard Gumbel distribution.
inline double gumbelFromKey(uint64_t key) {
  return -std::log(-std::log(openUniformFromKey(key)));
}

/// Whether dropout number `id` drops element `element` of the row with this
/// key.
inline bool isDropped(uint64_t key, uint64_t id, uint64_t element,
                      double rate) {
  return uniformFromKey(mixKey(mixKey(key, id), element)) < rate;
}

} // namespace cambium

#endif // CAMBIUM_SUPPORT_RANDOM_H
