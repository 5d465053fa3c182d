//===-- dialects/Depth/Batching/RandomKeys.cpp - Draws of iterations -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Depth/Batching/IterateBatcher.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Ragged/Batching/Models.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::depth;

/// The iteration is one more carried value, if it is asked for. It is the same
/// number for all rows at hand: they began together.
Value IterateBatcher::getIteration() {
  if (iteration)
    return iteration;
  OpBuilder::InsertionGuard guard(builder);
  builder.restoreInsertionPoint(before);
  init.push_back(numbers(init.front(), builder.getI32IntegerAttr(0)));
  iteration = loop.addState(init.back());
  states.push_back(iteration);
  return iteration;
}

/// The keys of the context are mixed with the iteration: `mix(key, t)`.
Value IterateBatcher::makeKeys() {
  OpBuilder::InsertionGuard guard(builder);
  builder.restoreInsertionPoint(before);
  Value around, count;
  {
    Batcher::ContextScope scope(batcher, outer);
    around = batcher.getKeys();
    count = batcher.getCount();
  }
  if (!around)
    return {};
  Value number = getIteration();
  if (!op.isPerRow()) {
    builder.setInsertionPointToStart(&loop.getBlock());
    Value keys = make<ragged::GatherOp>(around, ids);
    return make<ragged::MixKeysOp>(keys, number);
  }
  builder.setInsertionPointAfterValue(active);
  auto reals =
      cast<RankedTensorType>(number.getType()).clone(builder.getF32Type());
  auto scalar = RankedTensorType::get({}, builder.getF32Type());
  Value last =
      make<nn::MaxOp>(scalar, make<arith::SIToFPOp>(reals, number), /*over=*/0);
  last = make<arith::FPToSIOp>(scalar.clone(builder.getI32Type()), last);
  Value numbers = make<ragged::BroadcastOp>(number.getType(), last, count);
  return make<ragged::MixKeysOp>(around, numbers);
}

/// Those of the active rows: `mix(key, i)`, where `i` is the row's place among
/// all rows of its example.
Value IterateBatcher::makePartialKeys() {
  Value keys = batcher.getKeys();
  if (!keys)
    return {};
  OpBuilder::InsertionGuard guard(builder);
  builder.restoreInsertionPoint(before);
  Value places = make<ragged::PositionsOp>(partition, INT32_MAX);
  builder.setInsertionPointAfterValue(keys);
  places = make<ragged::GatherOp>(places, ids);
  Value perRow = make<ragged::ExpandOp>(keys, active);
  return make<ragged::MixKeysOp>(perRow, places);
}
