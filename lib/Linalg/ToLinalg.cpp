//===-- lib/Linalg/ToLinalg.cpp - Lowering to linalg on tensors ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Division.h"
#include "Elementwise.h"
#include "cambium/Interfaces/LowerToLinalgOpInterface.h"
#include "cambium/Linalg/Passes.h"
#include "cambium/Support/IntegerDivision.h"
#include "cambium/Support/LinalgBuilder.h"
#include "dialects/RT/IR/RT.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace cambium {
#define GEN_PASS_DEF_TOLINALG
#include "cambium/Linalg/Passes.h.inc"
} // namespace cambium

using namespace cambium;

/// The op on the elements of its operands; operands that are no tensors are
/// used for all of them.
static Value lowerElementwise(Operation *op, RewriterBase &rewriter) {
  LinalgBuilder b(rewriter, op->getLoc());
  RankedTensorType type = tensorType(op->getResult(0));
  SmallVector<Value> tensors;
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()))
      tensors.push_back(operand);
  Value dest = type.hasStaticShape() ? b.empty(type, {})
                                     : b.emptyLike(type, tensors.front());
  if (isIntegerDivision(op) && mayTrap(op)) {
    failIfDividesByZero(op, b);
    return b.elementwise(dest, tensors, [&](LinalgBuilder &b, ValueRange args) {
      return divideSafely(op, b, args);
    });
  }
  return b.elementwise(dest, tensors, [&](LinalgBuilder &b, ValueRange args) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      bool isTensor = isa<RankedTensorType>(operand.getType());
      operands.push_back(isTensor ? args.front() : operand);
      if (isTensor)
        args = args.drop_front();
    }
    OperationState state(op->getLoc(), op->getName(), operands,
                         type.getElementType(), op->getAttrs());
    return b.getBuilder().create(state)->getResult(0);
  });
}

namespace {
struct ToLinalg : cambium::impl::ToLinalgBase<ToLinalg> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    // Without it every name would be searched for among all.
    SymbolTableCollection symbols;
    if (failed(lowerLoops(rewriter, symbols)) ||
        failed(lowerOthers(rewriter, symbols)))
      return signalPassFailure();
    mergeIndexArrays(rewriter);
    getOperation()->walk([&](Operation *op) {
      // Partitions that were read by their arrays.
      if (isa<ragged::RaggedDialect>(op->getDialect()) && op->use_empty())
        rewriter.eraseOp(op);
    });
  }

  /// An array of indices, which nobody writes, becomes one tensor, right behind
  /// what it belongs to. CSE leaves tensors of memory alone; without this,
  /// every layer would have values of its own that depend on rows only, like
  /// the loop over them that finds the longest text.
  void mergeIndexArrays(IRRewriter &rewriter) {
    DenseMap<std::tuple<OperationName, Attribute, Value>, Operation *> arrays;
    getOperation()->walk([&](bufferization::ToTensorOp tensor) {
      Operation *array = tensor.getBuffer().getDefiningOp();
      if (!array || !isPure(array) || array->getNumOperands() != 1)
        return;
      Value owner = array->getOperand(0);
      if (!isa<ragged::RowsType, ragged::ForestType>(owner.getType()))
        return;
      auto [found, isFirst] = arrays.try_emplace(
          {array->getName(), array->getAttrDictionary(), owner}, tensor);
      if (!isFirst)
        return rewriter.replaceOp(tensor, found->second);
      rewriter.setInsertionPointAfterValue(owner);
      Operation *moved = rewriter.clone(*array);
      rewriter.moveOpAfter(tensor, moved);
      rewriter.modifyOpInPlace(tensor, [&] {
        tensor.getBufferMutable().assign(moved->getResult(0));
      });
    });
  }

  /// What has a body is gone first, so that its values are those of its
  /// surroundings.
  LogicalResult lowerLoops(IRRewriter &rewriter,
                           SymbolTableCollection &symbols) {
    SmallVector<Operation *> loops;
    getOperation()->walk([&](LowerToLinalgOpInterface op) {
      if (op->getNumRegions() > 0)
        loops.push_back(op);
    });
    for (Operation *op : loops)
      if (failed(lower(op, rewriter, symbols)))
        return failure();
    return success();
  }

  LogicalResult lowerOthers(IRRewriter &rewriter,
                            SymbolTableCollection &symbols) {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<LowerToLinalgOpInterface>(op) || isElementwise(op))
        ops.push_back(op);
    });
    for (Operation *op : llvm::reverse(ops)) {
      if (isOpTriviallyDead(op))
        rewriter.eraseOp(op);
      else if (failed(lower(op, rewriter, symbols)))
        return failure();
    }
    return success();
  }

  LogicalResult lower(Operation *op, IRRewriter &rewriter,
                      SymbolTableCollection &symbols) {
    rewriter.setInsertionPoint(op);
    auto model = dyn_cast<LowerToLinalgOpInterface>(op);
    if (!model) {
      rewriter.replaceOp(op, lowerElementwise(op, rewriter));
      return success();
    }
    FailureOr<SmallVector<Value>> values =
        model.lowerToLinalg(rewriter, symbols);
    if (failed(values))
      return failure();
    rewriter.replaceOp(op, *values);
    return success();
  }
};
} // namespace
