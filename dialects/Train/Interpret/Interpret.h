//===-- Interpret.h - The meaning of train operations ---------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_TRAIN_INTERPRET_INTERPRET
#define CAMBIUM_DIALECTS_TRAIN_INTERPRET_INTERPRET

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cambium::train {

/// Attaches `InterpretableOpInterface` to the train operations.
void registerInterpretModels(mlir::DialectRegistry &registry);

} // namespace cambium::train

#endif // CAMBIUM_DIALECTS_TRAIN_INTERPRET_INTERPRET
