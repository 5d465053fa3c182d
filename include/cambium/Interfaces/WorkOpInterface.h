//===-- WorkOpInterface.h - How much there is to compute ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_INTERFACES_WORKOPINTERFACE
#define CAMBIUM_INTERFACES_WORKOPINTERFACE

#include "mlir/IR/OpDefinition.h"
#include <optional>

namespace cambium {
/// The operations of products.
struct Work {
  /// Additions and multiplications for each row, or each pair.
  double operations;
  /// Once for each row of this tensor; null: once.
  mlir::Value rows;
  /// If not null, two partitions into as many segments: once for each row of
  /// the first with each row of the same segment of the second.
  mlir::Value firsts = nullptr, seconds = nullptr;
};
} // namespace cambium

#include "cambium/Interfaces/WorkOpInterface.h.inc"

#endif // CAMBIUM_INTERFACES_WORKOPINTERFACE
