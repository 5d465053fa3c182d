//===-- dialects/Tree/Transforms/Passes.h - Passes over the tree dialect --===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_TREE_TRANSFORMS_PASSES
#define CAMBIUM_DIALECTS_TREE_TRANSFORMS_PASSES

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace cambium::tree {

#define GEN_PASS_DECL
#include "dialects/Tree/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "dialects/Tree/Transforms/Passes.h.inc"

/// What follows from the absence of children: no rows and zeros go through the
/// ops of a leaf's cell.
void populateAbsentChildrenPatterns(mlir::RewritePatternSet &patterns);

} // namespace cambium::tree

#endif // CAMBIUM_DIALECTS_TREE_TRANSFORMS_PASSES
