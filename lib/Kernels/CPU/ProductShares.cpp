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
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace cambium;

namespace {
class SharesEmitter : ProductLoops {
public:
  SharesEmitter(func::FuncOp function, func::FuncOp kernel, Together together,
                bool lhsTransposed, int64_t lanes, const TargetCosts &costs)
      : ProductLoops(function, costs, lanes), kernel(kernel),
        tile(costs.tileVectors * lanes),
        numOperands(kernel.getNumArguments() - kNumBounds),
        count(function.getNumArguments() / numOperands),
        isSum(together == Together::Sum), lhsTransposed(lhsTransposed) {
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
    if (lhsTransposed)
      emitTransposed(inRows, inColumns);
    else
      emitInOrder(rowsOf(inRows), inColumns);
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

  /// The rows of a chunk.
  Range rowsOf(const Range &inRows) {
    Range part = clamp(inRows, index(0), rows);
    return {select(part.first, index(0)), select(part.last, rows)};
  }

  /// Emits the branch of a condition.
  void branch(Value condition, Body<> yes, Body<> no) {
    auto op = scf::IfOp::create(b, loc, TypeRange(), condition,
                                /*withElse=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(op.thenBlock());
    yes();
    b.setInsertionPointToStart(op.elseBlock());
    no();
  }

  /// All products of a chunk, in the order that was asked for.
  void emitInOrder(const Range &part, const Range &inColumns) {
    auto forwards = [&] {
      for (int64_t product = 0; product < count; ++product)
        emitPart(product, operandsOf(product), part, inColumns,
                 toNext(product, product + 1));
    };
    if (!hasOrder(count, isSum ? Together::Sum : Together::Beside))
      return forwards();
    auto backwards = [&] {
      for (int64_t product = count; product-- > 0;)
        emitPart(product, operandsOf(product), part, inColumns,
                 toNext(product, product - 1));
    };
    branch(function.getArguments().back(), backwards, forwards);
  }

  /// How many elements behind the right operand of a product that of the next
  /// one begins; 0 where there is none.
  Value toNext(int64_t product, int64_t next) {
    if (lhsTransposed || next < 0 || next == count)
      return index(0);
    Value bytes = index(elementType().getIntOrFloatBitWidth() / 8);
    auto beginOf = [&](int64_t product) -> Value {
      Value matrix = operandsOf(product)[1];
      Value offset =
          memref::ExtractStridedMetadataOp::create(b, loc, matrix).getOffset();
      offset = arith::MulIOp::create(b, loc, offset, bytes);
      Value begin =
          memref::ExtractAlignedPointerAsIndexOp::create(b, loc, matrix);
      return arith::AddIOp::create(b, loc, begin, offset);
    };
    Value distance =
        arith::SubIOp::create(b, loc, beginOf(next), beginOf(product));
    return arith::DivSIOp::create(b, loc, distance, bytes);
  }

  /// Rows of the left operand, columns of its memory, are far apart. What is
  /// large has its blocks copied, each once for all products.
  void emitTransposed(const Range &inRows, const Range &inColumns) {
    Value depth = dim(operandsOf(0)[0], 1);
    Value size = arith::MulIOp::create(b, loc, rows, depth);
    Value isLarge = arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::ugt, size,
        index(costs.blockRows * costs.panelReductionBlock));
    Range part = rowsOf(inRows);
    branch(
        isLarge, [&] { emitCopied(part, depth, inColumns); },
        [&] { emitInOrder(part, inColumns); });
  }

  /// As few blocks of rows and of the reduction as possible; all products of
  /// one follow each other.
  void emitCopied(const Range &all, Value depth, const Range &inColumns) {
    Type element = elementType();
    int64_t bytes = element.getIntOrFloatBitWidth() / 8;
    Value memory = memref::AllocaOp::create(
        b, loc, MemRefType::get({costs.copyBytes / bytes}, element),
        b.getI64IntegerAttr(costs.cacheLine));
    Value numBlocks = arith::CeilDivUIOp::create(
        b, loc, depth, index(costs.copiedReductionBlock));
    Value size = arith::CeilDivUIOp::create(b, loc, depth, numBlocks);
    forEvenParts(
        all, index(costs.copiedRowBlock(bytes)), [&](const Range &part) {
          loop(index(0), depth, size, [&](Value k) {
            Value left = arith::SubIOp::create(b, loc, depth, k);
            Range reduction{k, arith::MinUIOp::create(b, loc, left, size)};
            Value copy = emitCopy(memory, part, reduction);
            Value count = arith::SubIOp::create(b, loc, part.last, part.first);
            for (int64_t product = 0; product < this->count; ++product)
              emitPart(product, blockOf(product, copy, part, reduction),
                       {index(0), count}, inColumns, index(0));
          });
        });
  }

  Type elementType() {
    return cast<MemRefType>(operandsOf(0)[0].getType()).getElementType();
  }

  /// Copies rows of the left operand as they lie in memory, of as many products
  /// of an element as `reduction.last` from `reduction.first` on. What a tile
  /// reads of it is in a few lines.
  Value emitCopy(Value memory, const Range &part, const Range &reduction) {
    Type element = elementType();
    auto left =
        memref::ExtractStridedMetadataOp::create(b, loc, operandsOf(0)[0]);
    auto lines = [&](Value from, Value offset, Value length, Value step) {
      return memref::ReinterpretCastOp::create(
          b, loc, matrixType(element, true), from, OpFoldResult(offset),
          ArrayRef<OpFoldResult>{reduction.last, length},
          ArrayRef<OpFoldResult>{step, b.getIndexAttr(1)});
    };
    Value step = left.getStrides()[1];
    Value offset = arith::MulIOp::create(b, loc, reduction.first, step);
    offset = arith::AddIOp::create(b, loc, offset, part.first);
    offset = arith::AddIOp::create(b, loc, offset, left.getOffset());
    Value length = arith::SubIOp::create(b, loc, part.last, part.first);
    Value whole =
        times(arith::CeilDivUIOp::create(b, loc, length, index(lanes)), lanes);
    Value from = lines(left.getBaseBuffer(), offset, length, step);
    Value to = lines(memory, index(0), whole, whole);
    auto vector = VectorType::get({lanes}, element);
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(vector));
    loop(index(0), reduction.last, index(1), [&](Value k) {
      loop(index(0), length, index(lanes), [&](Value row) {
        memref::PrefetchOp::create(
            b, loc, from, ValueRange{plus(k, costs.copyAhead), row},
            /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
        Value left = arith::SubIOp::create(b, loc, length, row);
        Value mask = vector::CreateMaskOp::create(
            b, loc, VectorType::get({lanes}, b.getI1Type()), left);
        Value elements = vector::MaskedLoadOp::create(
            b, loc, vector, from, ValueRange{k, row}, mask, zero);
        vector::StoreOp::create(b, loc, elements, to, ValueRange{k, row});
      });
    });
    auto swap =
        AffineMap::getPermutationMap(ArrayRef<unsigned>{1, 0}, b.getContext());
    return memref::CastOp::create(
        b, loc, matrixType(element, false),
        memref::TransposeOp::create(b, loc, to, AffineMapAttr::get(swap)));
  }

  /// The operands of a block of a product. The first one starts from what was
  /// asked for, the others from what the one before has left.
  SmallVector<Value> blockOf(int64_t product, Value copy, const Range &part,
                             const Range &reduction) {
    SmallVector<Value> operands(operandsOf(product));
    Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                          reduction.first, index(0));
    auto rowsFrom = [&](Value matrix, Value first, Value count) -> Value {
      SmallVector<OpFoldResult> steps(2, b.getIndexAttr(1));
      return memref::SubViewOp::create(
          b, loc, matrix, ArrayRef<OpFoldResult>{first, b.getIndexAttr(0)},
          ArrayRef<OpFoldResult>{count, dim(matrix, 1)}, steps);
    };
    Value start =
        arith::SelectOp::create(b, loc, isFirst, operands[2], operands[3]);
    Value length = arith::SubIOp::create(b, loc, part.last, part.first);
    operands[0] = copy;
    operands[1] = rowsFrom(operands[1], reduction.first, reduction.last);
    operands[2] = rowsFrom(start, part.first, length);
    operands[3] = rowsFrom(operands[3], part.first, length);
    operands[4] = arith::AndIOp::create(b, loc, isFirst, operands[4]);
    return operands;
  }

  /// Rows of a product, of the columns that a chunk has of it.
  void emitPart(int64_t product, ValueRange operands, const Range &part,
                const Range &inColumns, Value next) {
    Value zero = index(0);
    Range ofColumns =
        clamp(inColumns, isSum ? zero : times(width, product), columns);
    Value firstColumn = select(zero, ofColumns.first),
          lastColumn = select(columns, ofColumns.last);
    SmallVector<Value> all(operands);
    all.append({part.first, part.last, firstColumn, lastColumn, next});
    Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                      firstColumn, lastColumn);
    auto branch = scf::IfOp::create(b, loc, any, /*withElse=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    func::CallOp::create(b, loc, kernel, all);
  }

  func::FuncOp kernel;
  /// Columns of a register tile.
  int64_t tile;
  unsigned numOperands;
  int64_t count;
  bool isSum, lhsTransposed;
  /// Of a result; and its columns as whole tiles.
  Value rows, columns, width;
  Value isByRows;
};
} // namespace

void cambium::emitProductShares(func::FuncOp function, func::FuncOp kernel,
                                Together together, bool lhsTransposed,
                                int64_t lanes, const TargetCosts &costs) {
  SharesEmitter(function, kernel, together, lhsTransposed, lanes, costs).emit();
}
