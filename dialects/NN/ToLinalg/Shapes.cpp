//===-- dialects/NN/ToLinalg/Shapes.cpp - Changes of shape on linalg ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/RowsOpInterface.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/NN/ToLinalg/Models.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

static int64_t numElements(ArrayRef<int64_t> shape) {
  int64_t n = 1;
  for (int64_t d : shape)
    n *= d;
  return n;
}

static Value expand(LinalgBuilder &b, Value tensor, RankedTensorType type,
                    ArrayRef<ReassociationIndices> groups, Value rows) {
  SmallVector<OpFoldResult> sizes;
  for (int64_t d : type.getShape())
    sizes.push_back(ShapedType::isDynamic(d) ? OpFoldResult(rows)
                                             : b.getBuilder().getIndexAttr(d));
  return b.make<tensor::ExpandShapeOp>(type, tensor, groups, sizes);
}

/// The shape in which all dimensions are one, but for a first `?`.
static RankedTensorType flatType(RankedTensorType type) {
  if (type.hasStaticShape())
    return type.clone({type.getNumElements()});
  return type.clone(
      {ShapedType::kDynamic, numElements(type.getShape().drop_front())});
}

/// The groups of dimensions of `type` that are one dimension of its flat type.
static SmallVector<ReassociationIndices> flatGroups(RankedTensorType type) {
  if (type.getRank() == 0)
    return {};
  SmallVector<ReassociationIndices> groups(type.hasStaticShape() ? 1 : 2);
  for (int64_t i = 0; i < type.getRank(); ++i)
    groups[type.hasStaticShape() || i == 0 ? 0 : 1].push_back(i);
  return groups;
}

Value nn::reshape(LinalgBuilder &b, Value tensor, RankedTensorType type,
                  Value rows) {
  RankedTensorType from = tensorType(tensor);
  if (from == type)
    return tensor;
  bool collapses = from.getRank() > type.getRank();
  RankedTensorType wide = collapses ? from : type,
                   narrow = collapses ? type : from;
  if (auto groups = getReassociationIndicesForReshape(wide, narrow)) {
    if (collapses)
      return b.make<tensor::CollapseShapeOp>(type, tensor, *groups);
    return expand(b, tensor, type, *groups, rows);
  }
  // A row of scalars is its own flat form but for a dimension of size 1.
  RankedTensorType flat = flatType(from);
  Value flatTensor = tensor;
  if (from.getRank() > flat.getRank())
    flatTensor =
        b.make<tensor::CollapseShapeOp>(flat, tensor, flatGroups(from));
  else if (from.getRank() < flat.getRank())
    flatTensor = expand(b, tensor, flat,
                        SmallVector<ReassociationIndices>{{0, 1}}, rows);
  if (type == flat)
    return flatTensor;
  if (type.getRank() < flat.getRank())
    return b.make<tensor::CollapseShapeOp>(
        type, flatTensor, SmallVector<ReassociationIndices>{{0, 1}});
  return expand(b, flatTensor, type, flatGroups(type), rows);
}

/// Dimensions [0, count) of `rank` as one, the others as they are.
static SmallVector<ReassociationIndices> leadingGroups(int64_t count,
                                                       int64_t rank) {
  SmallVector<ReassociationIndices> groups;
  groups.emplace_back(llvm::to_vector<2>(llvm::seq<int64_t>(0, count)));
  for (int64_t i = count; i < rank; ++i)
    groups.push_back({i});
  return groups;
}

Value nn::expandLeading(LinalgBuilder &b, Value tensor, int64_t count,
                        RankedTensorType type, Value rows) {
  if (count == 1)
    return tensor;
  if (count > 1)
    return expand(b, tensor, type, leadingGroups(count, type.getRank()), rows);
  // The first dimension, of size 1, joins the second one, if there is one.
  SmallVector<ReassociationIndices> groups;
  if (type.getRank())
    groups = leadingGroups(2, tensorType(tensor).getRank());
  return b.make<tensor::CollapseShapeOp>(type, tensor, groups);
}

Value nn::collapseLeading(LinalgBuilder &b, Value tensor, int64_t count) {
  RankedTensorType type = tensorType(tensor);
  if (count == 1)
    return tensor;
  ArrayRef<int64_t> kept = type.getShape().drop_front(count);
  SmallVector<int64_t> shape{1};
  if (count)
    shape[0] = type.isDynamicDim(0)
                   ? ShapedType::kDynamic
                   : numElements(type.getShape().take_front(count));
  llvm::append_range(shape, kept);
  if (count)
    return b.make<tensor::CollapseShapeOp>(
        type.clone(shape), tensor, leadingGroups(count, type.getRank()));
  SmallVector<ReassociationIndices> groups;
  if (type.getRank())
    groups = leadingGroups(2, type.getRank() + 1);
  return expand(b, tensor, type.clone(shape), groups, {});
}

