//===-- AbsentChildren.cpp - No rows and zeros fold away ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// These hold for the cell of a leaf only: there are no rows of children, and a
// product with a zero is zero because a child is absent.
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/AbsentOperandsOpInterface.h"
#include "cambium/Support/Rows.h"
#include "dialects/Tree/IR/Tree.h"
#include "dialects/Tree/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::tree;

static bool isNoRows(Value value) {
  return value.getDefiningOp<NoRowsOp>() != nullptr;
}

/// A constant all of whose elements are zero.
static bool isZero(Value value) {
  Attribute attr;
  if (!matchPattern(value, m_Constant(&attr)))
    return false;
  auto splat = dyn_cast<SplatElementsAttr>(attr);
  if (!splat)
    return false;
  return matchPattern(splat.getSplatValue<Attribute>(), m_AnyZeroFloat());
}

namespace {
/// Whether the op reads rows of children, and no others: rows from outside that
/// it appends, or asks children for, are there.
static bool readsNoRowsAlone(Operation *op) {
  return llvm::any_of(op->getOperands(), isNoRows) &&
         llvm::all_of(op->getOperands(), [](Value value) {
           return isNoRows(value) || !hasRows(value.getType());
         });
}

/// An op that makes rows of no rows.
struct RowsOfNoRows : RewritePattern {
  RowsOfNoRows(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (isa<NoRowsOp>(op) || op->getNumResults() == 0 ||
        !isMemoryEffectFree(op) || !readsNoRowsAlone(op) ||
        !llvm::all_of(op->getResultTypes(), hasRows))
      return rewriter.notifyMatchFailure(op, "makes no rows of no rows");
    SmallVector<Value> results;
    for (Type type : op->getResultTypes())
      results.push_back(NoRowsOp::create(rewriter, op->getLoc(), type));
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// An op that says what it is without children.
struct FoldAbsent : OpInterfaceRewritePattern<AbsentOperandsOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(AbsentOperandsOpInterface op,
                                PatternRewriter &rewriter) const override {
    Value value = op.foldAbsent(rewriter, {isNoRows, isZero});
    if (!value)
      return rewriter.notifyMatchFailure(op, "nothing follows for it");
    rewriter.replaceOp(op, value);
    return success();
  }
};
} // namespace

void tree::populateAbsentChildrenPatterns(RewritePatternSet &patterns) {
  patterns.add<RowsOfNoRows, FoldAbsent>(patterns.getContext());
}
