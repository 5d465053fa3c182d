//===-- DifferentiableOpInterface.h - How an op is differentiated ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_INTERFACES_DIFFERENTIABLEOPINTERFACE
#define CAMBIUM_INTERFACES_DIFFERENTIABLEOPINTERFACE

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"

namespace cambium {
class VJPBuilder;
} // namespace cambium

#include "cambium/Interfaces/DifferentiableOpInterface.h.inc"

#endif // CAMBIUM_INTERFACES_DIFFERENTIABLEOPINTERFACE
