//===-- runtime/core/Random.h - The counter-based generator -----*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_RANDOM_H
#define CAMBIUM_RUNTIME_CORE_RANDOM_H

#include <cstdint>

namespace cambium::runtime {

/// The key of element `index` in the context `key`: the finalizer of
/// splitmix64. Compiled code holds the same function (docs/Design.md).
inline uint64_t mix(uint64_t key, uint64_t index) {
  uint64_t x = key + (index + 1) * 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

/// A number in [0, 1) from the upper 24 bits.
inline float uniform(uint64_t key) {
  return static_cast<float>(key >> 40) * 0x1p-24f;
}

/// A number in (0, 1] from the upper 53 bits, for logarithms.
inline double uniformPositive(uint64_t key) {
  return static_cast<double>((key >> 11) + 1) * 0x1p-53;
}

/// FNV-1a of a name.
inline uint64_t hashName(const char *name) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (; *name; ++name)
    hash = (hash ^ static_cast<unsigned char>(*name)) * 0x100000001b3ull;
  return hash;
}

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_RANDOM_H
