//===-- cambium/Support/IntegerDivision.h - Ops that divide integers ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_INTEGERDIVISION_H
#define CAMBIUM_SUPPORT_INTEGERDIVISION_H

namespace mlir {
class Operation;
}

namespace cambium {

/// A quotient or a remainder of integers with a sign.
bool isSignedDivision(mlir::Operation *op);

/// A quotient or a remainder of integers: an op that must not divide by zero.
bool isIntegerDivision(mlir::Operation *op);

} // namespace cambium

#endif // CAMBIUM_SUPPORT_INTEGERDIVISION_H
