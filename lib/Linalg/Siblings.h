//===-- lib/Linalg/Siblings.h - Elementwise ops that read the same -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_LINALG_SIBLINGS_H
#define CAMBIUM_LIB_LINALG_SIBLINGS_H

#include "mlir/IR/PatternMatch.h"

namespace cambium {

/// Makes one `linalg.generic` of elementwise ones in a block that run over the
/// same rows and read a tensor in common, where no value in between depends on
/// their order. None gets more operands than `maxOperands`.
void fuseSiblings(mlir::Operation *root, int64_t maxOperands,
                  mlir::IRRewriter &rewriter);

} // namespace cambium

#endif // CAMBIUM_LIB_LINALG_SIBLINGS_H
