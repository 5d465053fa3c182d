//===-- Interpret.h - The meaning of tree operations ----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_TREE_INTERPRET_INTERPRET
#define CAMBIUM_DIALECTS_TREE_INTERPRET_INTERPRET

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cambium::tree {

/// Attaches `InterpretableOpInterface` to the tree operations.
void registerInterpretModels(mlir::DialectRegistry &registry);

} // namespace cambium::tree

#endif // CAMBIUM_DIALECTS_TREE_INTERPRET_INTERPRET
