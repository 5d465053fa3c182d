//===-- dialects/NN/IR/NNInference.cpp - Result types of nn operations ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/IR/NN.h"
#include "dialects/NN/IR/Operands.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace cambium::nn;

namespace {
using Types = SmallVectorImpl<Type>;
using Shape = SmallVector<int64_t>;

RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Two dimensions may be the same at run time only if they are the same here:
/// a `?` is a number of rows, never a feature size.
bool sameDim(int64_t a, int64_t b) { return a == b; }

LogicalResult checkDim(std::optional<Location> loc, StringRef op,
                       RankedTensorType type, int64_t dim) {
  if (dim >= 0 && dim < type.getRank())
    return success();
  // [NN-DIM-C1]
  return emitOptionalError(loc, "'nn.", op, "' op expected a dimension in [0, ",
                           type.getRank(), "), but got ", dim);
}

LogicalResult checkSameElement(std::optional<Location> loc, StringRef op,
                               RankedTensorType a, RankedTensorType b) {
  if (a.getElementType() == b.getElementType())
    return success();
  // [NN-ELEMENT-C1]
  return emitOptionalError(loc, "'nn.", op, "' op expected element type ",
                           a.getElementType(), ", but got ",
                           b.getElementType());
}

RankedTensorType withoutDim(RankedTensorType type, int64_t dim) {
  Shape shape(type.getShape());
  shape.erase(shape.begin() + dim);
  return type.clone(shape);
}

RankedTensorType withDim(RankedTensorType type, int64_t dim, int64_t size) {
  Shape shape(type.getShape());
  shape[dim] = size;
  return type.clone(shape);
}

LogicalResult inferReduction(std::optional<Location> loc, StringRef op,
                             Value input, int64_t dim, Types &types) {
  if (failed(checkDim(loc, op, typeOf(input), dim)))
    return failure();
  types.push_back(withoutDim(typeOf(input), dim));
  return success();
}

/// Ops with two operands of one type that reduce the last dimension, if any.
LogicalResult inferRowLoss(std::optional<Location> loc, StringRef op, Value lhs,
                           Value rhs, Types &types) {
  RankedTensorType type = typeOf(lhs);
  if (type != rhs.getType())
    // [NN-LOSS-C1]
    return emitOptionalError(loc, "'nn.", op,
                             "' op expected operands of one type, but got ",
                             type, " and ", rhs.getType());
  types.push_back(type.getRank() ? withoutDim(type, type.getRank() - 1) : type);
  return success();
}
} // namespace

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
  int64_t dim = op.getDim(), size = 0;
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
    size += type.getDimSize(dim);
  }
  types.push_back(withDim(first, dim, size));
  return success();
}

LogicalResult SplitOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> loc, Adaptor op,
                                        Types &types) {
  if (!areTensors<SplitOp>(loc, op.getOperands()))
    return failure();
  RankedTensorType type = typeOf(op.getInput());
  int64_t dim = op.getDim(), total = 0;
  if (failed(checkDim(loc, "split", type, dim)))
    return failure();
  for (int64_t size : op.getSizes()) {
    total += size;
    if (size < 1)
      // [NN-SPLIT-C1]
      return emitOptionalError(
          loc, "'nn.split' op expected positive sizes, but got ", size);
    types.push_back(withDim(type, dim, size));
  }
  if (total != type.getDimSize(dim))
    // [NN-SPLIT-C2]
    return emitOptionalError(loc,
                             "'nn.split' op expected sizes that add up to ",
                             type.getDimSize(dim), ", but got ", total);
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
      offset + size > type.getDimSize(dim))
    // [NN-SLICE-C1]
    return emitOptionalError(
        loc, "'nn.slice' op expected a range within dimension ", dim, " of ",
        type, ", but got [", offset, ", ", offset + size, ")");
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
  types.push_back(withDim(type, dim, low + type.getDimSize(dim) + high));
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
  for (int64_t i = 0, e = sorted.size(); i < e; ++i)
    if (e != type.getRank() || sorted[i] != i)
      // [NN-TRANSPOSE-C1]
      return emitOptionalError(loc,
                               "'nn.transpose' op expected a permutation of ",
                               type.getRank(), " dimensions");
  if (static_cast<int64_t>(sorted.size()) != type.getRank())
    // [NN-TRANSPOSE-C1]
    return emitOptionalError(loc,
                             "'nn.transpose' op expected a permutation of ",
                             type.getRank(), " dimensions");
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
