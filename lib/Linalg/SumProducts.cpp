//===-- lib/Linalg/SumProducts.cpp - Products that add to a sum -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Linalg/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"

namespace cambium {
#define GEN_PASS_DEF_SUMPRODUCTS
#include "cambium/Linalg/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

/// Whether the op adds two tensors of its own type, element by element.
static bool isSum(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op.getNumResults() != 1 || op.getNumParallelLoops() != op.getNumLoops() ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }))
    return false;
  Block &body = *op.getBody();
  auto add = dyn_cast<arith::AddFOp>(body.front());
  return add && body.getTerminator()->getOperand(0) == add.getResult() &&
         add.getLhs() == body.getArgument(0) &&
         add.getRhs() == body.getArgument(1);
}

/// The product that gives the value for the sum in the block alone.
static linalg::MatmulOp productOf(Value value, Block *block) {
  auto product = value.getDefiningOp<linalg::MatmulOp>();
  return product && product->getBlock() == block && value.hasOneUse()
             ? product
             : linalg::MatmulOp();
}

static bool startsFromZero(linalg::MatmulOp product) {
  auto fill = product.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  return fill && matchPattern(fill.getInputs()[0], m_AnyZeroFloat());
}

/// Whether the sum may be computed where the value is: nothing else reads it,
/// and an op in the block computes it.
static bool isOwn(Value value, Block *block) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  return op && op->getBlock() == block && value.hasOneUse();
}

namespace {
struct SumProducts : cambium::impl::SumProductsBase<SumProducts> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> sums;
    getOperation()->walk([&](linalg::GenericOp op) {
      if (isSum(op))
        sums.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp sum : sums)
      for (unsigned number : {1, 0})
        if (join(sum, number, rewriter))
          break;
  }

  /// Adds operand `number` of the sum to the other one as it is computed.
  static bool join(linalg::GenericOp sum, unsigned number,
                   IRRewriter &rewriter) {
    Block *block = sum->getBlock();
    linalg::MatmulOp product = productOf(sum.getDpsInputs()[number], block);
    Value start = sum.getDpsInputs()[1 - number];
    if (!product || !startsFromZero(product) || !isOwn(start, block) ||
        start.getType() != product.getType(0))
      return false;
    remark::passed(sum.getLoc(), remark::RemarkOpts::name("Sum").category(
                                     "linalg-sum-products"));
    rewriter.moveOpBefore(product, sum);
    rewriter.modifyOpInPlace(
        product, [&] { product.getDpsInitsMutable()[0].set(start); });
    rewriter.replaceOp(sum, product.getResult(0));
    return true;
  }
};
} // namespace
