//===-- lib/Codegen/ProductKernel.cpp - Code of matrix products ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProductKernel.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace cambium;

/// Multiply-adds from which on another thread is worth its start.
static constexpr int64_t kParallelWork = 1 << 18;
/// Rows of a reduction of unknown length that are worked on at once: the part of B
/// that is used stays in the cache.
static constexpr int64_t kReductionBlock = 256;

static std::string sizeName(int64_t size) {
  return ShapedType::isDynamic(size) ? "n" : std::to_string(size);
}

std::string ProductShape::name() const {
  std::string type;
  llvm::raw_string_ostream(type) << element;
  StringRef from = init == ProductInit::Old ? "old" : init == ProductInit::Zero ? "zero" : "row";
  return ("product_" + type + (transposed ? "_t_" : "_") + sizeName(lhsRows) + "x" +
          sizeName(lhsColumns) + "_" + std::to_string(columns) + "_" + from)
      .str();
}

/// Rows of any distance, each contiguous.
static MemRefType rowsType(ArrayRef<int64_t> shape, Type element) {
  SmallVector<int64_t> strides(shape.size(), ShapedType::kDynamic);
  strides.back() = 1;
  auto layout =
      StridedLayoutAttr::get(element.getContext(), ShapedType::kDynamic, strides);
  return MemRefType::get(shape, element, layout);
}

SmallVector<Type> ProductShape::argumentTypes() const {
  int64_t rows = transposed ? lhsColumns : lhsRows, depth = transposed ? lhsRows : lhsColumns;
  SmallVector<Type> types{rowsType({lhsRows, lhsColumns}, element),
                          rowsType({depth, columns}, element),
                          rowsType({rows, columns}, element)};
  if (init == ProductInit::Row)
    types.push_back(rowsType({columns}, element));
  return types;
}

namespace {
/// Columns that are computed together: `vectors` vectors from `column` on, `count`
/// times in a row. With `tail`, only so many lanes of the last vector exist.
struct Panel {
  int64_t column, vectors, count, tail;
};

/// Emits one kernel.
class KernelEmitter {
public:
  KernelEmitter(func::FuncOp kernel, const ProductShape &shape, const TargetTraits &target)
      : shape(shape), target(target), loc(kernel.getLoc()), b(kernel.getContext()),
        lhs(kernel.getArgument(0)), rhs(kernel.getArgument(1)), out(kernel.getArgument(2)) {
    if (shape.init == ProductInit::Row)
      row = kernel.getArgument(3);
    int64_t bytes = shape.element.getIntOrFloatBitWidth() / 8;
    lanes = target.vectorBytes / bytes;
    // Narrow results use shorter vectors.
    while (lanes > 4 && lanes / 2 >= shape.columns)
      lanes /= 2;
    vector = VectorType::get({lanes}, shape.element);
    b.setInsertionPointToStart(&kernel.getBody().front());
  }

  void emit() {
    Value rows = dim(out, 0);
    // The work of a row is known but for reductions of unknown length.
    int64_t depth = shape.transposed ? shape.lhsRows : shape.lhsColumns;
    int64_t work = shape.columns * (ShapedType::isDynamic(depth) ? kReductionBlock : depth);
    int64_t grain = llvm::alignTo(llvm::divideCeil(kParallelWork, work), tileRows(1));
    auto loop = rt::ParallelOp::create(b, loc, rows, grain);
    Type index = b.getIndexType();
    Block *body = b.createBlock(&loop.getBody(), {}, {index, index}, {loc, loc});
    emitBlocks(body->getArgument(0), body->getArgument(1));
    rt::YieldOp::create(b, loc);
    b.setInsertionPointAfter(loop);
    func::ReturnOp::create(b, loc);
  }

private:
  //===--------------------------------------------------------------------===//
  // Sizes of tiles
  //===--------------------------------------------------------------------===//

  int64_t maxVectors() const { return target.vectorRegisters >= 32 ? 4 : 2; }