static Lowered lowerReshape(ReshapeOp op, LinalgBuilder &b) {
  RankedTensorType type = op.getType();
  Value rows = type.hasStaticShape() ? Value() : b.rows(op.getInput());
  return lowered(reshape(b, op.getInput(), type, rows));
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

namespace {
/// A range of one dimension of a tensor.
struct Slice {
  Slice(LinalgBuilder &b, Value tensor, int64_t dim, int64_t offset,
        int64_t size) {
    RankedTensorType type = tensorType(tensor);
    offsets.assign(type.getRank(), b.getBuilder().getIndexAttr(0));
    strides.assign(type.getRank(), b.getBuilder().getIndexAttr(1));
    for (int64_t i = 0; i < type.getRank(); ++i)
      sizes.push_back(type.isDynamicDim(i)
                          ? OpFoldResult(b.rows(tensor))
                          : b.getBuilder().getIndexAttr(type.getDimSize(i)));
    offsets[dim] = b.getBuilder().getIndexAttr(offset);
    sizes[dim] = b.getBuilder().getIndexAttr(size);
  }
  SmallVector<OpFoldResult> offsets, sizes, strides;
};
} // namespace

/// No offset lies within a dimension of 0 elements: such slices are not made.
static bool isEmpty(Type type) {
  return llvm::is_contained(cast<RankedTensorType>(type).getShape(), 0);
}

static Value extract(LinalgBuilder &b, Value tensor, int64_t dim,
                     int64_t offset, Type type) {
  if (isEmpty(type))
    return b.emptyLike(cast<RankedTensorType>(type), tensor);
  Slice s(b, tensor, dim, offset, cast<RankedTensorType>(type).getDimSize(dim));
  return b.make<tensor::ExtractSliceOp>(cast<RankedTensorType>(type), tensor,
                                        s.offsets, s.sizes, s.strides);
}

/// A part whose only element along `dim` came in by a reshape is put in without
/// it, so that it can be computed in place.
static Value insert(LinalgBuilder &b, Value part, Value tensor, int64_t dim,
                    int64_t offset) {
  if (isEmpty(part.getType()))
    return tensor;
  Slice s(b, tensor, dim, offset, tensorType(part).getDimSize(dim));
  if (auto reshape = part.getDefiningOp<ReshapeOp>(); reshape && dim) {
    SmallVector<int64_t> shape(tensorType(part).getShape());
    shape.erase(shape.begin() + dim);
    if (tensorType(part).getDimSize(dim) == 1 &&
        tensorType(reshape.getInput()).getShape() == ArrayRef<int64_t>(shape))
      part = reshape.getInput();
  }
  return b.make<tensor::InsertSliceOp>(part, tensor, s.offsets, s.sizes,
                                       s.strides);
}

static Lowered lowerConcat(ConcatOp op, LinalgBuilder &b) {
  Value result = b.emptyLike(op.getType(), op.getInputs().front());
  int64_t dim = op.getDim(), offset = 0;
  for (Value input : op.getInputs()) {
    result = insert(b, input, result, dim, offset);
    offset += tensorType(input).getDimSize(dim);
  }
  return lowered(result);
}

static Lowered lowerSplit(SplitOp op, LinalgBuilder &b) {
  SmallVector<Value> parts;
  int64_t offset = 0;
  for (auto [type, size] : llvm::zip(op.getResultTypes(), op.getSizes())) {
    parts.push_back(extract(b, op.getInput(), op.getDim(), offset, type));
    offset += size;
  }
  return parts;
}

static Lowered lowerSlice(SliceOp op, LinalgBuilder &b) {
  return lowered(
      extract(b, op.getInput(), op.getDim(), op.getOffset(), op.getType()));
}

static Lowered lowerPad(PadOp op, LinalgBuilder &b) {
  Value zeros = b.fill(b.emptyLike(op.getType(), op.getInput()), 0);
  return lowered(insert(b, op.getInput(), zeros, op.getDim(), op.getLow()));
}

//===----------------------------------------------------------------------===//
// Transposes and broadcasts
//===----------------------------------------------------------------------===//

static Lowered lowerTranspose(TransposeOp op, LinalgBuilder &b) {
  RankedTensorType type = op.getType();
  for (int64_t i = 1; i < type.getRank(); ++i)
    if (type.isDynamicDim(i))
      return op.emitOpError()
             << "expected rows to stay the first dimension, but got " << type;
  Value dest = b.emptyLike(type, op.getInput());
  return lowered(b.make<linalg::TransposeOp>(op.getInput(), dest, op.getPerm())
                     .getResult()[0]);
}

static Lowered lowerBroadcast(BroadcastOp op, LinalgBuilder &b) {
  Value dest =
      b.emptyLike(op.getType(), op.getLike() ? op.getLike() : op.getInput());
  return lowered(b.broadcast(op.getInput(), dest, op.getDims()));
}

namespace {
struct ReshapeRows : RowsOpInterface::ExternalModel<ReshapeRows, ReshapeOp> {
  bool isRowView(Operation *) const { return true; }
};
struct SliceRows : RowsOpInterface::ExternalModel<SliceRows, SliceOp> {
  bool isRowView(Operation *op) const { return cast<SliceOp>(op).getDim() > 0; }
};
} // namespace

void nn::attachShapeLowerings(MLIRContext *context) {
  ReshapeOp::attachInterface<ReshapeRows>(*context);
  SliceOp::attachInterface<SliceRows>(*context);
  attachLinalgModel<ReshapeOp, lowerReshape>(context);
  attachLinalgModel<ConcatOp, lowerConcat>(context);
  attachLinalgModel<SplitOp, lowerSplit>(context);
  attachLinalgModel<SliceOp, lowerSlice>(context);
  attachLinalgModel<PadOp, lowerPad>(context);
  attachLinalgModel<TransposeOp, lowerTranspose>(context);
  attachLinalgModel<BroadcastOp, lowerBroadcast>(context);
}
