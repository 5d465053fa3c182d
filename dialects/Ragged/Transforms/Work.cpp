//===-- dialects/Ragged/Transforms/Work.cpp - Operations of attention -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/Transforms/Work.h"
#include "cambium/Interfaces/WorkOpInterface.h"
#include "cambium/Support/Rows.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

/// Operations for each pair of a query and a key: products as long as a query
/// and products as long as a value.
template <typename OpT>
static std::optional<Work> workOf(OpT op, double ofQueries, double ofValues) {
  double query = static_cast<double>(
             rowType(op.getQuery().getType()).getNumElements()),
         value = static_cast<double>(
             rowType(op.getValue().getType()).getNumElements());
  // A query of a causal attention does not see the later half of the keys.
  double part = op.getCausal() ? 0.5 : 1;
  return Work{2 * part * (ofQueries * query + ofValues * value), nullptr,
              op.getQueryRows(), op.getKeyRows()};
}

namespace {
struct AttentionWork
    : WorkOpInterface::ExternalModel<AttentionWork, AttentionOp> {
  std::optional<Work> getWork(Operation *op) const {
    return workOf(cast<AttentionOp>(op), 1, 1);
  }
};

/// Scores again, and the cotangents of weights, queries, keys and values.
struct AttentionGradWork
    : WorkOpInterface::ExternalModel<AttentionGradWork, AttentionGradOp> {
  std::optional<Work> getWork(Operation *op) const {
    return workOf(cast<AttentionGradOp>(op), 3, 2);
  }
};
} // namespace

void cambium::ragged::registerWorkModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, RaggedDialect *) {
    AttentionOp::attachInterface<AttentionWork>(*context);
    AttentionGradOp::attachInterface<AttentionGradWork>(*context);
  });
}
