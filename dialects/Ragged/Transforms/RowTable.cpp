//===-- RowTable.cpp - The code of a table of rows ------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table has a mark and the rows of each id. A call computes the rows of ids
// that are not marked as written. Of calls at once that miss an id, the one
// that marks it first writes it; each uses what it has computed itself.
//
//===----------------------------------------------------------------------===//
#include "RowTable.h"
#include "cambium/Support/Rows.h"
#include "cambium/Support/Views.h"
#include "dialects/RT/IR/ForEach.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

/// Bits of a mark: somebody writes the rows, and they are written.
static constexpr int64_t kClaimed = 1, kWritten = 2;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

rt::KeptBytes RowTable::bytesOf(int64_t limit, ArrayRef<OpResult> rows) {
  rt::KeptBytes bytes;
  bytes.marks = rt::placeBehind(limit * int64_t(sizeof(int32_t)));
  for (OpResult result : rows)
    bytes.rows += rt::placeBehind(limit * rowBytes(result.getType()));
  return bytes;
}

RowTable::RowTable(LinalgBuilder &b, rt::KeptBytes from, int64_t limit,
                   ArrayRef<OpResult> rows)
    : b(b) {
  marks =
      b.make<rt::KeptOp>(MemRefType::get({limit}, b.getBuilder().getI32Type()),
                         /*marks=*/true, from.marks);
  for (OpResult result : rows) {
    auto row = rowType(result.getType());
    SmallVector<int64_t> shape{limit};
    llvm::append_range(shape, row.getShape());
    arrays.push_back(
        b.make<rt::KeptOp>(MemRefType::get(shape, row.getElementType()),
                           /*marks=*/false, from.rows));
    from.rows += rt::placeBehind(limit * rowBytes(result.getType()));
  }
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

Value RowTable::mark(Value id, int64_t bits) {
  Value added = b.number(b.getBuilder().getI32Type(), bits);
  return b.make<memref::AtomicRMWOp>(arith::AtomicRMWKind::ori, added, marks,
                                     b.toIndex(id));
}

std::pair<Value, Value> RowTable::findMissing(Value ids) {
  Type i32 = b.getBuilder().getI32Type();
  Value zero = b.number(i32, 0), one = b.number(i32, 1),
        none = b.number(i32, -1), written = b.number(i32, kClaimed | kWritten);
  Value count = b.make<tensor::InsertOp>(
      zero, b.empty(RankedTensorType::get({1}, i32), {}), b.index(0));
  auto step = [&](Value i, ValueRange arrays) {
    Value id = b.make<tensor::ExtractOp>(ids, i);
    Value isKept =
        b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, mark(id, 0), written);
    Value found = b.make<tensor::ExtractOp>(arrays[2], b.index(0));
    Value place = b.make<arith::SelectOp>(isKept, none, found);
    Value next = b.add(found, b.make<arith::SelectOp>(isKept, zero, one));
    return SmallVector<Value>{
        b.make<tensor::InsertOp>(id, arrays[0], b.toIndex(found)),
        b.make<tensor::InsertOp>(place, arrays[1], i),
        b.make<tensor::InsertOp>(next, arrays[2], b.index(0))};
  };
  RankedTensorType type = tensorType(ids);
  SmallVector<Value> found =
      b.loops(b.index(0), b.rows(ids),
              {b.emptyLike(type, ids), b.emptyLike(type, ids), count}, step);
  Value missing =
      b.rowRange(found[0], b.index(0), b.indexAt(found[2], b.index(0)));
  return {missing, found[1]};
}

void RowTable::write(Value ids, ArrayRef<Value> rows) {
  int64_t work = 1;
  for (Value row : rows)
    work += rowType(row.getType()).getNumElements();
  auto body = [&](Value i, ValueRange) {
    Value id = b.make<tensor::ExtractOp>(ids, i);
    Value isMine =
        b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, mark(id, kClaimed),
                              b.number(b.getBuilder().getI32Type(), 0));
    auto claimed = b.make<scf::IfOp>(isMine, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b.getBuilder());
    b.getBuilder().setInsertionPointToStart(claimed.thenBlock());
    for (auto [row, array] : llvm::zip_equal(rows, arrays))
      b.make<bufferization::MaterializeInDestinationOp>(
          Type(), b.row(row, i),
          viewOfRow(b.getBuilder(), b.getLoc(), array, b.toIndex(id)),
          /*restrict=*/true, /*writable=*/true);
    mark(id, kWritten);
    return SmallVector<Value>{};
  };
  rt::forEach(b, b.rows(ids), work, {}, body);
}

Value RowTable::read(Value ids, Value computed, size_t k, PlaceOf placeOf) {
  auto type = cast<MemRefType>(arrays[k].getType());
  Value kept = b.make<bufferization::ToTensorOp>(
      RankedTensorType::get(type.getShape(), type.getElementType()), arrays[k],
      /*restrict=*/true);
  Value dest = b.emptyLike(tensorType(computed), ids);
  return rt::forEachRow(b, b.rows(ids), dest, [&](Value i, Value row) {
    Value at = placeOf(i);
    Value isComputed =
        b.make<arith::CmpIOp>(arith::CmpIPredicate::sge, at, b.index(0));
    return b.choose(
        isComputed, row.getType(),
        [&] { return b.copy(b.row(computed, at), row); },
        [&] { return b.copy(b.row(kept, b.indexAt(ids, i)), row); });
  });
}
