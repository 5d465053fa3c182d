//===-- Models.h - The meaning of tree operations by family ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_TREE_INTERPRET_MODELS
#define CAMBIUM_DIALECTS_TREE_INTERPRET_MODELS

#include "mlir/IR/Operation.h"

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace cambium {
class Tensor;
} // namespace cambium

namespace cambium::tree {

/// Attaches models to `tree.fold` and `tree.unfold`.
void attachRecursionMeaning(mlir::MLIRContext *context);
/// Attaches a model to `tree.max_spanning`.
void attachMaxSpanningMeaning(mlir::MLIRContext *context);
/// Attaches models to what makes trees and reads their rows.
void attachStructureMeaning(mlir::MLIRContext *context);

/// Fails with an error at the op if the rows are not as many as the nodes or
/// edges.
llvm::LogicalResult expectRows(mlir::Operation *op, const Tensor &rows,
                               int64_t expected, llvm::StringRef what);

} // namespace cambium::tree

#endif // CAMBIUM_DIALECTS_TREE_INTERPRET_MODELS
