//===-- LinalgBuilder.cpp - Builds linalg on tensors with rows ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/LinalgBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cambium;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

Value LinalgBuilder::number(Type type, double value) {
  if (isa<FloatType>(type))
    return make<arith::ConstantOp>(builder.getFloatAttr(type, value));
  return make<arith::ConstantOp>(
      builder.getIntegerAttr(type, static_cast<int64_t>(value)));
}

Value LinalgBuilder::index(int64_t value) {
  return make<arith::ConstantIndexOp>(value);
}
Value LinalgBuilder::add(Value a, Value b) {
  if (isa<FloatType>(a.getType()))
    return make<arith::AddFOp>(a, b);
  return make<arith::AddIOp>(a, b);
}
Value LinalgBuilder::sub(Value a, Value b) {
  if (isa<FloatType>(a.getType()))
    return make<arith::SubFOp>(a, b);
  return make<arith::SubIOp>(a, b);
}
Value LinalgBuilder::toIndex(Value integer) {
  return make<arith::IndexCastOp>(builder.getIndexType(), integer);
}
Value LinalgBuilder::indexAt(Value tensor, Value i) {
  return toIndex(make<tensor::ExtractOp>(tensor, i));
}

//===----------------------------------------------------------------------===//
// Destinations
//===----------------------------------------------------------------------===//

Value LinalgBuilder::rows(Value tensor) {
  RankedTensorType type = tensorType(tensor);
  if (!type.isDynamicDim(0))
    return index(type.getDimSize(0));
  return make<tensor::DimOp>(tensor, index(0));
}

Value LinalgBuilder::empty(RankedTensorType type, Value rows) {
  if (type.hasStaticShape())
    return make<tensor::EmptyOp>(type, ValueRange());
  return make<tensor::EmptyOp>(type, rows);
}

Value LinalgBuilder::emptyLike(RankedTensorType type, Value like) {
  return empty(type, type.hasStaticShape() ? Value() : rows(like));
}

Value LinalgBuilder::fill(Value dest, double value) {
  Value scalar = number(tensorType(dest).getElementType(), value);
  return make<linalg::FillOp>(scalar, dest).getResult(0);
}

Value LinalgBuilder::zeros(RankedTensorType type, Value rows) {
  return fill(empty(type, rows), 0);
}

//===----------------------------------------------------------------------===//
// Structured operations
//===----------------------------------------------------------------------===//

AffineMap LinalgBuilder::dims(int64_t rank, ArrayRef<int64_t> dims) {
  SmallVector<AffineExpr> exprs;
  for (int64_t d : dims)
    exprs.push_back(builder.getAffineDimExpr(d));
  return AffineMap::get(rank, 0, exprs, getContext());
}

Value LinalgBuilder::map(Value dest, ValueRange inputs,
                         ArrayRef<AffineMap> maps, Body body) {
  int64_t rank = tensorType(dest).getRank();
  SmallVector<AffineMap> allMaps(maps);
  allMaps.push_back(AffineMap::getMultiDimIdentityMap(rank, getContext()));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto generic = make<linalg::GenericOp>(
      dest.getType(), inputs, dest, allMaps, iterators,
      [&](OpBuilder &inner, Location innerLoc, ValueRange args) {
        LinalgBuilder b(inner, innerLoc);
        linalg::YieldOp::create(inner, innerLoc, body(b, args));
      });
  return generic.getResult(0);
}

Value LinalgBuilder::elementwise(Value dest, ValueRange inputs, Body body) {
  AffineMap identity = AffineMap::getMultiDimIdentityMap(
      tensorType(dest).getRank(), getContext());
  return map(dest, inputs, SmallVector<AffineMap>(inputs.size(), identity),
             body);
}

Value LinalgBuilder::reduce(Value dest, Value input, int64_t dim, Body body) {
  int64_t rank = tensorType(input).getRank();
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators[dim] = utils::IteratorType::reduction;
  SmallVector<int64_t> kept;
  for (int64_t i = 0; i < rank; ++i)
    if (i != dim)
      kept.push_back(i);
  SmallVector<AffineMap> maps{
      AffineMap::getMultiDimIdentityMap(rank, getContext()), dims(rank, kept)};
  auto generic = make<linalg::GenericOp>(
      dest.getType(), input, dest, maps, iterators,
      [&](OpBuilder &inner, Location innerLoc, ValueRange args) {
        LinalgBuilder b(inner, innerLoc);
        linalg::YieldOp::create(inner, innerLoc, body(b, args));
      });
  return generic.getResult(0);
}

Value LinalgBuilder::broadcast(Value input, Value dest, ArrayRef<int64_t> at) {
  return map(dest, input, dims(tensorType(dest).getRank(), at),
             [](LinalgBuilder &, ValueRange args) { return args[0]; });
}

