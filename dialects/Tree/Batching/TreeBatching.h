//===-- TreeBatching.h - How tree operations are batched ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_TREE_BATCHING_TREEBATCHING_H
#define CAMBIUM_DIALECTS_TREE_BATCHING_TREEBATCHING_H

namespace mlir {
class DialectRegistry;
class MLIRContext;
} // namespace mlir

namespace cambium::tree {

/// Attaches `BatchableOpInterface` to the ops of the dialect.
void registerBatchingModels(mlir::DialectRegistry &registry);

/// The parts of it: recursion, structure.
void attachRecursionBatching(mlir::MLIRContext &context);
void attachStructureBatching(mlir::MLIRContext &context);

} // namespace cambium::tree

#endif // CAMBIUM_DIALECTS_TREE_BATCHING_TREEBATCHING_H
