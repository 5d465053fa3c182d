//===-- lib/Kernels/CPU/WordKernel.cpp - Products with words of panels ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WordKernel.h"
#include "ProductLoops.h"
#include "ProductShares.h"
#include "WordRows.h"
#include "WordTiles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace cambium;

SmallVector<Type> cambium::wordProductArguments(MLIRContext *context) {
  Builder builder(context);
  Type rows = matrixType(builder.getF32Type(), true);
  return {rows, matrixType(builder.getI32Type(), true), rows, rows,
          builder.getI1Type()};
}

namespace {
/// Emits the function.
class WordKernelEmitter : ProductLoops {
public:
  WordKernelEmitter(func::FuncOp kernel, rt::PanelFormat format,
                    const TargetCosts &costs)
      : ProductLoops(kernel, costs, costs.vectorBytes / 4),
        lhs(kernel.getArgument(0)), panels(kernel.getArgument(1)),
        start(kernel.getArgument(2)), out(kernel.getArgument(3)),
        clear(kernel.getArgument(4)), form(b, loc, format, costs),
        converted(b, loc, form), tiles(b, loc, form) {
    b.setInsertionPointToStart(&kernel.getBody().front());
  }

  void emit() {
    depth = dim(lhs, 1);
    width = costs.tileVectors * lanes;
    Value panelRows =
        arith::DivUIOp::create(b, loc, dim(panels, 1), index(width));
    lastRow = plus(panelRows, -1);
    left = memoryFor(costs.copyBytes / 4, form.leftType());
    if (form.hasTiles())
      tiles.begin(left, panels, width);
    auto part = function.getArguments().take_back(kNumBounds);
    Range rows = {part[0], part[1]}, columns = {part[2], part[3]};
    if (form.isInt8())
      emitIntegers(rows, columns);
    else
      emitRounded(rows, columns);
    if (form.hasTiles())
      tiles.end();
    func::ReturnOp::create(b, loc);
  }

private:
  /// A block of the reduction: `count` words of panels from `first` on; rows of
  /// the converted left operand are `leftWords` words apart. What sums start
  /// from: the elements of `start`, or 0 with `clear`.
  struct Block {
    Value first, count, leftWords, start, clear;
  };

  /// Rows of bf16 go in blocks of the reduction.
  void emitRounded(const Range &rows, const Range &columns) {
    int64_t bytes = form.keepsF32() ? 4 : 2;
    int64_t most = costs.convertedRowBytes / bytes;
    Value zero = index(0);
    forEvenParts(
        rows, index(costs.copyBytes / costs.convertedRowBytes), evenRows(),
        [&](const Range &part) {
          loop(zero, depth, index(most), [&](Value k) {
            Value count = arith::SubIOp::create(b, loc, depth, k);
            count = arith::MinUIOp::create(b, loc, count, index(most));
            Value leftWords = converted.wordsOf(count);
            convertRows(part, [&](Value row, Value local) {
              Value offset = arith::MulIOp::create(b, loc, local, leftWords);
              converted.emitRounded(lhs, row, k, count, left, offset);
            });
            Value isFirst = arith::CmpIOp::create(
                b, loc, arith::CmpIPredicate::eq, k, zero);
            Value from = arith::SelectOp::create(b, loc, isFirst, start, out);
            Value clears = arith::AndIOp::create(b, loc, isFirst, clear);
            emitTiles(part, columns,
                      {wordsFor(k), wordsFor(count), leftWords, from, clears});
          });
        });
  }

  /// Rows of integers go whole: their scale is known when all of a row is.
  void emitIntegers(const Range &rows, const Range &columns) {
    scales = memoryFor(costs.blockRows, b.getF32Type());
    Value leftWords = converted.wordsOf(depth);
    Value most =
        arith::DivUIOp::create(b, loc, index(costs.copyBytes / 4), leftWords);
    most = arith::MinUIOp::create(b, loc, most, index(costs.blockRows));
    // Rows of the most products are fewer than those of tiles.
    Value even = arith::MinUIOp::create(b, loc, evenRows(), most);
    most = arith::MulIOp::create(
        b, loc, arith::DivUIOp::create(b, loc, most, even), even);
    forEvenParts(rows, most, even, [&](const Range &part) {
      convertRows(part, [&](Value row, Value local) {
        Value offset = arith::MulIOp::create(b, loc, local, leftWords);
        Value scale = converted.emitIntegers(lhs, row, depth, left, offset);
        memref::StoreOp::create(b, loc, scale, scales, local);
      });
      emitTiles(part, columns,
                {index(0), wordsFor(depth), leftWords, start, clear});
    });
  }

  /// Rows whose multiples parts are to have.
  Value evenRows() {
    return index(form.hasTiles() ? WordTiles::kRows
                                 : costs.tileRows(costs.tileVectors));
  }

