//===-- dialects/NN/Transforms/AbsentOperands.cpp - Without children -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/Transforms/AbsentOperands.h"
#include "cambium/Interfaces/AbsentOperandsOpInterface.h"
#include "cambium/Support/Rows.h"
#include "dialects/NN/IR/ConstantLike.h"
#include "dialects/NN/IR/NN.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

namespace {
template <typename Model, typename OpT>
using AbsentModel = AbsentOperandsOpInterface::ExternalModel<Model, OpT>;

Value zerosOf(Operation *op, OpBuilder &builder) {
  return buildZeros(builder, op->getLoc(), op->getResult(0).getType());
}

/// An op that sums, averages or maximizes over rows.
template <typename OpT> struct OverNoRows : AbsentModel<OverNoRows<OpT>, OpT> {
  Value foldAbsent(Operation *op, OpBuilder &builder,
                   const AbsentOperands &absent) const {
    bool isOver = llvm::any_of(op->getOperands(), absent.isNoRows) &&
                  !hasRows(op->getResult(0).getType());
    return isOver ? zerosOf(op, builder) : Value();
  }
};

/// The logarithm of no terms is minus infinity.
struct LogSumExpModel : AbsentModel<LogSumExpModel, LogSumExpOp> {
  Value foldAbsent(Operation *operation, OpBuilder &builder,
                   const AbsentOperands &absent) const {
    auto op = cast<LogSumExpOp>(operation);
    if (!absent.isNoRows(op.getInput()) || op.getDim() > 0)
      return {};
    RankedTensorType type = op.getResult().getType();
    return constantLike(builder, op.getLoc(), type, Value(),
                        -std::numeric_limits<double>::infinity());
  }
};

/// A product, or a row-wise op that keeps zeros.
template <typename OpT> struct ZeroOfZero : AbsentModel<ZeroOfZero<OpT>, OpT> {
  Value foldAbsent(Operation *op, OpBuilder &builder,
                   const AbsentOperands &absent) const {
    bool isOfZero = llvm::any_of(op->getOperands(), absent.isZero) &&
                    !hasRows(op->getResult(0).getType());
    return isOfZero ? zerosOf(op, builder) : Value();
  }
};

/// A product, also over rows.
struct MatmulModel : AbsentModel<MatmulModel, MatmulOp> {
  Value foldAbsent(Operation *op, OpBuilder &builder,
                   const AbsentOperands &absent) const {
    bool isZero = llvm::any_of(op->getOperands(), [&](Value value) {
      return absent.isNoRows(value) || absent.isZero(value);
    });
    return isZero && !hasRows(op->getResult(0).getType()) ? zerosOf(op, builder)
                                                          : Value();
  }
};

/// `x + 0` and `0 + x`.
struct AddModel : AbsentModel<AddModel, arith::AddFOp> {
  Value foldAbsent(Operation *operation, OpBuilder &,
                   const AbsentOperands &absent) const {
    auto op = cast<arith::AddFOp>(operation);
    if (absent.isZero(op.getRhs()))
      return op.getLhs();
    return absent.isZero(op.getLhs()) ? op.getRhs() : Value();
  }
};

/// A product with zeros leaves the bias, one with `[x; 0]` needs those rows of
/// the weight alone that meet `x`.
struct LinearModel : AbsentModel<LinearModel, LinearOp> {
  Value foldAbsent(Operation *operation, OpBuilder &builder,
                   const AbsentOperands &absent) const {
    auto op = cast<LinearOp>(operation);
    return absent.isZero(op.getInput()) ? leaveBias(op, builder)
                                        : narrow(op, builder, absent);
  }

  static Value leaveBias(LinearOp op, OpBuilder &builder) {
    Value bias = op.getBias();
    if (!bias)
      return zerosOf(op, builder);
    if (bias.getType() == op.getType())
      return bias;
    return BroadcastOp::create(builder, op.getLoc(), op.getType(), bias,
                               Value(),
                               ArrayRef<int64_t>{op.getType().getRank() - 1});
  }

  static Value narrow(LinearOp op, OpBuilder &builder,
                      const AbsentOperands &absent) {
    auto concat = op.getInput().getDefiningOp<ConcatOp>();
    int64_t last = op.getInput().getType().getRank() - 1;
    if (!concat || static_cast<int64_t>(concat.getDim()) != last)
      return {};
    int64_t offset = 0, begin = -1, end = 0;
    SmallVector<Value> parts;
    for (Value part : concat.getInputs()) {
      int64_t size = cast<RankedTensorType>(part.getType()).getShape().back();
      if (!absent.isZero(part)) {
        // Zeros between other parts stay.
        if (begin >= 0 && end != offset)
          return {};
        begin = begin < 0 ? offset : begin;
        end = offset + size;
        parts.push_back(part);
      }
      offset += size;
    }
    if (parts.empty() || parts.size() == concat.getInputs().size())
      return {};
    Value input = parts.size() == 1
                      ? parts.front()
                      : ConcatOp::create(builder, concat.getLoc(), parts, last);
    Value weight = SliceOp::create(builder, op.getLoc(), op.getWeight(),
                                   /*dim=*/0, begin, end - begin);
    return LinearOp::create(builder, op.getLoc(), input, weight, op.getBias());
  }
};
} // namespace

void nn::registerAbsentModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    arith::AddFOp::attachInterface<AddModel>(*context);
    arith::MulFOp::attachInterface<ZeroOfZero<arith::MulFOp>>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, NNDialect *) {
    SumOp::attachInterface<OverNoRows<SumOp>>(*context);
    MeanOp::attachInterface<OverNoRows<MeanOp>>(*context);
    MaxOp::attachInterface<OverNoRows<MaxOp>>(*context);
    LogSumExpOp::attachInterface<LogSumExpModel>(*context);
    SumByOp::attachInterface<OverNoRows<SumByOp>>(*context);
    MseOp::attachInterface<OverNoRows<MseOp>>(*context);
    KLDivergenceOp::attachInterface<OverNoRows<KLDivergenceOp>>(*context);
    CosineSimilarityOp::attachInterface<OverNoRows<CosineSimilarityOp>>(
        *context);
    MatmulOp::attachInterface<MatmulModel>(*context);
    LinearOp::attachInterface<LinearModel>(*context);
    DropoutOp::attachInterface<ZeroOfZero<DropoutOp>>(*context);
    ReluOp::attachInterface<ZeroOfZero<ReluOp>>(*context);
    GeluOp::attachInterface<ZeroOfZero<GeluOp>>(*context);
    L2NormalizeOp::attachInterface<ZeroOfZero<L2NormalizeOp>>(*context);
  });
}
