//===-- dialects/NN/IR/SelectInference.cpp - Shapes by number -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/IR/Inference.h"
#include "dialects/NN/IR/Operands.h"
#include <cmath>

using namespace mlir;
using namespace cambium::nn;

LogicalResult LogSumExpOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor op, Types &types) {
  if (!areTensors<LogSumExpOp>(loc, op.getOperands()))
    return failure();
  return inferReduction(loc, "log_sum_exp", op.getInput(), op.getDim(), types);
}

LogicalResult TopOp::inferReturnTypes(MLIRContext *context,
                                      std::optional<Location> loc, Adaptor op,
                                      Types &types) {
  if (!areTensors<TopOp>(loc, op.getOperands()))
    return failure();
  RankedTensorType type = typeOf(op.getInput());
  auto count = static_cast<int64_t>(op.getCount());
  int64_t dim = op.getDim();
  if (failed(checkDim(loc, "top", type, dim)))
    return failure();
  if (count < 1)
    // [NN-TOP-C1]
    return emitOptionalError(
        loc, "'nn.top' op expected a positive count, but got ", count);
  RankedTensorType values = withDim(type, dim, count);
  types.push_back(values);
  types.push_back(values.clone(IntegerType::get(context, 32)));
  return success();
}

/// Whether the ids have the dimensions of the values up to `dim`, or all.
static bool areIdsAlong(RankedTensorType ids, RankedTensorType values,
                        int64_t dim, bool sameLength) {
  if (ids.getRank() != dim + 1 && ids.getRank() != values.getRank())
    return false;
  for (int64_t i = 0; i < ids.getRank(); ++i)
    if ((i != dim || sameLength) && ids.getDimSize(i) != values.getDimSize(i))
      return false;
  return true;
}

LogicalResult SumByOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> loc, Adaptor op,
                                        Types &types) {
  if (!areTensors<SumByOp>(loc, op.getOperands()))
    return failure();
  RankedTensorType values = typeOf(op.getValues()), ids = typeOf(op.getIds());
  int64_t dim = op.getDim();
  auto size = static_cast<int64_t>(op.getSize());
  if (failed(checkDim(loc, "sum_by", values, dim)))
    return failure();
  if (!areIdsAlong(ids, values, dim, /*sameLength=*/true))
    // [NN-SUM_BY-C1]
    return emitOptionalError(loc, "'nn.sum_by' op expected an id for each of ",
                             values, " over ", dim, ", but got ", ids);
  if (values.isDynamicDim(dim) && ids.getRank() != 1)
    // [NN-SUM_BY-C2]
    return emitOptionalError(
        loc, "'nn.sum_by' op expected one id per row over rows, but got ", ids);
  if (size < 1)
    // [NN-SUM_BY-C3]
    return emitOptionalError(
        loc, "'nn.sum_by' op expected a positive size, but got ", size);
  types.push_back(withDim(values, dim, size));
  return success();
}

LogicalResult PickAlongOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor op, Types &types) {
  if (!areTensors<PickAlongOp>(loc, op.getOperands()))
    return failure();
  RankedTensorType input = typeOf(op.getInput()), ids = typeOf(op.getIds());
  int64_t dim = op.getDim();
  if (failed(checkDim(loc, "pick_along", input, dim)))
    return failure();
  if (!areIdsAlong(ids, input, dim, /*sameLength=*/false))
    // [NN-PICK_ALONG-C1]
    return emitOptionalError(loc,
                             "'nn.pick_along' op expected lists of ids for ",
                             input, " over ", dim, ", but got ", ids);
  if (input.isDynamicDim(dim) || ids.isDynamicDim(dim))
    // [NN-PICK_ALONG-C2]
    return emitOptionalError(
        loc,
        "'nn.pick_along' op expected dimensions of fixed length "
        "('nn.take' takes rows), but got ",
        input, " and ", ids);
  types.push_back(withDim(input, dim, ids.getDimSize(dim)));
  return success();
}

