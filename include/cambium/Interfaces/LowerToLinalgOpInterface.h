//===-- LowerToLinalgOpInterface.h - How an op is lowered to linalg -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_INTERFACES_LOWERTOLINALGOPINTERFACE
#define CAMBIUM_INTERFACES_LOWERTOLINALGOPINTERFACE

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"

namespace cambium {} // namespace cambium

#include "cambium/Interfaces/LowerToLinalgOpInterface.h.inc"

#endif // CAMBIUM_INTERFACES_LOWERTOLINALGOPINTERFACE
