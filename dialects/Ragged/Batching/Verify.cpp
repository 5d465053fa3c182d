//===-- Verify.cpp - The contracts of phases input and batched -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/InterpretableOpInterface.h"
#include "dialects/Depth/IR/Depth.h"
#include "dialects/RT/IR/RT.h"
#include "dialects/Ragged/Batching/CallBudget.h"
#include "dialects/Ragged/Batching/Passes.h"
#include "dialects/Ragged/Batching/RowSpaces.h"
#include "dialects/Ragged/Batching/VerifyBorder.h"
#include "dialects/Tree/IR/Tree.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cambium {
#define GEN_PASS_DEF_VERIFYINPUT
#define GEN_PASS_DEF_VERIFYBATCHED
#include "dialects/Ragged/Batching/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

/// What is computed for each element has a meaning: the interpreter's. Bits
/// that are counted or shifted have none.
static LogicalResult verifyMeaning(func::FuncOp function) {
  WalkResult result = function.walk([](Operation *op) -> WalkResult {
    if (!OpTrait::hasElementwiseMappableTraits(op) ||
        isa<InterpretableOpInterface>(op))
      return WalkResult::advance();
    // [NN-ELEMENTWISE-C2]
    return op->emitOpError("expected an operation of the language "
                           "(docs/SemanticsNN.md)");
  });
  return failure(result.wasInterrupted());
}

namespace {
struct VerifyInput : cambium::impl::VerifyInputBase<VerifyInput> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(verifyBorder(getOperation())))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && (failed(verifyMeaning(function)) ||
                                     failed(RowSpaces::infer(function))))
        return signalPassFailure();
    if (failed(verifyCallBudget(getOperation())))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

struct VerifyBatched : cambium::impl::VerifyBatchedBase<VerifyBatched> {
  using Base::Base;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(verifyFunction(function)))
        return signalPassFailure();
    markAllAnalysesPreserved();
  }

  static LogicalResult verifyFunction(func::FuncOp function) {
    for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
      if (!rt::getArgumentRole(function, i))
        return function.emitOpError("expected argument ")
               << i << " to say by '" << rt::kRoleAttr << "' what it is";
    for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
      if (!rt::getResultRole(function, i))
        return function.emitOpError("expected result ")
               << i << " to say by '" << rt::kRoleAttr << "' what it is";
    WalkResult result = function.walk([](Operation *op) -> WalkResult {
      if (isa_and_nonnull<depth::DepthDialect, tree::TreeDialect>(
              op->getDialect()) ||
          isa<func::CallOp>(op))
        return op->emitOpError("expected no 'tree' or 'depth' operation and no "
                               "call in phase 'batched'");
      // Upstream folds what is the same for all rows to such a constant.
      if (op->hasTrait<OpTrait::ConstantLike>() &&
          llvm::any_of(op->getResultTypes(), hasRows))
        return op->emitOpError("expected a value that depends on data, but got "
                               "one that is the same for all rows");
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }
};
} // namespace
