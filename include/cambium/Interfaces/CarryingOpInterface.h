//===-- CarryingOpInterface.h - Loops that pass values on -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_INTERFACES_CARRYINGOPINTERFACE
#define CAMBIUM_INTERFACES_CARRYINGOPINTERFACE

#include "mlir/IR/OpDefinition.h"

namespace cambium {
/// A value that a loop passes from one iteration to the next.
struct CarriedValue {
  mlir::Value init;
  mlir::BlockArgument arg;
  mlir::OpOperand *yielded = nullptr;

  explicit operator bool() const { return yielded; }
};
} // namespace cambium

#include "cambium/Interfaces/CarryingOpInterface.h.inc"

#endif // CAMBIUM_INTERFACES_CARRYINGOPINTERFACE
