//===-- lib/Support/IntegerDivision.cpp - Ops that divide integers --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/IntegerDivision.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

bool cambium::isSignedDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::RemSIOp, arith::FloorDivSIOp,
             arith::CeilDivSIOp>(op);
}

bool cambium::isIntegerDivision(Operation *op) {
  return isSignedDivision(op) ||
         isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op);
}
