//===-- Combiners.h - What combines the values of a reduction
//---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_COMBINERS_H
#define CAMBIUM_LIB_KERNELS_COMBINERS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace cambium {

/// The one op that combines each result of a reduction and may be reordered;
/// empty if there is none.
llvm::SmallVector<mlir::Operation *> findCombiners(mlir::linalg::LinalgOp op);

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_COMBINERS_H