  /// Rows of a register tile: accumulators, one row of B and one element of A fit
  /// into the registers.
  int64_t tileRows(int64_t vectors) const {
    return std::min<int64_t>(8, (target.vectorRegisters - 1 - vectors) / vectors);
  }

  /// Columns divided into panels of about the same width.
  SmallVector<Panel> panels() const {
    int64_t vectors = llvm::divideCeil(shape.columns, lanes);
    int64_t count = llvm::divideCeil(vectors, maxVectors());
    int64_t wide = vectors % count, width = vectors / count;
    int64_t tail = shape.columns - (vectors - 1) * lanes;
    SmallVector<Panel> list;
    auto add = [&](int64_t width, int64_t count, int64_t tail) {
      int64_t column = 0;
      if (!list.empty())
        column = list.back().column + list.back().vectors * list.back().count * lanes;
      if (count)
        list.push_back({column, width, count, tail});
    };
    add(width + 1, wide, lanes);
    bool hasTail = tail != lanes;
    add(width, count - wide - hasTail, lanes);
    if (hasTail)
      add(width, 1, tail);
    return list;
  }

  //===--------------------------------------------------------------------===//
  // Loops
  //===--------------------------------------------------------------------===//

  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
  Value dim(Value memref, int64_t number) {
    return memref::DimOp::create(b, loc, memref, number);
  }
  Value plus(Value value, int64_t more) {
    return more ? arith::AddIOp::create(b, loc, value, index(more)).getResult() : value;
  }

  /// A loop without results; `body` is called with the builder in it.
  template <typename Body> void loop(Value from, Value to, int64_t step, Body body) {
    auto forOp = scf::ForOp::create(b, loc, from, to, index(step));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(forOp.getBody());
    body(forOp.getInductionVar());
  }

  void emitBlocks(Value begin, Value end) {
    Value depth = dim(rhs, 0);
    bool blocked = shape.transposed && shape.init == ProductInit::Old;
    if (!blocked)
      return emitPanels(begin, end, index(0), depth);
    loop(index(0), depth, kReductionBlock, [&](Value k) {
      Value last = arith::MinSIOp::create(b, loc, plus(k, kReductionBlock), depth);
      emitPanels(begin, end, k, last);
    });
  }

  void emitPanels(Value begin, Value end, Value first, Value last) {
    for (const Panel &panel : panels()) {
      if (panel.count == 1) {
        emitRows(begin, end, index(panel.column), panel, first, last);
        continue;
      }
      int64_t width = panel.vectors * lanes;
      loop(index(panel.column), index(panel.column + panel.count * width), width,
           [&](Value column) { emitRows(begin, end, column, panel, first, last); });
    }
  }

  /// Tiles of full height, then of 4, 2 and 1 rows.
  void emitRows(Value begin, Value end, Value column, const Panel &panel, Value first,
                Value last) {
    int64_t height = tileRows(panel.vectors);
    Value count = arith::SubIOp::create(b, loc, end, begin);
    Value rest = arith::RemUIOp::create(b, loc, count, index(height));
    Value row = arith::SubIOp::create(b, loc, end, rest);
    loop(begin, row, height,
         [&](Value i) { emitTile(i, column, height, panel, first, last); });
    for (int64_t rows = llvm::bit_floor<uint64_t>(height - 1); rows >= 1; rows /= 2) {
      Value left = arith::SubIOp::create(b, loc, end, row);
      Value enough =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, left, index(rows));
      auto branch = scf::IfOp::create(b, loc, TypeRange(b.getIndexType()), enough, true);
      {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(branch.thenBlock());
        emitTile(row, column, rows, panel, first, last);
        scf::YieldOp::create(b, loc, plus(row, rows));
        b.setInsertionPointToStart(branch.elseBlock());
        scf::YieldOp::create(b, loc, row);
      }
      row = branch.getResult(0);
    }
  }

  //===--------------------------------------------------------------------===//
  // Tiles
  //===--------------------------------------------------------------------===//