LogicalResult WindowOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor op, Types &types) {
  if (!areTensors<WindowOp>(loc, op.getOperands()))
    return failure();
  RankedTensorType type = typeOf(op.getInput());
  auto before = static_cast<int64_t>(op.getBefore()),
       after = static_cast<int64_t>(op.getAfter());
  if (type.getRank() == 0)
    // [NN-WINDOW-C1]
    return emitOptionalError(loc, "'nn.window' op expected rows, but got ",
                             type);
  if (before < 0 || after < 0)
    // [NN-WINDOW-C2]
    return emitOptionalError(
        loc, "'nn.window' op expected numbers of rows from 0 on, but got ",
        before, " and ", after);
  FailureOr<int64_t> rows = addSizes(loc, "window", {before, 1, after});
  if (failed(rows))
    return failure();
  Shape shape(type.getShape());
  shape.insert(shape.begin() + 1, *rows);
  types.push_back(type.clone(shape));
  return success();
}

void TopOp::replaceSizes(llvm::function_ref<int64_t(int64_t)> replace) {
  setCount(replace(getCount()));
}

void SumByOp::replaceSizes(llvm::function_ref<int64_t(int64_t)> replace) {
  setSize(replace(getSize()));
}

static LogicalResult verifyNumbers(RandomOp op, double first, double second) {
  Type element = op.getType().getElementType();
  if (!std::isfinite(asElement(first, element)) ||
      !std::isfinite(asElement(second, element)))
    // [NN-RANDOM-C6]
    return op.emitOpError() << "expected finite numbers of " << element
                            << ", but got " << first << " and " << second;
  if (op.getDistribution() != Distribution::Uniform)
    return success();
  if (first > second)
    // [NN-RANDOM-C2]
    return op.emitOpError() << "expected the lower bound not to exceed the "
                               "upper one, but got "
                            << first << " and " << second;
  if (!std::isfinite(asElement(second - first, element)))
    // [NN-RANDOM-C7]
    return op.emitOpError()
           << "expected bounds whose difference is finite in " << element
           << ", but got " << first << " and " << second;
  return success();
}

LogicalResult RandomOp::verify() {
  double first = getFirst().convertToDouble(),
         second = getSecond().convertToDouble();
  bool isInteger = getDistribution() == Distribution::Integer;
  Type element = getType().getElementType();
  if (element.isInteger() != isInteger)
    // [NN-RANDOM-C1]
    return emitOpError() << "expected elements of type "
                         << (isInteger ? "i32" : "f32 or f64") << ", but got "
                         << getType();
  if (failed(verifyNumbers(*this, first, second)))
    return failure();
  bool isFit = first == std::floor(first) && second == std::floor(second) &&
               first >= INT32_MIN && first < second &&
               second <= static_cast<double>(INT32_MAX) + 1 &&
               second - first <= INT32_MAX;
  if (isInteger && !isFit)
    // [NN-RANDOM-C3]
    return emitOpError() << "expected whole numbers, the lower one first, "
                            "that i32 holds, but got "
                         << first << " and " << second;
  bool isSpread = getDistribution() == Distribution::Normal ||
                  getDistribution() == Distribution::Gumbel;
  if (isSpread && second < 0)
    // [NN-RANDOM-C4]
    return emitOpError() << "expected a deviation or scale that is not "
                            "negative, but got "
                         << second;
  bool hasRows = getType().getRank() && getType().isDynamicDim(0);
  auto like = getLike() ? cast<RankedTensorType>(getLike().getType())
                        : RankedTensorType();
  bool likeHasRows = like && like.getRank() && like.isDynamicDim(0);
  if (!getKeys() && hasRows != likeHasRows)
    // [NN-RANDOM-C5]
    return emitOpError() << "expected an operand after 'like' with the rows of "
                         << getType() << ", and none where it has no rows";
  return success();
}
