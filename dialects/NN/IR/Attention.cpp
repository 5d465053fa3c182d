//===-- dialects/NN/IR/Attention.cpp - Shapes of attention ---===//
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

LogicalResult AttentionOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor op,
                                            SmallVectorImpl<Type> &types) {
  if (!areTensors<AttentionOp>(loc, op.getOperands()))
    return failure();
  auto query = cast<RankedTensorType>(op.getQuery().getType());
  auto key = cast<RankedTensorType>(op.getKey().getType());
  auto value = cast<RankedTensorType>(op.getValue().getType());
  auto fail = [&](auto &&...message) {
    return emitOptionalError(loc, "'nn.attention' op expected ", message...);
  };
  for (RankedTensorType type : {query, key, value})
    if (type.getRank() != 2 || type.isDynamicDim(1))
      // [NN-ATTENTION-C1]
      return fail("rows of a static number of columns, but got ", type);
  if (query.getElementType() != key.getElementType() ||
      query.getElementType() != value.getElementType())
    // [NN-ATTENTION-C2]
    return fail("operands of one element type, but got ", query, ", ", key,
                " and ", value);
  if (query.getDimSize(1) != key.getDimSize(1))
    // [NN-ATTENTION-C3]
    return fail("queries and keys of the same number of columns, but got ",
                query, " and ", key);
  if (key.getDimSize(0) != value.getDimSize(0))
    // [NN-ATTENTION-C4]
    return fail("a value per key, but got ", key, " and ", value);
  int64_t heads = op.getHeads();
  for (RankedTensorType type : {key, value})
    if (heads < 1 || type.getDimSize(1) % heads != 0)
      // [NN-ATTENTION-C5]
      return fail("a number of heads that divides the columns, but got ", heads,
                  " for ", type);
  if (op.getCausal() && query.getDimSize(0) != key.getDimSize(0))
    // [NN-ATTENTION-C6]
    return fail("a key per query if causal, but got ", query, " and ", key);
  types.push_back(value.clone({query.getDimSize(0), value.getDimSize(1)}));
  return success();
}

double AttentionOp::getScaleFactor() {
  if (std::optional<APFloat> scale = getScale())
    return scale->convertToDouble();
  int64_t columns =
      cast<RankedTensorType>(getKey().getType()).getDimSize(1) / getHeads();
  return columns ? 1 / std::sqrt(static_cast<double>(columns)) : 1;
}
