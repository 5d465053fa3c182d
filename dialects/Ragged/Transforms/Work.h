//===-- dialects/Ragged/Transforms/Work.h - Operations of attention
//-----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RAGGED_TRANSFORMS_WORK_H
#define CAMBIUM_DIALECTS_RAGGED_TRANSFORMS_WORK_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cambium::ragged {
/// Attaches `WorkOpInterface` to attention.
void registerWorkModels(mlir::DialectRegistry &registry);
} // namespace cambium::ragged

#endif // CAMBIUM_DIALECTS_RAGGED_TRANSFORMS_WORK_H
