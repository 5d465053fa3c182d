//===-- runtime/core/Checksum.h - A fast checksum (XXH64) -------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_CHECKSUM_H
#define CAMBIUM_RUNTIME_CORE_CHECKSUM_H

#include <cstdint>

namespace cambium::runtime {

/// XXH64 with seed 0 over data that arrives in pieces.
class Checksum {
public:
  void add(const void *data, int64_t size);
  uint64_t finish() const;

private:
  static constexpr int64_t kStripe = 32;
  static constexpr uint64_t kPrime1 = 0x9E3779B185EBCA87ull;
  static constexpr uint64_t kPrime2 = 0xC2B2AE3D27D4EB4Full;
  static constexpr uint64_t kPrime3 = 0x165667B19E3779F9ull;
  static constexpr uint64_t kPrime4 = 0x85EBCA77C2B2AE63ull;
  static constexpr uint64_t kPrime5 = 0x27D4EB2F165667C5ull;

  void addStripe(const char *bytes);
  uint64_t mergeLanes() const;

  uint64_t lanes[4] = {kPrime1 + kPrime2, kPrime2, 0, 0 - kPrime1};
  uint64_t total = 0;
  char pending[kStripe];
  int64_t pendingSize = 0;
};

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_CHECKSUM_H
