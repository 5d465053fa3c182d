//===-- dialects/NN/Transforms/Work.h - Operations of products ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_NN_TRANSFORMS_WORK_H
#define CAMBIUM_DIALECTS_NN_TRANSFORMS_WORK_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cambium::nn {
/// Attaches `WorkOpInterface` to products.
void registerWorkModels(mlir::DialectRegistry &registry);
} // namespace cambium::nn

#endif // CAMBIUM_DIALECTS_NN_TRANSFORMS_WORK_H
