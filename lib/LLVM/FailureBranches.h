//===-- FailureBranches.h - Where entries go when something has failed ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_LLVM_FAILUREBRANCHES_H
#define CAMBIUM_LIB_LLVM_FAILUREBRANCHES_H

#include "RTFunctions.h"

namespace cambium {

/// The branches of a function behind services and checks. They are put in at
/// the end: until then what is converted stays in its block.
class FailureBranches {
public:
  /// Behind the op, whether to go on is decided: not, if the service has given
  /// null (the op says so) or the condition of `rt.fail_if` holds.
  struct Branch {
    mlir::Operation *op;
    mlir::Block *failing;
    /// On a GPU: what one thread does, and whether this is that one.
    mlir::Block *record = nullptr;
    mlir::Value isFirst = {};
    /// Where to go on after a failure, if not behind the op.
    mlir::Block *next = nullptr;
  };

  FailureBranches(mlir::func::FuncOp function, RTTypes &types)
      : function(function), types(types), builder(function.getContext()) {}

  void add(const Branch &branch) { branches.push_back(branch); }
  /// The block that returns an error; the runtime has recorded which one, or
  /// the kernel.
  mlir::Block *endOfEntry(mlir::Location loc);
  /// Ends blocks where the branches are.
  void split();

private:
  void leave(const Branch &branch, mlir::Block *rest);

  mlir::func::FuncOp function;
  RTTypes &types;
  mlir::OpBuilder builder;
  mlir::Block *end = nullptr;
  llvm::SmallVector<Branch> branches;
};

} // namespace cambium

#endif // CAMBIUM_LIB_LLVM_FAILUREBRANCHES_H
