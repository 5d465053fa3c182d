//===-- dialects/NN/IR/NNInference.cpp - Types of products, reductions ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/IR/Inference.h"
#include "dialects/NN/IR/Operands.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace cambium::nn;

//===----------------------------------------------------------------------===//
// Products and tables
//===----------------------------------------------------------------------===//

LogicalResult LinearOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor op, Types &types) {
  // [NN-OPERAND-C1], here and in all others.
  if (!areTensors<LinearOp>(loc, op.getOperands()))
    return failure();
  RankedTensorType x = typeOf(op.getInput()), w = typeOf(op.getWeight());
  if (x.getRank() < 1 || w.getRank() != 2 || !w.hasStaticShape())
    // [NN-LINEAR-C1]
    return emitOptionalError(
        loc,
        "'nn.linear' op expected rows and a matrix of static "
        "shape, but got ",
        x, " and ", w);
  if (!sameDim(x.getShape().back(), w.getDimSize(0)))
    // [NN-LINEAR-C2]
    return emitOptionalError(loc, "'nn.linear' op expected a weight with ",
                             x.getShape().back(), " rows, as many as ", x,
                             " has columns, but got ", w);
  if (failed(checkSameElement(loc, "linear", x, w)))
    return failure();
  if (op.getBias()) {
    RankedTensorType b = typeOf(op.getBias());
    if (b != RankedTensorType::get({w.getDimSize(1)}, w.getElementType()))
      // [NN-LINEAR-C3]
      return emitOptionalError(loc, "'nn.linear' op expected a bias of ",
                               w.getDimSize(1), " elements, but got ", b);
  }
  types.push_back(withDim(x, x.getRank() - 1, w.getDimSize(1)));
  return success();
}

LogicalResult MatmulOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor op, Types &types) {
  if (!areTensors<MatmulOp>(loc, op.getOperands()))
    return failure();
  RankedTensorType a = typeOf(op.getLhs()), b = typeOf(op.getRhs());
  // The parser infers before it fills in defaults.
  IntegerAttr batchDims = op.getBatchDimsAttr();
  int64_t batch = batchDims ? batchDims.getInt() : 0;
  int64_t ra = a.getRank() - batch, rb = b.getRank() - batch;
  if (batch < 0 || ra < 1 || ra > 2 || rb < 1 || rb > 2)
    // [NN-MATMUL-C1]
    return emitOptionalError(
        loc, "'nn.matmul' op expected vectors or matrices after ", batch,
        " common dimensions, but got ", a, " and ", b);
  if (a.getShape().take_front(batch) != b.getShape().take_front(batch))
    // [NN-MATMUL-C2]
    return emitOptionalError(loc, "'nn.matmul' op expected the first ", batch,
                             " dimensions to be equal, but got ", a, " and ",
                             b);
  if (failed(checkSameElement(loc, "matmul", a, b)))
    return failure();
  int64_t ka = a.getShape().back(), kb = b.getDimSize(batch);
  if (!sameDim(ka, kb))
    // [NN-MATMUL-C3]
    return emitOptionalError(
        loc,
        "'nn.matmul' op expected inner dimensions to be equal, "
        "but got ",
        ka, " and ", kb, " of ", a, " and ", b);
  Shape shape(a.getShape().drop_back());
  if (rb == 2)
    shape.push_back(b.getShape().back());
  types.push_back(a.clone(shape));
  return success();
}

LogicalResult OuterSumOp::inferReturnTypes(MLIRContext *,
                                           std::optional<Location> loc,
                                           Adaptor op, Types &types) {
  if (!areTensors<OuterSumOp>(loc, op.getOperands()))
    return failure();
  RankedTensorType a = typeOf(op.getLhs()), b = typeOf(op.getRhs());
  if (a.getRank() < 1 || a.getRank() != b.getRank() ||
      a.getShape().drop_back() != b.getShape().drop_back() ||
      a.getElementType() != b.getElementType())
    // [NN-OUTER_SUM-C1]
    return emitOptionalError(
        loc,
        "'nn.outer_sum' op expected operands with equal leading "
        "dimensions, but got ",
        a, " and ", b);
  types.push_back(a.clone(Shape{a.getShape().back(), b.getShape().back()}));
  return success();
}

LogicalResult EmbedOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> loc, Adaptor op,
                                        Types &types) {
  if (!areTensors<EmbedOp>(loc, op.getOperands()))
    return failure();
  RankedTensorType ids = typeOf(op.getIds()), table = typeOf(op.getTable());
  if (table.getRank() != 2 || !table.hasStaticShape())
    // [NN-EMBED-C1]
    return emitOptionalError(
        loc,
        "'nn.embed' op expected a table of static shape and two "
        "dimensions, but got ",
        table);
  if (auto id = op.getPaddingId();
      id && *id >= static_cast<uint64_t>(table.getDimSize(0)))
    // [NN-EMBED-C2]
    return emitOptionalError(loc, "'nn.embed' op expected a padding id in [0, ",
                             table.getDimSize(0), "), but got ", *id);
  Shape shape(ids.getShape());
  shape.push_back(table.getDimSize(1));
  types.push_back(table.clone(shape));
  return success();
}

LogicalResult EmbedGradOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor op, Types &types) {
  if (!areTensors<EmbedGradOp>(loc, op.getOperands()))
    return failure();
  RankedTensorType ids = typeOf(op.getIds()), rows = typeOf(op.getRows());
  if (rows.getRank() != ids.getRank() + 1 ||
      rows.getShape().drop_back() != ids.getShape())
    // [NN-EMBED_GRAD-C1]
    return emitOptionalError(loc,
                             "'nn.embed_grad' op expected one row per id of ",
                             ids, ", but got ", rows);
  types.push_back(rows.clone(
      Shape{static_cast<int64_t>(op.getSize()), rows.getShape().back()}));
  return success();
}

