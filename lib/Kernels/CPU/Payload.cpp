//===-- lib/Kernels/CPU/Payload.cpp - Bodies of linalg ops, on vectors ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Payload.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace cambium;

static bool isVectorElement(Type type) {
  return type.isF32() || type.isF64() || type.isIndex() || type.isInteger();
}

/// Lanes behind the end of a row hold zeros, by which an integer must not be
/// divided.
static bool mayDivideByZero(Operation &op) {
  bool divides =
      isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
          arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp>(op);
  return divides && !matchPattern(op.getOperand(1), m_NonZero());
}

bool cambium::isVectorizable(linalg::LinalgOp op) {
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (isa<linalg::IndexOp>(inner) || matchPattern(&inner, m_Constant()))
      continue;
    if (!OpTrait::hasElementwiseMappableTraits(&inner) ||
        mayDivideByZero(inner) || inner.getNumResults() != 1 ||
        !isVectorElement(inner.getResult(0).getType()))
      return false;
  }
  return true;
}

int64_t cambium::costOf(linalg::LinalgOp op, const TargetCosts &costs) {
  int64_t cost = op->getNumOperands();
  for (Operation &inner : op.getBlock()->without_terminator())
    cost += isa<math::MathDialect>(inner.getDialect()) ? costs.functionCost
            : isa<arith::DivFOp>(inner)                ? costs.divisionCost
                                                       : 1;
  return cost;
}

VectorType PayloadVectorizer::vectorOf(Type element) const {
  return VectorType::get({lanes}, element);
}

Value PayloadVectorizer::splat(Location loc, Value value) {
  if (isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(builder, loc, vectorOf(value.getType()),
                                     value);
}

SmallVector<Value> PayloadVectorizer::apply(ValueRange operands,
                                            ValueRange indices,
                                            int64_t vectorDim) {
  values.clear();
  Block *body = op.getBlock();
  for (auto [argument, value] : llvm::zip_equal(body->getArguments(), operands))
    if (value)
      values.map(argument, value);
  for (Operation &inner : body->without_terminator())
    values.map(inner.getResult(0), applyOp(inner, indices, vectorDim));
  SmallVector<Value> results;
  for (Value result : body->getTerminator()->getOperands())
    results.push_back(splat(op.getLoc(), lookup(result)));
  return results;
}

Value PayloadVectorizer::applyOp(Operation &inner, ValueRange indices,
                                 int64_t vectorDim) {
  Location loc = inner.getLoc();
  if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
    Value base = indices[index.getDim()];
    if (static_cast<int64_t>(index.getDim()) != vectorDim)
      return base;
    Value steps =
        vector::StepOp::create(builder, loc, vectorOf(builder.getIndexType()));
    return arith::AddIOp::create(builder, loc, splat(loc, base), steps);
  }
  SmallVector<Value> operands;
  bool isVector = false;
  for (Value operand : inner.getOperands()) {
    operands.push_back(lookup(operand));
    isVector |= isa<VectorType>(operands.back().getType());
  }
  // What is the same in all lanes is computed once.
  if (!isVector)
    return builder.clone(inner, values)->getResult(0);
  for (Value &operand : operands)
    operand = splat(loc, operand);
  OperationState state(loc, inner.getName(), operands,
                       vectorOf(inner.getResult(0).getType()),
                       inner.getAttrs());
  state.propertiesAttr = inner.getPropertiesAsAttribute();
  return builder.create(state)->getResult(0);
}
