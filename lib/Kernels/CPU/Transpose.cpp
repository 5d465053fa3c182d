//===-- Transpose.cpp - Transposition of matrices by tiles ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "VectorLoops.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace cambium;

/// Even lanes of the result from the halves of `x`, odd ones from those of `y`.
static Value interleave(OpBuilder &b, Location loc, Value x, Value y,
                        bool high) {
  int64_t lanes = cast<VectorType>(x.getType()).getDimSize(0);
  SmallVector<int64_t> mask;
  for (int64_t i = 0; i < lanes / 2; ++i) {
    int64_t lane = i + (high ? lanes / 2 : 0);
    mask.append({lane, lane + lanes});
  }
  return vector::ShuffleOp::create(b, loc, x, y, mask);
}

/// A square tile: log2(n) rounds of interleaving row i with row i + n/2.
static void emitTile(OpBuilder &b, Location loc, Value from, Value to,
                     Value row, Value column, VectorType type) {
  int64_t lanes = type.getDimSize(0);
  auto plus = [&](Value value, int64_t more) -> Value {
    return arith::AddIOp::create(b, loc, value,
                                 arith::ConstantIndexOp::create(b, loc, more));
  };
  SmallVector<Value> rows;
  for (int64_t i = 0; i < lanes; ++i)
    rows.push_back(vector::LoadOp::create(b, loc, type, from,
                                          ValueRange{plus(row, i), column}));
  for (int64_t round = 1; round < lanes; round *= 2) {
    SmallVector<Value> next;
    for (int64_t i = 0; i < lanes / 2; ++i)
      for (bool high : {false, true})
        next.push_back(interleave(b, loc, rows[i], rows[i + lanes / 2], high));
    rows = next;
  }
  for (int64_t i = 0; i < lanes; ++i)
    vector::StoreOp::create(b, loc, rows[i], to,
                            ValueRange{plus(column, i), row});
}

namespace {
/// The loops of a transposition.
struct TransposeEmitter {
  OpBuilder &b;
  Location loc;
  Value from, to;
  const TargetCosts &costs;
  bool isInParallel;

  using Body = llvm::function_ref<void(Value)>;

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }

  void loop(Value begin, Value end, Value step, Body body) {
    auto forOp = scf::ForOp::create(b, loc, begin, end, step);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(forOp.getBody());
    body(forOp.getInductionVar());
  }

  /// A loop from 0 over `extent`, whose threads take `grain` steps at least.
  void sharedLoop(Value end, Value step, int64_t extent, int64_t grain,
                  Body body) {
    if (isInParallel || extent <= grain)
      return loop(index(0), end, step, body);
    Value count = arith::DivUIOp::create(b, loc, end, step);
    auto parallel = rt::ParallelOp::create(b, loc, count, grain);
    OpBuilder::InsertionGuard guard(b);
    Type type = b.getIndexType();
    Block *chunk =
        b.createBlock(&parallel.getBody(), {}, {type, type}, {loc, loc});
    auto times = [&](Value value) -> Value {
      return arith::MulIOp::create(b, loc, value, step);
    };
    Value first = times(chunk->getArgument(0));
    loop(first, times(chunk->getArgument(1)), step, body);
    rt::YieldOp::create(b, loc);
  }

  void elements(Value row, Value rowEnd, Value column, Value columnEnd) {
    loop(row, rowEnd, index(1), [&](Value i) {
      loop(column, columnEnd, index(1), [&](Value j) {
        Value value = memref::LoadOp::create(b, loc, from, ValueRange{i, j});
        memref::StoreOp::create(b, loc, value, to, ValueRange{j, i});
      });
    });
  }

  /// A tile is narrower than a line of the caches, so that one of both matrices
  /// is gone over twice. To read again is cheaper than to write again, unless
  /// the lines that wait for it are many more.
  bool writesRows(ArrayRef<int64_t> shape) {
    return !ShapedType::isDynamicShape(shape) && shape[0] <= 2 * shape[1];
  }

  void emit(VectorType type) {
    int64_t lanes = type.getDimSize(0);
    ArrayRef<int64_t> shape = cast<MemRefType>(from.getType()).getShape();
    Value zero = index(0), step = index(lanes);
    Value rows = memref::DimOp::create(b, loc, from, 0);
    Value columns = memref::DimOp::create(b, loc, from, 1);
    auto whole = [&](Value size) -> Value {
      Value rest = arith::RemUIOp::create(b, loc, size, step);
      return arith::SubIOp::create(b, loc, size, rest);
    };
    Value rowEnd = whole(rows), columnEnd = whole(columns);
    bool byColumns = writesRows(shape);
    // Steps of the outer loop, and elements that one of them moves.
    auto lengthOf = [&](int64_t size) {
      return ShapedType::isDynamic(size) ? costs.unknownLength : size;
    };
    int64_t extent = lengthOf(shape[byColumns]) / lanes;
    int64_t work = std::max<int64_t>(lengthOf(shape[!byColumns]) * lanes, 1);
    sharedLoop(byColumns ? columnEnd : rowEnd, step, extent,
               llvm::divideCeil(costs.rowWork, work), [&](Value outer) {
                 loop(zero, byColumns ? rowEnd : columnEnd, step,
                      [&](Value inner) {
                        emitTile(b, loc, from, to, byColumns ? inner : outer,
                                 byColumns ? outer : inner, type);
                      });
               });
    elements(zero, rowEnd, columnEnd, columns);
    elements(rowEnd, rows, zero, columns);
  }
};
} // namespace

bool cambium::emitTranspose(OpBuilder &builder, linalg::TransposeOp op,
                            const TargetCosts &costs) {
  Value from = op.getInput(), to = op.getInit();
  auto fromType = dyn_cast<MemRefType>(from.getType());
  auto toType = dyn_cast<MemRefType>(to.getType());
  if (!fromType || !toType || op.getPermutation() != ArrayRef<int64_t>{1, 0})
    return false;
  auto isContiguous = [](MemRefType type) {
    SmallVector<int64_t> strides;
    int64_t offset;
    return succeeded(type.getStridesAndOffset(strides, offset)) &&
           strides.back() == 1;
  };
  Type element = fromType.getElementType();
  if (!isContiguous(fromType) || !isContiguous(toType) ||
      !element.isIntOrFloat())
    return false;
  // Longer vectors have no shuffles that are worth their registers.
  int64_t bytes = std::min(costs.vectorBytes, costs.transposeBytes);
  auto type =
      VectorType::get({bytes * 8 / element.getIntOrFloatBitWidth()}, element);
  bool isInParallel = op->getParentOfType<rt::ParallelOp>() != nullptr;
  TransposeEmitter{builder, op.getLoc(), from, to, costs, isInParallel}.emit(
      type);
  return true;
}
