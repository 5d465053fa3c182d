//===-- NNBatching.cpp - How nn operations are batched --------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/Batching/NNBatching.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace cambium;

void nn::registerBatchingModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, NNDialect *) {
    attachProductBatching(*context);
    attachReductionBatching(*context);
    attachAttentionBatching(*context);
    attachPairBatching(*context);
    attachRandomBatching(*context);
    attachRowBatching(*context);
    attachSelectBatching(*context);
    attachShapeBatching(*context);
    attachEachBatching(*context);
    attachLossBatching(*context);
  });
}
