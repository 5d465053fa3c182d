//===-- LevelOfForest.cpp - What the rows of a level of a forest are ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LevelOfForest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace cambium;

namespace {
/// A number as another one and a constant.
struct Sum {
  Value value;
  int64_t constant = 0;

  explicit Sum(Value sum) : value(sum) {
    APInt number;
    while (auto add = value.getDefiningOp<arith::AddIOp>()) {
      if (!matchPattern(add.getRhs(), m_ConstantInt(&number)))
        return;
      constant += number.getSExtValue();
      value = add.getLhs();
    }
  }
};

/// A word that is read from an array of a forest.
struct Read {
  Value forest, number;
  rt::ForestIndex field;
  /// The part of the array that is read from: where it begins, and its size.
  OpFoldResult begin, size;
};
} // namespace

static std::optional<Read> readOf(Value value) {
  auto cast = value.getDefiningOp<arith::IndexCastOp>();
  auto load = cast ? cast.getIn().getDefiningOp<memref::LoadOp>() : nullptr;
  if (!load || load.getIndices().size() != 1)
    return std::nullopt;
  Read read;
  read.number = load.getIndices()[0];
  read.begin = Builder(value.getContext()).getIndexAttr(0);
  Value array = load.getMemRef();
  while (auto part = array.getDefiningOp<memref::SubViewOp>()) {
    OpFoldResult offset = part.getMixedOffsets()[0];
    if (!isOneInteger(part.getMixedStrides()[0]) ||
        (!isZeroInteger(read.begin) && !isZeroInteger(offset)))
      return std::nullopt;
    if (!isZeroInteger(offset)) {
      read.begin = offset;
      read.size = part.getMixedSizes()[0];
    }
    array = part.getSource();
  }
  auto source = array.getDefiningOp<rt::ForestIndexOp>();
  if (!source)
    return std::nullopt;
  read.forest = source.getForest();
  read.field = source.getField();
  return read;
}

static std::optional<Read> readOf(Value value, rt::ForestIndex field) {
  std::optional<Read> read = readOf(value);
  return read && read->field == field ? read : std::nullopt;
}

/// What is between two numbers, for a count.
static std::optional<std::pair<Value, Value>> rangeOf(Value count) {
  if (auto bounded = count.getDefiningOp<rt::AtMostOp>())
    count = bounded.getSize();
  if (auto length = count.getDefiningOp<arith::SubIOp>())
    return std::pair(length.getRhs(), length.getLhs());
  return std::nullopt;
}

/// The level of the nodes between two numbers.
static std::optional<LevelOfForest> levelBetween(Value first, Value behind) {
  auto begin = readOf(first, rt::ForestIndex::LevelNodes);
  auto end = readOf(behind, rt::ForestIndex::LevelNodes);
  if (!begin || !end || begin->forest != end->forest ||
      !isZeroInteger(begin->begin) || !isZeroInteger(end->begin))
    return std::nullopt;
  Sum number(begin->number), next(end->number);
  if (number.value != next.value || number.constant + 1 != next.constant)
    return std::nullopt;
  return LevelOfForest{begin->forest, first, behind};
}

std::optional<LevelOfForest> LevelOfForest::of(Value nodeCount) {
  auto range = rangeOf(nodeCount);
  return range ? levelBetween(range->first, range->second) : std::nullopt;
}

std::optional<LevelOfForest> LevelOfForest::ofEdges(Value edgeCount) {
  auto range = rangeOf(edgeCount);
  if (!range)
    return std::nullopt;
  auto begin = readOf(range->first, rt::ForestIndex::ChildOffsets);
  auto end = readOf(range->second, rt::ForestIndex::ChildOffsets);
  if (!begin || !end)
    return std::nullopt;
  auto level = levelBetween(begin->number, end->number);
  return level && level->countsEdges(edgeCount) ? level : std::nullopt;
}

bool LevelOfForest::isFirstEdge(Value edge, Value node) const {
  auto read = readOf(edge, rt::ForestIndex::ChildOffsets);
  return read && read->forest == forest && isZeroInteger(read->begin) &&
         read->number == node;
}

bool LevelOfForest::countsEdges(Value count) const {
  auto range = rangeOf(count);
  return range && isFirstEdge(range->first, nodeBegin) &&
         isFirstEdge(range->second, nodeEnd);
}

bool LevelOfForest::isFirstOf(Value row, Value node, int64_t behind) const {
  auto rest = row.getDefiningOp<arith::SubIOp>();
  if (!rest || !isFirstEdge(rest.getRhs(), nodeBegin))
    return false;
  auto read = readOf(rest.getLhs(), rt::ForestIndex::ChildOffsets);
  if (!read || read->forest != forest || !isZeroInteger(read->begin))
    return false;
  Sum number(read->number);
  auto add = number.value.getDefiningOp<arith::AddIOp>();
  return add && number.constant == behind && add.getLhs() == nodeBegin &&
         add.getRhs() == node;
}

bool LevelOfForest::isEdgeOf(Value row, Value node, Operation *at) const {
  if (auto counter = dyn_cast<BlockArgument>(row)) {
    auto loop = dyn_cast<scf::ForOp>(counter.getOwner()->getParentOp());
    return loop && counter == loop.getInductionVar() &&
           isFirstOf(Sum(loop.getLowerBound()).value, node, 0) &&
           Sum(loop.getLowerBound()).constant >= 0 &&
           isFirstOf(loop.getUpperBound(), node, 1);
  }
  if (!isFirstOf(row, node, 0))
    return false;
  // A node without children has no first one.
  for (Operation *in = at; in; in = in->getParentOp()) {
    auto branch = dyn_cast_or_null<scf::IfOp>(in->getParentOp());
    if (!branch || in->getParentRegion() != &branch.getThenRegion())
      continue;
    auto test = branch.getCondition().getDefiningOp<arith::CmpIOp>();
    if (test && test.getPredicate() == arith::CmpIPredicate::slt &&
        test.getLhs() == row && isFirstOf(test.getRhs(), node, 1))
      return true;
  }
  return false;
}

bool LevelOfForest::isChild(Value node) const {
  auto read = readOf(node, rt::ForestIndex::ChildNodes);
  auto begin = read ? dyn_cast<Value>(read->begin) : Value();
  auto size = begin ? dyn_cast<Value>(read->size) : Value();
  return size && read->forest == forest && isFirstEdge(begin, nodeBegin) &&
         countsEdges(size);
}

Value LevelOfForest::firstEdge(OpBuilder &b, Location loc, Value node,
                               Value count) const {
  // As the level's first edge is read.
  Value levelFirst = rangeOf(count)->first;
  auto cast = levelFirst.getDefiningOp<arith::IndexCastOp>();
  auto load = cast.getIn().getDefiningOp<memref::LoadOp>();
  Value at = arith::AddIOp::create(b, loc, nodeBegin, node);
  Value word = memref::LoadOp::create(b, loc, load.getMemRef(), at);
  Value edge = arith::IndexCastOp::create(b, loc, b.getIndexType(), word);
  return arith::SubIOp::create(b, loc, edge, levelFirst);
}
