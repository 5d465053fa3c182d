//===-- RowSpaces.cpp - Which rows belong together -----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/Batching/RowSpaces.h"
#include "cambium/Interfaces/BatchableOpInterface.h"
#include "dialects/NN/IR/Names.h"
#include "dialects/Tree/IR/Tree.h"

using namespace mlir;
using namespace cambium;

LogicalResult cambium::joinAllRows(Operation *op, RowSpaces &spaces) {
  Value first;
  auto visit = [&](Value value) {
    if (!hasRows(value.getType()))
      return success();
    if (first)
      return spaces.join(op, first, value);
    first = value;
    return success();
  };
  for (Value operand : op->getOperands())
    if (failed(visit(operand)))
      return failure();
  for (Value result : op->getResults())
    if (failed(visit(result)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Union and find
//===----------------------------------------------------------------------===//

unsigned RowSpaces::add(RowSpace space) {
  spaces.push_back(std::move(space));
  parents.push_back(parents.size());
  return parents.size() - 1;
}

unsigned RowSpaces::find(unsigned space) {
  while (parents[space] != space)
    space = parents[space] = parents[parents[space]];
  return space;
}

/// Whether rows come from outside of all regions that make rows.
static bool isGiven(const RowSpace &space) {
  return space.isArgument || space.in || space.nodesOf || space.edgesOf;
}

/// Whether the two are rows of different cells, or of one and of the example.
static bool areOfOtherCells(const RowSpace &a, const RowSpace &b) {
  return a.cell != b.cell && !a.isOpen && !b.isOpen;
}

/// Whether two spaces cannot be the same one.
bool RowSpaces::differ(const RowSpace &a, const RowSpace &b) {
  return areOfOtherCells(a, b) ||
         (a.madeBy && b.madeBy && a.madeBy != b.madeBy) ||
         (a.madeBy && isGiven(b)) || (b.madeBy && isGiven(a)) ||
         (a.in && b.isArgument) || (a.isArgument && b.in) ||
         (a.in && b.in && find(*a.in) != find(*b.in)) ||
         (!a.name.empty() && !b.name.empty() && a.name != b.name) ||
         (a.nodesOf && b.nodesOf && a.nodesOf != b.nodesOf) ||
         (a.edgesOf && b.edgesOf && a.edgesOf != b.edgesOf) ||
         (a.nodesOf && b.edgesOf) || (a.edgesOf && b.nodesOf);
}

/// What is known of either: the older space gives the description, unless the
/// newer one knows more.
static RowSpace merge(const RowSpace &a, const RowSpace &b) {
  bool bSaysMore =
      (a.isOpen && !b.isOpen) ||
      (!a.nodesOf && !a.edgesOf && (b.nodesOf || b.edgesOf || b.madeBy));
  RowSpace result = bSaysMore ? b : a;
  const RowSpace &other = bSaysMore ? a : b;
  if (result.name.empty())
    result.name = other.name;
  if (!result.nodesOf)
    result.nodesOf = other.nodesOf;
  if (!result.edgesOf)
    result.edgesOf = other.edgesOf;
  if (!result.madeBy)
    result.madeBy = other.madeBy;
  result.isArgument |= other.isArgument;
  if (!result.in)
    result.in = other.in;
  return result;
}

LogicalResult RowSpaces::unite(Operation *op, unsigned a, unsigned b) {
  a = find(a);
  b = find(b);
  if (a == b)
    return success();
  if (differ(spaces[a], spaces[b])) {
    // [TREE-SPACES-C1]
    InFlightDiagnostic diag = op->emitOpError()
                              << "expected rows of one space, but got "
                              << spaces[a].what << " and " << spaces[b].what;
    diag.attachNote(spaces[a].origin) << spaces[a].what << " come from here";
    diag.attachNote(spaces[b].origin) << spaces[b].what << " come from here";
    if (areOfOtherCells(spaces[a], spaces[b]))
      diag.attachNote() << "a cell sees only its own node: what it needs of "
                           "others comes to it as a node input, a child state "
                           "or an edge input";
    return diag;
  }
  auto [root, other] = std::minmax(a, b);
  spaces[root] = merge(spaces[root], spaces[other]);
  parents[other] = root;
  return success();
}

//===----------------------------------------------------------------------===//
// Spaces of values
//===----------------------------------------------------------------------===//

/// How a message names an argument: as the user does, or by its number.
static std::string argumentName(BlockArgument arg) {
  auto function = dyn_cast<FunctionOpInterface>(arg.getOwner()->getParentOp());
  StringRef name;
  if (function)
    name = nn::getArgumentName(function, arg.getArgNumber());
  if (!name.empty())
    return ("'" + name + "'").str();
  return "argument " + std::to_string(arg.getArgNumber());
}

static std::string treeName(Value tree) {
  if (auto arg = dyn_cast<BlockArgument>(tree))
    return argumentName(arg);
  return "'" + tree.getDefiningOp()->getName().getStringRef().str() + "'";
}

void RowSpaces::addArgument(BlockArgument arg) {
  addOuter(arg);
  if (!hasInnerRows(arg.getType()))
    return;
  RowSpace inner{"",           {},
                 {},           nullptr,
                 arg.getLoc(), "the rows of one row of " + argumentName(arg)};
  inner.in = ofRows[arg];
  ofInner[arg] = add(inner);
}

void RowSpaces::addOuter(BlockArgument arg) {
  RowSpace space{"",      {},           {},
                 nullptr, arg.getLoc(), "the rows of " + argumentName(arg)};
  space.isArgument = true;
  space.name = nn::getRowsName(function, arg.getArgNumber()).str();
  if (!space.name.empty())
    space.what = "the rows '" + space.name + "' of " + argumentName(arg);
  // Arguments that name the same rows have the same rows.
  auto sameName = llvm::find_if(spaces, [&](const RowSpace &other) {
    return !space.name.empty() && other.name == space.name;
  });
  if (sameName != spaces.end() && hasRows(arg.getType())) {
    ofRows[arg] = static_cast<unsigned>(sameName - spaces.begin());
    return;
  }
  if (isa<tree::TreeType>(arg.getType())) {
    space.nodesOf = arg;
    space.what = "the nodes of " + argumentName(arg);
    ofNodes[arg] = add(space);
  } else if (hasRows(arg.getType())) {
    ofRows[arg] = add(space);
  }
}

/// The region whose rows are not those of its surroundings: the cell of a node,
/// or the function.
static Region *findCell(Value value) {
  Region *region = value.getParentRegion();
  while (auto loop = dyn_cast<BatchableOpInterface>(region->getParentOp())) {
    if (!loop.sharesRowSpaces())
      break;
    region = region->getParentRegion();
  }
  return region;
}

unsigned RowSpaces::spaceOf(Value rows) {
  auto [it, isNew] = ofRows.try_emplace(rows, 0);
  if (!isNew)
    return find(it->second);
  Region *cell = findCell(rows);
  if (cell == &function.getFunctionBody())
    cell = nullptr;
  unsigned space =
      add({"", {}, {}, cell, rows.getLoc(), cell ? "rows of a cell" : "rows"});
  spaces[space].isOpen = cell;
  ofRows[rows] = space;
  return space;
}

unsigned RowSpaces::nodesOf(Value tree) {
  auto it = ofNodes.find(tree);
  if (it != ofNodes.end())
    return find(it->second);
  unsigned space = add(
      {"", {}, {}, nullptr, tree.getLoc(), "the nodes of " + treeName(tree)});
  ofNodes[tree] = space;
  return space;
}

unsigned RowSpaces::edgesOf(Value tree) {
  auto it = ofEdges.find(tree);
  if (it != ofEdges.end())
    return find(it->second);
  unsigned space = add(
      {"", {}, tree, nullptr, tree.getLoc(), "the edges of " + treeName(tree)});
  ofEdges[tree] = space;
  return space;
}

unsigned RowSpaces::innerOf(Value rows) {
  unsigned outer = spaceOf(rows), inner = find(ofInner.at(rows));
  if (spaces[inner].in && find(*spaces[inner].in) == outer)
    return inner;
  return pairsOf(outer, inner);
}

unsigned RowSpaces::pairsOf(unsigned rows, unsigned others) {
  for (const Pairs &known : pairs)
    if (find(known.rows) == rows && find(known.others) == others)
      return known.space;
  RowSpace space{"",
                 {},
                 {},
                 spaces[rows].cell,
                 spaces[others].origin,
                 spaces[others].what + ", as each of others sees them"};
  space.in = rows;
  pairs.push_back({rows, others, add(space)});
  return pairs.back().space;
}

unsigned RowSpaces::childrenOf(Region *cell) {
  auto it = ofChildren.find(cell);
  if (it != ofChildren.end())
    return find(it->second);
  unsigned space = add(
      {"", {}, {}, cell, cell->getLoc(), "the children of the node at hand"});
  ofChildren[cell] = space;
  return space;
}

LogicalResult RowSpaces::join(Operation *op, Value a, Value b) {
  unsigned first = spaceOf(a);
  return unite(op, first, spaceOf(b));
}
LogicalResult RowSpaces::joinNodes(Operation *op, Value rows, Value tree) {
  unsigned nodes = nodesOf(tree);
  return unite(op, nodes, spaceOf(rows));
}
LogicalResult RowSpaces::joinEdges(Operation *op, Value rows, Value tree) {
  unsigned edges = edgesOf(tree);
  return unite(op, edges, spaceOf(rows));
}
LogicalResult RowSpaces::joinInner(Operation *op, Value rows, Value row) {
  entered.insert({op, rows});
  return unite(op, find(ofInner.at(rows)), spaceOf(row));
}
LogicalResult RowSpaces::joinChildren(Operation *op, Value rows, Region *cell) {
  unsigned children = childrenOf(cell);
  return unite(op, children, spaceOf(rows));
}

void RowSpaces::addInner(Value rows, StringRef what) {
  RowSpace inner{"",        {}, {}, spaces[spaceOf(rows)].cell, rows.getLoc(),
                 what.str()};
  inner.in = spaceOf(rows);
  ofInner[rows] = add(inner);
}

LogicalResult RowSpaces::joinInners(Operation *op, Value a, Value b) {
  return unite(op, find(ofInner.at(a)), find(ofInner.at(b)));
}

void RowSpaces::setMadeBy(Operation *op, Value rows, StringRef what) {
  RowSpace &space = spaces[spaceOf(rows)];
  space.madeBy = op;
  space.what = what.str();
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// Of a tensor only the first dimension may be `?`; where rows have rows the
/// second one, too.
static LogicalResult checkShape(Operation *op, Value value, bool isOfRows) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  if (!tensor)
    return success();
  if (llvm::none_of(llvm::drop_begin(
                        tensor.getShape(),
                        std::min<int64_t>(tensor.getRank(), isOfRows ? 2 : 1)),
                    ShapedType::isDynamic))
    return success();
  // [TREE-SPACES-C2]
  return op->emitOpError()
         << "expected only the first dimension of a tensor to be '?', "
            "but got "
         << tensor;
}

/// Rows that have rows are read by an op that takes them as such.
LogicalResult RowSpaces::checkInner(Operation *op) {
  for (Value operand : op->getOperands()) {
    if (!hasInnerRows(operand.getType()) || entered.contains({op, operand}))
      continue;
    // [TREE-SPACES-C3]
    InFlightDiagnostic diag =
        op->emitOpError("expected rows without rows, but got ")
        << operand.getType() << " (a body for each of them is 'nn.each')";
    diag.attachNote(operand.getLoc()) << "they come from here";
    return diag;
  }
  return success();
}

LogicalResult RowSpaces::visit(Operation *op) {
  auto batchable = dyn_cast<BatchableOpInterface>(op);
  for (Value result : op->getResults()) {
    if (failed(checkShape(op, result, hasInnerRows(result.getType()))))
      return failure();
    // Whose rows those of a call's rows are is known where it is inlined.
    if (!batchable && hasInnerRows(result.getType()))
      ofInner[result] = add({"",
                             {},
                             {},
                             spaces[spaceOf(result)].cell,
                             result.getLoc(),
                             "the rows of one row"});
  }
  if (!batchable)
    return success();
  if (failed(batchable.inferRowSpaces(*this)))
    return failure();
  for (Value result : op->getResults())
    if (failed(checkShape(op, result, ofInner.contains(result))))
      return failure();
  return checkInner(op);
}

FailureOr<RowSpaces> RowSpaces::infer(FunctionOpInterface function) {
  RowSpaces spaces(function);
  for (BlockArgument arg : function.getArguments()) {
    if (failed(checkShape(function, arg, hasInnerRows(arg.getType()))))
      return failure();
    spaces.addArgument(arg);
  }
  WalkResult result = function.getFunctionBody().walk<WalkOrder::PreOrder>(
      [&](Operation *op) { return WalkResult(spaces.visit(op)); });
  if (result.wasInterrupted())
    return failure();
  return spaces;
}
