//===-- Library.h - Code for GPUs that is written in MLIR -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_GPU_LIBRARY_H
#define CAMBIUM_LIB_KERNELS_GPU_LIBRARY_H

#include "cambium/Support/TargetCosts.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace cambium {

/// What no op of linalg says: functions of the number of an iteration and of
/// what it reads and writes (Library/*.mlir). The arrays of a forest are those
/// of cambium_abi_forest_t; what the runtime does for the processor
/// (runtime/core/Iterations.cpp, Forest.cpp) gives the same arrays.
class Library {
public:
  explicit Library(mlir::MLIRContext *context);

  /// A stage before the insertion point in which a thread executes each
  /// iteration of a function.
  void emitStage(mlir::OpBuilder &builder, mlir::Location loc,
                 llvm::StringRef function, mlir::Value count,
                 mlir::ValueRange arguments, const TargetCosts &costs);

  /// What an iteration of a function does.
  void emit(mlir::OpBuilder &builder, llvm::StringRef function,
            mlir::Value number, mlir::ValueRange arguments);

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_GPU_LIBRARY_H
