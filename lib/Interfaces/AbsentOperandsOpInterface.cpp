//===-- AbsentOperandsOpInterface.cpp - Definitions ----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/AbsentOperandsOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include "cambium/Interfaces/AbsentOperandsOpInterface.cpp.inc"

using namespace mlir;

Value cambium::buildZeros(OpBuilder &builder, Location loc, Type type) {
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}
