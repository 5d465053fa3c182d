//===-- Prepare.h - What makes the gradient form easier to lower ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_LINALG_PREPARE_H
#define CAMBIUM_LIB_LINALG_PREPARE_H

#include "mlir/IR/PatternMatch.h"

namespace cambium {

/// Whether the op computes each element of its tensors by itself.
bool isElementwise(mlir::Operation *op);

/// A part of an elementwise value is the elementwise value of parts: the parts
/// of a product that holds several gates can then be used where the gates are.
void sinkSplits(mlir::Operation *root, mlir::IRRewriter &rewriter);

/// Products with wide weights that stand side by side become one for each
/// weight.
void separateWideProducts(mlir::Operation *root, mlir::IRRewriter &rewriter);

/// A sum of tensors that are zero outside of ranges that do not meet, as the
/// gradients of slices are, is the ranges one after the other.
void joinPads(mlir::Operation *root, mlir::IRRewriter &rewriter);

/// A recursion stores what its yields are views of, once, and the views are
/// taken of the whole array after it; rows that it gets as they are need not be
/// stored.
void peelYields(mlir::Operation *root, mlir::IRRewriter &rewriter);

} // namespace cambium

#endif // CAMBIUM_LIB_LINALG_PREPARE_H
