//===-- dialects/NN/IR/NNFolds.cpp - Folds of nn operations ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Zeros fold through products, sums and shape changes: this is what makes the
// cell of a leaf cheap once its children are known to be absent.
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/IR/NN.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace cambium::nn;

/// Zeros of the type, if all elements of `attr` are zero and the type is
/// static.
static OpFoldResult foldZeros(Attribute attr, Type type) {
  auto splat = dyn_cast_or_null<SplatElementsAttr>(attr);
  auto tensor = cast<RankedTensorType>(type);
  if (!splat || !tensor.hasStaticShape() ||
      !isa<FloatType>(splat.getElementType()) ||
      !splat.getSplatValue<APFloat>().isZero())
    return {};
  return SplatElementsAttr::get(tensor, splat.getSplatValue<Attribute>());
}

/// The splat in another shape.
static OpFoldResult foldSplat(Attribute attr, Type type) {
  auto splat = dyn_cast_or_null<SplatElementsAttr>(attr);
  auto tensor = cast<RankedTensorType>(type);
  if (!splat || !tensor.hasStaticShape())
    return {};
  return SplatElementsAttr::get(tensor, splat.getSplatValue<Attribute>());
}

OpFoldResult LinearOp::fold(FoldAdaptor adaptor) {
  if (getBias())
    return {};
  return foldZeros(adaptor.getInput(), getType());
}

OpFoldResult SumOp::fold(FoldAdaptor adaptor) {
  return foldZeros(adaptor.getInput(), getType());
}

OpFoldResult MeanOp::fold(FoldAdaptor adaptor) {
  return foldSplat(adaptor.getInput(), getType());
}

OpFoldResult MaxOp::fold(FoldAdaptor adaptor) {
  return foldSplat(adaptor.getInput(), getType());
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getType())
    return getInput();
  return foldSplat(adaptor.getInput(), getType());
}

OpFoldResult ConcatOp::fold(FoldAdaptor adaptor) {
  if (getInputs().size() == 1)
    return getInputs().front();
  Attribute first = adaptor.getInputs().front();
  auto splat = dyn_cast_or_null<SplatElementsAttr>(first);
  if (!splat)
    return {};
  for (Attribute input : adaptor.getInputs()) {
    auto other = dyn_cast_or_null<SplatElementsAttr>(input);
    if (!other ||
        other.getSplatValue<Attribute>() != splat.getSplatValue<Attribute>())
      return {};
  }
  return foldSplat(first, getType());
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getType())
    return getInput();
  return foldSplat(adaptor.getInput(), getType());
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getType())
    return getInput();
  if (auto inner = getInput().getDefiningOp<ReshapeOp>()) {
    setOperand(inner.getInput());
    return getResult();
  }
  return foldSplat(adaptor.getInput(), getType());
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  bool identity = true;
  for (auto [i, d] : llvm::enumerate(getPerm()))
    identity &= static_cast<int64_t>(i) == d;
  if (identity)
    return getInput();
  return foldSplat(adaptor.getInput(), getType());
}
