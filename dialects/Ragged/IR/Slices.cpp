//===-- dialects/Ragged/IR/Slices.cpp - Slices by iteration ---------------===//
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

LogicalResult IterationOp::verify() {
  auto arg = dyn_cast<BlockArgument>(getRows());
  if (arg && arg.getArgNumber() == 0 &&
      isa_and_nonnull<IterateOp, LevelsOp>(arg.getOwner()->getParentOp()))
    return success();
  // [RAGGED-ITERATION-C1]
  return emitOpError("expected the first argument of the region of a "
                     "'ragged.iterate' or a 'ragged.levels'");
}

/// The type of a slice; null if it has none.
static RankedTensorType sliceType(Type array) {
  auto type = cast<RankedTensorType>(array);
  if (type.getRank() == 0 || !type.hasStaticShape())
    return {};
  return type.clone(type.getShape().drop_front());
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> loc, Adaptor op,
                                        SmallVectorImpl<Type> &types) {
  RankedTensorType slice = sliceType(op.getInput().getType());
  // [RAGGED-SLICE-C1]
  if (!slice)
    return emitOptionalError(
        loc, "'ragged.slice' op expected an array of slices, but got ",
        op.getInput().getType());
  types.push_back(slice);
  return success();
}

LogicalResult AddSliceOp::inferReturnTypes(MLIRContext *,
                                           std::optional<Location> loc,
                                           Adaptor op,
                                           SmallVectorImpl<Type> &types) {
  Type all = op.getAll().getType();
  if (!sliceType(all) || sliceType(all) != op.getSlice().getType())
    // [RAGGED-ADDSLICE-C1]
    return emitOptionalError(
        loc, "'ragged.add_slice' op expected a slice of the array, but got ",
        op.getSlice().getType(), " and ", all);
  types.push_back(all);
  return success();
}
