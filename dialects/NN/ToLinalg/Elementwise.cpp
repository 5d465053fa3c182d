//===-- Elementwise.cpp - Activations on linalg ---------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/IR/NN.h"
#include "dialects/NN/ToLinalg/Models.h"
#include "dialects/NN/ToLinalg/ToLinalg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

/// 1 / (1 + exp(-x)): exact in relative terms for x << 0, unlike the form by
/// tanh. By an estimate of the reciprocal that is improved, where there is one:
/// of an infinity that would be NaN, so that the result is at least 2^-125.
static Value sigmoid(LinalgBuilder &b, ValueRange args) {
  Type type = args[0].getType();
  Value one = b.number(type, 1), largest = b.number(type, 0x1p125);
  Value exp = b.make<math::ExpOp>(b.make<arith::NegFOp>(args[0]));
  Value sum = b.add(exp, one);
  Value isLarge =
      b.make<arith::CmpFOp>(arith::CmpFPredicate::OGT, sum, largest);
  Value bounded = b.make<arith::SelectOp>(isLarge, largest, sum);
  auto flags = arith::FastMathFlags::arcp | arith::FastMathFlags::ninf |
               arith::FastMathFlags::contract;
  return b.make<arith::DivFOp>(one, bounded, flags);
}

/// 0 where x < 0, else x: a NaN stays.
static Value relu(LinalgBuilder &b, ValueRange args) {
  Value zero = b.number(args[0].getType(), 0);
  Value below = b.make<arith::CmpFOp>(arith::CmpFPredicate::OLT, args[0], zero);
  return b.make<arith::SelectOp>(below, zero, args[0]);
}

template <typename Op, Value (*body)(LinalgBuilder &, ValueRange)>
static Lowered lowerUnary(Op op, LinalgBuilder &b) {
  Value x = op.getInput();
  if (isa<FloatType>(x.getType()))
    return lowered(body(b, x));
  if (!isa<RankedTensorType>(x.getType()))
    return op.emitOpError()
           << "expected a scalar or a tensor, but got " << x.getType();
  Value dest = tensorType(x).getRank() ? b.emptyLike(tensorType(x), x)
                                       : b.empty(tensorType(x), {});
  return lowered(b.elementwise(dest, x, body));
}

void nn::attachElementwiseLowerings(MLIRContext *context) {
  attachLinalgModel<SigmoidOp, lowerUnary<SigmoidOp, sigmoid>>(context);
  attachLinalgModel<ReluOp, lowerUnary<ReluOp, relu>>(context);
}

void nn::registerToLinalgModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, NNDialect *) {
    attachElementwiseLowerings(context);
    attachProductLowerings(context);
    attachRandomLowerings(context);
    attachReductionLowerings(context);
    attachSelectLowerings(context);
    attachShapeLowerings(context);
    attachTableLowerings(context);
  });
}
