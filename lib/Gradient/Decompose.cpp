//===-- Decompose.cpp - Expansion of ops that abbreviate others ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Gradient/Passes.h"
#include "cambium/Interfaces/DecomposableOpInterface.h"
#include "dialects/NN/IR/NN.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace cambium {
#define GEN_PASS_DEF_DECOMPOSE
#include "cambium/Gradient/Passes.h.inc"
} // namespace cambium

using namespace cambium;

namespace {
/// Follows new ops by a worklist: an expansion may hold further abbreviations.
class Expander : public RewriterBase::Listener {
public:
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    add(op);
  }
  void add(Operation *op) {
    if (isa<DecomposableOpInterface>(op))
      worklist.push_back(op);
  }
  LogicalResult run(IRRewriter &rewriter) {
    while (!worklist.empty()) {
      Operation *op = worklist.pop_back_val();
      rewriter.setInsertionPoint(op);
      FailureOr<SmallVector<Value>> values =
          cast<DecomposableOpInterface>(op).decompose(rewriter);
      if (failed(values))
        return failure();
      rewriter.replaceOp(op, *values);
    }
    return success();
  }

private:
  SmallVector<Operation *> worklist;
};

struct Decompose : cambium::impl::DecomposeBase<Decompose> {
  void runOnOperation() override {
    Expander expander;
    getOperation()->walk([&](Operation *op) { expander.add(op); });
    IRRewriter rewriter(&getContext(), &expander);
    if (failed(expander.run(rewriter)))
      signalPassFailure();
  }
};
} // namespace
