//===-- dialects/NN/ToLinalg/Products.cpp - Products on linalg ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/IR/NN.h"
#include "dialects/NN/ToLinalg/Models.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

/// Products of rows are one `linalg.matmul`, started from the bias or from
/// zero: the product emitter takes the start into its accumulators.
static Lowered lowerLinear(LinearOp op, LinalgBuilder &b) {
  Value x = collapseLeading(b, op.getInput(),
                            tensorType(op.getInput()).getRank() - 1);
  int64_t columns = tensorType(op.getWeight()).getDimSize(1);
  auto type = tensorType(x).clone({tensorType(x).getDimSize(0), columns});
  Value dest = b.emptyLike(type, x);
  if (op.getBias())
    dest = b.make<linalg::BroadcastOp>(op.getBias(), dest, ArrayRef<int64_t>{0})
               .getResult()[0];
  else
    dest = b.fill(dest, 0);
  Value y = b.matmul(x, op.getWeight(), dest);
  Value rows = tensorType(op.getInput()).hasStaticShape()
                   ? Value()
                   : b.rows(op.getInput());
  int64_t leading = op.getType().getRank() - 1;
  return lowered(expandLeading(b, y, leading, op.getType(), rows));
}

namespace {
/// A product of matrices or vectors after common dimensions as a loop nest
/// (batch..., m, k, n), where m or n is missing for a vector: n innermost, so
/// that rows are read in order.
struct Contraction {
  explicit Contraction(MatmulOp op) : batch(op.getBatchDims()) {
    bool hasM = tensorType(op.getLhs()).getRank() - batch == 2;
    bool hasN = tensorType(op.getRhs()).getRank() - batch == 2;
    int64_t m = batch, k = m + hasM, n = k + 1;
    rank = n + hasN;
    for (int64_t i = 0; i < batch; ++i)
      for (auto *dims : {&lhs, &rhs, &out})
        dims->push_back(i);
    if (hasM) {
      lhs.push_back(m);
      out.push_back(m);
    }
    lhs.push_back(k);
    rhs.push_back(k);
    if (hasN) {
      rhs.push_back(n);
      out.push_back(n);
    }
    iterators.assign(rank, utils::IteratorType::parallel);
    iterators[k] = utils::IteratorType::reduction;
  }
  int64_t batch, rank;
  SmallVector<int64_t> lhs, rhs, out;
  SmallVector<utils::IteratorType> iterators;
};
} // namespace

static void multiplyAdd(OpBuilder &builder, Location loc, ValueRange args) {
  Value product = arith::MulFOp::create(builder, loc, args[0], args[1]);
  auto flags = arith::FastMathFlags::reassoc | arith::FastMathFlags::contract;
  Value sum = arith::AddFOp::create(builder, loc, args[2], product, flags);
  linalg::YieldOp::create(builder, loc, sum);
}

static Lowered lowerMatmul(MatmulOp op, LinalgBuilder &b) {
  RankedTensorType type = op.getType();
  Value dest = b.fill(b.emptyLike(type, op.getLhs()), 0);
  Contraction c(op);
  if (c.batch == 0 && c.rank == 3)
    return lowered(b.matmul(op.getLhs(), op.getRhs(), dest));
  SmallVector<AffineMap> maps{b.dims(c.rank, c.lhs), b.dims(c.rank, c.rhs),
                              b.dims(c.rank, c.out)};
  return lowered(b.make<linalg::GenericOp>(type,
                                           ValueRange{op.getLhs(), op.getRhs()},
                                           dest, maps, c.iterators, multiplyAdd)
                     .getResult(0));
}

/// A contraction over rows: `linalg.matmul` with the left operand transposed.
static Lowered lowerOuterSum(OuterSumOp op, LinalgBuilder &b) {
  int64_t leading = tensorType(op.getLhs()).getRank() - 1;
  if (leading == 0) {
    auto product = [](LinalgBuilder &b, ValueRange args) -> Value {
      return b.make<arith::MulFOp>(args[0], args[1]);
    };
    return lowered(b.map(b.empty(op.getType(), {}), {op.getLhs(), op.getRhs()},
                         {b.dims(2, 0), b.dims(2, 1)}, product));
  }
  Value lhs = collapseLeading(b, op.getLhs(), leading);
  Value rhs = collapseLeading(b, op.getRhs(), leading);
  Value dest = b.zeros(op.getType(), {});
  return lowered(linalg::MatmulTransposeAOp::create(b.getBuilder(), b.getLoc(),
                                                    ValueRange{lhs, rhs},
                                                    ValueRange{dest})
                     .getResult(0));
}

void nn::attachProductLowerings(MLIRContext *context) {
  attachLinalgModel<LinearOp, lowerLinear>(context);
  attachLinalgModel<MatmulOp, lowerMatmul>(context);
  attachLinalgModel<OuterSumOp, lowerOuterSum>(context);
}
