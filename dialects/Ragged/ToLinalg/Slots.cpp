//===-- Slots.cpp - Rows of segments side by side -------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/ToLinalg/Views.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

/// Copies the j-th row of the segment [begin, end), or zeros, into slot j.
static Value fillSlot(LinalgBuilder &b, RowSource &source, Value begin,
                      Value end, Value j, Value slots) {
  Value r = b.add(begin, j);
  Value present = b.make<arith::CmpIOp>(arith::CmpIPredicate::slt, r, end);
  Value dest = b.row(slots, j);
  Value slot = b.choose(
      present, dest.getType(), [&] { return b.copy(source.row(b, r), dest); },
      [&] { return b.fill(dest, 0); });
  return b.setRow(slot, slots, j);
}

static Lowered lowerToSlots(ToSlotsOp op, LinalgBuilder &b) {
  RowsView rows(b, op.getRows());
  RowSource source(op.getInput());
  Value arity = b.index(op.getArity());
  Value dest = b.empty(op.getType(), rows.numSegments());
  return lowered(
      rt::forEachRow(b, rows.numSegments(), dest, [&](Value s, Value slots) {
        std::pair<Value, Value> segment = rows.segment(s);
        return b.loop(b.index(0), arity, slots, [&](Value j, Value slots) {
          return fillSlot(b, source, segment.first, segment.second, j, slots);
        });
      }));
}

/// The runtime has checked that no segment has more rows than there are slots.
static Lowered lowerFromSlots(FromSlotsOp op, LinalgBuilder &b) {
  RowsView rows(b, op.getRows());
  Value dest = b.empty(op.getType(), rows.numRows());
  return lowered(
      rt::forEach(b, rows.numSegments(), dest, [&](Value s, Value all) {
        std::pair<Value, Value> segment = rows.segment(s);
        Value slots = b.row(op.getInput(), s);
        return b.loop(segment.first, segment.second, all,
                      [&](Value r, Value all) {
                        Value slot = b.row(slots, b.sub(r, segment.first));
                        return b.setRow(b.copy(slot, b.row(all, r)), all, r);
                      });
      }));
}

static Lowered lowerSlice(SliceOp op, LinalgBuilder &b) {
  return lowered(b.row(op.getInput(), op.getNumber()));
}

static Lowered lowerAddSlice(AddSliceOp op, LinalgBuilder &b) {
  Value sum = b.update(b.row(op.getAll(), op.getNumber()), op.getSlice(),
                       [](LinalgBuilder &b, ValueRange args) {
                         return b.add(args[0], args[1]);
                       });
  return lowered(b.setRow(sum, op.getAll(), op.getNumber()));
}

void ragged::attachSlotLowerings(MLIRContext *context) {
  attachLinalgModel<ToSlotsOp, lowerToSlots>(context);
  attachLinalgModel<FromSlotsOp, lowerFromSlots>(context);
  attachLinalgModel<SliceOp, lowerSlice>(context);
  attachLinalgModel<AddSliceOp, lowerAddSlice>(context);
}
