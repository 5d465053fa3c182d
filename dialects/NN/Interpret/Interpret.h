//===-- dialects/NN/Interpret/Interpret.h - The meaning of nn operations --===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_NN_INTERPRET_INTERPRET
#define CAMBIUM_DIALECTS_NN_INTERPRET_INTERPRET

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cambium::nn {

/// Attaches `InterpretableOpInterface` to the nn operations.
void registerInterpretModels(mlir::DialectRegistry &registry);

} // namespace cambium::nn

#endif // CAMBIUM_DIALECTS_NN_INTERPRET_INTERPRET
