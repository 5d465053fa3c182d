//===-- ElementaryFunctions.h - exp, tanh and erf in few instructions -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_ELEMENTARYFUNCTIONS_H
#define CAMBIUM_LIB_KERNELS_ELEMENTARYFUNCTIONS_H

#include "mlir/IR/PatternMatch.h"

namespace cambium {

/// exp, tanh and erf of f32, scalars and vectors: at most 6 units in the last
/// place.
void populateElementaryFunctions(mlir::RewritePatternSet &patterns);

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_ELEMENTARYFUNCTIONS_H
