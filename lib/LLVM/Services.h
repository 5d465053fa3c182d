//===-- lib/LLVM/Services.h - What code gets done by others -----*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_LLVM_SERVICES_H
#define CAMBIUM_LIB_LLVM_SERVICES_H

#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cambium {
class RTTypes;

/// What the code of a module gets done by others: on the host by functions of
/// the runtime, in a kernel by what stands there in their place.
class Services {
public:
  virtual ~Services() = default;

  /// The memory that an entry gets the address of its call in.
  virtual unsigned memoryOfCall() const = 0;
  /// Whether an entry returns a status.
  virtual bool returnsStatus() const = 0;
  /// Whether what is asked for may be null: the entry returns then.
  virtual bool mayGiveNull() const = 0;

  /// Lets a function that is launched take what the launch passes.
  virtual mlir::LogicalResult bindLaunched(mlir::func::FuncOp function) = 0;
  virtual void launch(mlir::OpBuilder &builder, rt::LaunchOp op,
                      mlir::Value call) = 0;
  /// The next part of the workspace, so many bytes.
  virtual mlir::Value allocate(mlir::OpBuilder &builder, rt::AllocOp op,
                               mlir::Value call, mlir::Value bytes) = 0;
  /// Ends the life of a part of the workspace.
  virtual void release(mlir::OpBuilder &builder, mlir::Operation *op,
                       mlir::Value call, mlir::Value memory,
                       mlir::Value bytes) = 0;
  /// Whether this thread is the one that records failures; null if it is alone.
  virtual mlir::Value isRecorder(mlir::OpBuilder &builder,
                                 mlir::Location loc) = 0;
  /// Records a failure; the condition holds.
  virtual void fail(mlir::OpBuilder &builder, rt::FailIfOp op,
                    mlir::Value call) = 0;
  /// A partition or forest, by the service at an offset of the table.
  virtual mlir::FailureOr<mlir::Value> make(mlir::OpBuilder &builder,
                                            mlir::Operation *op,
                                            mlir::Value call, size_t service,
                                            mlir::ValueRange arguments) = 0;
  /// Waits for all blocks.
  virtual mlir::LogicalResult barrier(mlir::OpBuilder &builder,
                                      rt::BarrierOp op, mlir::Value call) = 0;
};

std::unique_ptr<Services> createHostServices(RTTypes &types);
std::unique_ptr<Services> createDeviceServices(RTTypes &types);

} // namespace cambium

#endif // CAMBIUM_LIB_LLVM_SERVICES_H
