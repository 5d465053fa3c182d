//===-- dialects/Tree/IR/TreeOps.cpp - Verification of tree operations ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Rows.h"
#include "dialects/Tree/IR/Tree.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::tree;

#define GET_OP_CLASSES
#include "dialects/Tree/IR/TreeOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

Block::BlockArgListType FoldOp::getNodeArgs() {
  return getBody().getArguments().take_front(getNodes().size());
}
Block::BlockArgListType FoldOp::getEdgeArgs() {
  return getBody()
      .getArguments()
      .drop_front(getNodes().size())
      .take_front(getEdges().size());
}
Block::BlockArgListType FoldOp::getChildArgs() {
  return getBody().getArguments().drop_front(getNodes().size() +
                                             getEdges().size());
}
Block::BlockArgListType FoldOp::getStackedArgs() {
  return getBody().getArguments().drop_front(getNodes().size());
}
void FoldOp::getArgsOf(OpOperand &operand, SmallVectorImpl<Value> &args) {
  for (auto [i, use, arg] : llvm::enumerate(getNodesMutable(), getNodeArgs())) {
    if (&use != &operand)
      continue;
    args.push_back(arg);
    if (!getLeaf().empty())
      args.push_back(getLeaf().getArgument(i));
  }
  for (auto [use, arg] : llvm::zip_equal(getEdgesMutable(), getEdgeArgs()))
    if (&use == &operand)
      args.push_back(arg);
}
int64_t FoldOp::getArity() {
  auto stacked = getStackedArgs();
  if (stacked.empty())
    return ShapedType::kDynamic;
  return cast<RankedTensorType>(stacked.front().getType()).getDimSize(0);
}
bool FoldOp::isByCuts() {
  auto children = getChildArgs();
  if (children.empty())
    return false;
  auto type = dyn_cast<RankedTensorType>(children.front().getType());
  return type && type.getRank() == getStateType(0).getRank() + 2;
}
RankedTensorType FoldOp::getStateType(unsigned i) {
  return rowType(getResultTypes()[i]);
}

