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
/// An op that moves the rows of a list: `Derived` says which list and which
/// rows, and what stands for them where the list is of all.
template <typename Derived, typename Op>
struct MovingModel : RowListOpInterface::ExternalModel<Derived, Op> {
  int64_t getMovedElements(Operation *op, Value list) const {
    auto moving = cast<Op>(op);
    return Derived::listOf(moving) == list
               ? elementsOfRow(Derived::rowsOf(moving))
               : 0;
  }
  Value lowerForAllRows(Operation *op, OpBuilder &builder, Value list,
                        Value count) const {
    auto moving = cast<Op>(op);
    if (Derived::listOf(moving) != list)
      return {};
    LinalgBuilder b(builder, op->getLoc());
    return Derived::lower(moving, b, count);
  }
};

struct GatherModel : MovingModel<GatherModel, GatherOp> {
  static Value listOf(GatherOp op) { return op.getIndex(); }
  static Value rowsOf(GatherOp op) { return op.getResult(); }
  /// A view.
  static Value lower(GatherOp op, LinalgBuilder &b, Value count) {
    return b.rowRange(op.getInput(), b.index(0), count);
  }
};

struct PutRowsModel : MovingModel<PutRowsModel, PutRowsOp> {
  static Value listOf(PutRowsOp op) { return op.getIds(); }
  static Value rowsOf(PutRowsOp op) { return op.getRows(); }
  /// Computed where they are kept.
  static Value lower(PutRowsOp op, LinalgBuilder &b, Value count) {
    return b.setRowRange(op.getRows(), op.getAll(), b.index(0), count);
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
