//===-- dialects/Depth/IR/Search.cpp - Constraints of a search
//-------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Rows.h"
#include "dialects/Depth/IR/Depth.h"
#include "dialects/Depth/IR/Loops.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::depth;

YieldOp SearchOp::getYield() {
  return cast<YieldOp>(getBody().front().getTerminator());
}
OperandRange SearchOp::getNextStates() {
  return getYield().getNext().take_front(getInit().size());
}
OperandRange SearchOp::getGrown() {
  return getYield().getNext().drop_front(getInit().size());
}
int64_t SearchOp::getNumWords() {
  return cast<RankedTensorType>(getYield().getActive().getType()).getDimSize(1);
}

/// The numbers that say what is searched for.
static LogicalResult verifyNumbers(SearchOp op) {
  auto check = [&](uint64_t value, StringRef what) -> LogicalResult {
    auto number = static_cast<int64_t>(value);
    if (number >= 1 && number <= INT32_MAX)
      return success();
    return op.emitOpError() << "expected a number of " << what
                            << " in [1, 2^31), but got " << number;
  };
  // [DEPTH-SEARCH-C1]
  if (failed(check(op.getCount(), "hypotheses")) ||
      failed(check(op.getMax(), "words")) ||
      (op.getAmong() && failed(check(*op.getAmong(), "words to draw among"))))
    return failure();
  // [DEPTH-SEARCH-C2]
  if (op.getAmong() && !op.getSampled())
    return op.emitOpError("expected 'among' with 'sample' alone");
  if (op.getLengthPenaltyAttr() && op.getSampled())
    return op.emitOpError("expected 'length_penalty' with 'beam' alone: what "
                          "is drawn is not compared");
  // [DEPTH-SEARCH-C13]
  if (op.getLengthPenaltyAttr() && !op.getLengthPenalty()->isFinite())
    return op.emitOpError() << "expected a finite 'length_penalty', but got "
                            << op.getLengthPenalty()->convertToDouble();
  return success();
}

LogicalResult SearchOp::verify() {
  if (failed(verifyNumbers(*this)))
    return failure();
  // [DEPTH-SEARCH-C3]
  for (Value word : {getBegin(), getEnd()})
    if (cast<RankedTensorType>(word.getType()).getRank() != 0)
      return emitOpError() << "expected one word, 'tensor<i32>', to begin and "
                              "to end with, but got "
                           << word.getType();
  // [DEPTH-SEARCH-C4]
  for (Type type : getInit().getTypes())
    if (!cast<RankedTensorType>(type).hasStaticShape())
      return emitOpError() << "expected carried values of the example, of "
                              "static shape, but got "
                           << type;
  return success();
}

/// The body yields scores, and the types of the results follow.
static LogicalResult verifyYield(SearchOp op, TypeRange carried) {
  YieldOp yield = op.getYield();
  ValueRange values = yield.getValues();
  auto scores = values.empty()
                    ? RankedTensorType()
                    : dyn_cast<RankedTensorType>(values.front().getType());
  bool areScores = scores && scores.getRank() == 2 && hasRows(scores) &&
                   !scores.isDynamicDim(1) &&
                   isa<FloatType>(scores.getElementType());
  if (!areScores || values.drop_front().getTypes() != carried) {
    // [DEPTH-SEARCH-C6]
    InFlightDiagnostic diag =
        op.emitOpError() << "expected to yield a score for each word and the "
                            "next values ('tensor<?xWORDSxf32>'";
    for (Type type : carried)
      diag << ", " << type;
    diag << "), but got (" << yield.getOperandTypes() << ")";
    diag.attachNote(yield.getLoc()) << "it is yielded here";
    return diag;
  }
  auto count = static_cast<int64_t>(op.getCount());
  // [DEPTH-SEARCH-C9]
  if (scores.getDimSize(1) < 1 || scores.getDimSize(1) > INT32_MAX / count)
    return op.emitOpError() << "expected between 1 and " << INT32_MAX / count
                            << " words, but got " << scores.getDimSize(1);
  auto max = static_cast<int64_t>(op.getMax());
  Type i32 = IntegerType::get(op.getContext(), 32);
  SmallVector<Type> expected{
      RankedTensorType::get({count, max}, i32),
      RankedTensorType::get({count}, i32),
      RankedTensorType::get({count}, scores.getElementType())};
  if (TypeRange(expected) == TypeRange(op->getResultTypes()))
    return success();
  return op.emitOpError() << "expected results of types (" << expected
                          << "), but got (" << op->getResultTypes() << ")";
}

void SearchOp::replaceSizes(llvm::function_ref<int64_t(int64_t)> replace) {
  setCount(replace(getCount()));
  setMax(replace(getMax()));
}

/// Whether a type is `tensor<?x?x...>`, and nothing else in it is `?`.
static bool areRowsOfRows(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && hasRows(tensor) && hasRows(rowType(tensor)) &&
         rowType(rowType(tensor)).hasStaticShape();
}

LogicalResult SearchOp::verifyRegions() {
  SmallVector<Type> args{RankedTensorType::get(
      {ShapedType::kDynamic}, IntegerType::get(getContext(), 32))};
  for (Type type : getInit().getTypes())
    args.push_back(rowsType(cast<RankedTensorType>(type)));
  TypeRange given = getBody().getArgumentTypes();
  for (Type type : given.drop_front(std::min(args.size(), given.size()))) {
    // [DEPTH-SEARCH-C11]
    if (!areRowsOfRows(type))
      return emitOpError() << "expected rows of each hypothesis to grow, "
                              "'tensor<?x?x...>', but got "
                           << type;
    args.push_back(type);
  }
  // [DEPTH-SEARCH-C5]
  if (getBody().getArgumentTypes() != TypeRange(args))
    return emitOpError() << "expected region arguments of types (" << args
                         << "), but got (" << getBody().getArgumentTypes()
                         << ")";
  if (failed(verifyYield(*this, TypeRange(args).drop_front())))
    return failure();
  return verifyNoEffects(*this, getBody());
}

LogicalResult AppendOp::verify() {
  // [DEPTH-APPEND-C1]
  Type rows = getRows().getType(), row = getRow().getType();
  if (areRowsOfRows(rows) && rowsType(rowType(rowType(rows))) == row)
    return success();
  return emitOpError() << "expected rows that have rows, 'tensor<?x?x...>', "
                          "and one more for each, but got "
                       << rows << " and " << row;
}
