//===-- StackingOpInterface.h - Loops over layers -------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_INTERFACES_STACKINGOPINTERFACE
#define CAMBIUM_INTERFACES_STACKINGOPINTERFACE

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"

namespace cambium {} // namespace cambium

#include "cambium/Interfaces/StackingOpInterface.h.inc"

#endif // CAMBIUM_INTERFACES_STACKINGOPINTERFACE
