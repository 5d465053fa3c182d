//===-- Lifetime.h - Where the contents of memory matter --------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_LIFETIME_H
#define CAMBIUM_SUPPORT_LIFETIME_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"
#include <optional>

namespace cambium {

/// The ops of a block between which the contents of memory matter.
struct Lifetime {
  mlir::Operation *first = nullptr, *last = nullptr;
  /// Views of the memory that stand in the block itself.
  llvm::SmallSetVector<mlir::Operation *, 8> views;

  /// The lifetime, in the block of the op, of what it allocates: none where it
  /// is not used, or may be reached in other ways than by views.
  static std::optional<Lifetime> of(mlir::Operation *alloc);
};

} // namespace cambium

#endif // CAMBIUM_SUPPORT_LIFETIME_H
