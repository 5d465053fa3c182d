//===-- lib/Interpreter/TensorOps.cpp - The meaning of tensor ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/InterpretableOpInterface.h"
#include "cambium/Interfaces/Interpreter.h"
#include "cambium/Interpreter/UpstreamModels.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <cmath>

using namespace mlir;
using namespace cambium;

namespace {

template <typename Model, typename Op>
using Base = InterpretableOpInterface::ExternalModel<Model, Op>;
using Sizes = SmallVector<int64_t>;

/// A tensor of zeros for a type with these sizes.
Tensor zerosOf(Type type, ArrayRef<int64_t> shape) {
  return isa<FloatType>(getElementTypeOrSelf(type)) ? Tensor::floats(shape)
                                                    : Tensor::ints(shape);
}

/// Static sizes, with the values of dynamic ones in place.
Sizes mixedSizes(Interpreter &interpreter, ArrayRef<OpFoldResult> sizes) {
  return llvm::map_to_vector(sizes, [&](OpFoldResult size) -> int64_t {
    if (auto attribute = dyn_cast<Attribute>(size))
      return cast<IntegerAttr>(attribute).getInt();
    return interpreter.getTensor(cast<Value>(size)).i(0);
  });
}

/// Shape of a type whose dynamic dimensions have these sizes, in order.
Sizes shapeWith(Interpreter &interpreter, RankedTensorType type,
                ValueRange dynamic) {
  Sizes shape(type.getShape());
  for (int64_t &size : shape)
    if (ShapedType::isDynamic(size)) {
      size = interpreter.getTensor(dynamic.front()).i(0);
      dynamic = dynamic.drop_front();
    }
  return shape;
}

/// The row-major place of an index; fails at the op if it is out of range.
FailureOr<int64_t> placeOf(Operation *op, const Tensor &tensor,
                           ArrayRef<int64_t> index) {
  int64_t place = 0;
  for (auto [i, size] : llvm::zip_equal(index, tensor.getShape())) {
    if (i < 0 || i >= size)
      return op->emitOpError()
             << "expected an index in [0, " << size << "), but got " << i;
    place = place * size + i;
  }
  return place;
}

/// Steps an index through a shape in row-major order; false after the last one.
bool advance(MutableArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  for (size_t d = index.size(); d-- > 0;) {
    if (++index[d] < shape[d])
      return true;
    index[d] = 0;
  }
  return false;
}

struct EmptyModel : Base<EmptyModel, tensor::EmptyOp> {
  /// Contents that nobody may read: not a number.
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto empty = cast<tensor::EmptyOp>(op);
    Sizes shape =
        shapeWith(interpreter, empty.getType(), empty.getDynamicSizes());
    Tensor result = zerosOf(empty.getType(), shape);
    for (int64_t e = 0, n = result.getNumElements(); e < n && result.isFloat();
         ++e)
      result.f(e) = NAN;
    return interpreter.set(empty, std::move(result));
  }
};

struct DimModel : Base<DimModel, tensor::DimOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto dim = cast<tensor::DimOp>(op);
    const Tensor &source = interpreter.getTensor(dim.getSource());
    int64_t index = interpreter.getTensor(dim.getIndex()).i(0);
    if (index < 0 || index >= source.getRank())
      return op->emitOpError() << "expected a dimension in [0, "
                               << source.getRank() << "), but got " << index;
    return interpreter.set(dim, Tensor::ints({}, source.getDim(index)));
  }
};

struct CastModel : Base<CastModel, tensor::CastOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    return interpreter.set(op->getResult(0),
                           interpreter.getTensor(op->getOperand(0)));
  }
};

struct SplatModel : Base<SplatModel, tensor::SplatOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto splat = cast<tensor::SplatOp>(op);
    const Tensor &element = interpreter.getTensor(splat.getInput());
    Sizes shape =
        shapeWith(interpreter, splat.getType(), splat.getDynamicSizes());
    Tensor result = element.zeros(shape);
    for (int64_t e = 0, n = result.getNumElements(); e < n; ++e)
      result.copy(e, element, 0, 1);
    return interpreter.set(splat, std::move(result));
  }
};

struct FromElementsModel : Base<FromElementsModel, tensor::FromElementsOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    Tensor result = zerosOf(type, type.getShape());
    for (auto [e, operand] : llvm::enumerate(op->getOperands()))
      result.copy(e, interpreter.getTensor(operand), 0, 1);
    return interpreter.set(op->getResult(0), std::move(result));
  }
};

struct ExtractModel : Base<ExtractModel, tensor::ExtractOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto extract = cast<tensor::ExtractOp>(op);
    const Tensor &source = interpreter.getTensor(extract.getTensor());
    Sizes index = llvm::map_to_vector(extract.getIndices(), [&](Value i) {
      return interpreter.getTensor(i).i(0);
    });
    FailureOr<int64_t> place = placeOf(op, source, index);
    if (failed(place))
      return failure();
    Tensor result = source.zeros({});
    result.copy(0, source, *place, 1);
    return interpreter.set(extract, std::move(result));
  }
};

