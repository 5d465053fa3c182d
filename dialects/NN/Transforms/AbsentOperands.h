//===-- AbsentOperands.h - Without children ------------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_NN_TRANSFORMS_ABSENTOPERANDS_H
#define CAMBIUM_NN_TRANSFORMS_ABSENTOPERANDS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cambium::nn {

/// Attaches `AbsentOperandsOpInterface` to operations of nn, and to those of
/// arith that cells add and multiply with.
void registerAbsentModels(mlir::DialectRegistry &registry);

} // namespace cambium::nn

#endif // CAMBIUM_NN_TRANSFORMS_ABSENTOPERANDS_H
