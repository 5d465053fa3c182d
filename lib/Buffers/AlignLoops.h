//===-- AlignLoops.h - Results of loops beside what they begin with -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_BUFFERS_ALIGNLOOPS_H
#define CAMBIUM_LIB_BUFFERS_ALIGNLOOPS_H

#include "mlir/IR/Operation.h"

namespace cambium {

/// Gives each `scf.while` in `op` a result for each value that an iteration
/// begins with, in that order. Bufferization takes the two of one number for
/// the same array, but canonicalization drops results that nobody uses.
void alignLoops(mlir::Operation *op);

} // namespace cambium

#endif // CAMBIUM_LIB_BUFFERS_ALIGNLOOPS_H
