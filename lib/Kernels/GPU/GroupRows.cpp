//===-- GroupRows.cpp - How some rows fall into segments ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Stages.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace cambium;

/// How many of the first `count` ids, which ascend, are below `limit`.
static Value countBelow(OpBuilder &b, Location loc, Value ids, Value count,
                        Value limit) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  // Those before the first bound are below; those from the second on are not.
  auto search = scf::WhileOp::create(
      b, loc, TypeRange{b.getIndexType(), b.getIndexType()},
      ValueRange{zero, count},
      [&](OpBuilder &b, Location loc, ValueRange bounds) {
        Value isOpen = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                             bounds[0], bounds[1]);
        scf::ConditionOp::create(b, loc, isOpen, bounds);
      },
      [&](OpBuilder &b, Location loc, ValueRange bounds) {
        Value both = arith::AddIOp::create(b, loc, bounds[0], bounds[1]);
        Value middle = arith::ShRUIOp::create(b, loc, both, one);
        Value id = memref::LoadOp::create(b, loc, ids, middle);
        Value isBelow =
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, id, limit);
        Value next = arith::AddIOp::create(b, loc, middle, one);
        Value low = arith::SelectOp::create(b, loc, isBelow, next, bounds[0]);
        Value high =
            arith::SelectOp::create(b, loc, isBelow, bounds[1], middle);
        scf::YieldOp::create(b, loc, ValueRange{low, high});
      });
  return search.getResult(0);
}

/// The argument of the entry whose segments the rows fall into, or null.
static Value partitionOf(Value rows) {
  while (auto group = rows.getDefiningOp<rt::GroupOp>())
    rows = group.getRows();
  auto argument = dyn_cast<BlockArgument>(rows);
  return argument && isa<func::FuncOp>(argument.getOwner()->getParentOp())
             ? rows
             : Value();
}

/// Makes the offsets by a stage with a thread per segment, in memory of the
/// entry, and gives them to those who ask for them.
static LogicalResult expand(rt::GroupOp op, func::FuncOp entry,
                            const TargetCosts &costs) {
  Value partition = partitionOf(op.getRows());
  if (!partition)
    return op.emitOpError("expected rows of an argument: GPU code groups no "
                          "others");
  Location loc = op.getLoc();
  OpBuilder b = OpBuilder::atBlockBegin(&entry.getBody().front());
  Value segments =
      rt::RowsSizeOp::create(b, loc, partition, rt::RowsSize::NumSegments);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value length = arith::AddIOp::create(b, loc, segments, one);
  auto type = MemRefType::get({ShapedType::kDynamic}, b.getI32Type());
  Value offsets = rt::AllocOp::create(b, loc, type, length);
  b.setInsertionPoint(op);
  Value limits = rt::RowsOffsetsOp::create(b, loc, type, op.getRows());
  Value number = beginStage(b, loc, length, rt::Unit::Thread, costs);
  Value limit = memref::LoadOp::create(b, loc, limits, number);
  Value found = countBelow(b, loc, op.getIds(), op.getCount(), limit);
  Value word = arith::IndexCastOp::create(b, loc, b.getI32Type(), found);
  memref::StoreOp::create(b, loc, word, offsets, number);
  for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
    Value value;
    if (auto size = dyn_cast<rt::RowsSizeOp>(user))
      value =
          size.getField() == rt::RowsSize::NumRows ? op.getCount() : segments;
    else if (isa<rt::RowsOffsetsOp>(user))
      value = offsets;
    else
      return user->emitOpError("expected an op that GPU code can be made of");
    user->replaceAllUsesWith(ValueRange{value});
    user->erase();
  }
  op.erase();
  return success();
}

LogicalResult cambium::groupRows(func::FuncOp entry, const TargetCosts &costs) {
  SmallVector<rt::GroupOp> ops;
  entry.walk([&](rt::GroupOp op) { ops.push_back(op); });
  // Groups of groups first: they ask the others for their offsets.
  for (rt::GroupOp op : llvm::reverse(ops))
    if (failed(expand(op, entry, costs)))
      return failure();
  return success();
}