  Value wordsFor(Value elements) {
    return arith::CeilDivUIOp::create(b, loc, elements,
                                      index(form.wordElements()));
  }

  /// `body` for each row, and its number in the part.
  void convertRows(const Range &part, Body<Value, Value> body) {
    loop(part.first, part.last, index(1), [&](Value row) {
      body(row, arith::SubIOp::create(b, loc, row, part.first));
    });
  }

  void emitTiles(const Range &rows, const Range &columns, const Block &block) {
    if (form.hasTiles())
      return emitProcessorTiles(rows, columns, block);
    emitPanels(columns, [&](const ProductPanel &panel) {
      forTiles(rows, /*fewest=*/1, [&](Value row, int64_t height) {
        Value local = arith::SubIOp::create(b, loc, row, rows.first);
        emitTile(row, local, height, panel, block);
      });
    });
  }

  /// The same with tiles of the processor. Their shapes are set anew for the
  /// last rows, where there are too few.
  void emitProcessorTiles(const Range &rows, const Range &columns,
                          const Block &block) {
    Value all = arith::SubIOp::create(b, loc, rows.last, rows.first);
    Value most = index(WordTiles::kRows);
    tiles.setRows(arith::MinUIOp::create(b, loc, all, most));
    emitPanels(columns, [&](const ProductPanel &panel) {
      tiles.beginPanel(panel, block.first, block.count, block.leftWords);
      loop(index(0), all, most, [&](Value local) {
        Value count = arith::SubIOp::create(b, loc, all, local);
        count = arith::MinUIOp::create(b, loc, count, most);
        tiles.multiply(panel, local, count, all);
        loop(index(0), count, index(1), [&](Value inTiles) {
          Value ofPart = arith::AddIOp::create(b, loc, local, inTiles);
          Value row = arith::AddIOp::create(b, loc, rows.first, ofPart);
          emitRow(row, ofPart, panel, block, tiles.loadSums(panel, inTiles));
        });
      });
    });
  }

  /// Stores a row of a panel, whose sums began with nothing.
  void emitRow(Value row, Value local, const ProductPanel &panel,
               const Block &block, SmallVector<Value> sums) {
    SmallVector<Value> starts = loadSums(row, /*height=*/1, panel, block);
    for (auto [sum, start] : llvm::zip(sums, starts))
      sum = form.isInt8()
                ? arith::AddIOp::create(b, loc, sum, start).getResult()
                : arith::AddFOp::create(b, loc, sum, start).getResult();
    if (form.isInt8())
      return storeScaled(row, local, panel, block, sums);
    for (auto [v, sum] : llvm::enumerate(sums))
      store(sum, row, panel, v);
  }

  //===--------------------------------------------------------------------===//
  // Tiles
  //===--------------------------------------------------------------------===//

  Value load(Type element, Value matrix, ValueRange at, Value mask = {}) {
    VectorType type = form.vectorOf(element);
    if (!mask)
      return vector::LoadOp::create(b, loc, type, matrix, at);
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
    return vector::MaskedLoadOp::create(b, loc, type, matrix, at, mask, zero);
  }

  /// Words of row `k` of a panel. Behind the last column they are 0.
  SmallVector<Value> loadWords(const ProductPanel &panel, Value k) {
    Value number = arith::DivUIOp::create(b, loc, panel.column, index(width));
    Value inPanel = arith::RemUIOp::create(b, loc, panel.column, index(width));
    Value first = arith::AddIOp::create(b, loc, times(k, width), inPanel);
    SmallVector<Value> vectors;
    for (int64_t v = 0; v < panel.vectors; ++v)
      vectors.push_back(
          load(b.getI32Type(), panels, {number, plus(first, v * lanes)}));
    return vectors;
  }

