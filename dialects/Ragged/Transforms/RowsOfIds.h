//===-- RowsOfIds.h - What depends on ids alone -----------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RAGGED_TRANSFORMS_ROWSOFIDS_H
#define CAMBIUM_DIALECTS_RAGGED_TRANSFORMS_ROWSOFIDS_H

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include <optional>

namespace cambium::ragged {

/// The bound of the ids in an operand that are looked up, or none.
std::optional<int64_t> lookupBound(mlir::OpOperand &operand);

/// What row-wise ops compute from the rows of one array of ids and from values
/// that are the same for all rows.
class RowsOfIds {
public:
  using IsGiven = llvm::function_ref<bool(mlir::Value)>;
  /// What is computed from the ids in `block`, out of other values that are
  /// given.
  RowsOfIds(mlir::Value ids, mlir::Block &block, IsGiven isGiven);

  /// Multiply-adds of a row: a product has one for each element of its matrix.
  int64_t getWork() const;
  /// Ops that compute rows; look-ups and ops that only arrange elements do not.
  llvm::ArrayRef<mlir::Operation *> getComputing() const {
    return computing.getArrayRef();
  }
  /// These, and all that they need of the ids, in order.
  llvm::ArrayRef<mlir::Operation *> getOps() const { return ops; }
  /// What they compute and others read.
  llvm::SmallVector<mlir::OpResult> getResults() const;
  /// Whether the use is by another op.
  bool isOutside(mlir::OpOperand &use) const;
  /// Removes the ops that nobody reads any more.
  void erase();

private:
  bool dependsOnIdsAlone(mlir::Operation *op, IsGiven isGiven) const;
  void addNeeded();

  mlir::Value ids;
  mlir::Block *block;
  /// Values that are the same for equal ids.
  llvm::DenseSet<mlir::Value> shared;
  llvm::SetVector<mlir::Operation *> computing;
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::DenseSet<mlir::Operation *> isOp;
};

} // namespace cambium::ragged

#endif // CAMBIUM_DIALECTS_RAGGED_TRANSFORMS_ROWSOFIDS_H
