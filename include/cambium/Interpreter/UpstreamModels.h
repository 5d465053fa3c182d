//===-- UpstreamModels.h - The meaning of upstream ops --------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_INTERPRETER_UPSTREAMMODELS
#define CAMBIUM_INTERPRETER_UPSTREAMMODELS

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cambium {

/// Attaches `InterpretableOpInterface` to the ops of upstream dialects that
/// models use: arith, math, tensor, func and scf.
void registerUpstreamInterpretModels(mlir::DialectRegistry &registry);

/// The parts of it.
void registerArithInterpretModels(mlir::DialectRegistry &registry);
void registerControlFlowInterpretModels(mlir::DialectRegistry &registry);
void registerMathInterpretModels(mlir::DialectRegistry &registry);
void registerTensorInterpretModels(mlir::DialectRegistry &registry);

} // namespace cambium

#endif // CAMBIUM_INTERPRETER_UPSTREAMMODELS
