//===-- runtime/emulator/Heap.h - Global memory -----------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_EMULATOR_HEAP_H
#define CAMBIUM_EMULATOR_HEAP_H

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace cambium::emulator {

/// Who wrote and who read a word last; see Order.h.
struct WordStamps {
  uint64_t write, read;
};
/// In place of `write`: its bytes have stamps of their own.
constexpr uint64_t kSplitWord = ~uint64_t{0};
using SplitWords =
    std::unordered_map<const WordStamps *, std::array<WordStamps, 4>>;

struct FreeMemory {
  void operator()(void *memory) const;
};
template <class T> using Zeroed = std::unique_ptr<T[], FreeMemory>;

/// Memory of the device. It stays known after it is freed, until its addresses
/// are needed again.
struct Allocation {
  uint64_t begin = 0, size = 0;
  bool isAlive = false, isConstant = false;
  /// Of a variable: its name.
  std::string name;
  Zeroed<uint8_t> bytes;
  /// Of each word of four bytes: the bytes that were written.
  Zeroed<uint8_t> defined;
  Zeroed<WordStamps> stamps;

  void define(uint64_t offset, uint64_t count);
  std::string describe() const;
};

/// Allocations begin at multiples of 64 KB and have as much unused space behind
/// them, so that what is beyond their bounds is nothing.
class Heap {
public:
  static constexpr int kGranuleShift = 16;

  explicit Heap(uint64_t limit) : limit(limit) {}

  /// Throws std::bad_alloc.
  Allocation &allocate(uint64_t size, const std::string &name = "");
  /// False if no allocation that is alive begins there.
  bool release(uint64_t address);
  /// The allocation at or before an address, alive or not, or null.
  Allocation *find(uint64_t address);
  /// Alive, and holds these bytes; null otherwise.
  Allocation *findRange(uint64_t address, uint64_t size);
  /// What is wrong with an access.
  std::string explain(uint64_t address, uint64_t size);

  /// Words of which a part was accessed, in global or shared memory.
  SplitWords splitWords;

  uint64_t total() const { return limit; }
  uint64_t used() const { return usedBytes; }
  /// Allocations that are alive, but for variables.
  std::vector<const Allocation *> leaks() const;

private:
  uint64_t limit, usedBytes = 0;
  size_t cursor = 1;
  std::vector<uint32_t> granules;
  std::vector<std::unique_ptr<Allocation>> allocations;
};

} // namespace cambium::emulator
#endif