Value LinalgBuilder::update(Value dest, Value input, Body body) {
  int64_t rank = tensorType(dest).getRank();
  SmallVector<AffineMap> maps(
      2, AffineMap::getMultiDimIdentityMap(rank, getContext()));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto generic = make<linalg::GenericOp>(
      dest.getType(), input, dest, maps, iterators,
      [&](OpBuilder &inner, Location innerLoc, ValueRange args) {
        LinalgBuilder b(inner, innerLoc);
        linalg::YieldOp::create(inner, innerLoc,
                                body(b, ValueRange{args[1], args[0]}));
      });
  return generic.getResult(0);
}

Value LinalgBuilder::copy(Value input, Value dest) {
  return make<linalg::CopyOp>(input, dest).getResult(0);
}

Value LinalgBuilder::matmul(Value lhs, Value rhs, Value dest) {
  return make<linalg::MatmulOp>(ValueRange{lhs, rhs}, ValueRange{dest})
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

namespace {
/// Offsets, sizes and strides of a range of rows.
struct RowRange {
  SmallVector<OpFoldResult> offsets, sizes, strides;
};

RowRange rangeOf(OpBuilder &builder, RankedTensorType type, Value begin,
                 OpFoldResult count) {
  RowRange range;
  range.offsets.assign(type.getRank(), builder.getIndexAttr(0));
  range.strides.assign(type.getRank(), builder.getIndexAttr(1));
  for (int64_t size : type.getShape())
    range.sizes.push_back(builder.getIndexAttr(size));
  range.offsets[0] = begin;
  range.sizes[0] = count;
  return range;
}

/// Whether rows have no elements. MLIR has no slice of a dimension of size 0:
/// its offsets are below the size.
bool hasEmptyRows(Value tensor) {
  return llvm::is_contained(tensorType(tensor).getShape().drop_front(), 0);
}
} // namespace

Value LinalgBuilder::row(Value tensor, Value i) {
  RankedTensorType type = tensorType(tensor);
  RankedTensorType rowType = type.clone(type.getShape().drop_front());
  if (hasEmptyRows(tensor))
    return make<tensor::EmptyOp>(rowType.getShape(), rowType.getElementType());
  RowRange range = rangeOf(builder, type, i, builder.getIndexAttr(1));
  return make<tensor::ExtractSliceOp>(rowType, tensor, range.offsets,
                                      range.sizes, range.strides);
}

Value LinalgBuilder::setRow(Value row, Value tensor, Value i) {
  if (hasEmptyRows(tensor))
    return tensor;
  RowRange range =
      rangeOf(builder, tensorType(tensor), i, builder.getIndexAttr(1));
  return make<tensor::InsertSliceOp>(row, tensor, range.offsets, range.sizes,
                                     range.strides);
}

Value LinalgBuilder::rowRange(Value tensor, Value begin, Value count) {
  RankedTensorType type = tensorType(tensor);
  SmallVector<int64_t> shape(type.getShape());
  shape[0] = ShapedType::kDynamic;
  if (hasEmptyRows(tensor))
    return make<tensor::EmptyOp>(type.clone(shape), count);
  RowRange range = rangeOf(builder, type, begin, count);
  return make<tensor::ExtractSliceOp>(type.clone(shape), tensor, range.offsets,
                                      range.sizes, range.strides);
}

Value LinalgBuilder::setRowRange(Value rows, Value tensor, Value begin,
                                 Value count) {
  if (hasEmptyRows(tensor))
    return tensor;
  RowRange range = rangeOf(builder, tensorType(tensor), begin, count);
  return make<tensor::InsertSliceOp>(rows, tensor, range.offsets, range.sizes,
                                     range.strides);
}

SmallVector<Value>
LinalgBuilder::loops(Value begin, Value end, ValueRange dests,
                     function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto loop = make<scf::ForOp>(begin, end, index(1), dests);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> args(loop.getRegionIterArgs());
  SmallVector<Value> next = body(loop.getInductionVar(), args);
  // A loop without destinations is made with its terminator.
  if (!dests.empty())
    make<scf::YieldOp>(next);
  return llvm::to_vector_of<Value>(loop.getResults());
}

Value LinalgBuilder::loop(Value begin, Value end, Value dest, RowBody body) {
  return loops(begin, end, dest, [&](Value i, ValueRange dests) {
    return SmallVector<Value>{body(i, dests[0])};
  })[0];
}

Value LinalgBuilder::choose(Value condition, Type type,
                            function_ref<Value()> yes,
                            function_ref<Value()> no) {
  auto choice = make<scf::IfOp>(type, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(choice.thenBlock());
  make<scf::YieldOp>(yes());
  builder.setInsertionPointToStart(choice.elseBlock());
  make<scf::YieldOp>(no());
  return choice.getResult(0);
}

Value cambium::finiteOrZero(LinalgBuilder &b, Value number) {
  Type type = number.getType();
  Value isFinite = b.make<arith::CmpFOp>(
      arith::CmpFPredicate::OLT, b.make<math::AbsFOp>(number),
      b.number(type, std::numeric_limits<double>::infinity()));
  return b.make<arith::SelectOp>(isFinite, number, b.number(type, 0));
}
