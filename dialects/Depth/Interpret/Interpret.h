//===-- dialects/Depth/Interpret/Interpret.h - Meaning of depth ops -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_DEPTH_INTERPRET_INTERPRET
#define CAMBIUM_DIALECTS_DEPTH_INTERPRET_INTERPRET

namespace mlir {
class DialectRegistry;
class MLIRContext;
} // namespace mlir

namespace cambium::depth {

/// Registers how the reference interpreter evaluates the ops of `depth`.
void registerInterpretModels(mlir::DialectRegistry &registry);

/// Attaches that of `depth.search`.
void attachSearchMeaning(mlir::MLIRContext *context);

} // namespace cambium::depth

#endif // CAMBIUM_DIALECTS_DEPTH_INTERPRET_INTERPRET
