//===-- Elements.cpp - Elements of linalg ops by threads ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Elements.h"
#include "../Combiners.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace cambium;

Elements::Elements(OpBuilder &builder, linalg::LinalgOp op,
                   const TargetCosts &costs)
    : b(builder), loc(op.getLoc()), op(op), costs(costs),
      device(builder, loc, costs) {
  op.getParallelDims(parallel);
  op.getReductionDims(reductions);
  if (reductions.empty())
    return;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    Type type = getElementTypeOrSelf(init.get().getType());
    if (!type.isIntOrFloat() || (type.getIntOrFloatBitWidth() != 32 &&
                                 type.getIntOrFloatBitWidth() != 64))
      return;
  }
  combiners = findCombiners(op);
}

bool Elements::canSpread() {
  if (parallel.size() + reductions.size() != op.getNumLoops())
    return false;
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    return map.isProjectedPermutation() &&
           map.getNumResults() == parallel.size() &&
           llvm::all_of(parallel,
                        [&](unsigned dim) { return map.isFunctionOfDim(dim); });
  });
}

void Elements::readSizes() {
  sizes.clear();
  for (const Range &range : op.createLoopRanges(b, loc))
    sizes.push_back(getValueOrCreateConstantIndexOp(b, loc, range.size));
}

Value Elements::product(ArrayRef<unsigned> dims) {
  Value all;
  for (unsigned dim : dims)
    all = all ? device.multiply(all, sizes[dim]) : sizes[dim];
  return all ? all : device.index(1);
}

Value Elements::count() {
  readSizes();
  return product(parallel);
}

void Elements::split(Value number, ArrayRef<unsigned> dims, Values &counters) {
  for (unsigned dim : llvm::reverse(dims.drop_front(dims.empty() ? 0 : 1))) {
    counters[dim] = arith::RemUIOp::create(b, loc, number, sizes[dim]);
    number = arith::DivUIOp::create(b, loc, number, sizes[dim]);
  }
  if (!dims.empty())
    counters[dims.front()] = number;
}

Elements::Values Elements::place(OpOperand &operand, ValueRange counters) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  Values indices;
  for (AffineExpr expression : map.getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expression)) {
      indices.push_back(counters[dim.getPosition()]);
      continue;
    }
    auto one = AffineMap::get(map.getNumDims(), 0, expression);
    indices.push_back(affine::AffineApplyOp::create(b, loc, one, counters));
  }
  return indices;
}

Value Elements::load(OpOperand &operand, ValueRange counters) {
  if (!isa<MemRefType>(operand.get().getType()))
    return operand.get();
  return memref::LoadOp::create(b, loc, operand.get(),
                                place(operand, counters));
}

Elements::Values Elements::loadResults(ValueRange counters, bool all) {
  Values values;
  for (OpOperand &init : op.getDpsInitsMutable())
    values.push_back(all || op.payloadUsesValueFromOperand(&init)
                         ? load(init, counters)
                         : Value());
  return values;
}

void Elements::storeResults(ValueRange values, ValueRange counters) {
  for (auto [value, init] : llvm::zip_equal(values, op.getDpsInitsMutable()))
    memref::StoreOp::create(b, loc, value, init.get(), place(init, counters));
}

Elements::Values Elements::body(ValueRange results, ValueRange counters) {
  IRMapping mapping;
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(input);
    if (!argument.use_empty())
      mapping.map(argument, load(*input, counters));
  }
  for (auto [argument, value] :
       llvm::zip_equal(op.getRegionOutputArgs(), results))
    if (value)
      mapping.map(argument, value);
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      mapping.map(index.getResult(), counters[index.getDim()]);
      continue;
    }
    Operation *copy = b.clone(inner, mapping);
    SmallVector<linalg::IndexOp> inside;
    copy->walk([&](linalg::IndexOp index) { inside.push_back(index); });
    for (linalg::IndexOp index : inside) {
      index.replaceAllUsesWith(counters[index.getDim()]);
      index.erase();
    }
  }
  Values values;
  for (Value value : op.getBlock()->getTerminator()->getOperands())
    values.push_back(mapping.lookupOrDefault(value));
  return values;
}

/// Loops over the reductions from number `depth` on.
Elements::Values Elements::reduce(unsigned depth, ValueRange results,
                                  Values &counters) {
  if (depth == reductions.size())
    return body(results, counters);
  unsigned dim = reductions[depth];
  auto loop = scf::ForOp::create(b, loc, device.index(0), sizes[dim],
                                 device.index(1), results);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  counters[dim] = loop.getInductionVar();
  Values values = reduce(depth + 1, loop.getRegionIterArgs(), counters);
  scf::YieldOp::create(b, loc, values);
  return Values(loop.getResults());
}

void Elements::emit(Value first, Value count, Value step) {
  readSizes();
  auto loop = scf::ForOp::create(b, loc, first, count, step);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Values counters(op.getNumLoops());
  split(loop.getInductionVar(), parallel, counters);
  Values values = loadResults(counters, /*all=*/!reductions.empty());
  storeResults(reduce(0, values, counters), counters);
}

void Elements::emitRows(Value first, Value step) {
  readSizes();
  Values counters;
  OpBuilder::InsertionGuard guard(b);
  auto loop = [&](Value begin, Value end, Value step) {
    auto loop = scf::ForOp::create(b, loc, begin, end, step);
    b.setInsertionPointToStart(loop.getBody());
    counters.push_back(loop.getInductionVar());
  };
  loop(first, sizes[0], step);
  loop(device.lane(), sizes[1], device.index(costs.warpThreads));
  storeResults(body(loadResults(counters, /*all=*/false), counters), counters);
}

Elements::Values Elements::reduceByLanes(Values &counters) {
  Values neutral;
  for (Operation *combiner : combiners) {
    std::optional<TypedAttr> value = arith::getNeutralElement(combiner);
    neutral.push_back(arith::ConstantOp::create(b, loc, *value));
  }
  auto loop = scf::ForOp::create(b, loc, device.lane(), product(reductions),
                                 device.index(costs.warpThreads), neutral);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    split(loop.getInductionVar(), reductions, counters);
    scf::YieldOp::create(b, loc, body(loop.getRegionIterArgs(), counters));
  }
  Values values(loop.getResults());
  for (int64_t bit = costs.warpThreads / 2; bit > 0; bit /= 2)
    for (auto [value, combiner] : llvm::zip_equal(values, combiners)) {
      Value others[] = {value, device.exchange(value, bit)};
      value = b.create(loc, combiner->getName().getIdentifier(), others,
                       value.getType(), combiner->getAttrs())
                  ->getResult(0);
    }
  return values;
}

void Elements::emitTogether(Value first, Value count, Value step) {
  readSizes();
  auto loop = scf::ForOp::create(b, loc, first, count, step);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Values counters(op.getNumLoops());
  split(loop.getInductionVar(), parallel, counters);
  Values values = reduceByLanes(counters);
  Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                        device.lane(), device.index(0));
  auto store = scf::IfOp::create(b, loc, isFirst);
  b.setInsertionPointToStart(store.thenBlock());
  Values starts = loadResults(counters, /*all=*/true);
  for (auto [value, start, combiner] :
       llvm::zip_equal(values, starts, combiners)) {
    Value both[] = {start, value};
    value = b.create(loc, combiner->getName().getIdentifier(), both,
                     value.getType(), combiner->getAttrs())
                ->getResult(0);
  }
  storeResults(values, counters);
}
