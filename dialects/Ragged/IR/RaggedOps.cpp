//===-- RaggedOps.cpp - Verification and inference of ragged operations ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Rows.h"
#include "dialects/Ragged/IR/Orders.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

#define GET_OP_CLASSES
#include "dialects/Ragged/IR/RaggedOps.cpp.inc"

namespace {
using Types = SmallVectorImpl<Type>;
using Loc = std::optional<Location>;

RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

LogicalResult checkRows(Loc loc, StringRef op, Value value) {
  if (hasRows(value.getType()))
    return success();
  // [RAGGED-ROWS-C1]
  return emitOptionalError(loc, "'ragged.", op,
                           "' op expected rows (a first dimension '?'), "
                           "but got ",
                           value.getType());
}

/// Ops whose result has the type of their rows.
LogicalResult inferSame(Loc loc, StringRef op, Value rows, Types &types) {
  types.push_back(rows.getType());
  return checkRows(loc, op, rows);
}
} // namespace

#define INFER(OP)                                                              \
  LogicalResult OP::inferReturnTypes(MLIRContext *context, Loc loc,            \
                                     Adaptor op, Types &types)

INFER(IndexOp) {
  types.push_back(RankedTensorType::get({ShapedType::kDynamic},
                                        IntegerType::get(context, 32)));
  return success();
}
INFER(PositionsOp) {
  types.push_back(RankedTensorType::get({ShapedType::kDynamic},
                                        IntegerType::get(context, 32)));
  return success();
}
INFER(PlacesOp) {
  types.push_back(RankedTensorType::get({ShapedType::kDynamic},
                                        IntegerType::get(context, 32)));
  return success();
}
INFER(RowNumbersOp) {
  return inferSame(loc, "row_numbers", op.getIndex(), types);
}
INFER(ExpandOp) { return inferSame(loc, "expand", op.getInput(), types); }
INFER(ReduceOp) { return inferSame(loc, "reduce", op.getInput(), types); }
INFER(SoftmaxOp) { return inferSame(loc, "softmax", op.getInput(), types); }
INFER(PermuteOp) { return inferSame(loc, "permute", op.getInput(), types); }
INFER(PartOp) { return inferSame(loc, "part", op.getInput(), types); }
INFER(SumParentsOp) {
  return inferSame(loc, "sum_parents", op.getInput(), types);
}
INFER(KeysOp) { return inferSame(loc, "keys", op.getInput(), types); }
INFER(MixKeysOp) { return inferSame(loc, "mix_keys", op.getInput(), types); }
INFER(ScatterSumOp) {
  return inferSame(loc, "scatter_sum", op.getInput(), types);
}

INFER(MaxGradOp) {
  if (op.getInput().getType() != op.getDy().getType())
    // [RAGGED-MAX_GRAD-C1]
    return emitOptionalError(
        loc, "'ragged.max_grad' op expected operands of one type, but got ",
        op.getInput().getType(), " and ", op.getDy().getType());
  return inferSame(loc, "max_grad", op.getInput(), types);
}
INFER(GatherOp) {
  if (typeOf(op.getInput()).getRank() < 1 ||
      typeOf(op.getIndex()).getRank() != 1)
    // [RAGGED-GATHER-C1]
    return emitOptionalError(
        loc,
        "'ragged.gather' op expected rows and a row of indices, "
        "but got ",
        op.getInput().getType(), " and ", op.getIndex().getType());
  SmallVector<int64_t> shape(typeOf(op.getInput()).getShape());
  shape[0] = ShapedType::kDynamic;
  types.push_back(typeOf(op.getInput()).clone(shape));
  return success();
}
INFER(DistinctOp) {
  // [RAGGED-DISTINCT-C2]
  if (op.getIds().empty())
    return emitOptionalError(loc,
                             "'ragged.distinct' op expected ids, but got none");
  for (Value ids : op.getIds()) {
    if (typeOf(ids).getRank() != 1 || op.getLimit() < 1)
      // [RAGGED-DISTINCT-C1]
      return emitOptionalError(
          loc,
          "'ragged.distinct' op expected a row of ids and a positive limit, "
          "but got ",
          ids.getType(), " and ", op.getLimit());
    if (failed(checkRows(loc, "distinct", ids)))
      return failure();
  }
  types.append(1 + op.getIds().size(), op.getIds().front().getType());
  return success();
}
INFER(JoinOp) { return inferSame(loc, "join", op.getLeaves(), types); }
INFER(ToSlotsOp) {
  if (failed(checkRows(loc, "to_slots", op.getInput())))
    return failure();
  int64_t arity = op.getArity();
  if (arity < 1)
    // [RAGGED-TO_SLOTS-C1]
    return emitOptionalError(
        loc, "'ragged.to_slots' op expected a positive arity, but got ", arity);
  SmallVector<int64_t> shape(typeOf(op.getInput()).getShape());
  shape.insert(shape.begin() + 1, arity);
  types.push_back(typeOf(op.getInput()).clone(shape));
  return success();
}
INFER(FromSlotsOp) {
  RankedTensorType type = typeOf(op.getInput());
  if (!hasRows(type) || type.getRank() < 2 || type.isDynamicDim(1))
    // [RAGGED-FROM_SLOTS-C1]
    return emitOptionalError(
        loc, "'ragged.from_slots' op expected rows of slots, but got ", type);
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + 1);
  types.push_back(type.clone(shape));
  return success();
}
INFER(AttentionOp) {
  for (Value rows : {op.getQuery(), op.getKey(), op.getValue()})
    if (failed(checkRows(loc, "attention", rows)))
      return failure();
  RankedTensorType query = typeOf(op.getQuery());
  auto ofQueries = [&](int64_t columns) {
    return query.clone({ShapedType::kDynamic, columns});
  };
  types.push_back(ofQueries(typeOf(op.getValue()).getDimSize(1)));
  types.push_back(ofQueries(op.getHeads()));
  return success();
}
INFER(PutRowsOp) {
  if (op.getRows().getType() != op.getAll().getType())
    // [RAGGED-PUT_ROWS-C1]
    return emitOptionalError(
        loc, "'ragged.put_rows' op expected rows of one type, but got ",
        op.getRows().getType(), " and ", op.getAll().getType());
  return inferSame(loc, "put_rows", op.getAll(), types);
}
#undef INFER

