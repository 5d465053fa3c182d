//===-- dialects/Depth/Batching/Masked.cpp - Stopped rows, selected ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The masked form of a loop: all rows of the examples that go on are computed,
// and numbers say which count.
//
//===----------------------------------------------------------------------===//
#include "dialects/Depth/Batching/DepthBatching.h"
#include "dialects/Depth/Batching/IterateBatcher.h"
#include "dialects/NN/IR/ConstantLike.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Ragged/Batching/Models.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::depth;

/// A number for each row.
Value IterateBatcher::numbers(Value like, TypedAttr value) {
  auto scalar = RankedTensorType::get({}, value.getType());
  Value constant =
      make<arith::ConstantOp>(DenseElementsAttr::get(scalar, Attribute(value)));
  Value count = make<tensor::DimOp>(like, 0);
  return make<ragged::BroadcastOp>(rowsType(scalar), constant, count);
}

Value IterateBatcher::isSet(Value number) {
  Value half = constantLike(builder, loc, number, 0.5);
  return make<arith::CmpFOp>(arith::CmpFPredicate::OGT, number, half);
}

/// Numbers of rows for each element of `like`.
Value IterateBatcher::spread(Value numbers, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  if (type.getRank() == 1)
    return numbers;
  Type element = getElementTypeOrSelf(numbers.getType());
  return make<nn::BroadcastOp>(type.clone(element), numbers, Value(),
                               ArrayRef<int64_t>{0});
}

/// For each row, the greatest number of its example. Of the whole batch, where
/// values of an example are computed from its rows: without rows they would be
/// what 1 / 0 is, of which no gradient can be zero.
Value IterateBatcher::ofRunning(Value numbers, Value rows) {
  if (reducesRows(op, batcher.getSpaces())) {
    auto scalar =
        RankedTensorType::get({}, getElementTypeOrSelf(numbers.getType()));
    Value any = make<nn::MaxOp>(scalar, numbers, 0);
    return make<nn::BroadcastOp>(numbers.getType(), any, numbers,
                                 ArrayRef<int64_t>{});
  }
  Value any = make<ragged::ReduceOp>(ragged::ReduceKind::Max, numbers, rows);
  return make<ragged::ExpandOp>(any, rows);
}

/// A row that has stopped keeps its values; an example goes on while one of its
/// rows does.
void IterateBatcher::mask() {
  for (auto [value, old] : llvm::zip(yields.states, states))
    value = make<arith::SelectOp>(isSet(spread(running, value)), value, old);
  Value goesOn = make<arith::UIToFPOp>(running.getType(), yields.flags);
  goesOn = make<arith::MulFOp>(goesOn, running);
  yields.flags = isSet(ofRunning(goesOn, active));
  yields.states.push_back(goesOn);
  Value one = make<arith::FPToSIOp>(steps.getType(), running);
  yields.states.push_back(make<arith::AddIOp>(steps, one));
}
