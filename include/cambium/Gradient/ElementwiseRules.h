//===-- ElementwiseRules.h - Derivatives that are data -------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_GRADIENT_ELEMENTWISERULES_H
#define CAMBIUM_GRADIENT_ELEMENTWISERULES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cambium {

/// The derivative of an elementwise op, as in
/// lib/Gradient/ElementwiseRules.def.
struct ElementwiseRule {
  llvm::StringRef op; ///< name of the op, "math.tanh"
  llvm::ArrayRef<llvm::StringRef>
      cotangents; ///< an expression per operand, or ""
};

/// All rules, for tests that check each one.
llvm::ArrayRef<ElementwiseRule> getElementwiseRules();

/// Attaches `DifferentiableOpInterface` with the rules to the ops.
void registerElementwiseDerivatives(mlir::DialectRegistry &registry);

} // namespace cambium

#endif // CAMBIUM_GRADIENT_ELEMENTWISERULES_H
