//===-- RowsOpInterface.h - Where rows come from -------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_INTERFACES_ROWSOPINTERFACE
#define CAMBIUM_INTERFACES_ROWSOPINTERFACE

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include <functional>
#include <optional>

namespace cambium {
/// Where the rows of a value come from.
struct RowOrigin {
  /// The value that has the same rows, or that counts them.
  mlir::Value source;
  /// Builds the number of rows from what stands for the source; null if the
  /// rows are those of the source.
  std::function<mlir::Value(mlir::OpBuilder &, mlir::Location, mlir::Value)>
      count;
};
} // namespace cambium

#include "cambium/Interfaces/RowsOpInterface.h.inc"

#endif // CAMBIUM_INTERFACES_ROWSOPINTERFACE
