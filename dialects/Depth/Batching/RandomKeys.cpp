//===-- dialects/Depth/Batching/RandomKeys.cpp - Draws of iterations -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Depth/Batching/DepthBatching.h"
#include "dialects/Depth/Batching/IterateBatcher.h"
#include "dialects/Ragged/Batching/Models.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::depth;

Value depth::makeIterationKeys(Batcher &batcher, BatchContext &outer,
                               OpBuilder::InsertPoint before, Block &body,
                               llvm::function_ref<Value()> makeIteration,
                               Value ids) {
  OpBuilder &builder = batcher.getBuilder();
  OpBuilder::InsertionGuard guard(builder);
  builder.restoreInsertionPoint(before);
  Value keys, count;
  {
    Batcher::ContextScope scope(batcher, outer);
    keys = batcher.getKeys();
    count = batcher.getCount();
  }
  if (!keys)
    return {};
  Location loc = keys.getLoc();
  builder.setInsertionPointToStart(&body);
  if (ids) {
    keys = ragged::GatherOp::create(builder, loc, keys, ids);
    count = tensor::DimOp::create(builder, loc, ids, 0);
  }
  Value number = arith::IndexCastOp::create(builder, loc, builder.getI32Type(),
                                            makeIteration());
  Value scalar = tensor::FromElementsOp::create(
      builder, loc, RankedTensorType::get({}, number.getType()), number);
  Value numbers = ragged::BroadcastOp::create(
      builder, loc, rowsType(scalar.getType()), scalar, count);
  return ragged::MixKeysOp::create(builder, loc, keys, numbers);
}

/// All rows at hand are in the same iteration: they began together. A loop of
/// whole examples has only those that go on at hand.
Value IterateBatcher::makeKeys() {
  return makeIterationKeys(
      batcher, outer, before, loop.getBlock(),
      [&] { return make<ragged::IterationOp>(ids); },
      op.isPerRow() ? Value() : ids);
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
  Operation *made = keys.getDefiningOp(), *group = active.getDefiningOp();
  builder.setInsertionPointAfter(made->isBeforeInBlock(group) ? group : made);
  places = make<ragged::GatherOp>(places, ids);
  Value perRow = make<ragged::ExpandOp>(keys, active);
  return make<ragged::MixKeysOp>(perRow, places);
}
