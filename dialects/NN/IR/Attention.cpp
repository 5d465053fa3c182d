//===-- dialects/NN/IR/Attention.cpp - Shapes of attention ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Rows.h"
#include "dialects/NN/IR/Inference.h"
#include "dialects/NN/IR/Operands.h"

using namespace mlir;
using namespace cambium::nn;

namespace {
using Loc = std::optional<Location>;

constexpr auto fail = [](Loc loc, auto &&...message) {
  return emitOptionalError(loc, "'nn.attention' op expected ", message...);
};

bool isTable(RankedTensorType type) {
  return type.getRank() == 2 && type.hasStaticShape();
}

/// A table with a row (or column, `dim` 1) per distance.
LogicalResult checkTable(Loc loc, StringRef name, Value table, int64_t dim,
                         int64_t other, Type element) {
  if (!table)
    return success();
  auto type = cast<RankedTensorType>(table.getType());
  if (isTable(type) && type.getElementType() == element &&
      type.getDimSize(dim) % 2 == 1 && type.getDimSize(1 - dim) == other)
    return success();
  // [NN-ATTENTION-C7]
  return fail(loc, "'", name, "' to have an odd number of ",
              dim ? "columns" : "rows", " and ", other, " ",
              dim ? "rows" : "columns", ", but got ", type);
}

/// What is beside queries, keys and values.
LogicalResult checkTerms(Loc loc, AttentionOp::Adaptor op, RankedTensorType key,
                         RankedTensorType value) {
  Type element = key.getElementType();
  auto heads = static_cast<int64_t>(op.getHeads());
  if (Value bias = op.getKeyBias();
      bias && bias.getType() != key.clone({key.getDimSize(0), heads}))
    // [NN-ATTENTION-C6]
    return fail(loc, "'key_bias' of type ",
                key.clone({key.getDimSize(0), heads}), ", but got ",
                bias.getType());
  if (failed(checkTable(loc, "distance_bias", op.getDistanceBias(), 1, heads,
                        element)) ||
      failed(checkTable(loc, "relative_keys", op.getRelativeKeys(), 0,
                        key.getDimSize(1) / heads, element)) ||
      failed(checkTable(loc, "relative_values", op.getRelativeValues(), 0,
                        value.getDimSize(1) / heads, element)))
    return failure();
  if (Value groups = op.getGroups()) {
    auto type = cast<RankedTensorType>(groups.getType());
    auto query = cast<RankedTensorType>(op.getQuery().getType());
    if (type.getRank() != 1 || type.getDimSize(0) != query.getDimSize(0) ||
        query.getDimSize(0) != key.getDimSize(0))
      // [NN-ATTENTION-C8]
      return fail(loc,
                  "'within' to have a number per query, and a key per "
                  "query, but got ",
                  type, " for ", query, " and ", key);
  }
  if (std::optional<APFloat> rate = op.getRate())
    if (double number = rate->convertToDouble(); !(number >= 0 && number < 1))
      // [NN-ATTENTION-C9]
      return fail(loc, "a 'dropout' in [0, 1), but got ", number);
  if (std::optional<APFloat> scale = op.getScale();
      scale &&
      !std::isfinite(asElement(scale->convertToDouble(), key.getElementType())))
    // [NN-ATTENTION-C14]
    return fail(loc, "a finite 'scale' of ", key.getElementType(), ", but got ",
                scale->convertToDouble());
  return success();
}
/// Rows of rows, `tensor<?x?xN>`.
bool areOfRows(RankedTensorType type) {
  return type.getRank() == 3 && type.isDynamicDim(0) && type.isDynamicDim(1);
}

/// Where each query has keys of its own, `key` and `value` become the types of
/// one query's.
LogicalResult takeOwnKeys(Loc loc, AttentionOp::Adaptor op,
                          RankedTensorType &key, RankedTensorType &value) {
  if (!areOfRows(key) && !areOfRows(value))
    return success();
  auto query = cast<RankedTensorType>(op.getQuery().getType());
  bool isPlain = !op.getKeyBias() && !op.getGroups() && !op.getRate();
  if (!areOfRows(key) || !areOfRows(value) || query.getRank() != 2 ||
      !query.isDynamicDim(0) || !isPlain)
    // [NN-ATTENTION-C11]
    return fail(
        loc,
        "rows as queries, each with keys and values of its own, without "
        "'key_bias', 'within' and 'dropout', but got ",
        query, ", ", key, " and ", value);
  key = cambium::rowType(key);
  value = cambium::rowType(value);
  return success();
}
} // namespace

LogicalResult AttentionOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor op,
                                            SmallVectorImpl<Type> &types) {
  if (!areTensors<AttentionOp>(loc, op.getOperands()))
    return failure();
  auto query = cast<RankedTensorType>(op.getQuery().getType());
  auto key = cast<RankedTensorType>(op.getKey().getType());
  auto value = cast<RankedTensorType>(op.getValue().getType());
  if (failed(takeOwnKeys(loc, op, key, value)))
    return failure();
  for (RankedTensorType type : {query, key, value})
    if (type.getRank() != 2 || type.isDynamicDim(1))
      // [NN-ATTENTION-C1]
      return fail(loc, "rows of a static number of columns, but got ", type);
  if (query.getElementType() != key.getElementType() ||
      query.getElementType() != value.getElementType())
    // [NN-ATTENTION-C2]
    return fail(loc, "operands of one element type, but got ", query, ", ", key,
                " and ", value);
  if (query.getDimSize(1) != key.getDimSize(1))
    // [NN-ATTENTION-C3]
    return fail(loc, "queries and keys of the same number of columns, but got ",
                query, " and ", key);
  if (key.getDimSize(0) != value.getDimSize(0))
    // [NN-ATTENTION-C4]
    return fail(loc, "a value per key, but got ", key, " and ", value);
  int64_t heads = op.getHeads();
  for (RankedTensorType type : {key, value}) {
    if (type.getDimSize(1) < 1)
      // [NN-ATTENTION-C5]
      return fail(loc, "keys and values that have columns, but got ", type);
    if (heads < 1 || type.getDimSize(1) % heads != 0)
      // [NN-ATTENTION-C5]
      return fail(loc, "a number of heads that divides the columns, but got ",
                  heads, " for ", type);
  }
  if (failed(checkTerms(loc, op, key, value)))
    return failure();
  types.push_back(value.clone({query.getDimSize(0), value.getDimSize(1)}));
  return success();
}

double AttentionOp::getScaleFactor() {
  if (std::optional<APFloat> scale = getScale())
    return scale->convertToDouble();
  int64_t columns =
      cast<RankedTensorType>(getQuery().getType()).getDimSize(1) / getHeads();
  return columns ? 1 / std::sqrt(static_cast<double>(columns)) : 1;
}

bool AttentionOp::hasOwnKeys() {
  return areOfRows(cast<RankedTensorType>(getKey().getType()));
}

bool AttentionOp::readsPlaces() {
  return getCausal() || getDistanceBias() || getRelativeKeys() ||
         getRelativeValues();
}