Block::BlockArgListType UnfoldOp::getNodeArgs() {
  return getBody().getArguments().take_front(getNodes().size());
}
void UnfoldOp::getArgsOf(OpOperand &operand, SmallVectorImpl<Value> &args) {
  for (auto [use, arg] : llvm::zip_equal(getNodesMutable(), getNodeArgs()))
    if (&use == &operand)
      args.push_back(arg);
}
Block::BlockArgListType UnfoldOp::getParentArgs() {
  return getBody().getArguments().drop_front(getNodes().size());
}
RankedTensorType UnfoldOp::getStateType(unsigned i) {
  return rowType(getResultTypes()[i]);
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

static LogicalResult verifyRows(Operation *op, StringRef what, Value value) {
  if (hasRows(value.getType()))
    return success();
  // [TREE-ROWS-C1]
  return op->emitOpError() << "expected " << what
                           << " to hold rows (a first dimension '?'), "
                           << "but got " << value.getType();
}

/// The operands of a kind are rows of the arguments' type.
static LogicalResult verifyNodeArgs(Operation *op, Block::BlockArgListType args,
                                    OperandRange operands) {
  for (auto [i, operand] : llvm::enumerate(operands)) {
    if (failed(verifyRows(op, "a 'nodes' operand", operand)))
      return failure();
    if (i >= args.size() || rowType(operand.getType()) != args[i].getType())
      // [TREE-CELL-C1]
      return op->emitOpError()
             << "expected region argument " << i << " to be a row of "
             << operand.getType() << ", but got "
             << (i < args.size() ? args[i].getType()
                                 : NoneType::get(op->getContext()));
  }
  return success();
}

/// `yield` gives exactly the states.
static LogicalResult verifyYield(Operation *op, Region &region,
                                 StringRef name) {
  auto yield = cast<YieldOp>(region.front().getTerminator());
  unsigned expected = op->getNumResults();
  if (yield.getNumOperands() != expected) {
    // [TREE-YIELD-C1]
    InFlightDiagnostic diag = op->emitOpError()
                              << "expected the " << name << " region to yield "
                              << expected << " states, but got "
                              << yield.getNumOperands();
    diag.attachNote(yield.getLoc()) << "they are yielded here";
    return diag;
  }
  for (unsigned i = 0; i < expected; ++i) {
    Type state = rowType(op->getResult(i).getType());
    if (yield.getOperand(i).getType() == state)
      continue;
    // [TREE-YIELD-C2]
    InFlightDiagnostic diag = op->emitOpError()
                              << "expected state " << i << " of the " << name
                              << " region to be " << state << ", but got "
                              << yield.getOperand(i).getType();
    diag.attachNote(yield.getLoc()) << "it is yielded here";
    return diag;
  }
  return success();
}

LogicalResult FoldOp::verify() {
  for (Type type : getResultTypes())
    if (!hasRows(type))
      // [TREE-FOLD-C1]
      return emitOpError()
             << "expected results to hold a row per node, but got " << type;
  for (Value edge : getEdges())
    if (failed(verifyRows(*this, "an 'edges' operand", edge)))
      return failure();
  size_t expected = getNodes().size() + getEdges().size() + getNumResults();
  if (getBody().getNumArguments() != expected)
    // [TREE-FOLD-C2]
    return emitOpError() << "expected one 'children' argument per state ("
                         << getNumResults() << "), but got "
                         << static_cast<int64_t>(getBody().getNumArguments()) -
                                static_cast<int64_t>(getNodes().size() +
                                                     getEdges().size());
  return verifyNodeArgs(*this, getNodeArgs(), getNodes());
}

/// Two rows of a type, side by side.
static RankedTensorType pairOf(RankedTensorType row) {
  SmallVector<int64_t> shape{2};
  llvm::append_range(shape, row.getShape());
  return row.clone(shape);
}

/// Stacked arguments hold rows of `row`, as many as every other one.
static LogicalResult verifyStacked(FoldOp op, BlockArgument arg,
                                   RankedTensorType row, StringRef what) {
  auto type = dyn_cast<RankedTensorType>(arg.getType());
  // Of a chart, pairs of them.
  if (op.isByCuts() && type == rowsType(pairOf(row)))
    return success();
  if (!type || type.getRank() == 0 || rowType(type) != row)
    // [TREE-FOLD-C3]
    return op.emitOpError() << "expected " << what << " to be stacked rows of "
                            << row << ", but got " << arg.getType();
  if (type.getDimSize(0) != op.getArity())
    // [TREE-FOLD-C4]
    return op.emitOpError()
           << "expected all stacked arguments to have the same number of "
              "rows, but got "
           << op.getBody().getArgument(op.getNodes().size()).getType()
           << " and " << type;
  if (op.getArity() == 0)
    // [TREE-FOLD-C4]
    return op.emitOpError()
           << "expected stacked arguments of at least one row, but got "
           << type;
  return success();
}

LogicalResult FoldOp::verifyRegions() {
  if (isByCuts() && !getEdges().empty())
    // [TREE-FOLD-C7]
    return emitOpError("expected no 'edges' where children come in pairs");
  for (auto [arg, operand] : llvm::zip_equal(getEdgeArgs(), getEdges()))
    if (failed(verifyStacked(*this, arg, rowType(operand.getType()),
                             "an edge argument")))
      return failure();
  for (auto [i, arg] : llvm::enumerate(getChildArgs()))
    if (failed(verifyStacked(*this, arg, getStateType(i),
                             "the children's state " + std::to_string(i))))
      return failure();
  if (failed(verifyYield(*this, getBody(), "body")))
    return failure();
  if (getLeaf().empty())
    return success();
  if (getLeaf().getArgumentTypes() != ValueRange(getNodeArgs()).getTypes())
    // [TREE-FOLD-C5]
    return emitOpError(
        "expected the leaf region to have the 'nodes' arguments alone");
  return verifyYield(*this, getLeaf(), "leaf");
}

LogicalResult UnfoldOp::verify() {
  for (Type type : getResultTypes())
    if (!hasRows(type))
      // [TREE-UNFOLD-C1]
      return emitOpError()
             << "expected results to hold a row per node, but got " << type;
  if (getBody().getNumArguments() != getNodes().size() + getNumResults())
    // [TREE-UNFOLD-C2]
    return emitOpError() << "expected one 'parent' argument per state ("
                         << getNumResults() << "), but got "
                         << static_cast<int64_t>(getBody().getNumArguments()) -
                                static_cast<int64_t>(getNodes().size());
  return verifyNodeArgs(*this, getNodeArgs(), getNodes());
}

LogicalResult UnfoldOp::verifyRegions() {
  for (auto [i, arg] : llvm::enumerate(getParentArgs()))
    if (arg.getType() != getStateType(i))
      // [TREE-UNFOLD-C3]
      return emitOpError() << "expected the parent's state " << i << " to be "
                           << getStateType(i) << ", but got " << arg.getType();
  return verifyYield(*this, getBody(), "body");
}

LogicalResult ChainOp::verify() {
  return verifyRows(*this, "the operand", getRows());
}

LogicalResult ChartOp::inferReturnTypes(MLIRContext *context,
                                        std::optional<Location> loc, Adaptor op,
                                        SmallVectorImpl<Type> &types) {
  if (!hasRows(op.getRows().getType()))
    // [TREE-ROWS-C1]
    return emitOptionalError(loc,
                             "'tree.chart' op expected the operand to hold "
                             "rows (a first dimension '?'), but got ",
                             op.getRows().getType());
  types.push_back(TreeType::get(context));
  types.append(2, RankedTensorType::get({ShapedType::kDynamic},
                                        IntegerType::get(context, 32)));
  return success();
}

int64_t cambium::tree::getMaxArity(Value tree) {
  int64_t least = -1;
  for (Operation *user : tree.getUsers()) {
    auto fold = dyn_cast<FoldOp>(user);
    if (!fold || ShapedType::isDynamic(fold.getArity()))
      continue;
    least = least < 0 ? fold.getArity() : std::min(least, fold.getArity());
  }
  return least;
}

LogicalResult FromParentsOp::verify() {
  if (failed(verifyRows(*this, "the operand", getParents())))
    return failure();
  if (getParents().getType().getRank() != 1)
    // [TREE-FROM_PARENTS-C1]
    return emitOpError() << "expected one parent per row, but got "
                         << getParents().getType();
  return success();
}

LogicalResult MaxSpanningOp::inferReturnTypes(MLIRContext *context,
                                              std::optional<Location> loc,
                                              Adaptor op,
                                              SmallVectorImpl<Type> &types) {
  auto scores = dyn_cast<RankedTensorType>(op.getScores().getType());
  if (!scores || scores.getRank() != 2 || scores.getNumDynamicDims() != 2)
    // [TREE-MAX_SPANNING-C1]
    return emitOptionalError(loc,
                             "'tree.max_spanning' op expected a score for each "
                             "pair of rows (tensor<?x?x...>), but got ",
                             op.getScores().getType());
  types.push_back(RankedTensorType::get({ShapedType::kDynamic},
                                        IntegerType::get(context, 32)));
  return success();
}

LogicalResult NoRowsOp::verify() {
  return verifyRows(*this, "the result", getResult());
}

/// Shared by ops that take node rows.
static LogicalResult inferFromRows(std::optional<Location> loc, StringRef op,
                                   Value rows) {
  if (hasRows(rows.getType()))
    return success();
  // [TREE-NODES-C1]
  return emitOptionalError(loc, "'tree.", op,
                           "' op expected rows of nodes (a first dimension "
                           "'?'), but got ",
                           rows.getType());
}

LogicalResult RootOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> loc, Adaptor op,
                                       SmallVectorImpl<Type> &types) {
  if (failed(inferFromRows(loc, "root", op.getRows())))
    return failure();
  types.push_back(rowType(op.getRows().getType()));
  return success();
}

LogicalResult ChildRowsOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor op,
                                            SmallVectorImpl<Type> &types) {
  types.push_back(op.getRows().getType());
  return inferFromRows(loc, "child_rows", op.getRows());
}
