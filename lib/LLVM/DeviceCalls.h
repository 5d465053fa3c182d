//===-- lib/LLVM/DeviceCalls.h - What a kernel does in place of services --===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_LLVM_DEVICECALLS_H
#define CAMBIUM_LIB_LLVM_DEVICECALLS_H

#include "RTFunctions.h"

namespace cambium {

/// What stands in a kernel where a function of the host calls a service. All
/// threads of the grid execute it.
class DeviceCalls {
public:
  DeviceCalls(mlir::func::FuncOp function, RTTypes &types)
      : function(function), types(types) {}

  /// The next part of the workspace, so many bytes.
  mlir::Value allocate(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value call, mlir::Value bytes);
  /// Whether this is the first thread of the grid.
  mlir::Value isFirstThread(mlir::OpBuilder &builder, mlir::Location loc);
  /// Records a failure unless there is one. One thread alone does.
  void fail(mlir::OpBuilder &builder, rt::FailIfOp op, mlir::Value call);
  /// Waits for all blocks.
  void barrier(mlir::OpBuilder &builder, rt::BarrierOp op, mlir::Value call);

private:
  /// The number of the first failure of the entry's that says the same.
  int64_t codeOf(rt::FailIfOp op);

  mlir::func::FuncOp function;
  RTTypes &types;
  /// Where the workspace begins that is left.
  mlir::Value left;
};

} // namespace cambium

#endif // CAMBIUM_LIB_LLVM_DEVICECALLS_H
