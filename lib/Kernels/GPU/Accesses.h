//===-- Accesses.h - What stages read and write ---------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_GPU_ACCESSES_H
#define CAMBIUM_LIB_KERNELS_GPU_ACCESSES_H

#include "mlir/IR/Operation.h"

namespace cambium {

/// What is read or written: a memory of the entry, or rows of a parameter. Two
/// ops that name one parameter in the same way mean the same memory.
struct Memory {
  const void *identity = nullptr;
  const void *kind = nullptr;
  /// Columns of its rows: the last dimension.
  int64_t begin = 0, end = kAll;

  /// The memory behind a value.
  static Memory of(mlir::Value value);

  static constexpr int64_t kAll = std::numeric_limits<int64_t>::max();

  bool operator==(const Memory &other) const {
    return identity == other.identity && kind == other.kind &&
           begin == other.begin && end == other.end;
  }
  /// Whether both may hold one byte. Memory of unknown origin may be any.
  bool meets(const Memory &other) const {
    if (!identity || !other.identity)
      return true;
    return identity == other.identity && kind == other.kind &&
           begin < other.end && other.begin < end;
  }
};

/// What one or more ops read and write.
class Accesses {
public:
  /// Those of an op with all that is in it, but for memory of a block.
  static Accesses of(mlir::Operation *op);

  /// Whether a barrier has to stand between these and later ones.
  bool conflictsWith(const Accesses &later) const;
  void add(const Accesses &more);
  bool writesTo(const Memory &memory) const;
  bool hasWrites() const { return !writes.empty(); }
  size_t size() const { return reads.size() + writes.size(); }

private:
  void addOwn(mlir::Operation *op);
  bool addTouched(mlir::Operation *op);

  llvm::SmallVector<Memory> reads, writes;
};

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_GPU_ACCESSES_H
