//===-- lib/Kernels/CPU/ProductShares.cpp - Products on threads -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProductShares.h"
#include "ProductLoops.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace cambium;

namespace {
class SharesEmitter : ProductLoops {
public:
  SharesEmitter(func::FuncOp function, func::FuncOp kernel, Together together,
                int64_t lanes, const TargetCosts &costs)
      : ProductLoops(function, costs, lanes), kernel(kernel),
        tile(costs.tileVectors * lanes),
        numOperands(kernel.getNumArguments() - kNumBounds),
        count(function.getNumArguments() / numOperands),
        isSum(together == Together::Sum) {
    b.setInsertionPointToStart(function.addEntryBlock());
  }

  void emit() {
    rows = dim(operandsOf(0)[3], 0), columns = dim(operandsOf(0)[3], 1);
    width =
        times(arith::CeilDivUIOp::create(b, loc, columns, index(tile)), tile);
    Value depth = times(dim(operandsOf(0)[0], 1), isSum ? count : 1);
    Value rowWork = arith::MulIOp::create(b, loc, columns, depth);
    Value byRows = shareOf(costs.shareRows, times(rowWork, isSum ? 1 : count));
    Value rowShares = numShares(rows, byRows);
    // Columns of products beside each other are numbered one after the other.
    Value extent = times(width, isSum ? 1 : count);
    Value byColumns = shareOf(tile, arith::MulIOp::create(b, loc, rows, depth));
    Value columnShares = numShares(extent, byColumns);
    isByRows = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge,
                                     rowShares, columnShares);
    auto parallel = rt::ParallelOp::create(
        b, loc, select(rowShares, columnShares), /*grain=*/1);
    Type type = b.getIndexType();
    Block *chunk =
        b.createBlock(&parallel.getBody(), {}, {type, type}, {loc, loc});
    Range inRows = rangeOf(chunk, byRows),
          inColumns = rangeOf(chunk, byColumns);
    emitParts(inRows, inColumns);
    rt::YieldOp::create(b, loc);
    b.setInsertionPointAfter(parallel);
    func::ReturnOp::create(b, loc);
  }

private:
  Block::BlockArgListType operandsOf(int64_t product) {
    return function.getArguments().slice(product * numOperands, numOperands);
  }

  Value select(Value ofRows, Value ofColumns) {
    return arith::SelectOp::create(b, loc, isByRows, ofRows, ofColumns);
  }

  /// How much a share has, in whole steps, of what takes `work` each: enough
  /// for a thread.
  Value shareOf(int64_t step, Value work) {
    work = arith::MaxUIOp::create(b, loc, work, index(1));
    Value steps = arith::CeilDivUIOp::create(
        b, loc, index(costs.productWork / step), work);
    return times(steps, step);
  }

  Value numShares(Value extent, Value size) {
    return arith::CeilDivUIOp::create(b, loc, extent, size);
  }

  Range rangeOf(Block *chunk, Value size) {
    return {arith::MulIOp::create(b, loc, chunk->getArgument(0), size),
            arith::MulIOp::create(b, loc, chunk->getArgument(1), size)};
  }

  /// What of `range`, which begins to count at `begin`, is below `end`.
  Range clamp(const Range &range, Value begin, Value end) {
    auto inside = [&](Value at) -> Value {
      Value zero = index(0);
      at = arith::SubIOp::create(b, loc, at, begin);
      at = arith::MaxSIOp::create(b, loc, at, zero);
      return arith::MinSIOp::create(b, loc, at, end);
    };
    return {inside(range.first), inside(range.last)};
  }

  /// All parts of a chunk, in the order that was asked for.
  void emitParts(const Range &inRows, const Range &inColumns) {
    if (!hasOrder(count, isSum ? Together::Sum : Together::Beside)) {
      for (int64_t product = 0; product < count; ++product)
        emitPart(product, inRows, inColumns);
      return;
    }
    Value isBackwards = function.getArguments().back();
    auto branch =
        scf::IfOp::create(b, loc, TypeRange(), isBackwards, /*withElse=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    for (int64_t product = count; product-- > 0;)
      emitPart(product, inRows, inColumns);
    b.setInsertionPointToStart(branch.elseBlock());
    for (int64_t product = 0; product < count; ++product)
      emitPart(product, inRows, inColumns);
  }

  void emitPart(int64_t product, const Range &inRows, const Range &inColumns) {
    Value zero = index(0);
    Range ofRows = clamp(inRows, zero, rows);
    Range ofColumns =
        clamp(inColumns, isSum ? zero : times(width, product), columns);
    Value firstColumn = select(zero, ofColumns.first),
          lastColumn = select(columns, ofColumns.last);
    SmallVector<Value> operands(operandsOf(product));
    operands.append({select(ofRows.first, zero), select(ofRows.last, rows),
                     firstColumn, lastColumn});
    Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                      firstColumn, lastColumn);
    auto branch = scf::IfOp::create(b, loc, any, /*withElse=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    func::CallOp::create(b, loc, kernel, operands);
  }

  func::FuncOp kernel;
  /// Columns of a register tile.
  int64_t tile;
  unsigned numOperands;
  int64_t count;
  bool isSum;
  /// Of a result; and its columns as whole tiles.
  Value rows, columns, width;
  Value isByRows;
};
} // namespace

void cambium::emitProductShares(func::FuncOp function, func::FuncOp kernel,
                                Together together, int64_t lanes,
                                const TargetCosts &costs) {
  SharesEmitter(function, kernel, together, lanes, costs).emit();
}