LogicalResult PickOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> loc, Adaptor op,
                                       Types &types) {
  if (!areTensors<PickOp>(loc, op.getOperands()))
    return failure();
  RankedTensorType x = typeOf(op.getInput()), ids = typeOf(op.getIds());
  if (x.getRank() < 1 || x.getShape().drop_back() != ids.getShape())
    // [NN-PICK-C1]
    return emitOptionalError(loc, "'nn.pick' op expected one id per row of ", x,
                             ", but got ", ids);
  types.push_back(withoutDim(x, x.getRank() - 1));
  return success();
}

LogicalResult OneHotOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor op, Types &types) {
  if (!areTensors<OneHotOp>(loc, op.getOperands()))
    return failure();
  RankedTensorType ids = typeOf(op.getIds()), values = typeOf(op.getValues());
  if (ids.getShape() != values.getShape())
    // [NN-ONE_HOT-C1]
    return emitOptionalError(loc,
                             "'nn.one_hot' op expected one value per id of ",
                             ids, ", but got ", values);
  if (static_cast<int64_t>(op.getSize()) < 1)
    // [NN-ONE_HOT-C2]
    return emitOptionalError(
        loc, "'nn.one_hot' op expected a positive size, but got ",
        static_cast<int64_t>(op.getSize()));
  Shape shape(ids.getShape());
  shape.push_back(op.getSize());
  types.push_back(values.clone(shape));
  return success();
}

//===----------------------------------------------------------------------===//
// Over one dimension
//===----------------------------------------------------------------------===//

LogicalResult SumOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> loc, Adaptor op,
                                      Types &types) {
  if (!areTensors<SumOp>(loc, op.getOperands()))
    return failure();
  return inferReduction(loc, "sum", op.getInput(), op.getDim(), types);
}
LogicalResult MeanOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> loc, Adaptor op,
                                       Types &types) {
  if (!areTensors<MeanOp>(loc, op.getOperands()))
    return failure();
  return inferReduction(loc, "mean", op.getInput(), op.getDim(), types);
}
LogicalResult MaxOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> loc, Adaptor op,
                                      Types &types) {
  if (!areTensors<MaxOp>(loc, op.getOperands()))
    return failure();
  return inferReduction(loc, "max", op.getInput(), op.getDim(), types);
}

LogicalResult MaxGradOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> loc,
                                          Adaptor op, Types &types) {
  if (!areTensors<MaxGradOp>(loc, op.getOperands()))
    return failure();
  RankedTensorType x = typeOf(op.getInput());
  if (failed(checkDim(loc, "max_grad", x, op.getDim())))
    return failure();
  if (op.getDy().getType() != withoutDim(x, op.getDim()))
    // [NN-MAX_GRAD-C1]
    return emitOptionalError(
        loc, "'nn.max_grad' op expected ", withoutDim(x, op.getDim()),
        " as second operand, but got ", op.getDy().getType());
  types.push_back(x);
  return success();
}

LogicalResult SoftmaxOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> loc,
                                          Adaptor op, Types &types) {
  if (!areTensors<SoftmaxOp>(loc, op.getOperands()))
    return failure();
  types.push_back(op.getInput().getType());
  return checkDim(loc, "softmax", typeOf(op.getInput()), op.getDim());
}
LogicalResult LogSoftmaxOp::inferReturnTypes(MLIRContext *,
                                             std::optional<Location> loc,
                                             Adaptor op, Types &types) {
  if (!areTensors<LogSoftmaxOp>(loc, op.getOperands()))
    return failure();
  types.push_back(op.getInput().getType());
  return checkDim(loc, "log_softmax", typeOf(op.getInput()), op.getDim());
}
LogicalResult L2NormalizeOp::inferReturnTypes(MLIRContext *,
                                              std::optional<Location> loc,
                                              Adaptor op, Types &types) {
  if (!areTensors<L2NormalizeOp>(loc, op.getOperands()))
    return failure();
  types.push_back(op.getInput().getType());
  return checkDim(loc, "l2_normalize", typeOf(op.getInput()), op.getDim());
}

LogicalResult LayerNormOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor op, Types &types) {
  if (!areTensors<LayerNormOp>(loc, op.getOperands()))
    return failure();
  RankedTensorType type = typeOf(op.getInput());
  if (type.getRank() == 0)
    // [NN-LAYER_NORM-C1]
    return emitOptionalError(
        loc, "'nn.layer_norm' op expected at least one dimension, but got ",
        type);
  auto row =
      RankedTensorType::get(type.getShape().take_back(), type.getElementType());
  for (Value operand : {op.getScale(), op.getShift()})
    if (operand.getType() != row)
      // [NN-LAYER_NORM-C2]
      return emitOptionalError(
          loc, "'nn.layer_norm' op expected a scale and a shift of type ", row,
          ", but got ", operand.getType());
  types.push_back(type);
  return success();
}

LogicalResult CosineSimilarityOp::inferReturnTypes(MLIRContext *,
                                                   std::optional<Location> loc,
                                                   Adaptor op, Types &types) {
  if (!areTensors<CosineSimilarityOp>(loc, op.getOperands()))
    return failure();
  if (op.getLhs().getType() != op.getRhs().getType())
    // [NN-COSINE_SIMILARITY-C1]
    return emitOptionalError(
        loc,
        "'nn.cosine_similarity' op expected operands of one type, "
        "but got ",
        op.getLhs().getType(), " and ", op.getRhs().getType());
  return inferReduction(loc, "cosine_similarity", op.getLhs(), op.getDim(),
                        types);
}
