//===-- InterpretableOpInterface.h - The meaning of an op -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_INTERFACES_INTERPRETABLEOPINTERFACE
#define CAMBIUM_INTERFACES_INTERPRETABLEOPINTERFACE

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"

namespace cambium {
class Interpreter;
} // namespace cambium

#include "cambium/Interfaces/InterpretableOpInterface.h.inc"

#endif // CAMBIUM_INTERFACES_INTERPRETABLEOPINTERFACE
