//===-- runtime/core/Region.h - Memory that grows in place ------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_REGION_H
#define CAMBIUM_RUNTIME_CORE_REGION_H

#include <cstdint>

namespace cambium::runtime {

/// A range of addresses of which a first part is memory. It grows in place, so
/// that pages stay; a page takes memory when it is first written. Whole large
/// pages of the system are such ones: weights lie evenly in the sets of a
/// cache, and few entries of the processor's tables find them.
class Region {
public:
  Region() = default;
  Region(const Region &) = delete;
  Region &operator=(const Region &) = delete;
  Region(Region &&other) noexcept { swap(other); }
  Region &operator=(Region &&other) noexcept {
    swap(other);
    return *this;
  }
  ~Region();

  /// Takes addresses for `wished` bytes, or fewer where the system has not so
  /// many, but at least `least`. Nothing is memory yet.
  static Region reserve(int64_t wished, int64_t least);
  /// Makes the first bytes memory. False where they do not fit, or the system
  /// refuses.
  bool commit(int64_t bytes);

  char *begin() const { return memory; }
  /// How many bytes are memory, and how many can be.
  int64_t size() const { return committed; }
  int64_t capacity() const { return reserved; }

private:
  void useLargePages(int64_t before);
  void swap(Region &other) noexcept;

  char *memory = nullptr;
  int64_t committed = 0, reserved = 0;
  bool isLarge = false; // has asked for large pages
  void *mapping = nullptr;
  int64_t mappingBytes = 0;
};

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_REGION_H
