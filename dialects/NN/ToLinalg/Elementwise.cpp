//===-- Elementwise.cpp - Activations and dropout on linalg ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/RandomKeys.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/NN/ToLinalg/Models.h"
#include "dialects/NN/ToLinalg/ToLinalg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

/// 1 / (1 + exp(-x)): exact in relative terms for x << 0, unlike the form by
/// tanh.
static Value sigmoid(LinalgBuilder &b, ValueRange args) {
  Value one = b.number(args[0].getType(), 1);
  Value exp = b.make<math::ExpOp>(b.make<arith::NegFOp>(args[0]));
  return b.make<arith::DivFOp>(one, b.add(exp, one));
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

/// The number of the current element within its row: row-major over the
/// dimensions from `first` on.
static Value elementOfRow(LinalgBuilder &b, RankedTensorType type,
                          int64_t first) {
  Value element = b.index(0);
  for (int64_t i = first; i < type.getRank(); ++i) {
    element = b.make<arith::MulIOp>(element, b.index(type.getDimSize(i)));
    element = b.add(element, b.make<linalg::IndexOp>(i));
  }
  return b.make<arith::IndexCastOp>(b.getBuilder().getI64Type(), element);
}

/// Drops where uniform < rate, compared as integers: uniform is k / 2^24 with
/// an integer k, so that `k < ceil(rate 2^24)` is the same for every float
/// type.
static Lowered lowerDropout(DropoutOp op, LinalgBuilder &b) {
  if (!op.getKeys())
    return lowered(op.getInput());
  if (!op.getId())
    return op.emitOpError("expected an 'id' beside 'keys'");
  RankedTensorType type = op.getType();
  int64_t leading = tensorType(op.getKeys()).getRank();
  if (type.getShape().take_front(leading) !=
      tensorType(op.getKeys()).getShape())
    return op.emitOpError() << "expected a key per row of " << type
                            << ", but got " << op.getKeys().getType();
  double rate = op.getRate().convertToDouble();
  auto threshold = static_cast<int64_t>(std::ceil(rate * (1 << 24)));
  auto drop = [&](LinalgBuilder &b, ValueRange args) -> Value {
    Type i64 = b.getBuilder().getI64Type();
    Value number = b.make<arith::ConstantIntOp>(i64, *op.getId());
    Value key = random::mix(b, args[1], number);
    Value bits = random::uniformBits(
        b, random::mix(b, key, elementOfRow(b, type, leading)));
    Value limit = b.make<arith::ConstantIntOp>(i64, threshold);
    Value dropped =
        b.make<arith::CmpIOp>(arith::CmpIPredicate::ult, bits, limit);
    Value kept = b.make<arith::MulFOp>(
        args[0], b.number(args[0].getType(), 1 / (1 - rate)));
    return b.make<arith::SelectOp>(dropped, b.number(args[0].getType(), 0),
                                   kept);
  };
  AffineMap rows =
      b.dims(type.getRank(), llvm::to_vector(llvm::seq<int64_t>(0, leading)));
  AffineMap identity =
      AffineMap::getMultiDimIdentityMap(type.getRank(), b.getContext());
  return lowered(b.map(b.emptyLike(type, op.getInput()),
                       {op.getInput(), op.getKeys()}, {identity, rows}, drop));
}

void nn::attachElementwiseLowerings(MLIRContext *context) {
  attachLinalgModel<SigmoidOp, lowerUnary<SigmoidOp, sigmoid>>(context);
  attachLinalgModel<ReluOp, lowerUnary<ReluOp, relu>>(context);
  attachLinalgModel<DropoutOp, lowerDropout>(context);
}

void nn::registerToLinalgModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, NNDialect *) {
    attachElementwiseLowerings(context);
    attachProductLowerings(context);
    attachReductionLowerings(context);
    attachShapeLowerings(context);
    attachTableLowerings(context);
  });
}
