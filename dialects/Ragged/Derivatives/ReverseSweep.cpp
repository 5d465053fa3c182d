//===-- ReverseSweep.cpp - Reverse mode over a block ---------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/Derivatives/ReverseSweep.h"
#include "cambium/Interfaces/DifferentiableOpInterface.h"
#include "cambium/Interfaces/TrainingOpInterface.h"
#include "cambium/Support/Rows.h"
#include "dialects/NN/IR/ConstantLike.h"
#include "dialects/Ragged/Derivatives/Tape.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace cambium;

//===----------------------------------------------------------------------===//
// ActiveValues
//===----------------------------------------------------------------------===//

bool ActiveValues::carriesDerivative(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}

bool ActiveValues::insert(Value value) {
  return carriesDerivative(value) && values.insert(value).second;
}

/// Whether an op stands for a constant whatever it reads.
static bool isConstantForGradients(Operation &op) {
  auto training = dyn_cast<TrainingOpInterface>(&op);
  return training && training.isConstantForGradients();
}

void ActiveValues::propagate(Block::iterator begin, Block::iterator end) {
  for (Operation &op : llvm::make_range(begin, end)) {
    if (isConstantForGradients(op))
      continue;
    auto isActive = [&](Value value) { return contains(value); };
    if (llvm::none_of(readBy(&op), isActive))
      continue;
    dependents.insert(&op);
    for (Value result : op.getResults())
      insert(result);
  }
}

void ActiveValues::propagateInLoop(VJPBuilder &outer, Region &body,
                                   const Pairs &taken, const Pairs &carried) {
  for (auto [arg, operand] : taken)
    if (outer.wants(operand))
      insert(arg);
  for (Value value : capturedBy(body))
    if (outer.wants(value))
      insert(value);
  bool changed = true;
  while (changed) {
    propagate(body.front().begin(), body.front().end());
    changed = false;
    for (auto [arg, yielded] : carried)
      if (contains(yielded))
        changed |= insert(arg);
  }
}

//===----------------------------------------------------------------------===//
// ReverseSweep
//===----------------------------------------------------------------------===//

void ReverseSweep::add(Value primal, Value contribution) {
  if (!contribution || !wants(primal))
    return;
  assert(primal.getType() == contribution.getType() &&
         "a cotangent has the primal's type");
  contributions[primal].push_back(contribution);
}

Value ReverseSweep::cotangent(Value primal) {
  auto it = contributions.find(primal);
  if (it == contributions.end())
    return {};
  SmallVectorImpl<Value> &terms = it->second;
  // Sums are built where they are first needed: all terms exist by then.
  while (terms.size() > 1) {
    Value last = terms.pop_back_val();
    terms.back() = create<arith::AddFOp>(primal.getLoc(), terms.back(), last);
  }
  return terms.front();
}

LogicalResult ReverseSweep::visit(Operation *op) {
  if (auto differentiable = dyn_cast<DifferentiableOpInterface>(op))
    return differentiable.buildVJP(*this);
  return op->emitOpError(
      "cannot be differentiated: expected an op with "
      "DifferentiableOpInterface between the loss and the values that its "
      "gradient is taken of");
}

LogicalResult ReverseSweep::run(Block::iterator begin, Block::iterator end) {
  SmallVector<Operation *> ops;
  for (Operation &op : llvm::make_range(begin, end))
    ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops)) {
    if (!active.isDependent(op))
      continue;
    bool reached = false;
    for (Value result : op->getResults())
      reached |= contributions.contains(result) && cotangent(result);
    if (reached && failed(visit(op)))
      return failure();
  }
  return success();
}

Value cambium::rebuild(VJPBuilder &builder, Value primal,
                       llvm::DenseMap<Value, Value> &known, Value rows) {
  Operation *op = primal.getDefiningOp();
  Value like = nn::likeOperand(op), copied = nn::copiedOperand(op);
  IRMapping mapping;
  for (Value read : readBy(op))
    if (read != like || read == copied)
      mapping.map(read, builder.value(read));
  if (like && like != copied) {
    Value same = hasRows(copied.getType()) ? copied : rows ? rows : like;
    mapping.map(like, builder.value(same));
  }
  Operation *clone = builder.getBuilder().clone(*op, mapping);
  for (auto [from, to] : llvm::zip_equal(op->getResults(), clone->getResults()))
    known[from] = to;
  return known[primal];
}

FailureOr<SmallVector<Value>> cambium::differentiate(OpBuilder &builder,
                                                     Value loss, Value seed,
                                                     ValueRange wrt) {
  Block *block = builder.getInsertionBlock();
  ActiveValues active;
  Block::iterator begin = block->begin(), end = builder.getInsertionPoint();
  for (Value value : wrt)
    active.insert(value);
  // What a source is computed from does not matter: its own value is varied.
  active.propagate(begin, end);
  ReverseSweep sweep(builder, active);
  sweep.add(loss, seed);
  if (failed(sweep.run(begin, end)))
    return failure();
  SmallVector<Value> gradients;
  for (Value value : wrt)
    gradients.push_back(sweep.cotangent(value));
  return gradients;
}
