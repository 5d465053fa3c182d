//===-- ShareRows.cpp - Equal rows are computed once ----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/BatchableOpInterface.h"
#include "cambium/Support/Remarks.h"
#include "cambium/Support/Rows.h"
#include "dialects/RT/IR/RT.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "dialects/Ragged/Transforms/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace cambium::ragged {
#define GEN_PASS_DEF_SHAREROWS
#include "dialects/Ragged/Transforms/Passes.h.inc"
} // namespace cambium::ragged

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

static constexpr llvm::StringLiteral shareFlag = "ragged-share-rows";

/// The op as one that works row by row, or null.
static BatchableOpInterface asRowwise(Operation *op) {
  auto rowwise = dyn_cast<BatchableOpInterface>(op);
  return rowwise && rowwise.isRowwise() && isPure(op) &&
                 op->getNumRegions() == 0 && !rowwise.drawsRandomNumbers()
             ? rowwise
             : BatchableOpInterface();
}

/// The bound of the ids in an operand that are looked up, or none.
static std::optional<int64_t> lookupBound(OpOperand &operand) {
  auto op = asRowwise(operand.getOwner());
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  if (!op || !type || !hasRows(type) || type.getRank() != 1 ||
      !type.getElementType().isInteger(32) || op->getNumResults() != 1 ||
      !op.isRowOperand(operand.getOperandNumber()))
    return std::nullopt;
  return op.getIdBound(operand.getOperandNumber());
}

namespace {
/// What depends on the rows of one array of ids alone.
class IdSharer {
public:
  IdSharer(Value ids, int64_t limit, Block &block)
      : ids(ids), limit(limit), block(block) {}
  void run(int64_t leastWork);

private:
  bool dependsOnIdsAlone(Operation *op) const;
  void find();
  void addNeeded();
  int64_t workOf(Operation *op) const;
  void move();

  Value ids;
  int64_t limit;
  Block &block;
  /// Values that are the same for equal ids.
  llvm::DenseSet<Value> shared;
  /// Ops that compute them, and those that only arrange what these need.
  llvm::SetVector<Operation *> computing, moved;
};
} // namespace

/// Row operands are shared; others are the same for all rows.
bool IdSharer::dependsOnIdsAlone(Operation *op) const {
  BatchableOpInterface rowwise = asRowwise(op);
  if (!rowwise)
    return false;
  bool reads = false;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isShared = shared.contains(operand.get());
    if (isShared != rowwise.isRowOperand(operand.getOperandNumber()))
      return false;
    reads |= isShared;
  }
  return reads;
}

void IdSharer::find() {
  shared.insert(ids);
  for (Operation &op : block.without_terminator()) {
    if (!dependsOnIdsAlone(&op))
      continue;
    shared.insert_range(op.getResults());
    bool looksUp = llvm::any_of(op.getOpOperands(), [](OpOperand &operand) {
      return lookupBound(operand).has_value();
    });
    if (!looksUp && !cast<BatchableOpInterface>(op).movesDataOnly())
      computing.insert(&op);
  }
}

/// Look-ups and ops that only arrange elements move if a computation needs
/// them.
void IdSharer::addNeeded() {
  llvm::DenseSet<Operation *> needed(computing.begin(), computing.end());
  for (Operation &op : llvm::reverse(block.without_terminator())) {
    if (!needed.contains(&op))
      continue;
    for (Value operand : op.getOperands())
      if (operand != ids && shared.contains(operand))
        needed.insert(operand.getDefiningOp());
    moved.insert(&op);
  }
  SmallVector<Operation *> ops = moved.takeVector();
  moved.insert(ops.rbegin(), ops.rend());
}

/// Multiply-adds of a row: a product has one for each element of its matrix.
int64_t IdSharer::workOf(Operation *op) const {
  int64_t work = 0;
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (type && !shared.contains(operand) && type.getRank() > 1 &&
        type.hasStaticShape())
      work += type.getNumElements();
  }
  return work;
}

/// Builds the ops for distinct ids; who else reads a result gathers it.
void IdSharer::move() {
  OpBuilder builder(ids.getContext());
  builder.setInsertionPoint(moved.front());
  auto distinct =
      DistinctOp::create(builder, moved.front()->getLoc(), ids, limit);
  IRMapping mapping;
  mapping.map(ids, distinct.getDistinct());
  for (Operation *op : moved) {
    builder.setInsertionPoint(op);
    Operation *once = builder.clone(*op, mapping);
    if (!computing.contains(op))
      continue;
    for (auto [result, value] :
         llvm::zip_equal(op->getResults(), once->getResults())) {
      auto isOutside = [&](OpOperand &use) {
        return !moved.contains(use.getOwner());
      };
      if (llvm::none_of(result.getUses(), isOutside))
        continue;
      Value all =
          GatherOp::create(builder, op->getLoc(), value, distinct.getPlaces());
      result.replaceUsesWithIf(all, isOutside);
    }
  }
  for (Operation *op : llvm::reverse(moved))
    if (op->use_empty())
      op->erase();
}

void IdSharer::run(int64_t leastWork) {
  find();
  int64_t work = 0;
  for (Operation *op : computing)
    work += workOf(op);
  if (work == 0)
    return;
  Operation *first = computing.front();
  if (work < leastWork) {
    remarkMissed(first, shareFlag)
        << remark::add("rows of equal ids are computed each")
        << remark::reason("a row has {0} multiply-adds, fewer than {1}", work,
                          leastWork);
    return;
  }
  remarkPassed(first, shareFlag)
      << remark::add("rows of equal ids are computed once")
      << remark::metric("Ops", computing.size())
      << remark::metric("MultiplyAdds", work);
  addNeeded();
  move();
}

namespace {
struct ShareRows : ragged::impl::ShareRowsBase<ShareRows> {
  using Base::Base;

  /// Ids that are looked up in a function, outside of loops, and their bound.
  static llvm::MapVector<Value, int64_t> findIds(Block &block) {
    llvm::MapVector<Value, int64_t> found;
    for (Operation &op : block)
      for (OpOperand &operand : op.getOpOperands())
        if (std::optional<int64_t> bound = lookupBound(operand)) {
          int64_t &limit = found[operand.get()];
          limit = std::max(limit, *bound);
        }
    return found;
  }

  void runOnOperation() override {
    int64_t leastWork = rt::getTargetCosts(getOperation()).sharedWork;
    getOperation()->walk([&](FunctionOpInterface function) {
      if (function.isExternal())
        return;
      Block &block = function.getFunctionBody().front();
      for (auto [ids, limit] : findIds(block))
        IdSharer(ids, limit, block).run(leastWork);
    });
  }
};
} // namespace
