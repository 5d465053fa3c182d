//===-- dialects/NN/IR/Rows.cpp - Shapes of ops on rows of an example ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/IR/NN.h"
#include "dialects/NN/IR/Operands.h"

using namespace mlir;
using namespace cambium::nn;

LogicalResult PositionsOp::inferReturnTypes(MLIRContext *context,
                                            std::optional<Location> loc,
                                            Adaptor op,
                                            SmallVectorImpl<Type> &types) {
  if (!areTensors<PositionsOp>(loc, op.getOperands()))
    return failure();
  auto rows = cast<RankedTensorType>(op.getRows().getType());
  if (rows.getRank() == 0)
    // [NN-POSITIONS-C1]
    return emitOptionalError(loc, "'nn.positions' op expected rows, but got ",
                             rows);
  auto limit = static_cast<int64_t>(op.getLimit());
  if (limit < 1 || limit > INT32_MAX)
    // [NN-POSITIONS-C2]
    return emitOptionalError(
        loc, "'nn.positions' op expected a limit in [1, 2^31), but got ",
        limit);
  types.push_back(RankedTensorType::get({rows.getDimSize(0)},
                                        IntegerType::get(context, 32)));
  return success();
}

LogicalResult TakeOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> loc, Adaptor op,
                                       SmallVectorImpl<Type> &types) {
  if (!areTensors<TakeOp>(loc, op.getOperands()))
    return failure();
  auto input = cast<RankedTensorType>(op.getInput().getType());
  auto index = cast<RankedTensorType>(op.getIndex().getType());
  if (input.getRank() == 0)
    // [NN-TAKE-C1]
    return emitOptionalError(loc, "'nn.take' op expected rows, but got ",
                             input);
  if (index.getRank() > 1)
    // [NN-TAKE-C2]
    return emitOptionalError(
        loc, "'nn.take' op expected a number or a list of them, but got ",
        index);
  SmallVector<int64_t> shape(index.getShape());
  llvm::append_range(shape, input.getShape().drop_front());
  types.push_back(input.clone(shape));
  return success();
}

LogicalResult ExpectNumberOp::verify() {
  if (getInput().getType().getRank() <= 1)
    return success();
  // [NN-EXPECT_NUMBER-C1]
  return emitOpError("expected a number, or one per row, but got ")
         << getInput().getType();
}

LogicalResult AppendOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor op,
                                         SmallVectorImpl<Type> &types) {
  if (!areTensors<AppendOp>(loc, op.getOperands()))
    return failure();
  auto first = cast<RankedTensorType>(op.getFirst().getType());
  auto second = cast<RankedTensorType>(op.getSecond().getType());
  for (RankedTensorType type : {first, second})
    if (type.getRank() == 0 || !type.isDynamicDim(0))
      // [NN-APPEND-C1]
      return emitOptionalError(loc,
                               "'nn.append' op expected rows (a first "
                               "dimension '?') of the example, but got ",
                               type);
  if (first != second)
    // [NN-APPEND-C2]
    return emitOptionalError(loc,
                             "'nn.append' op expected rows of one type, but "
                             "got ",
                             first, " and ", second);
  types.push_back(first);
  return success();
}

LogicalResult PairScoresOp::inferReturnTypes(MLIRContext *,
                                             std::optional<Location> loc,
                                             Adaptor op,
                                             SmallVectorImpl<Type> &types) {
  if (!areTensors<PairScoresOp>(loc, op.getOperands()))
    return failure();
  auto lhs = cast<RankedTensorType>(op.getLhs().getType());
  auto rhs = cast<RankedTensorType>(op.getRhs().getType());
  for (RankedTensorType type : {lhs, rhs})
    if (type.getRank() != 2 || !type.isDynamicDim(0) || type.isDynamicDim(1))
      // [NN-PAIR_SCORES-C1]
      return emitOptionalError(loc,
                               "'nn.pair_scores' op expected rows of columns "
                               "(tensor<?xN...>), but got ",
                               type);
  if (lhs != rhs)
    // [NN-PAIR_SCORES-C2]
    return emitOptionalError(loc,
                             "'nn.pair_scores' op expected rows of one type, "
                             "but got ",
                             lhs, " and ", rhs);
  int64_t any = ShapedType::kDynamic;
  types.push_back(lhs.clone({any, any}));
  return success();
}
