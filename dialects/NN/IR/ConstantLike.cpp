//===-- ConstantLike.cpp - Constants in the shape of a value --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/IR/ConstantLike.h"
#include "dialects/NN/IR/NN.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

static TypedAttr numberOf(OpBuilder &builder, Type type, double number) {
  if (isa<FloatType>(type))
    return builder.getFloatAttr(type, number);
  return builder.getIntegerAttr(type, static_cast<int64_t>(number));
}

Value cambium::constantLike(OpBuilder &builder, Location loc,
                            RankedTensorType type, Value like,
                            double constant) {
  TypedAttr value = numberOf(builder, type.getElementType(), constant);
  if (type.hasStaticShape())
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(type, value));
  auto scalarType = RankedTensorType::get({}, type.getElementType());
  Value scalar = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(scalarType, value));
  return nn::BroadcastOp::create(builder, loc, type, scalar, like,
                                 ArrayRef<int64_t>{});
}

Value cambium::constantLike(OpBuilder &builder, Location loc, Value like,
                            double constant) {
  auto type = dyn_cast<RankedTensorType>(like.getType());
  if (!type)
    return arith::ConstantOp::create(
        builder, loc, numberOf(builder, like.getType(), constant));
  return constantLike(builder, loc, type, like, constant);
}

Value cambium::zeroIfMinusInfinity(OpBuilder &builder, Location loc,
                                   Value number) {
  Value least = constantLike(builder, loc, number,
                             -std::numeric_limits<double>::infinity());
  Value isOne = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                      number, least);
  Value zero = constantLike(builder, loc, number, 0.0);
  return arith::SelectOp::create(builder, loc, isOne, zero, number);
}

Value cambium::nn::copiedOperand(Operation *op) {
  return isa<BroadcastOp, ReshapeOp>(op) ? op->getOperand(0) : Value();
}

Value cambium::nn::likeOperand(Operation *op) {
  auto broadcast = dyn_cast<BroadcastOp>(op);
  return broadcast ? broadcast.getLike() : Value();
}
