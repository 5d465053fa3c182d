//===-- dialects/NN/IR/ShapeInference.cpp - Types of shapes and losses ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/IR/Inference.h"
#include "dialects/NN/IR/Operands.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace cambium::nn;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor op, Types &types) {
  if (!areTensors<ConcatOp>(loc, op.getOperands()))
    return failure();
  if (op.getInputs().empty())
    // [NN-CONCAT-C1]
    return emitOptionalError(loc,
                             "'nn.concat' op expected at least one operand");
  RankedTensorType first = typeOf(op.getInputs().front());
  int64_t dim = op.getDim();
  Shape sizes;
  if (failed(checkDim(loc, "concat", first, dim)))
    return failure();
  for (Value input : op.getInputs()) {
    RankedTensorType type = typeOf(input);
    if (type.getRank() != first.getRank() ||
        withDim(type, dim, 1) != withDim(first, dim, 1))
      // [NN-CONCAT-C2]
      return emitOptionalError(
          loc,
          "'nn.concat' op expected operands that differ in "
          "dimension ",
          dim, " only, but got ", first, " and ", type);
    if (type.isDynamicDim(dim))
      // [NN-CONCAT-C3]
      return emitOptionalError(loc,
                               "'nn.concat' op expected a static dimension ",
                               dim, ", but got ", type);
    sizes.push_back(type.getDimSize(dim));
  }
  FailureOr<int64_t> size = addSizes(loc, "concat", sizes);
  if (failed(size))
    return failure();
  types.push_back(withDim(first, dim, *size));
  return success();
}

LogicalResult SplitOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> loc, Adaptor op,
                                        Types &types) {
  if (!areTensors<SplitOp>(loc, op.getOperands()))
    return failure();
  RankedTensorType type = typeOf(op.getInput());
  int64_t dim = op.getDim();
  if (failed(checkDim(loc, "split", type, dim)))
    return failure();
  for (int64_t size : op.getSizes()) {
    if (size < 1)
      // [NN-SPLIT-C1]
      return emitOptionalError(
          loc, "'nn.split' op expected positive sizes, but got ", size);
    types.push_back(withDim(type, dim, size));
  }
  FailureOr<int64_t> total = addSizes(loc, "split", op.getSizes());
  if (failed(total))
    return failure();
  if (*total != type.getDimSize(dim))
    // [NN-SPLIT-C2]
    return emitOptionalError(loc,
                             "'nn.split' op expected sizes that add up to ",
                             type.getDimSize(dim), ", but got ", *total);
  return success();
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> loc, Adaptor op,
                                        Types &types) {
  if (!areTensors<SliceOp>(loc, op.getOperands()))
    return failure();
  RankedTensorType type = typeOf(op.getInput());
  int64_t dim = op.getDim(), offset = op.getOffset(), size = op.getSize();
  if (failed(checkDim(loc, "slice", type, dim)))
    return failure();
  if (type.isDynamicDim(dim) || offset < 0 || size < 1 ||
      offset > type.getDimSize(dim) || size > type.getDimSize(dim) - offset)
    // [NN-SLICE-C1]
    return emitOptionalError(
        loc, "'nn.slice' op expected a range within dimension ", dim, " of ",
        type, ", but got ", size, " elements from ", offset, " on");
  types.push_back(withDim(type, dim, size));
  return success();
}

LogicalResult PadOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> loc, Adaptor op,
                                      Types &types) {
  if (!areTensors<PadOp>(loc, op.getOperands()))
    return failure();
  RankedTensorType type = typeOf(op.getInput());
  int64_t dim = op.getDim(), low = op.getLow(), high = op.getHigh();
  if (failed(checkDim(loc, "pad", type, dim)))
    return failure();
  if (type.isDynamicDim(dim) || low < 0 || high < 0)
    // [NN-PAD-C1]
    return emitOptionalError(
        loc,
        "'nn.pad' op expected a static dimension and no negative "
        "padding, but got ",
        type, ", ", low, " and ", high);
  FailureOr<int64_t> size =
      addSizes(loc, "pad", {low, type.getDimSize(dim), high});
  if (failed(size))
    return failure();
  types.push_back(withDim(type, dim, *size));
  return success();
}

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor op, Types &types) {
  if (!areTensors<TransposeOp>(loc, op.getOperands()))
    return failure();
  RankedTensorType type = typeOf(op.getInput());
  ArrayRef<int64_t> perm = op.getPerm();
  Shape sorted(perm), shape;
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, type.getRank())))
    // [NN-TRANSPOSE-C1]
    return emitOptionalError(
        loc, "'nn.transpose' op expected a permutation of ", type.getRank(),
        " dimensions, but got [", llvm::interleaved(perm), "]");
  for (int64_t d : perm)
    shape.push_back(type.getDimSize(d));
  types.push_back(type.clone(shape));
  return success();
}

//===----------------------------------------------------------------------===//
// Regularization and losses
//===----------------------------------------------------------------------===//

LogicalResult DropoutOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> loc,
                                          Adaptor op, Types &types) {
  if (!areTensors<DropoutOp>(loc, op.getOperands()))
    return failure();
  double rate = op.getRate().convertToDouble();
  if (!(rate >= 0 && rate < 1))
    // [NN-DROPOUT-C1]
    return emitOptionalError(
        loc, "'nn.dropout' op expected a rate in [0, 1), but got ", rate);
  types.push_back(op.getInput().getType());
  return success();
}

LogicalResult CrossEntropyOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location> loc,
                                               Adaptor op, Types &types) {
  if (!areTensors<CrossEntropyOp>(loc, op.getOperands()))
    return failure();
  RankedTensorType x = typeOf(op.getLogits()), t = typeOf(op.getTarget());
  bool hard = t.getElementType().isInteger(32) && x.getRank() > 0 &&
              t.getShape() == x.getShape().drop_back();
  bool soft = t == x && x.getRank() > 0;
  if (!hard && !soft)
    // [NN-CROSS_ENTROPY-C1]
    return emitOptionalError(loc,
                             "'nn.cross_entropy' op expected an i32 class or a "
                             "distribution per row of ",
                             x, ", but got ", t);
  if (soft && op.getIgnoreId())
    // [NN-CROSS_ENTROPY-C2]
    return emitOptionalError(loc,
                             "'nn.cross_entropy' op expected i32 classes with "
                             "'ignore_id', but got ",
                             t);
  if (auto id = op.getIgnoreId();
      id && !llvm::isInt<32>(static_cast<int64_t>(*id)))
    // [NN-CROSS_ENTROPY-C4]
    return emitOptionalError(
        loc,
        "'nn.cross_entropy' op expected an 'ignore_id' that i32 holds, "
        "but got ",
        static_cast<int64_t>(*id));
  types.push_back(withoutDim(x, x.getRank() - 1));
  return success();
}

LogicalResult KLDivergenceOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location> loc,
                                               Adaptor op, Types &types) {
  if (!areTensors<KLDivergenceOp>(loc, op.getOperands()))
    return failure();
  if (typeOf(op.getTarget()).getRank() == 0)
    // [NN-KL_DIVERGENCE-C1]
    return emitOptionalError(
        loc,
        "'nn.kl_divergence' op expected at least one dimension, "
        "but got ",
        op.getTarget().getType());
  return inferRowLoss(loc, "kl_divergence", op.getTarget(), op.getLogProbs(),
                      types);
}

LogicalResult MseOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> loc, Adaptor op,
                                      Types &types) {
  if (!areTensors<MseOp>(loc, op.getOperands()))
    return failure();
  return inferRowLoss(loc, "mse", op.getLhs(), op.getRhs(), types);
}
