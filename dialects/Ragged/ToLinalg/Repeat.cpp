//===-- dialects/Ragged/ToLinalg/Repeat.cpp - Loops that keep rows --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/ToLinalg/Repeat.h"
#include "cambium/Support/Rows.h"
#include "dialects/Ragged/ToLinalg/Views.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

/// Whether the value is the array with some rows overwritten.
static bool isUpdated(Value value, Value array) {
  while (value != array) {
    Operation *def = value.getDefiningOp();
    if (auto put = dyn_cast_if_present<PutRowsOp>(def))
      value = put.getAll();
    else if (auto add = dyn_cast_if_present<AddSliceOp>(def))
      value = add.getAll();
    else if (auto insert = dyn_cast_if_present<tensor::InsertSliceOp>(def))
      value = insert.getDest();
    else
      return false;
  }
  return true;
}

/// Whether the value can be computed into the array's memory: element by
/// element, when nobody reads the array any more.
static bool canReplace(Value value, Value array) {
  Operation *def = value.getDefiningOp();
  Block *body = array.getParentBlock();
  if (!def || def->getBlock() != body || !def->hasTrait<OpTrait::Elementwise>())
    return false;
  return llvm::all_of(array.getUsers(), [&](Operation *user) {
    Operation *reader = body->findAncestorOpInBlock(*user);
    return isa<tensor::DimOp>(user) || reader == def ||
           reader->isBeforeInBlock(def);
  });
}

Value ragged::store(LinalgBuilder &b, Value value, Value before, Value array,
                    Value count) {
  if (isUpdated(value, array))
    return value;
  RankedTensorType type = tensorType(array);
  if (!canReplace(value, before))
    value = b.copy(value, b.empty(type, count));
  if (count)
    return b.setRowRange(value, array, b.index(0), count);
  return b.make<bufferization::MaterializeInDestinationOp>(type, value, array)
      .getResult();
}

void ragged::putAside(LinalgBuilder &b, MutableArrayRef<Value> next,
                      ValueRange states) {
  for (auto [value, state] : llvm::zip_equal(next, states))
    if (value != state && llvm::is_contained(states, value))
      value = b.copy(value, b.emptyLike(tensorType(value), value));
}

Lowered ragged::lowerRepeat(RepeatOp op, LinalgBuilder &b) {
  SmallVector<Value> init(op.getInit()), counts;
  if (op.getCount() == 1) {
    init.insert(init.begin(), b.index(0));
    return inlineBody(b, op.getBody(), init);
  }
  for (Value value : init)
    counts.push_back(hasRows(value.getType()) ? b.rows(value) : Value());
  return b.loops(b.index(0), b.index(op.getCount()), init,
                 [&](Value i, ValueRange states) {
                   SmallVector<Value> args{i};
                   llvm::append_range(args, states);
                   SmallVector<Value> next = inlineBody(b, op.getBody(), args);
                   putAside(b, next, states);
                   for (auto [value, state, count] :
                        llvm::zip_equal(next, states, counts))
                     value = store(b, value, state, state, count);
                   return next;
                 });
}
