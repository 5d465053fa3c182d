//===-- dialects/Ragged/IR/CopiedOperand.cpp - Ops that copy --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/IR/CopiedOperand.h"
#include "dialects/Ragged/IR/Ragged.h"

using namespace mlir;

Value cambium::ragged::copiedOperand(Operation *op) {
  return isa<BroadcastOp, ExpandOp>(op) ? op->getOperand(0) : Value();
}