/// Calls `visit(place in the slice, place in the whole)` for every element of
/// the slice that the op names.
LogicalResult forEachOfSlice(Interpreter &interpreter,
                             OffsetSizeAndStrideOpInterface op,
                             const Tensor &whole,
                             function_ref<void(int64_t, int64_t)> visit) {
  Sizes offsets = mixedSizes(interpreter, op.getMixedOffsets());
  Sizes sizes = mixedSizes(interpreter, op.getMixedSizes());
  Sizes strides = mixedSizes(interpreter, op.getMixedStrides());
  if (llvm::is_contained(sizes, 0))
    return success();
  Sizes local(sizes.size(), 0), index(sizes.size());
  int64_t place = 0;
  do {
    for (size_t d = 0; d < local.size(); ++d)
      index[d] = offsets[d] + local[d] * strides[d];
    FailureOr<int64_t> there = placeOf(op, whole, index);
    if (failed(there))
      return failure();
    visit(place++, *there);
  } while (advance(local, sizes));
  return success();
}

/// The sizes of the result of `tensor.extract_slice`, without dropped
/// dimensions.
Sizes sliceShape(Interpreter &interpreter, tensor::ExtractSliceOp op) {
  Sizes shape;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (auto [d, size] :
       llvm::enumerate(mixedSizes(interpreter, op.getMixedSizes())))
    if (!dropped[d])
      shape.push_back(size);
  return shape;
}

struct ExtractSliceModel : Base<ExtractSliceModel, tensor::ExtractSliceOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto slice = cast<tensor::ExtractSliceOp>(op);
    const Tensor &source = interpreter.getTensor(slice.getSource());
    Sizes shape = sliceShape(interpreter, slice);
    if (llvm::any_of(shape, [](int64_t size) { return size < 0; }))
      return op->emitOpError("expected sizes that are not negative");
    Tensor result = source.zeros(shape);
    if (failed(forEachOfSlice(interpreter,
                              cast<OffsetSizeAndStrideOpInterface>(op), source,
                              [&](int64_t to, int64_t from) {
                                result.copy(to, source, from, 1);
                              })))
      return failure();
    return interpreter.set(slice, std::move(result));
  }
};

struct InsertSliceModel : Base<InsertSliceModel, tensor::InsertSliceOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto slice = cast<tensor::InsertSliceOp>(op);
    const Tensor &source = interpreter.getTensor(slice.getSource());
    Sizes sizes = mixedSizes(interpreter, slice.getMixedSizes());
    int64_t elements = 1;
    for (int64_t size : sizes)
      elements *= size;
    if (elements != source.getNumElements())
      return op->emitOpError()
             << "expected " << elements << " elements, but got shape "
             << source.describeShape();
    Tensor result = interpreter.getTensor(slice.getDest());
    if (failed(forEachOfSlice(interpreter,
                              cast<OffsetSizeAndStrideOpInterface>(op), result,
                              [&](int64_t from, int64_t to) {
                                result.copy(to, source, from, 1);
                              })))
      return failure();
    return interpreter.set(slice, std::move(result));
  }
};

/// `tensor.expand_shape` and `tensor.collapse_shape` keep the elements in
/// order; at most one dimension, the one of rows, is unknown and follows from
/// their number.
template <typename Op> struct ReshapeModel : Base<ReshapeModel<Op>, Op> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    const Tensor &source = interpreter.getTensor(op->getOperand(0));
    Sizes shape(cast<RankedTensorType>(op->getResult(0).getType()).getShape());
    int64_t known = 1, unknown = 0;
    for (int64_t size : shape)
      ShapedType::isDynamic(size) ? void(++unknown) : void(known *= size);
    if (unknown > 1)
      return op->emitOpError("expected at most one dynamic dimension");
    for (int64_t &size : shape)
      if (ShapedType::isDynamic(size))
        size = known ? source.getNumElements() / known : 0;
    return interpreter.set(op->getResult(0), source.withShape(shape));
  }
};
} // namespace

void cambium::registerTensorInterpretModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::EmptyOp::attachInterface<EmptyModel>(*context);
    tensor::DimOp::attachInterface<DimModel>(*context);
    tensor::CastOp::attachInterface<CastModel>(*context);
    tensor::SplatOp::attachInterface<SplatModel>(*context);
    tensor::FromElementsOp::attachInterface<FromElementsModel>(*context);
    tensor::ExtractOp::attachInterface<ExtractModel>(*context);
    tensor::ExtractSliceOp::attachInterface<ExtractSliceModel>(*context);
    tensor::InsertSliceOp::attachInterface<InsertSliceModel>(*context);
    tensor::ExpandShapeOp::attachInterface<ReshapeModel<tensor::ExpandShapeOp>>(
        *context);
    tensor::CollapseShapeOp::attachInterface<
        ReshapeModel<tensor::CollapseShapeOp>>(*context);
  });
}
