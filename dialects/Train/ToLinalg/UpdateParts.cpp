//===-- UpdateParts.cpp - What updates are made of ------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Train/ToLinalg/UpdateParts.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::train;

Value train::index(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

void train::forTouchedRows(ImplicitLocOpBuilder &b, StringRef param,
                           function_ref<void(Value)> body) {
  auto indices = MemRefType::get({ShapedType::kDynamic}, b.getI32Type());
  Value touched = rt::TouchedOp::create(b, indices, param);
  Value count = rt::NumTouchedOp::create(b, b.getIndexType(), param);
  auto loop = scf::ForOp::create(b, index(b, 0), count, index(b, 1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value row = memref::LoadOp::create(b, touched, loop.getInductionVar());
  body(arith::IndexCastOp::create(b, b.getIndexType(), row));
}

Value train::sliceOf(ImplicitLocOpBuilder &b, Value memory, ValueRange place) {
  auto type = cast<MemRefType>(memory.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes, strides(type.getRank(), b.getIndexAttr(1));
  for (int64_t size : type.getShape())
    sizes.push_back(b.getIndexAttr(size));
  for (auto [i, index] : llvm::enumerate(place)) {
    offsets[i] = index;
    sizes[i] = b.getIndexAttr(1);
  }
  auto result = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
      type.getShape().drop_front(place.size()), type, offsets, sizes, strides));
  return memref::SubViewOp::create(b, result, memory, offsets, sizes, strides);
}

Value train::powerOf(ImplicitLocOpBuilder &b, double beta, Value exponent) {
  Type f64 = b.getF64Type(), i64 = b.getI64Type();
  Value one = arith::ConstantOp::create(b, b.getF64FloatAttr(1.0));
  Value base = arith::ConstantOp::create(b, b.getF64FloatAttr(beta));
  Value zero = arith::ConstantOp::create(b, b.getI64IntegerAttr(0));
  Value bit = arith::ConstantOp::create(b, b.getI64IntegerAttr(1));
  auto loop = scf::WhileOp::create(
      b, TypeRange{f64, f64, i64}, ValueRange{one, base, exponent},
      [&](OpBuilder &inner, Location loc, ValueRange args) {
        Value more = arith::CmpIOp::create(
            inner, loc, arith::CmpIPredicate::sgt, args[2], zero);
        scf::ConditionOp::create(inner, loc, more, args);
      },
      [&](OpBuilder &inner, Location loc, ValueRange args) {
        Value last = arith::AndIOp::create(inner, loc, args[2], bit);
        Value odd = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::eq,
                                          last, bit);
        Value product = arith::MulFOp::create(inner, loc, args[0], args[1]);
        Value power =
            arith::SelectOp::create(inner, loc, odd, product, args[0]);
        Value square = arith::MulFOp::create(inner, loc, args[1], args[1]);
        Value half = arith::ShRSIOp::create(inner, loc, args[2], bit);
        scf::YieldOp::create(inner, loc, ValueRange{power, square, half});
      });
  return loop.getResult(0);
}

void train::multiply(ImplicitLocOpBuilder &b, Value memory, Value factor) {
  unsigned rank = cast<MemRefType>(memory.getType()).getRank();
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  linalg::GenericOp::create(
      b, ValueRange(), ValueRange{memory}, b.getMultiDimIdentityMap(rank),
      iterators, [&](OpBuilder &inner, Location loc, ValueRange args) {
        linalg::YieldOp::create(
            inner, loc,
            ValueRange{arith::MulFOp::create(inner, loc, args[0], factor)});
      });
}

AffineMap train::mapOfSlot(OpBuilder &b, unsigned rank, unsigned slot) {
  AffineMap all = b.getMultiDimIdentityMap(rank);
  // Of one row, the rows are one number.
  return rank == 1 && slot == 1 ? all : all.dropResult(rank - 1 - slot);
}

void train::addSquaresTo(ImplicitLocOpBuilder &b, Value gradient, Value state,
                         AffineMap map, Value factor, Value eps) {
  unsigned rank = cast<MemRefType>(gradient.getType()).getRank();
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::reduction);
  for (AffineExpr dim : map.getResults())
    iterators[cast<AffineDimExpr>(dim).getPosition()] =
        utils::IteratorType::parallel;
  linalg::GenericOp::create(
      b, ValueRange{gradient}, ValueRange{state},
      ArrayRef{b.getMultiDimIdentityMap(rank), map}, iterators,
      [&](OpBuilder &inner, Location loc, ValueRange args) {
        Value square = arith::MulFOp::create(inner, loc, args[0], args[0]);
        Value term = arith::MulFOp::create(
            inner, loc, factor, arith::AddFOp::create(inner, loc, square, eps));
        linalg::YieldOp::create(
            inner, loc,
            ValueRange{arith::AddFOp::create(inner, loc, args[1], term)});
      });
}

Value train::memoryOfSum(ImplicitLocOpBuilder &b) {
  return rt::AllocOp::create(b, MemRefType::get({}, b.getF64Type()),
                             ValueRange());
}

void train::setZero(ImplicitLocOpBuilder &b, Value total) {
  Value zero = arith::ConstantOp::create(b, b.getF64FloatAttr(0.0));
  memref::StoreOp::create(b, zero, total, ValueRange());
}

/// Adds `term` of each element, in f64, to `total`.
static void addTerms(ImplicitLocOpBuilder &b, Value memory, Value total,
                     function_ref<Value(OpBuilder &, Location, Value)> term) {
  auto type = cast<MemRefType>(memory.getType());
  unsigned rank = type.getRank();
  SmallVector<AffineMap> maps{b.getMultiDimIdentityMap(rank),
                              AffineMap::get(rank, 0, b.getContext())};
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::reduction);
  linalg::GenericOp::create(
      b, ValueRange{memory}, ValueRange{total}, maps, iterators,
      [&](OpBuilder &inner, Location loc, ValueRange args) {
        Value x = args[0];
        if (!x.getType().isF64())
          x = arith::ExtFOp::create(inner, loc, inner.getF64Type(), x);
        linalg::YieldOp::create(inner, loc,
                                ValueRange{arith::AddFOp::create(
                                    inner, loc, args[1], term(inner, loc, x))});
      });
}

void train::addSum(ImplicitLocOpBuilder &b, Value memory, Value total) {
  addTerms(b, memory, total, [](OpBuilder &, Location, Value x) { return x; });
}

void train::addSquares(ImplicitLocOpBuilder &b, Value memory, Value total) {
  addTerms(b, memory, total, [](OpBuilder &inner, Location loc, Value x) {
    return arith::MulFOp::create(inner, loc, x, x);
  });
}