void AttentionOp::removeDropout() {
  getRandomMutable().clear();
  removeRateAttr();
  removeIdAttr();
}

SmallVector<Value> AttentionGradOp::getInputs() {
  SmallVector<Value> inputs{getQuery(), getKey(), getValue()};
  for (Value term : {getKeyBias(), getDistanceBias(), getRelativeKeys(),
                     getRelativeValues()})
    if (term)
      inputs.push_back(term);
  return inputs;
}

LogicalResult AttentionGradOp::verify() {
  SmallVector<Value> inputs = getInputs();
  TypeRange expected = ValueRange(inputs).getTypes();
  if (expected == getResultTypes())
    return success();
  // [RAGGED-ATTENTION_GRAD-C1]
  return emitOpError() << "expected results of types (" << expected
                       << "), but got (" << getResultTypes() << ")";
}

LogicalResult BroadcastOp::verify() {
  if (getType() == rowsType(getInput().getType()))
    return success();
  // [RAGGED-BROADCAST-C1]
  return emitOpError() << "expected the result to hold rows of "
                       << getInput().getType() << ", but got " << getType();
}

OpFoldResult PermuteOp::fold(FoldAdaptor) {
  // Equal rows stay equal.
  if (getInput().getDefiningOp<BroadcastOp>())
    return getInput();
  auto inner = getInput().getDefiningOp<PermuteOp>();
  if (inner && inner.getForest() == getForest() &&
      inner.getOrder() == inverse(getOrder()))
    return inner.getInput();
  return {};
}

