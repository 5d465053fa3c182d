//===-- Select.cpp - Derivatives of rows by number ------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// pick and spread are each other's adjoint, and so are sum_by and look_up,
// around and sum_around.
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/DifferentiableOpInterface.h"
#include "cambium/Interfaces/VJPBuilder.h"
#include "dialects/Ragged/Derivatives/Derivatives.h"
#include "dialects/Ragged/IR/Ragged.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

namespace {
/// The cotangent of the first operand from that of the first result.
template <typename OpT>
struct FirstOperandRule
    : DifferentiableOpInterface::ExternalModel<FirstOperandRule<OpT>, OpT> {
  LogicalResult buildVJP(Operation *operation, VJPBuilder &b) const {
    Value input = operation->getOperand(0);
    Value dy = b.cotangent(operation->getResult(0));
    if (dy && b.wants(input))
      b.add(input, build(cast<OpT>(operation), operation->getLoc(), dy, b));
    return success();
  }

private:
  static Value build(TopOp op, Location loc, Value dy, VJPBuilder &b) {
    return b.create<SpreadOp>(loc, dy, b.value(op.getNumbers()),
                              b.value(op.getRows()), UnitAttr());
  }
  static Value build(PickOp op, Location loc, Value dy, VJPBuilder &b) {
    return b.create<SpreadOp>(loc, dy, b.value(op.getNumbers()),
                              b.value(op.getRows()), op.getNearestAttr());
  }
  static Value build(SpreadOp op, Location loc, Value dy, VJPBuilder &b) {
    return b.create<PickOp>(loc, dy, b.value(op.getNumbers()),
                            b.value(op.getRows()), op.getNearestAttr());
  }
  static Value build(SumByOp op, Location loc, Value dy, VJPBuilder &b) {
    return b.create<LookUpOp>(loc, dy, b.value(op.getIds()),
                              b.value(op.getRows()));
  }
  static Value build(LookUpOp op, Location loc, Value dy, VJPBuilder &b) {
    int64_t size = op.getTable().getType().getDimSize(1);
    return b.create<SumByOp>(loc, dy, b.value(op.getIds()),
                             b.value(op.getRows()), size);
  }
  static Value build(AroundOp op, Location loc, Value dy, VJPBuilder &b) {
    return b.create<SumAroundOp>(loc, dy, b.value(op.getRows()),
                                 op.getBefore());
  }
  static Value build(SumAroundOp op, Location loc, Value dy, VJPBuilder &b) {
    int64_t length = op.getInput().getType().getDimSize(1),
            before = op.getBefore();
    return b.create<AroundOp>(loc, dy, b.value(op.getRows()), before,
                              length - 1 - before);
  }
};
} // namespace

template <typename... OpTs> static void attach(MLIRContext &context) {
  (OpTs::template attachInterface<FirstOperandRule<OpTs>>(context), ...);
}

void ragged::attachSelectRules(MLIRContext &context) {
  attach<TopOp, PickOp, SpreadOp, SumByOp, LookUpOp, AroundOp, SumAroundOp>(
      context);
}
