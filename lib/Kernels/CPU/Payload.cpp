//===-- lib/Kernels/CPU/Payload.cpp - Bodies of linalg ops, on vectors ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Payload.h"
#include "cambium/Support/ElementCost.h"
#include "cambium/Support/IntegerDivision.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
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
  return isIntegerDivision(&op) && !matchPattern(op.getOperand(1), m_NonZero());
}

static std::optional<SmallVector<int64_t>> stridesOf(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  return strides;
}

/// Whether lanes can read elements at places of their own.
static bool canGather(memref::LoadOp load) {
  MemRefType type = load.getMemRefType();
  Type element = type.getElementType();
  auto strides = stridesOf(type);
  return strides && !strides->empty() && strides->back() == 1 &&
         llvm::none_of(*strides, ShapedType::isDynamic) &&
         (element.isF32() || element.isF64() || element.isInteger(32) ||
          element.isInteger(64));
}

bool cambium::isVectorizable(linalg::LinalgOp op, const TargetCosts &costs) {
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (isa<linalg::IndexOp>(inner) || matchPattern(&inner, m_Constant()))
      continue;
    auto load = dyn_cast<memref::LoadOp>(inner);
    if (load && costs.hasGathers && canGather(load))
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
    cost += elementCost(&inner, costs);
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
                                            int64_t vectorDim, Value mask) {
  values.clear();
  this->indices.assign(indices.begin(), indices.end());
  this->vectorDim = vectorDim;
  this->mask = mask;
  Block *body = op.getBlock();
  for (auto [argument, value] : llvm::zip_equal(body->getArguments(), operands))
    if (value)
      values.map(argument, value);
  for (Operation &inner : body->without_terminator())
    values.map(inner.getResult(0), applyOp(inner));
  SmallVector<Value> results;
  for (Value result : body->getTerminator()->getOperands())
    results.push_back(splat(op.getLoc(), lookup(result)));
  return results;
}

Value PayloadVectorizer::counterOf(linalg::IndexOp index) {
  Value base = indices[index.getDim()];
  if (static_cast<int64_t>(index.getDim()) != vectorDim)
    return base;
  Location loc = index.getLoc();
  Value steps =
      vector::StepOp::create(builder, loc, vectorOf(builder.getIndexType()));
  return arith::AddIOp::create(builder, loc, splat(loc, base), steps);
}

/// Whether an index is the counter of the lanes.
bool PayloadVectorizer::isCounter(Value index) const {
  auto counter = index.getDefiningOp<linalg::IndexOp>();
  return counter && static_cast<int64_t>(counter.getDim()) == vectorDim;
}

Value PayloadVectorizer::constant(Location loc, Type element,
                                  function_ref<int64_t(int64_t)> lane) {
  SmallVector<Attribute> numbers;
  for (int64_t i = 0; i < lanes; ++i)
    numbers.push_back(builder.getIntegerAttr(element, lane(i)));
  return arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(vectorOf(element), numbers));
}

/// The integers that indices were made of, if they have so many bits.
static Value withoutCast(Value index, Type type) {
  auto cast = index.getDefiningOp<arith::IndexCastOp>();
  return cast && cast.getIn().getType() == type ? cast.getIn() : Value();
}

/// An element at a place of its own for each lane. A lane's distance to the
/// element that all start from has 32 bits where that is enough: a gather then
/// reads a whole vector.
Value PayloadVectorizer::read(memref::LoadOp load) {
  Location loc = load.getLoc();
  MemRefType memref = load.getMemRefType();
  SmallVector<int64_t> strides = *stridesOf(memref);
  Type type = builder.getI32Type();
  for (auto [index, size, stride] :
       llvm::zip(load.getIndices(), memref.getShape(), strides)) {
    int64_t places = isCounter(index) ? lanes : size;
    if (isa<VectorType>(lookup(index).getType()) &&
        (ShapedType::isDynamic(places) || places * stride > INT32_MAX / 2))
      type = builder.getI64Type();
  }
  SmallVector<Value> start;
  Value distances;
  for (auto [index, stride] : llvm::zip(load.getIndices(), strides)) {
    Value at = lookup(index), part;
    if (!isa<VectorType>(at.getType())) {
      start.push_back(at);
      continue;
    }
    if (isCounter(index)) {
      start.push_back(indices[vectorDim]);
      part = constant(loc, type, [&](int64_t lane) { return lane * stride; });
    } else {
      start.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
      Value integers = withoutCast(index, type);
      part = integers
                 ? splat(loc, lookup(integers))
                 : arith::IndexCastOp::create(builder, loc, vectorOf(type), at);
      part = arith::MulIOp::create(
          builder, loc, part,
          constant(loc, type, [&](int64_t) { return stride; }));
    }
    distances =
        distances ? arith::AddIOp::create(builder, loc, distances, part) : part;
  }
  if (!distances)
    return builder.clone(*load, values)->getResult(0);
  VectorType result = vectorOf(memref.getElementType());
  Value which =
      mask ? mask
           : constant(loc, builder.getI1Type(), [](int64_t) { return 1; });
  Value zeros =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(result));
  return vector::GatherOp::create(builder, loc, result, load.getMemRef(), start,
                                  distances, which, zeros);
}

Value PayloadVectorizer::applyOp(Operation &inner) {
  Location loc = inner.getLoc();
  if (auto index = dyn_cast<linalg::IndexOp>(inner))
    return counterOf(index);
  if (auto load = dyn_cast<memref::LoadOp>(inner))
    return read(load);
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
