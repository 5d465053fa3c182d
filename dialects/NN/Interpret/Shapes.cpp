//===-- Shapes.cpp - Operations that move elements -----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/InterpretableOpInterface.h"
#include "cambium/Interfaces/Interpreter.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/NN/Interpret/Models.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

namespace {
template <typename Model, typename Op>
using ShapeBase = InterpretableOpInterface::ExternalModel<Model, Op>;

/// Copies `count` elements per line from place `from` of `source` to place `to`
/// of `result`, both along the dimension.
void copyAlong(Tensor &result, int64_t to, const Tensor &source, int64_t from,
               int64_t count, int64_t dim) {
  Lines in(source, dim), out(result, dim);
  for (int64_t o = 0; o < in.outer; ++o)
    result.copy(out.at(o, to, 0), source, in.at(o, from, 0), count * in.inner);
}

/// Calls `visit(place in row-major order, index)` for all elements of a shape.
template <typename Visit>
void forEachIndex(ArrayRef<int64_t> shape, Visit visit) {
  SmallVector<int64_t> index(shape.size(), 0);
  int64_t size = 1;
  for (int64_t d : shape)
    size *= d;
  for (int64_t place = 0; place < size; ++place) {
    visit(place, index);
    for (size_t d = shape.size(); d-- > 0 && ++index[d] == shape[d];)
      index[d] = 0;
  }
}

struct BroadcastModel : ShapeBase<BroadcastModel, BroadcastOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto broadcast = cast<BroadcastOp>(op);
    const Tensor &x = interpreter.getTensor(broadcast.getInput());
    ArrayRef<int64_t> dims = broadcast.getDims();
    SmallVector<int64_t> shape(broadcast.getType().getShape());
    if (Value like = broadcast.getLike())
      shape[0] = interpreter.getTensor(like).getDim(0);
    for (auto [i, d] : llvm::enumerate(dims)) {
      if (d == 0 && broadcast.getLike() && shape[0] != x.getDim(i))
        // [NN-BROADCAST-C7]
        return op->emitOpError()
               << "expected " << shape[0] << " rows, but got " << x.getDim(i);
      shape[d] = x.getDim(i);
    }
    Tensor y = x.zeros(shape);
    forEachIndex(shape, [&](int64_t place, ArrayRef<int64_t> index) {
      int64_t from = 0;
      for (auto [i, d] : llvm::enumerate(dims))
        from = from * x.getDim(i) + index[d];
      y.copy(place, x, from, 1);
    });
    return interpreter.set(broadcast, std::move(y));
  }
};

struct ConcatModel : ShapeBase<ConcatModel, ConcatOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto concat = cast<ConcatOp>(op);
    int64_t dim = concat.getDim(), size = 0;
    const Tensor &first = interpreter.getTensor(concat.getInputs().front());
    for (Value input : concat.getInputs()) {
      const Tensor &x = interpreter.getTensor(input);
      if (withDim(x, dim, 0) != withDim(first, dim, 0))
        return Interpreter::expectSameShape(op, first, x);
      size += x.getDim(dim);
    }
    Tensor y = first.zeros(withDim(first, dim, size));
    int64_t to = 0;
    for (Value input : concat.getInputs()) {
      const Tensor &x = interpreter.getTensor(input);
      copyAlong(y, to, x, 0, x.getDim(dim), dim);
      to += x.getDim(dim);
    }
    return interpreter.set(concat, std::move(y));
  }
};

struct SplitModel : ShapeBase<SplitModel, SplitOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto split = cast<SplitOp>(op);
    const Tensor &x = interpreter.getTensor(split.getInput());
    int64_t dim = split.getDim(), from = 0;
    for (auto [result, size] :
         llvm::zip_equal(split.getResults(), split.getSizes())) {
      Tensor y = x.zeros(withDim(x, dim, size));
      copyAlong(y, 0, x, from, size, dim);
      from += size;
      if (failed(interpreter.set(result, std::move(y))))
        return failure();
    }
    return success();
  }
};

struct SliceModel : ShapeBase<SliceModel, SliceOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto slice = cast<SliceOp>(op);
    const Tensor &x = interpreter.getTensor(slice.getInput());
    int64_t dim = slice.getDim(), size = slice.getSize();
    Tensor y = x.zeros(withDim(x, dim, size));
    copyAlong(y, 0, x, slice.getOffset(), size, dim);
    return interpreter.set(slice, std::move(y));
  }
};

struct PadModel : ShapeBase<PadModel, PadOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto pad = cast<PadOp>(op);
    const Tensor &x = interpreter.getTensor(pad.getInput());
    int64_t dim = pad.getDim(), low = pad.getLow(), high = pad.getHigh();
    Tensor y = x.zeros(withDim(x, dim, low + x.getDim(dim) + high));
    copyAlong(y, low, x, 0, x.getDim(dim), dim);
    return interpreter.set(pad, std::move(y));
  }
};

struct ReshapeModel : ShapeBase<ReshapeModel, ReshapeOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto reshape = cast<ReshapeOp>(op);
    const Tensor &x = interpreter.getTensor(reshape.getInput());
    SmallVector<int64_t> shape(reshape.getType().getShape());
    if (!shape.empty() && ShapedType::isDynamic(shape[0]))
      shape[0] = x.getDim(0);
    return interpreter.set(reshape, x.withShape(shape));
  }
};

struct TransposeModel : ShapeBase<TransposeModel, TransposeOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto transpose = cast<TransposeOp>(op);
    const Tensor &x = interpreter.getTensor(transpose.getInput());
    ArrayRef<int64_t> perm = transpose.getPerm();
    SmallVector<int64_t> shape =
        llvm::map_to_vector(perm, [&](int64_t d) { return x.getDim(d); });
    Tensor y = x.zeros(shape);
    forEachIndex(shape, [&](int64_t place, ArrayRef<int64_t> index) {
      SmallVector<int64_t> there(index.size());
      for (auto [i, d] : llvm::enumerate(perm))
        there[d] = index[i];
      int64_t from = 0;
      for (auto [d, i] : llvm::enumerate(there))
        from = from * x.getDim(d) + i;
      y.copy(place, x, from, 1);
    });
    return interpreter.set(transpose, std::move(y));
  }
};
} // namespace

void cambium::nn::attachShapeMeaning(MLIRContext *context) {
  BroadcastOp::attachInterface<BroadcastModel>(*context);
  ConcatOp::attachInterface<ConcatModel>(*context);
  SplitOp::attachInterface<SplitModel>(*context);
  SliceOp::attachInterface<SliceModel>(*context);
  PadOp::attachInterface<PadModel>(*context);
  ReshapeOp::attachInterface<ReshapeModel>(*context);
  TransposeOp::attachInterface<TransposeModel>(*context);
}
