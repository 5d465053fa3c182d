//===-- NestedLoop.cpp - Loops in the regions of others ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NestedLoop.h"
#include "dialects/Ragged/Derivatives/Tape.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace cambium;

ragged::IterateOp NestedLoop::copyLoop() {
  IRMapping mapping;
  for (Value primal : readBy(op)) {
    Value value = outer.value(primal);
    mapping.map(primal, value);
    inputs.push_back({primal, value});
    distinct.insert(value);
  }
  return cast<ragged::IterateOp>(builder.clone(*op, mapping));
}

/// One value may stand for several.
void NestedLoop::passOn(Value value, Value cotangent) {
  for (auto [primal, other] : inputs)
    if (other == value && outer.wants(primal)) {
      outer.add(primal, cotangent);
      return;
    }
}

LogicalResult NestedLoop::build() {
  ragged::IterateOp copy = copyLoop();
  // What the tape moves out of the loop stands between the two.
  Operation *before = copy->getPrevNode();
  copy = expandTape(copy, builder);
  Block *block = copy->getBlock();
  Block::iterator begin =
      before ? std::next(Block::iterator(before)) : block->begin();
  Block::iterator end = std::next(Block::iterator(copy));
  ActiveValues active;
  for (auto [primal, value] : inputs)
    if (outer.wants(primal))
      active.insert(value);
  active.propagate(begin, end);
  ReverseSweep sweep(builder, active);
  for (auto [from, to] : llvm::zip(op.getResults(), copy.getResults()))
    sweep.add(to, outer.cotangent(from));
  if (failed(sweep.run(begin, end)))
    return failure();
  for (Value value : distinct)
    if (Value cotangent = sweep.cotangent(value))
      passOn(value, cotangent);
  return success();
}
