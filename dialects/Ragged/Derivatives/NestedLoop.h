//===-- NestedLoop.h - Loops in the regions of others --------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RAGGED_DERIVATIVES_NESTEDLOOP_H
#define CAMBIUM_RAGGED_DERIVATIVES_NESTEDLOOP_H

#include "dialects/Ragged/Derivatives/ReverseSweep.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "llvm/ADT/SetVector.h"

namespace cambium {

/// The derivative of a loop in the region of a recursion or of another loop. It
/// is executed once more where its derivative is, and records there.
class NestedLoop {
public:
  NestedLoop(ragged::IterateOp op, VJPBuilder &outer)
      : op(op), outer(outer), builder(outer.getBuilder()) {}

  mlir::LogicalResult build();

private:
  ragged::IterateOp copyLoop();
  void passOn(mlir::Value value, mlir::Value cotangent);

  ragged::IterateOp op;
  VJPBuilder &outer;
  mlir::OpBuilder &builder;
  /// What the loop reads, and what it is where the derivative is built.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> inputs;
  llvm::SetVector<mlir::Value> distinct;
};

} // namespace cambium

#endif // CAMBIUM_RAGGED_DERIVATIVES_NESTEDLOOP_H
