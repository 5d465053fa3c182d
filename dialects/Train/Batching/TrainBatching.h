//===-- TrainBatching.h - How train operations are batched ----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_TRAIN_BATCHING_TRAINBATCHING_H
#define CAMBIUM_DIALECTS_TRAIN_BATCHING_TRAINBATCHING_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cambium::train {

/// Attaches `BatchableOpInterface` to the ops of the dialect.
void registerBatchingModels(mlir::DialectRegistry &registry);

} // namespace cambium::train

#endif // CAMBIUM_DIALECTS_TRAIN_BATCHING_TRAINBATCHING_H
