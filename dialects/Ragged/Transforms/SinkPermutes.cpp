//===-- dialects/Ragged/Transforms/SinkPermutes.cpp - Permute narrow rows -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/BatchableOpInterface.h"
#include "cambium/Support/Remarks.h"
#include "cambium/Support/Rows.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "dialects/Ragged/Transforms/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace cambium::ragged {
#define GEN_PASS_DEF_SINKPERMUTES
#include "dialects/Ragged/Transforms/Passes.h.inc"
} // namespace cambium::ragged

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

static constexpr llvm::StringLiteral sinkFlag = "ragged-sink-permutes";

/// The row operands of a row-wise op; none for other ops.
static SmallVector<OpOperand *> rowOperands(Operation *op) {
  SmallVector<OpOperand *> operands;
  auto rowwise = dyn_cast<BatchableOpInterface>(op);
  if (!rowwise || !rowwise.isRowwise())
    return operands;
  for (OpOperand &operand : op->getOpOperands())
    if (rowwise.isRowOperand(operand.getOperandNumber()))
      operands.push_back(&operand);
  return operands;
}

static int64_t bytesOf(ValueRange values) {
  int64_t bytes = 0;
  for (Value value : values)
    bytes += rowBytes(value.getType());
  return bytes;
}

static bool isToLevels(Order order) {
  return order == Order::NodesToLevels || order == Order::EdgesToLevels;
}

//===----------------------------------------------------------------------===//
// To level order: at the operands
//===----------------------------------------------------------------------===//

namespace {
/// Moves the permutations of one forest and order in one block.
class PermuteRaiser {
public:
  PermuteRaiser(Block &block, Value forest, Order order)
      : block(block), forest(forest), order(order) {}

  void run(ArrayRef<PermuteOp> permutes);

private:
  bool isPermute(Operation *op) const {
    auto permute = dyn_cast<PermuteOp>(op);
    return permute && permute.getForest() == forest &&
           permute.getOrder() == order;
  }
  /// The op in the block that could work on permuted operands instead.
  Operation *movableDef(Value value) const {
    Operation *def = value.getDefiningOp();
    return def && def->getBlock() == &block && !rowOperands(def).empty()
               ? def
               : nullptr;
  }
  void findCandidates(ArrayRef<PermuteOp> permutes);
  void keepThoseNeededPermutedOnly();
  void computeCosts();
  int64_t costOf(Value value) const;
  void build(Value value, function_ref<void(OpBuilder &)> make);
  Value permuted(Value value);
  void clone(Operation *op);

  Block &block;
  Value forest;
  Order order;
  llvm::SetVector<Operation *> candidates;
  llvm::DenseMap<Value, int64_t> costs;
  llvm::DenseSet<Operation *> moved;
  llvm::DenseMap<Value, Value> built;
  Operation *lastAfterForest = nullptr;
};
} // namespace

