//===-- lib/Support/ElementCost.cpp - What an op takes for an element -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/ElementCost.h"
#include "cambium/Support/IntegerDivision.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

static bool divides(Operation *op) {
  return cambium::isIntegerDivision(op) ||
         isa<arith::DivFOp, arith::RemFOp>(op);
}

int64_t cambium::elementCost(Operation *op, const TargetCosts &costs) {
  if (!OpTrait::hasElementwiseMappableTraits(op))
    return 1;
  if (!isa<arith::ArithDialect>(op->getDialect()))
    return costs.functionCost;
  return divides(op) ? costs.divisionCost : 1;
}