  /// The mask of the last vector of a panel, or null.
  Value maskOf(const Panel &panel) {
    if (panel.tail == lanes)
      return {};
    SmallVector<bool> bits(lanes, false);
    std::fill_n(bits.begin(), panel.tail, true);
    auto type = VectorType::get({lanes}, b.getI1Type());
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, bits));
  }

  Value zero() { return arith::ConstantOp::create(b, loc, b.getZeroAttr(vector)); }

  Value load(Value memref, ValueRange indices, Value mask) {
    if (mask)
      return vector::MaskedLoadOp::create(b, loc, vector, memref, indices, mask, zero());
    return vector::LoadOp::create(b, loc, vector, memref, indices);
  }

  void store(Value value, Value memref, ValueRange indices, Value mask) {
    if (mask)
      vector::MaskedStoreOp::create(b, loc, memref, indices, mask, value);
    else
      vector::StoreOp::create(b, loc, value, memref, indices);
  }

  Value multiplyAdd(Value x, Value y, Value sum) {
    if (target.hasFMA)
      return vector::FMAOp::create(b, loc, x, y, sum);
    Value product = arith::MulFOp::create(b, loc, x, y);
    return arith::AddFOp::create(b, loc, product, sum);
  }

  void emitTile(Value i, Value column, int64_t height, const Panel &panel, Value first,
                Value last) {
    Value mask = maskOf(panel);
    SmallVector<Value> rows, columns, sums;
    for (int64_t r = 0; r < height; ++r)
      rows.push_back(plus(i, r));
    for (int64_t v = 0; v < panel.vectors; ++v)
      columns.push_back(plus(column, v * lanes));
    auto maskAt = [&](int64_t v) { return v == panel.vectors - 1 ? mask : Value(); };
    for (int64_t v = 0; v < panel.vectors && shape.init == ProductInit::Row; ++v)
      sums.push_back(load(row, columns[v], maskAt(v)));
    for (int64_t r = 0; r < height; ++r)
      for (int64_t v = 0; v < panel.vectors; ++v) {
        if (shape.init == ProductInit::Old)
          sums.push_back(load(out, {rows[r], columns[v]}, maskAt(v)));
        else if (shape.init == ProductInit::Zero)
          sums.push_back(zero());
        else if (r > 0)
          sums.push_back(sums[v]);
      }
    auto reduction = scf::ForOp::create(b, loc, first, last, index(1), sums);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(reduction.getBody());
      Value k = reduction.getInductionVar();
      SmallVector<Value> next(reduction.getRegionIterArgs()), weights;
      for (int64_t v = 0; v < panel.vectors; ++v)
        weights.push_back(load(rhs, {k, columns[v]}, maskAt(v)));
      for (int64_t r = 0; r < height; ++r) {
        SmallVector<Value> place = shape.transposed ? SmallVector<Value>{k, rows[r]}
                                                    : SmallVector<Value>{rows[r], k};
        Value element = memref::LoadOp::create(b, loc, lhs, place);
        Value all = vector::BroadcastOp::create(b, loc, vector, element);
        for (int64_t v = 0; v < panel.vectors; ++v) {
          Value &sum = next[r * panel.vectors + v];
          sum = multiplyAdd(all, weights[v], sum);
        }
      }
      scf::YieldOp::create(b, loc, next);
    }
    for (int64_t r = 0; r < height; ++r)
      for (int64_t v = 0; v < panel.vectors; ++v)
        store(reduction.getResult(r * panel.vectors + v), out, {rows[r], columns[v]},
              maskAt(v));
  }

  const ProductShape &shape;
  const TargetTraits &target;
  Location loc;
  OpBuilder b;
  Value lhs, rhs, out, row;
  int64_t lanes;
  VectorType vector;
};
} // namespace

void cambium::emitProductKernel(func::FuncOp kernel, const ProductShape &shape,
                                const TargetTraits &target) {
  kernel.addEntryBlock();
  KernelEmitter(kernel, shape, target).emit();
}
