//===-- Derivatives.h - Derivatives of nn operations ----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_NN_DERIVATIVES_DERIVATIVES_H
#define CAMBIUM_DIALECTS_NN_DERIVATIVES_DERIVATIVES_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cambium::nn {

/// Attaches `DifferentiableOpInterface` to the ops of the dialect that are not
/// elementwise. Ops that are decomposed before differentiation have no rule.
void registerDerivativeModels(mlir::DialectRegistry &registry);

} // namespace cambium::nn

#endif // CAMBIUM_DIALECTS_NN_DERIVATIVES_DERIVATIVES_H
