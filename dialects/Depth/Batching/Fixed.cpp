//===-- dialects/Depth/Batching/Fixed.cpp - Loops that nothing stops ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop of a fixed number computes all rows of the context in each iteration:
// the body is batched as the code around it is.
//
//===----------------------------------------------------------------------===//
#include "dialects/Depth/Batching/DepthBatching.h"
#include "dialects/Depth/IR/Depth.h"
#include "dialects/Ragged/Batching/Batcher.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::depth;

LogicalResult depth::joinCarried(IterateOp op, RowSpaces &spaces) {
  for (auto [init, arg, next, result] :
       llvm::zip_equal(op.getInit(), op.getStateArgs(), op.getYield().getNext(),
                       op.getStates())) {
    if (!hasRows(init.getType()))
      continue;
    for (Value value : {Value(arg), next, Value(result)})
      if (failed(spaces.join(op, init, value)))
        return failure();
  }
  return success();
}

/// Batches the body into the loop.
static LogicalResult batchBody(IterateOp op, Batcher &batcher,
                               ragged::RepeatOp loop) {
  OpBuilder &builder = batcher.getBuilder();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&loop.getBody().front());
  // What is built in the loop is not at hand around it.
  BatchContext &outer = batcher.getContext(), context = outer;
  context.keys = {};
  context.makeKeys = [&] {
    return makeIterationKeys(
        batcher, outer, {loop->getBlock(), loop->getIterator()},
        loop.getBody().front(), [&] { return Value(loop.getIterationArg()); });
  };
  Batcher::ContextScope scope(batcher, context);
  batcher.set(op.getStateArgs(), loop.getStateArgs());
  if (failed(bindSlices(op, batcher, loop.getIterationArg())) ||
      failed(batcher.batchBlock(op.getBody().front())))
    return failure();
  SmallVector<Value> next;
  for (Value value : op.getYield().getNext())
    next.push_back(batcher.getRows(value));
  ragged::YieldOp::create(builder, op.getLoc(), next);
  return success();
}

LogicalResult depth::batchFixed(IterateOp op, Batcher &batcher) {
  OpBuilder &builder = batcher.getBuilder();
  Location loc = op.getLoc();
  SmallVector<Value> init;
  for (Value value : op.getInit())
    init.push_back(batcher.getRows(value));
  batcher.getCount(); // is built here, outside of the loop
  auto loop = ragged::RepeatOp::create(builder, loc, op.getMax(), init,
                                       op.getRematerialize());
  if (failed(batchBody(op, batcher, loop)))
    return failure();
  batcher.set(op.getStates(), loop.getResults());
  return success();
}
