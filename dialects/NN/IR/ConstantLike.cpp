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

Value cambium::constantLike(OpBuilder &builder, Location loc,
                            RankedTensorType type, Value like,
                            double constant) {
  FloatAttr value = builder.getFloatAttr(type.getElementType(), constant);
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
        builder, loc, builder.getFloatAttr(like.getType(), constant));
  return constantLike(builder, loc, type, like, constant);
}

Value cambium::nn::copiedOperand(Operation *op) {
  return isa<BroadcastOp, ReshapeOp>(op) ? op->getOperand(0) : Value();
}
