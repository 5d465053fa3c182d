//===-- dialects/Depth/Batching/SearchValues.cpp - Values of a search -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Depth/Batching/SearchBatcher.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Ragged/IR/Ragged.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::depth;

static RankedTensorType typeOf(Value value) {
  return mlir::cast<RankedTensorType>(value.getType());
}

/// `?` rows of the shape.
static SmallVector<int64_t> ofRows(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> dims{ShapedType::kDynamic};
  llvm::append_range(dims, shape);
  return dims;
}

/// A number of an element type.
static Attribute attributeOf(Type element, double value) {
  if (auto real = dyn_cast<FloatType>(element))
    return FloatAttr::get(real, value);
  return IntegerAttr::get(element, static_cast<int64_t>(value));
}

Value SearchBatcher::numbers(Type element, ArrayRef<int64_t> shape,
                             ArrayRef<double> values) {
  auto type = RankedTensorType::get(shape, element);
  SmallVector<Attribute> elements;
  for (double value : values)
    elements.push_back(attributeOf(element, value));
  Value row = make<arith::ConstantOp>(DenseElementsAttr::get(type, elements));
  return make<ragged::BroadcastOp>(rowsType(type), row, numRows);
}

Value SearchBatcher::spread(Value value, ArrayRef<int64_t> shape,
                            ArrayRef<int64_t> dims) {
  SmallVector<int64_t> all{0};
  llvm::append_range(all, dims);
  return make<nn::BroadcastOp>(typeOf(value).clone(ofRows(shape)), value,
                               Value(), all);
}

Value SearchBatcher::reshape(Value value, ArrayRef<int64_t> shape) {
  auto type = typeOf(value).clone(ofRows(shape));
  if (type == value.getType())
    return value;
  return make<nn::ReshapeOp>(type, value);
}

Value SearchBatcher::isSet(Value flag) {
  Value half = number(getElementTypeOrSelf(flag.getType()),
                      typeOf(flag).getShape().drop_front(), 0.5);
  return make<arith::CmpFOp>(arith::CmpFPredicate::OGT, flag, half);
}

Value SearchBatcher::isThere(Value score) {
  Value none = make<nn::BroadcastOp>(
      score.getType(),
      make<arith::ConstantOp>(DenseElementsAttr::get(
          RankedTensorType::get({}, scoreType),
          attributeOf(scoreType, -std::numeric_limits<double>::infinity()))),
      score, ArrayRef<int64_t>{});
  return make<arith::CmpFOp>(arith::CmpFPredicate::OGT, score, none);
}

Value SearchBatcher::orNone(Value score) {
  Value isNumber = isThere(score);
  Value none = isNumber.getDefiningOp<arith::CmpFOp>().getRhs();
  return select(isNumber, score, none);
}

Value SearchBatcher::pickAlong(Value values, Value places) {
  return make<nn::PickAlongOp>(values, places, /*dim=*/1);
}

Value SearchBatcher::pickRows(Value rows, Value numbers) {
  ArrayRef<int64_t> shape = typeOf(rows).getShape().drop_front();
  Value columns = reshape(rows, ShapedType::getNumElements(shape));
  Value picked = make<ragged::PickOp>(columns, numbers, live.own,
                                      /*nearest=*/false);
  SmallVector<int64_t> all{typeOf(numbers).getDimSize(1)};
  llvm::append_range(all, shape);
  return reshape(picked, all);
}

Value SearchBatcher::select(Value flag, Value a, Value b) {
  return make<arith::SelectOp>(flag, a, b);
}

Value SearchBatcher::cast(Value numbers, Type element) {
  auto type = typeOf(numbers).clone(element);
  if (type == numbers.getType())
    return numbers;
  bool toInteger = element.isInteger(),
       fromInteger = typeOf(numbers).getElementType().isInteger();
  if (toInteger)
    return make<arith::FPToSIOp>(type, numbers);
  if (fromInteger)
    return make<arith::SIToFPOp>(type, numbers);
  return make<arith::ExtFOp>(type, numbers);
}

SmallVector<Value> Hypotheses::inOrder() const {
  SmallVector<Value> all{live, score, length, words, lastWord};
  llvm::append_range(all, carried);
  return all;
}

Hypotheses Hypotheses::fromOrder(ValueRange values) {
  return {values[0], values[1], values[2],
          values[3], values[4], llvm::to_vector(values.drop_front(5))};
}
