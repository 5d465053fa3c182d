//===-- dialects/Ragged/IR/Pairs.cpp - Shapes of rows with rows ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace cambium::ragged;

static RankedTensorType tensorOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Whether a value has rows of so many dimensions.
static bool isRowsOf(Value value, int64_t dims) {
  RankedTensorType type = tensorOf(value);
  return type.getRank() == 1 + dims && type.isDynamicDim(0);
}

LogicalResult PairScoresOp::inferReturnTypes(MLIRContext *,
                                             std::optional<Location> loc,
                                             Adaptor op,
                                             SmallVectorImpl<Type> &types) {
  if (!isRowsOf(op.getLhs(), 1) ||
      op.getLhs().getType() != op.getRhs().getType())
    // [RAGGED-PAIR_SCORES-C1]
    return emitOptionalError(loc,
                             "'ragged.pair_scores' op expected rows of columns "
                             "of one type, but got ",
                             op.getLhs().getType(), " and ",
                             op.getRhs().getType());
  types.push_back(tensorOf(op.getLhs()).clone({ShapedType::kDynamic}));
  return success();
}

LogicalResult PairSumOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> loc,
                                          Adaptor op,
                                          SmallVectorImpl<Type> &types) {
  if (!isRowsOf(op.getWeights(), 0) || !isRowsOf(op.getInput(), 1) ||
      tensorOf(op.getWeights()).getElementType() !=
          tensorOf(op.getInput()).getElementType())
    // [RAGGED-PAIR_SUM-C1]
    return emitOptionalError(loc,
                             "'ragged.pair_sum' op expected a number per pair "
                             "and rows of columns, but got ",
                             op.getWeights().getType(), " and ",
                             op.getInput().getType());
  types.push_back(op.getInput().getType());
  return success();
}

LogicalResult MaxSpanningOp::inferReturnTypes(MLIRContext *context,
                                              std::optional<Location> loc,
                                              Adaptor op,
                                              SmallVectorImpl<Type> &types) {
  if (!isRowsOf(op.getScores(), 0))
    // [RAGGED-MAX_SPANNING-C1]
    return emitOptionalError(loc,
                             "'ragged.max_spanning' op expected a number per "
                             "pair, but got ",
                             op.getScores().getType());
  types.push_back(RankedTensorType::get({ShapedType::kDynamic},
                                        IntegerType::get(context, 32)));
  return success();
}
