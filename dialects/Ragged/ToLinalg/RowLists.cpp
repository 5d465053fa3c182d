//===-- RowLists.cpp - What a list of all rows makes of an op -------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/RowListOpInterface.h"
#include "dialects/Ragged/ToLinalg/Views.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

namespace {
struct GatherModel : RowListOpInterface::ExternalModel<GatherModel, GatherOp> {
  int64_t getMovedElements(Operation *op, Value list) const {
    auto gather = cast<GatherOp>(op);
    return gather.getIndex() == list ? elementsOfRow(gather.getResult()) : 0;
  }
  /// A view.
  Value lowerForAllRows(Operation *op, OpBuilder &builder, Value list,
                        Value count) const {
    auto gather = cast<GatherOp>(op);
    if (gather.getIndex() != list)
      return {};
    LinalgBuilder b(builder, op->getLoc());
    return b.rowRange(gather.getInput(), b.index(0), count);
  }
};

struct PutRowsModel
    : RowListOpInterface::ExternalModel<PutRowsModel, PutRowsOp> {
  int64_t getMovedElements(Operation *op, Value list) const {
    auto put = cast<PutRowsOp>(op);
    return put.getIds() == list ? elementsOfRow(put.getRows()) : 0;
  }
  /// Computed where they are kept.
  Value lowerForAllRows(Operation *op, OpBuilder &builder, Value list,
                        Value count) const {
    auto put = cast<PutRowsOp>(op);
    if (put.getIds() != list)
      return {};
    LinalgBuilder b(builder, op->getLoc());
    return b.setRowRange(put.getRows(), put.getAll(), b.index(0), count);
  }
};

struct GroupModel : RowListOpInterface::ExternalModel<GroupModel, GroupOp> {
  int64_t getMovedElements(Operation *, Value) const { return 0; }
  /// The partition of all rows.
  Value lowerForAllRows(Operation *op, OpBuilder &, Value, Value) const {
    return cast<GroupOp>(op).getRows();
  }
};
} // namespace

void ragged::attachRowLists(MLIRContext *context) {
  GatherOp::attachInterface<GatherModel>(*context);
  PutRowsOp::attachInterface<PutRowsModel>(*context);
  GroupOp::attachInterface<GroupModel>(*context);
}
