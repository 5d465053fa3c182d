//===-- Charts.cpp - Rows of the two sides of cuts ------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Rows.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

RankedTensorType ragged::cutsType(Type edges) {
  RankedTensorType row = rowType(edges);
  SmallVector<int64_t> shape{ShapedType::kDynamic, 2};
  llvm::append_range(shape, row.getShape());
  return row.clone(shape);
}

bool ragged::isOfCuts(Type type) {
  return hasRows(type) && cast<RankedTensorType>(type).getRank() > 1 &&
         cast<RankedTensorType>(type).getDimSize(1) == 2;
}

RankedTensorType ragged::sidesType(Type cuts) {
  return rowsType(rowType(rowType(cuts)));
}

LogicalResult SpanEndsOp::inferReturnTypes(MLIRContext *context,
                                           std::optional<Location>, Adaptor,
                                           SmallVectorImpl<Type> &types) {
  types.push_back(RankedTensorType::get({ShapedType::kDynamic},
                                        IntegerType::get(context, 32)));
  return success();
}

LogicalResult ToCutsOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor op,
                                         SmallVectorImpl<Type> &types) {
  if (!hasRows(op.getInput().getType()))
    // [RAGGED-TO_CUTS-C1]
    return emitOptionalError(loc,
                             "'ragged.to_cuts' op expected rows of edges, but "
                             "got ",
                             op.getInput().getType());
  types.push_back(cutsType(op.getInput().getType()));
  return success();
}

LogicalResult FromCutsOp::inferReturnTypes(MLIRContext *,
                                           std::optional<Location> loc,
                                           Adaptor op,
                                           SmallVectorImpl<Type> &types) {
  if (!isOfCuts(op.getInput().getType()))
    // [RAGGED-FROM_CUTS-C1]
    return emitOptionalError(loc,
                             "'ragged.from_cuts' op expected rows of two "
                             "sides, but got ",
                             op.getInput().getType());
  types.push_back(sidesType(op.getInput().getType()));
  return success();
}

OpFoldResult ToCutsOp::fold(FoldAdaptor) {
  auto sides = getInput().getDefiningOp<FromCutsOp>();
  return sides ? sides.getInput() : OpFoldResult();
}

OpFoldResult FromCutsOp::fold(FoldAdaptor) {
  auto cuts = getInput().getDefiningOp<ToCutsOp>();
  return cuts ? cuts.getInput() : OpFoldResult();
}
