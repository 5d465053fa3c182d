//===-- Training.cpp - Contributions to gradients -------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Views.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Ragged/ToLinalg/Views.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

/// The tensor's memory, to be read; of any layout, so that nothing is copied.
static Value readBuffer(LinalgBuilder &b, Value tensor) {
  RankedTensorType type = tensorType(tensor);
  SmallVector<int64_t> strides(type.getRank(), ShapedType::kDynamic);
  auto layout =
      StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic, strides);
  auto memref = MemRefType::get(type.getShape(), type.getElementType(), layout);
  return b.make<bufferization::ToBufferOp>(memref, tensor, /*readOnly=*/true);
}

static Value gradientOf(LinalgBuilder &b, FlatSymbolRefAttr param,
                        RankedTensorType type) {
  return b.make<rt::GradientOp>(
      MemRefType::get(type.getShape(), type.getElementType()), param);
}

/// `dest += source` for memrefs of one shape.
static void addInPlace(LinalgBuilder &b, Value source, Value dest) {
  int64_t rank = cast<MemRefType>(dest.getType()).getRank();
  SmallVector<AffineMap> maps(
      2, AffineMap::getMultiDimIdentityMap(rank, b.getContext()));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  b.make<linalg::GenericOp>(
      source, dest, maps, iterators,
      [](OpBuilder &builder, Location loc, ValueRange args) {
        LinalgBuilder inner(builder, loc);
        inner.make<linalg::YieldOp>(inner.add(args[1], args[0]));
      });
}

/// `dest[c] += sum_r source[r, c]` for memrefs, in the order of the rows.
static void addRowsInPlace(LinalgBuilder &b, Value source, Value dest) {
  SmallVector<AffineMap> maps{b.dims(2, {0, 1}), b.dims(2, {1})};
  SmallVector<utils::IteratorType> iterators{utils::IteratorType::reduction,
                                             utils::IteratorType::parallel};
  b.make<linalg::GenericOp>(
      source, dest, maps, iterators,
      [](OpBuilder &builder, Location loc, ValueRange args) {
        LinalgBuilder inner(builder, loc);
        inner.make<linalg::YieldOp>(inner.add(args[1], args[0]));
      });
}

/// The memory of the gradient that the op adds to.
static Value destinationOf(AccumulateOp op, LinalgBuilder &b,
                           SymbolTableCollection &symbols) {
  RankedTensorType type = tensorType(op.getGradient());
  if (!op.getNumber())
    return gradientOf(b, op.getParamAttr(), type);
  auto param =
      symbols.lookupNearestSymbolFrom<nn::ParamOp>(op, op.getParamAttr());
  return viewOfRow(
      b.getBuilder(), b.getLoc(),
      gradientOf(b, op.getParamAttr(), cast<RankedTensorType>(param.getType())),
      op.getNumber());
}

/// Contractions and sums over rows are added to the gradient without a
/// temporary.
static Lowered lowerAccumulate(AccumulateOp op, LinalgBuilder &b,
                               SymbolTableCollection &symbols) {
  Value gradient = op.getGradient();
  RankedTensorType type = tensorType(gradient);
  Value dest = destinationOf(op, b, symbols);
  auto outer = gradient.getDefiningOp<nn::OuterSumOp>();
  if (outer && gradient.hasOneUse() &&
      tensorType(outer.getLhs()).getRank() == 2) {
    Value lhs = readBuffer(b, outer.getLhs()),
          rhs = readBuffer(b, outer.getRhs());
    linalg::MatmulTransposeAOp::create(b.getBuilder(), b.getLoc(),
                                       ValueRange{lhs, rhs}, ValueRange{dest});
    return SmallVector<Value>{};
  }
  auto sum = gradient.getDefiningOp<nn::SumOp>();
  if (sum && gradient.hasOneUse() && sum.getDim() == 0 && type.getRank() == 1)
    addRowsInPlace(b, readBuffer(b, sum.getInput()), dest);
  else
    addInPlace(b, readBuffer(b, gradient), dest);
  return SmallVector<Value>{};
}

static Lowered lowerAccumulateRows(AccumulateRowsOp op, LinalgBuilder &b,
                                   SymbolTableCollection &symbols) {
  auto param =
      symbols.lookupNearestSymbolFrom<nn::ParamOp>(op, op.getParamAttr());
  if (!param)
    return op.emitOpError()
           << "expected a parameter, but got " << op.getParamAttr();
  Value dest =
      gradientOf(b, op.getParamAttr(), cast<RankedTensorType>(param.getType()));
  Value rows = readBuffer(b, op.getRows());
  auto loop = b.make<scf::ForOp>(b.index(0), b.rows(op.getIds()), b.index(1));
  OpBuilder::InsertionGuard guard(b.getBuilder());
  b.getBuilder().setInsertionPointToStart(loop.getBody());
  Value i = loop.getInductionVar(), id = b.indexAt(op.getIds(), i);
  if (auto padding = op.getPaddingId()) {
    Value wanted =
        b.make<arith::CmpIOp>(arith::CmpIPredicate::ne, id, b.index(*padding));
    auto guarded = b.make<scf::IfOp>(wanted, /*withElseRegion=*/false);
    b.getBuilder().setInsertionPointToStart(guarded.thenBlock());
  }
  b.make<rt::TouchOp>(op.getParamAttr(), id);
  auto row = [&](Value memref, Value number) {
    return viewOfRow(b.getBuilder(), b.getLoc(), memref, number);
  };
  addInPlace(b, row(rows, i), row(dest, id));
  return SmallVector<Value>{};
}

void ragged::attachTrainingLowerings(MLIRContext *context) {
  attachLinalgModel<AccumulateOp, lowerAccumulate>(context);
  attachLinalgModel<AccumulateRowsOp, lowerAccumulateRows>(context);
}
