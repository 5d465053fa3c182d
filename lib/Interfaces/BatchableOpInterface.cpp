//===-- lib/Interfaces/BatchableOpInterface.cpp - Generated definitions ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/BatchableOpInterface.h"
#include "cambium/Interfaces/BatchableOpInterface.cpp.inc"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

cambium::RowsRead cambium::guessRowsRead(Operation *op) {
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  bool simple = op->getNumRegions() == 0 &&
                llvm::all_of(op->getOperandTypes(), isTensor) &&
                llvm::all_of(op->getResultTypes(), isTensor);
  return simple ? RowsRead::Own : RowsRead::Mixed;
}