/// All ops above the permutations through which they could move, in block
/// order.
void PermuteRaiser::findCandidates(ArrayRef<PermuteOp> permutes) {
  SmallVector<Value> worklist;
  for (PermuteOp permute : permutes)
    worklist.push_back(permute.getInput());
  while (!worklist.empty()) {
    Operation *def = movableDef(worklist.pop_back_val());
    if (!def || !candidates.insert(def))
      continue;
    for (OpOperand *operand : rowOperands(def))
      worklist.push_back(operand->get());
  }
  SmallVector<Operation *> sorted = candidates.takeVector();
  llvm::sort(sorted,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  candidates.insert(sorted.begin(), sorted.end());
}

/// An op whose results are needed in the user's order too would be done twice.
void PermuteRaiser::keepThoseNeededPermutedOnly() {
  SmallVector<Operation *> sorted(candidates.begin(), candidates.end());
  for (Operation *op : llvm::reverse(sorted)) {
    bool permutedOnly = llvm::all_of(op->getUses(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      return isPermute(user) || (candidates.contains(user) &&
                                 llvm::is_contained(rowOperands(user), &use));
    });
    if (permutedOnly)
      continue;
    candidates.remove(op);
    if (!op->use_empty() && llvm::any_of(op->getUsers(), [&](Operation *user) {
          return isPermute(user);
        }))
      remarkMissed(op, sinkFlag)
          << remark::add("permutes the result of an op")
          << remark::reason("it is needed in the user's order too")
          << remark::metric("BytesPerRow", bytesOf(op->getResults()));
  }
}

int64_t PermuteRaiser::costOf(Value value) const {
  auto it = costs.find(value);
  if (it != costs.end())
    return it->second;
  // Undoing a permutation costs nothing, and equal rows stay as they are.
  if (auto inner = value.getDefiningOp<PermuteOp>())
    if (inner.getForest() == forest &&
        isToLevels(order) != isToLevels(inner.getOrder()))
      return 0;
  return value.getDefiningOp<BroadcastOp>() ? 0 : rowBytes(value.getType());
}

/// An op moves if permuting its operands is cheaper than permuting its results.
void PermuteRaiser::computeCosts() {
  for (Operation *op : candidates) {
    int64_t below = bytesOf(op->getResults()), above = 0;
    llvm::SmallDenseSet<Value> seen;
    for (OpOperand *operand : rowOperands(op))
      if (seen.insert(operand->get()).second)
        above += costOf(operand->get());
    if (above <= below)
      moved.insert(op);
    for (Value result : op->getResults())
      costs[result] = above <= below ? above / op->getNumResults()
                                     : rowBytes(result.getType());
  }
}

/// Behind the value and the forest; what is built there stays in order.
void PermuteRaiser::build(Value value, function_ref<void(OpBuilder &)> make) {
  OpBuilder builder(forest.getContext());
  Operation *def = value.getDefiningOp();
  Operation *forestDef = forest.getDefiningOp();
  if (def && def->getBlock() != &block)
    def = nullptr;
  bool forestIsLater = forestDef && forestDef->getBlock() == &block &&
                       (!def || def->isBeforeInBlock(forestDef));
  if (forestIsLater)
    builder.setInsertionPointAfter(lastAfterForest ? lastAfterForest
                                                   : forestDef);
  else
    builder.setInsertionPointAfterValue(value);
  make(builder);
  Block::iterator next = builder.getInsertionPoint();
  if (forestIsLater)
    lastAfterForest = &*std::prev(next);
}

/// The permuted form of a value.
Value PermuteRaiser::permuted(Value value) {
  auto it = built.find(value);
  if (it != built.end())
    return it->second;
  Value result;
  build(value, [&](OpBuilder &builder) {
    result =
        builder.createOrFold<PermuteOp>(value.getLoc(), value, forest, order);
  });
  built[value] = result;
  return result;
}

void PermuteRaiser::clone(Operation *op) {
  IRMapping mapping;
  for (OpOperand *operand : rowOperands(op))
    mapping.map(operand->get(), permuted(operand->get()));
  Operation *copy = nullptr;
  build(op->getResult(0),
        [&](OpBuilder &builder) { copy = builder.clone(*op, mapping); });
  for (auto [result, form] :
       llvm::zip_equal(op->getResults(), copy->getResults()))
    built[result] = form;
}

void PermuteRaiser::run(ArrayRef<PermuteOp> permutes) {
  findCandidates(permutes);
  keepThoseNeededPermutedOnly();
  computeCosts();
  for (Operation *op : candidates)
    if (moved.contains(op))
      clone(op);
  for (PermuteOp permute : permutes) {
    Value input = permute.getInput();
    if (!input.getDefiningOp() || !moved.contains(input.getDefiningOp()))
      continue;
    remarkPassed(permute, sinkFlag)
        << remark::add("permutes operands instead of a result")
        << remark::metric("BytesPerRowBefore", rowBytes(permute.getType()))
        << remark::metric("BytesPerRowAfter", costOf(input));
    permute.replaceAllUsesWith(permuted(input));
    permute.erase();
  }
  // The forms in the user's order that nothing needs any more.
  SmallVector<Operation *> sorted = candidates.takeVector();
  for (Operation *op : llvm::reverse(sorted))
    if (isOpTriviallyDead(op))
      op->erase();
}

/// Moves all permutations to level order in a block.
static void raisePermutes(Block &block) {
  llvm::MapVector<std::pair<Value, Order>, SmallVector<PermuteOp>> groups;
  for (auto permute : block.getOps<PermuteOp>())
    if (isToLevels(permute.getOrder()))
      groups[{permute.getForest(), permute.getOrder()}].push_back(permute);
  for (auto &[key, permutes] : groups)
    PermuteRaiser(block, key.first, key.second).run(permutes);
}

//===----------------------------------------------------------------------===//
// To the user's order: at the results
//===----------------------------------------------------------------------===//

/// The order that a permutation to the user's order undoes.
static Order undone(Order order) {
  return order == Order::NodesToUser ? Order::NodesToLevels
                                     : Order::EdgesToLevels;
}

namespace {
/// Moves the permutations of one forest to the user's order behind the row-wise
/// ops of a block, where that moves no more bytes than before.
class PermuteLowerer {
public:
  PermuteLowerer(Block &block, Value forest, Order order)
      : block(block), forest(forest), order(order) {}

  void run();

private:
  bool isToUser(Value value) const {
    auto permute = value.getDefiningOp<PermuteOp>();
    return permute && permute.getForest() == forest &&
           permute.getOrder() == order;
  }
  bool isToLevels(Operation *op) const {
    auto permute = dyn_cast<PermuteOp>(op);
    return permute && permute.getForest() == forest &&
           permute.getOrder() == undone(order);
  }
  int64_t costOf(Value operand) const;
  int64_t gainOf(Operation *op, Value except) const;
  void findGains();
  void lower(Operation *op);

  Block &block;
  Value forest;
  Order order;
  /// What is gained behind a value if it is in level order.
  llvm::DenseMap<Value, int64_t> gains;
};
} // namespace

/// The bytes that it takes to bring an operand to level order.
int64_t PermuteLowerer::costOf(Value operand) const {
  bool isFree = isToUser(operand) || operand.getDefiningOp<BroadcastOp>() ||
                llvm::any_of(operand.getUsers(),
                             [&](Operation *user) { return isToLevels(user); });
  return isFree ? 0 : rowBytes(operand.getType());
}

/// The bytes that are saved if the op works in level order, but for those of
/// one operand.
int64_t PermuteLowerer::gainOf(Operation *op, Value except) const {
  int64_t gain = 0;
  for (OpOperand *operand : rowOperands(op))
    if (operand->get() != except)
      gain -= costOf(operand->get());
  for (Value result : op->getResults())
    gain += gains.lookup(result) - rowBytes(result.getType());
  return gain;
}

void PermuteLowerer::findGains() {
  for (Operation &op : llvm::reverse(block))
    for (Value result : op.getResults()) {
      if (!hasRows(result.getType()) || !result.hasOneUse())
        continue;
      OpOperand &use = *result.use_begin();
      Operation *user = use.getOwner();
      int64_t bytes = rowBytes(result.getType());
      if (isToLevels(user))
        gains[result] = bytes;
      else if (user->getBlock() == &block &&
               llvm::is_contained(rowOperands(user), &use))
        gains[result] = std::max<int64_t>(0, bytes + gainOf(user, result));
    }
}

void PermuteLowerer::lower(Operation *op) {
  SmallVector<OpOperand *> operands = rowOperands(op);
  int64_t saved = 0;
  for (OpOperand *operand : operands)
    if (isToUser(operand->get()))
      saved +=
          rowBytes(operand->get().getType()) /
          std::distance(operand->get().use_begin(), operand->get().use_end());
  int64_t gain = gainOf(op, Value());
  if (saved == 0 || saved + gain < 0)
    return;
  remarkPassed(op, sinkFlag)
      << remark::add("permutes results instead of operands")
      << remark::metric("BytesPerRowBefore", saved)
      << remark::metric("BytesPerRowAfter", bytesOf(op->getResults()));
  OpBuilder builder(op);
  IRMapping mapping;
  for (OpOperand *operand : operands)
    mapping.map(operand->get(),
                builder.createOrFold<PermuteOp>(op->getLoc(), operand->get(),
                                                forest, undone(order)));
  Operation *copy = builder.clone(*op, mapping);
  for (auto [result, form] :
       llvm::zip_equal(op->getResults(), copy->getResults()))
    result.replaceAllUsesWith(
        PermuteOp::create(builder, op->getLoc(), form, forest, order));
  op->erase();
}

void PermuteLowerer::run() {
  findGains();
  for (Operation &op : llvm::make_early_inc_range(block))
    if (!rowOperands(&op).empty())
      lower(&op);
}

/// Moves all permutations to the user's order in a block.
static void lowerPermutes(Block &block) {
  llvm::SetVector<std::pair<Value, Order>> groups;
  for (auto permute : block.getOps<PermuteOp>())
    if (!isToLevels(permute.getOrder()))
      groups.insert({permute.getForest(), permute.getOrder()});
  for (auto &[forest, order] : groups)
    PermuteLowerer(block, forest, order).run();
}

namespace {
struct SinkPermutes : ragged::impl::SinkPermutesBase<SinkPermutes> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](Block *block) {
      lowerPermutes(*block);
      eraseDeadPermutes(*block);
      raisePermutes(*block);
    });
  }

  static void eraseDeadPermutes(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isa<PermuteOp>(op) && isOpTriviallyDead(&op))
        op.erase();
  }
};
} // namespace
