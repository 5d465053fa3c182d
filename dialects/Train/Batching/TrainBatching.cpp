//===-- TrainBatching.cpp - How train operations are batched -------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Train/Batching/TrainBatching.h"
#include "dialects/Ragged/Batching/Models.h"
#include "dialects/Train/IR/Train.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::train;

namespace {
/// The batcher made the values one per row (`Batcher::watch`): the gradient of
/// the sum of all losses is then the gradient of each loss in its own row.
struct GradientBatching
    : BatchableOpInterface::ExternalModel<GradientBatching, GradientOp> {
  LogicalResult inferRowSpaces(Operation *operation, RowSpaces &spaces) const {
    auto op = cast<GradientOp>(operation);
    if (hasRows(op.getLoss().getType()))
      return op.emitOpError()
             << "expected a scalar loss, but got " << op.getLoss().getType();
    for (auto [value, gradient] :
         llvm::zip_equal(op.getWrt(), op.getGradients()))
      if (hasRows(value.getType()) && failed(spaces.join(op, value, gradient)))
        return failure();
    return success();
  }
  LogicalResult batch(Operation *op, Batcher &batcher) const {
    batcher.set(op->getResults(), batcher.cloneRowwise(op)->getResults());
    return success();
  }
};
} // namespace

void train::registerBatchingModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TrainDialect *) {
    GradientOp::attachInterface<GradientBatching>(*context);
    StopGradientOp::attachInterface<RowwiseModel<StopGradientOp>>(*context);
  });
}