  /// Asks for what the next panel has in row `k`: it comes while this one is
  /// multiplied. Integers are so few bytes that this is not worth it.
  void prefetchNext(const ProductPanel &panel, Value k) {
    if (form.isInt8() || panel.vectors < costs.tileVectors)
      return;
    Value number = arith::DivUIOp::create(b, loc, panel.column, index(width));
    for (int64_t v = 0; v < panel.vectors; v += costs.cacheLine / 4 / lanes)
      memref::PrefetchOp::create(
          b, loc, panels,
          ValueRange{plus(number, 1), plus(times(k, width), v * lanes)},
          /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
  }

  /// An element of what sums start from.
  Value loadStart(Value row, const ProductPanel &panel, int64_t v,
                  const Block &block) {
    Value old = load(b.getF32Type(), block.start,
                     {row, plus(panel.column, v * lanes)}, panel.maskOf(v));
    Value zero =
        arith::ConstantOp::create(b, loc, b.getZeroAttr(old.getType()));
    return arith::SelectOp::create(b, loc, block.clear, zero, old);
  }

  /// What the sums of a tile begin with. Integers of the left operand are 128
  /// too large, which the last row of a panel makes good.
  SmallVector<Value> loadSums(Value row, int64_t height,
                              const ProductPanel &panel, const Block &block) {
    SmallVector<Value> sums;
    if (form.isInt8()) {
      SmallVector<Value> corrections = loadWords(panel, lastRow);
      for (int64_t r = 0; r < height; ++r)
        llvm::append_range(sums, corrections);
      return sums;
    }
    for (int64_t r = 0; r < height; ++r)
      for (int64_t v = 0; v < panel.vectors; ++v)
        sums.push_back(loadStart(plus(row, r), panel, v, block));
    return sums;
  }

  void emitTile(Value row, Value local, int64_t height,
                const ProductPanel &panel, const Block &block) {
    SmallVector<Value> rows;
    for (int64_t r = 0; r < height; ++r)
      rows.push_back(
          arith::MulIOp::create(b, loc, plus(local, r), block.leftWords));
    auto reduction = scf::ForOp::create(b, loc, index(0), block.count, index(1),
                                        loadSums(row, height, panel, block));
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(reduction.getBody());
      Value k = reduction.getInductionVar();
      SmallVector<Value> sums(reduction.getRegionIterArgs());
      emitStep(k, rows, panel, block, sums);
      scf::YieldOp::create(b, loc, sums);
    }
    if (form.isInt8())
      return storeScaled(row, local, panel, block, reduction.getResults());
    for (auto [i, sum] : llvm::enumerate(reduction.getResults()))
      store(sum, plus(row, i / panel.vectors), panel, i % panel.vectors);
  }

  /// Adds the products of a word.
  void emitStep(Value k, ArrayRef<Value> rows, const ProductPanel &panel,
                const Block &block, SmallVector<Value> &sums) {
    Value row = arith::AddIOp::create(b, loc, block.first, k);
    SmallVector<Value> words = loadWords(panel, row);
    prefetchNext(panel, row);
    Value leftWord = times(k, form.leftWords());
    for (int64_t part = 0; part < form.numParts(); ++part) {
      SmallVector<Value> right;
      for (Value vector : words)
        right.push_back(form.rightPart(vector, part));
      Value at = plus(leftWord, form.keepsF32() ? part : 0);
      for (auto [r, first] : llvm::enumerate(rows)) {
        Value word = memref::LoadOp::create(
            b, loc, left, ValueRange{arith::AddIOp::create(b, loc, first, at)});
        Value one = form.leftPart(word, part);
        for (int64_t v = 0; v < panel.vectors; ++v) {
          Value &sum = sums[r * panel.vectors + v];
          sum = form.multiplyAdd(one, right[v], sum);
        }
      }
    }
  }

  void store(Value value, Value row, const ProductPanel &panel, int64_t v) {
    SmallVector<Value> at{row, plus(panel.column, v * lanes)};
    if (Value mask = panel.maskOf(v))
      vector::MaskedStoreOp::create(b, loc, out, at, mask, value);
    else
      vector::StoreOp::create(b, loc, value, out, at);
  }

  /// A sum of integers by the scales of its row and of its column.
  void storeScaled(Value row, Value local, const ProductPanel &panel,
                   const Block &block, ValueRange sums) {
    Type f32 = form.vectorOf(b.getF32Type());
    SmallVector<Value> ofColumns;
    for (Value bits : loadWords(panel, plus(lastRow, -1)))
      ofColumns.push_back(arith::BitcastOp::create(b, loc, f32, bits));
    for (auto [i, sum] : llvm::enumerate(sums)) {
      int64_t r = i / panel.vectors, v = i % panel.vectors;
      Value scale =
          memref::LoadOp::create(b, loc, scales, ValueRange{plus(local, r)});
      scale = vector::BroadcastOp::create(b, loc, f32, scale);
      Value value = arith::SIToFPOp::create(b, loc, f32, sum);
      value = arith::MulFOp::create(b, loc, value, scale);
      value = arith::MulFOp::create(b, loc, value, ofColumns[v]);
      Value first = loadStart(plus(row, r), panel, v, block);
      value = arith::AddFOp::create(b, loc, value, first);
      store(value, plus(row, r), panel, v);
    }
  }

  Value lhs, panels, start, out, clear;
  WordForm form;
  WordRows converted;
  WordTiles tiles;
  Value depth;
  /// Columns of a panel.
  int64_t width = 0;
  /// The last row of a panel.
  Value lastRow;
  /// Memory of a thread: the converted left operand, and the scales of its
  /// rows.
  Value left, scales;
};
} // namespace

void cambium::emitWordKernel(func::FuncOp kernel, rt::PanelFormat format,
                             const TargetCosts &costs) {
  kernel.addEntryBlock();
  WordKernelEmitter(kernel, format, costs).emit();
}
