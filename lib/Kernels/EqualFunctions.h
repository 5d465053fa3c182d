//===-- lib/Kernels/EqualFunctions.h - Functions that do the same --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_EQUALFUNCTIONS_H
#define CAMBIUM_LIB_KERNELS_EQUALFUNCTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cambium {

/// Finds functions that have the same type and do the same with their
/// arguments.
class EqualFunctions {
public:
  /// The number of the first function given that equals `function`: a new one
  /// if there is none.
  size_t insert(mlir::func::FuncOp function);

  /// The functions of all numbers, in order.
  llvm::ArrayRef<mlir::func::FuncOp> functions() const { return all; }

private:
  llvm::SmallVector<mlir::func::FuncOp> all;
  /// By hash.
  llvm::DenseMap<size_t, llvm::SmallVector<size_t>> numbers;
};

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_EQUALFUNCTIONS_H
