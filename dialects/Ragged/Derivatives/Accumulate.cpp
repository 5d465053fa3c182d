//===-- dialects/Ragged/Derivatives/Accumulate.cpp - Adds to gradients ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/Derivatives/Accumulate.h"
#include "cambium/Interfaces/CarryingOpInterface.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace cambium;

static CarriedValue findCarried(Value gradient) {
  auto result = dyn_cast<OpResult>(gradient);
  auto loop = result ? dyn_cast<CarryingOpInterface>(result.getOwner())
                     : CarryingOpInterface();
  return loop ? loop.getCarried(result) : CarriedValue();
}

/// Whether the value is read by more than one sum that nobody reads.
static bool isRead(Value value) {
  if (value.use_empty())
    return false;
  auto sum = value.hasOneUse() ? dyn_cast<arith::AddFOp>(*value.user_begin())
                               : arith::AddFOp();
  return !sum || isRead(sum.getResult());
}

/// Adds the terms of a sum that a loop makes in the loop; false if it is none
/// that starts at zero, or if it is read there.
static bool accumulateInLoop(FlatSymbolRefAttr param, Value gradient,
                             Value number) {
  CarriedValue carried = findCarried(gradient);
  if (!carried || isRead(gradient) ||
      !matchPattern(carried.init, m_AnyZeroFloat()))
    return false;
  auto sum = carried.yielded->get().getDefiningOp<arith::AddFOp>();
  if (!sum || sum.getLhs() != carried.arg || !carried.arg.hasOneUse() ||
      !sum->hasOneUse())
    return false;
  Value term = sum.getRhs();
  carried.yielded->set(carried.arg);
  sum->erase();
  OpBuilder inner(carried.yielded->getOwner());
  accumulate(inner, param, term, number);
  return true;
}

void cambium::accumulate(OpBuilder &builder, FlatSymbolRefAttr param,
                         Value gradient, Value number) {
  if (accumulateInLoop(param, gradient, number))
    return;
  if (auto sum = gradient.getDefiningOp<arith::AddFOp>(); sum && !isRead(sum)) {
    accumulate(builder, param, sum.getLhs(), number);
    accumulate(builder, param, sum.getRhs(), number);
    return;
  }
  auto slice = gradient.getDefiningOp<ragged::AddSliceOp>();
  if (slice && !number && matchPattern(slice.getAll(), m_AnyZeroFloat())) {
    accumulate(builder, param, slice.getSlice(), slice.getNumber());
    return;
  }
  ragged::AccumulateOp::create(builder, gradient.getLoc(), param, gradient,
                               number);
}
