//===-- Transpose.cpp - Transposition of matrices by tiles ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "VectorLoops.h"
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

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }

  template <typename Body>
  void loop(Value begin, Value end, Value step, Body body) {
    auto forOp = scf::ForOp::create(b, loc, begin, end, step);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(forOp.getBody());
    body(forOp.getInductionVar());
  }

  void elements(Value row, Value rowEnd, Value column, Value columnEnd) {
    loop(row, rowEnd, index(1), [&](Value i) {
      loop(column, columnEnd, index(1), [&](Value j) {
        Value value = memref::LoadOp::create(b, loc, from, ValueRange{i, j});
        memref::StoreOp::create(b, loc, value, to, ValueRange{j, i});
      });
    });
  }

  void emit(VectorType type) {
    Value zero = index(0), step = index(type.getDimSize(0));
    Value rows = memref::DimOp::create(b, loc, from, 0);
    Value columns = memref::DimOp::create(b, loc, from, 1);
    auto whole = [&](Value size) -> Value {
      Value rest = arith::RemUIOp::create(b, loc, size, step);
      return arith::SubIOp::create(b, loc, size, rest);
    };
    Value rowEnd = whole(rows), columnEnd = whole(columns);
    loop(zero, rowEnd, step, [&](Value row) {
      loop(zero, columnEnd, step, [&](Value column) {
        emitTile(b, loc, from, to, row, column, type);
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
  TransposeEmitter{builder, op.getLoc(), from, to}.emit(type);
  return true;
}