OpFoldResult PartOp::fold(FoldAdaptor) {
  return getPart() == Part::All ? getInput() : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// LevelsOp
//===----------------------------------------------------------------------===//

Block::BlockArgListType LevelsOp::getNodeArgs() {
  return getBody().getArguments().drop_front().take_front(getNodes().size());
}
Block::BlockArgListType LevelsOp::getEdgeArgs() {
  return getBody()
      .getArguments()
      .drop_front(1 + getNodes().size())
      .take_front(getEdges().size());
}
Block::BlockArgListType LevelsOp::getRecurrentArgs() {
  return getBody()
      .getArguments()
      .drop_back(getShared().size())
      .take_back(getNumRecurrent());
}
Block::BlockArgListType LevelsOp::getSharedArgs() {
  return getBody().getArguments().take_back(getShared().size());
}
ResultRange LevelsOp::getRecurrentResults() {
  return getResults().take_front(getNumRecurrent());
}
ResultRange LevelsOp::getNodeResults() {
  return getResults()
      .drop_front(getNumRecurrent())
      .take_front(getNumNodeYields());
}
ResultRange LevelsOp::getEdgeResults() {
  return getResults()
      .drop_front(getNumRecurrent() + getNumNodeYields())
      .drop_back(getShared().size());
}
ResultRange LevelsOp::getSharedResults() {
  return getResults().take_back(getShared().size());
}

YieldOp LevelsOp::getYield() {
  return cast<YieldOp>(getBody().front().getTerminator());
}
LevelsYields LevelsOp::byKind(ValueRange values) {
  size_t recurrent = getNumRecurrent(), nodes = getNumNodeYields();
  ValueRange rows = values.drop_back(getShared().size());
  return {Values(rows.take_front(recurrent)),
          Values(rows.slice(recurrent, nodes)),
          Values(rows.drop_front(recurrent + nodes)),
          Values(values.take_back(getShared().size()))};
}
LevelsYields LevelsOp::getYields() { return byKind(getYield().getValues()); }
LevelsInputs LevelsOp::getInputs() {
  return {Values(getNodes()), Values(getEdges()), Values(getBase()),
          Values(getShared())};
}

Value LevelsOp::getArrayOf(Value arg) {
  for (auto [candidate, array] : llvm::zip_equal(getNodeArgs(), getNodes()))
    if (candidate == arg)
      return array;
  for (auto [candidate, array] : llvm::zip_equal(getEdgeArgs(), getEdges()))
    if (candidate == arg)
      return array;
  return {};
}
BlockArgument LevelsOp::getNodeArgOf(OpOperand &use) {
  unsigned first = getNodes().getBeginOperandIndex(),
           i = use.getOperandNumber();
  if (i < first || i - first >= getNodes().size())
    return {};
  return getNodeArgs()[i - first];
}
BlockArgument LevelsOp::addNodes(Value array) {
  unsigned position = 1 + getNodes().size();
  getNodesMutable().append(array);
  return getBody().insertArgument(position, array.getType(), array.getLoc());
}
BlockArgument LevelsOp::addEdges(Value array) {
  unsigned position = 1 + getNodes().size() + getEdges().size();
  getEdgesMutable().append(array);
  return getBody().insertArgument(position, array.getType(), array.getLoc());
}
void LevelsOp::eraseNodes(BlockArgument arg) {
  getNodesMutable().erase(arg.getArgNumber() - 1);
  getBody().eraseArgument(arg.getArgNumber());
}

CarriedValue LevelsOp::getCarried(OpResult result) {
  unsigned i = result.getResultNumber(),
           first = getNumResults() - getShared().size();
  if (i < first)
    return {};
  return {getShared()[i - first], getSharedArgs()[i - first],
          &getYield()->getOpOperand(i)};
}

LogicalResult LevelsOp::verify() {
  if (getPart() == Part::Leaves)
    // [RAGGED-LEVELS-C1]
    return emitOpError("expected the part 'all' or 'inner', but got 'leaves'");
  int64_t recurrent = getNumRecurrent(), nodes = getNumNodeYields();
  int64_t shared = getShared().size();
  if (recurrent < 0 || nodes < 0 ||
      recurrent + nodes + shared > static_cast<int64_t>(getNumResults()))
    // [RAGGED-LEVELS-C2]
    return emitOpError() << "expected at least " << recurrent + nodes + shared
                         << " results, but got " << getNumResults();
  bool needsBase = getDirection() == Direction::Up && getPart() == Part::Inner;
  size_t bases = needsBase ? recurrent : 0;
  if (getBase().size() != bases)
    // [RAGGED-LEVELS-C3]
    return emitOpError() << "expected " << bases << " 'base' operands, but got "
                         << getBase().size();
  for (auto [base, result] : llvm::zip(getBase(), getRecurrentResults()))
    if (base.getType() != result.getType())
      // [RAGGED-LEVELS-C4]
      return emitOpError() << "expected a base of type " << result.getType()
                           << ", but got " << base.getType();
  for (Value value : getOperands().drop_front().drop_back(shared))
    if (!hasRows(value.getType()))
      // [RAGGED-LEVELS-C5]
      return emitOpError() << "expected operands to hold rows, but got "
                           << value.getType();
  if (getShared().getTypes() != getSharedResults().getTypes())
    // [RAGGED-LEVELS-C6]
    return emitOpError() << "expected the last results to be of types ("
                         << getShared().getTypes() << "), but got ("
                         << getSharedResults().getTypes() << ")";
  for (Type type : TypeRange(getResultTypes()).drop_back(shared))
    if (!hasRows(type))
      // [RAGGED-LEVELS-C7]
      return emitOpError() << "expected results to hold rows, but got " << type;
  return success();
}

LogicalResult LevelsOp::verifyRegions() {
  SmallVector<Type> expected{RowsType::get(getContext())};
  llvm::append_range(expected, getNodes().getTypes());
  llvm::append_range(expected, getEdges().getTypes());
  bool isUp = getDirection() == Direction::Up;
  for (Type type : getRecurrentResults().getTypes()) {
    if (getCuts() && !isUp && !isOfCuts(type))
      // [RAGGED-LEVELS-C10]
      return emitOpError() << "expected messages with a row for each side of a "
                              "cut, but got "
                           << type;
    if (getCuts())
      type = isUp ? cutsType(type) : sidesType(type);
    expected.push_back(type);
  }
  llvm::append_range(expected, getShared().getTypes());
  if (TypeRange(expected) != TypeRange(getBody().getArgumentTypes()))
    // [RAGGED-LEVELS-C8]
    return emitOpError() << "expected region arguments of types (" << expected
                         << "), but got (" << getBody().getArgumentTypes()
                         << ")";
  auto yield = cast<YieldOp>(getBody().front().getTerminator());
  if (yield.getOperandTypes() == getResultTypes())
    return success();
  // [RAGGED-LEVELS-C9]
  InFlightDiagnostic diag = emitOpError()
                            << "expected to yield (" << getResultTypes()
                            << "), but got (" << yield.getOperandTypes() << ")";
  diag.attachNote(yield.getLoc()) << "it is yielded here";
  return diag;
}
