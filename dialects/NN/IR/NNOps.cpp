//===-- dialects/NN/IR/NNOps.cpp - Verification of nn operations ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/IR/Inference.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace cambium::nn;

#define GET_OP_CLASSES
#include "dialects/NN/IR/NNOps.cpp.inc"

LogicalResult BroadcastOp::verify() {
  RankedTensorType in = getInput().getType(), out = getType();
  ArrayRef<int64_t> dims = getDims();
  if (static_cast<int64_t>(dims.size()) != in.getRank())
    // [NN-BROADCAST-C1]
    return emitOpError() << "expected one entry of 'dims' per dimension of "
                         << in << ", but got " << dims.size();
  if (in.getElementType() != out.getElementType())
    // [NN-BROADCAST-C2]
    return emitOpError() << "expected element type " << in.getElementType()
                         << ", but got " << out.getElementType();
  int64_t last = -1;
  for (auto [i, d] : llvm::enumerate(dims)) {
    if (d <= last || d >= out.getRank())
      // [NN-BROADCAST-C3]
      return emitOpError() << "expected 'dims' to increase below rank "
                           << out.getRank() << ", but got " << d;
    if (in.getDimSize(i) != out.getDimSize(d))
      // [NN-BROADCAST-C4]
      return emitOpError() << "expected dimension " << d
                           << " of the result to be " << in.getDimSize(i)
                           << ", but got " << out;
    last = d;
  }
  bool newRows = out.getRank() > 0 && out.isDynamicDim(0) &&
                 (dims.empty() || dims[0] != 0);
  if (newRows && !getLike())
    // [NN-BROADCAST-C5]
    return emitOpError()
           << "expected an operand after 'like' to give the rows of " << out;
  if (!getLike())
    return success();
  auto like = cast<RankedTensorType>(getLike().getType());
  if (like.getRank() == 0 || out.getRank() == 0 ||
      like.getDimSize(0) != out.getDimSize(0))
    // [NN-BROADCAST-C6]
    return emitOpError() << "expected 'like' to have the rows of " << out
                         << ", but got " << like;
  return success();
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType in = getInput().getType(), out = getType();
  // Nothing where there are more than a number can say: no two such shapes are
  // known to have as many, and none fits into memory.
  auto elements = [](RankedTensorType type) -> std::optional<int64_t> {
    int64_t n = 1;
    if (llvm::is_contained(type.getShape(), 0))
      return 0;
    for (int64_t d : type.getShape())
      if (!ShapedType::isDynamic(d) && llvm::MulOverflow(n, d, n))
        return std::nullopt;
    return n;
  };
  bool inRows = in.getRank() && in.isDynamicDim(0);
  bool outRows = out.getRank() && out.isDynamicDim(0);
  if (in.getElementType() != out.getElementType() || !elements(in) ||
      elements(in) != elements(out) || inRows != outRows ||
      in.getNumDynamicDims() != out.getNumDynamicDims())
    // [NN-RESHAPE-C1]
    return emitOpError() << "expected a shape with the rows and elements of "
                         << in << ", but got " << out;
  return success();
}

LogicalResult LeakyReluOp::verify() {
  double slope = getSlope().convertToDouble();
  Type element = getElementTypeOrSelf(getInput().getType());
  if (std::isfinite(asElement(slope, element)))
    return success();
  // [NN-LEAKY_RELU-C1]
  return emitOpError() << "expected a finite 'slope' of " << element
                       << ", but got " << slope;
}

/// What norms divide by at least, or add to the variance: to the power of
/// `power`, a number of the elements' type. One that becomes zero would make a
/// zero vector no number, and one that becomes infinite all vectors zero.
template <typename Op>
static LogicalResult verifyEps(Op op, RankedTensorType type, int power) {
  double eps = op.getEps().convertToDouble();
  if (!std::isfinite(eps) || eps < 0)
    // [NN-EPS-C1]
    return op.emitOpError()
           << "expected a finite 'eps' from 0 on, but got " << eps;
  Type element = type.getElementType();
  double held = asElement(std::pow(eps, power), element);
  if (std::isfinite(held) && (held == 0) == (eps == 0))
    return success();
  // [NN-EPS-C2]
  return op.emitOpError() << "expected an 'eps' that is in " << element
                          << " neither 0 nor infinite"
                          << (power == 2 ? " as a square" : "") << ", but got "
                          << eps;
}

LogicalResult L2NormalizeOp::verify() {
  return verifyEps(*this, getInput().getType(), /*power=*/2);
}

LogicalResult LayerNormOp::verify() {
  return verifyEps(*this, getInput().getType(), /*power=*/1);
}

LogicalResult CosineSimilarityOp::verify() {
  return verifyEps(*this, getLhs().getType(), /*power=*/2);
}
