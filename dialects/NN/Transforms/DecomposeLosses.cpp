//===-- DecomposeLosses.cpp - Expansions of losses -----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/DecomposableOpInterface.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/NN/Transforms/Decompose.h"
#include "dialects/NN/Transforms/DecomposeModels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

namespace {
using Values = FailureOr<SmallVector<Value>>;

int64_t lastDim(Value value) {
  return cast<RankedTensorType>(value.getType()).getRank() - 1;
}

struct CrossEntropyModel
    : DecomposableOpInterface::ExternalModel<CrossEntropyModel,
                                             CrossEntropyOp> {
  Values decompose(Operation *op, OpBuilder &builder) const {
    auto loss = cast<CrossEntropyOp>(op);
    Expansion e(builder, op->getLoc());
    Value logits = loss.getLogits(), target = loss.getTarget();
    Value logp = e.make<LogSoftmaxOp>(logits, lastDim(logits));
    if (target.getType() == logits.getType()) {
      Value sum =
          e.make<SumOp>(e.make<arith::MulFOp>(target, logp), lastDim(logits));
      return SmallVector<Value>{e.make<arith::NegFOp>(sum)};
    }
    if (!loss.getIgnoreId())
      return SmallVector<Value>{
          e.make<arith::NegFOp>(e.make<PickOp>(logp, target))};
    // An ignored id need not be a class: class 0 stands for it.
    Value ignored = e.make<arith::CmpIOp>(
        arith::CmpIPredicate::eq, target,
        e.constant(static_cast<int64_t>(*loss.getIgnoreId()), target));
    Value ids = e.make<arith::SelectOp>(ignored, e.constant(0, target), target);
    // The host cannot check ids of which one is no class.
    int64_t last =
        cast<RankedTensorType>(logits.getType()).getShape().back() - 1;
    ids = e.make<arith::MaxSIOp>(ids, e.constant(0, target));
    ids = e.make<arith::MinSIOp>(ids, e.constant(last, target));
    Value nll = e.make<arith::NegFOp>(e.make<PickOp>(logp, ids));
    return SmallVector<Value>{
        e.make<arith::SelectOp>(ignored, e.constant(0, nll), nll)};
  }
};

/// Where p = 0, both logarithms are replaced by 0, so that neither the value
/// nor a derivative meets 0 times infinity.
struct KLDivergenceModel
    : DecomposableOpInterface::ExternalModel<KLDivergenceModel,
                                             KLDivergenceOp> {
  Values decompose(Operation *op, OpBuilder &builder) const {
    auto loss = cast<KLDivergenceOp>(op);
    Expansion e(builder, op->getLoc());
    Value p = loss.getTarget(), logq = loss.getLogProbs();
    Value zero = e.constant(0, p);
    Value empty = e.make<arith::CmpFOp>(arith::CmpFPredicate::OEQ, p, zero);
    Value logp = e.make<math::LogOp>(
        e.make<arith::SelectOp>(empty, e.constant(1, p), p));
    Value diff =
        e.make<arith::SubFOp>(logp, e.make<arith::SelectOp>(empty, zero, logq));
    Value term = e.make<arith::MulFOp>(p, diff);
    return SmallVector<Value>{e.make<SumOp>(term, lastDim(p))};
  }
};

struct MseModel : DecomposableOpInterface::ExternalModel<MseModel, MseOp> {
  Values decompose(Operation *op, OpBuilder &builder) const {
    auto loss = cast<MseOp>(op);
    Expansion e(builder, op->getLoc());
    Value diff = e.make<arith::SubFOp>(loss.getLhs(), loss.getRhs());
    Value square = e.make<arith::MulFOp>(diff, diff);
    if (lastDim(square) < 0)
      return SmallVector<Value>{square};
    return SmallVector<Value>{e.make<MeanOp>(square, lastDim(square))};
  }
};
} // namespace

void nn::attachLossExpansions(MLIRContext *context) {
  CrossEntropyOp::attachInterface<CrossEntropyModel>(*context);
  KLDivergenceOp::attachInterface<KLDivergenceModel>(*context);
  MseOp::attachInterface<MseModel>(*context);
}

void nn::registerDecomposeModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, NNDialect *) {
    attachActivationExpansions(context);
    attachLossExpansions(context);
  });
}
