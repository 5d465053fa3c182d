//===-- Hoist.cpp - Move work out of the level loop -----------------------===//
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
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace cambium::ragged {
#define GEN_PASS_DEF_HOIST
#include "dialects/Ragged/Transforms/Passes.h.inc"
} // namespace cambium::ragged

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

static constexpr llvm::StringLiteral hoistFlag = "ragged-hoist";

static bool isRowOperand(OpOperand &operand) {
  return cast<BatchableOpInterface>(operand.getOwner())
      .isRowOperand(operand.getOperandNumber());
}

/// Whether the op reads operands that all rows share, as a product does a
/// matrix.
static bool readsWhole(Operation *op) {
  return llvm::any_of(op->getOpOperands(), [](OpOperand &operand) {
    return !isRowOperand(operand) &&
           isa<RankedTensorType>(operand.get().getType());
  });
}

/// Whether the op looks rows up by ids.
static bool looksUp(BatchableOpInterface op) {
  return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    return op.getIdBound(operand.getOperandNumber()).has_value();
  });
}

namespace {
/// Moves work out of one loop.
class Hoister {
public:
  explicit Hoister(LevelsOp levels) : levels(levels), builder(levels) {}
  void run();

private:
  /// The rows of a value of the body: one per node or one per edge of the
  /// level.
  enum class Kind { None, Node, Edge };

  bool isOutside(Value value) {
    return !levels.getBody().isAncestor(value.getParentRegion());
  }
  void addInputs();
  Kind kindOf(Operation *op);
  void findMovable();
  void build(Operation *op);
  Value outer(Value value);
  void replaceUses();
  void report(unsigned numInvariant, unsigned numProducts);

  LevelsOp levels;
  OpBuilder builder;
  /// Values of the body that could be computed for whole arrays.
  llvm::DenseMap<Value, Kind> kinds;
  /// Their whole arrays, as far as there are any.
  llvm::DenseMap<Value, Value> arrays;
  /// Ops that move because it is worth it, in block order.
  SmallVector<Operation *> moved;
};
} // namespace

/// Ops on values from outside alone leave the loop.
static void moveInvariants(Operation *loop, Region &body) {
  for (Operation &op :
       llvm::make_early_inc_range(body.front().without_terminator())) {
    bool isLocal = llvm::any_of(op.getOperands(), [&](Value value) {
      return body.isAncestor(value.getParentRegion());
    });
    if (op.getNumRegions() == 0 && isPure(&op) && !isLocal)
      op.moveBefore(loop);
  }
}

void Hoister::addInputs() {
  for (auto [arg, operand] :
       llvm::zip_equal(levels.getNodeArgs(), levels.getNodes())) {
    kinds[arg] = Kind::Node;
    arrays[arg] = operand;
  }
  for (auto [arg, operand] :
       llvm::zip_equal(levels.getEdgeArgs(), levels.getEdges())) {
    kinds[arg] = Kind::Edge;
    arrays[arg] = operand;
  }
}

/// What rows the op could be computed for at once.
Hoister::Kind Hoister::kindOf(Operation *op) {
  if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    if (!isOutside(broadcast.getInput()))
      return Kind::None;
    if (auto count = broadcast.getCount().getDefiningOp<NumSegmentsOp>())
      return count.getRows() == levels.getEdgesArg() ? Kind::Node : Kind::None;
    if (auto count = broadcast.getCount().getDefiningOp<NumRowsOp>())
      return count.getRows() == levels.getEdgesArg() ? Kind::Edge : Kind::None;
    return Kind::None;
  }
  auto rowwise = dyn_cast<BatchableOpInterface>(op);
  if (!rowwise || !rowwise.isRowwise() || !isPure(op) ||
      op->getNumRegions() > 0)
    return Kind::None;
  Kind kind = Kind::None;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isRowOperand(operand)) {
      if (!isOutside(operand.get()))
        return Kind::None;
      continue;
    }
    Kind other = kinds.lookup(operand.get());
    if (other == Kind::None || (kind != Kind::None && kind != other))
      return Kind::None;
    kind = other;
  }
  return kind;
}

/// Ops that only arrange elements, and equal rows, move with others alone.
void Hoister::findMovable() {
  for (Operation &op : levels.getBody().front().without_terminator()) {
    Kind kind = kindOf(&op);
    if (kind == Kind::None)
      continue;
    for (Value result : op.getResults())
      kinds[result] = kind;
    bool allEqual = llvm::all_of(op.getOperands(), [](Value value) {
      return !hasRows(value.getType()) || value.getDefiningOp<BroadcastOp>();
    });
    if (allEqual || cast<BatchableOpInterface>(op).movesDataOnly())
      continue;
    moved.push_back(&op);
  }
}

/// The whole array of a movable value; of one that moves with others alone it
/// is built now.
Value Hoister::outer(Value value) {
  if (Value array = arrays.lookup(value))
    return array;
  SmallVector<Operation *> worklist{value.getDefiningOp()};
  while (!worklist.empty()) {
    Operation *op = worklist.back();
    size_t before = worklist.size();
    for (Value operand : op->getOperands())
      if (kinds.contains(operand) && !arrays.contains(operand))
        worklist.push_back(operand.getDefiningOp());
    if (worklist.size() != before)
      continue;
    worklist.pop_back();
    if (!arrays.contains(op->getResult(0)))
      build(op);
  }
  return arrays.lookup(value);
}

/// Builds the op on whole arrays before the loop; those of its operands are
/// there.
void Hoister::build(Operation *op) {
  Location loc = op->getLoc();
  IRMapping mapping;
  if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    Value count;
    if (kinds.lookup(op->getResult(0)) == Kind::Node)
      count = NumNodesOp::create(builder, loc, levels.getForest(),
                                 levels.getPart());
    else
      count =
          NumRowsOp::create(builder, loc,
                            EdgesOp::create(builder, loc, levels.getForest(),
                                            Part::All, levels.getCuts()));
    mapping.map(broadcast.getCount(), count);
  }
  for (Value operand : op->getOperands())
    if (arrays.contains(operand))
      mapping.map(operand, arrays.lookup(operand));
  Operation *clone = builder.clone(*op, mapping);
  for (auto [result, array] :
       llvm::zip_equal(op->getResults(), clone->getResults()))
    arrays[result] = array;
}

/// What still uses a moved value in the loop reads its rows of the level.
void Hoister::replaceUses() {
  llvm::DenseSet<Operation *> isMoved(moved.begin(), moved.end());
  for (Operation *op : moved) {
    for (Value result : op->getResults()) {
      bool isNeeded = llvm::any_of(result.getUsers(), [&](Operation *user) {
        return !isMoved.contains(user);
      });
      if (!isNeeded)
        continue;
      Value array = arrays.lookup(result);
      result.replaceUsesWithIf(
          kinds.lookup(result) == Kind::Node ? levels.addNodes(array)
                                             : levels.addEdges(array),
          [&](OpOperand &use) { return !isMoved.contains(use.getOwner()); });
    }
  }
  for (Operation *op : llvm::reverse(moved))
    op->erase();
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(levels.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

void Hoister::report(unsigned numInvariant, unsigned numProducts) {
  unsigned kept = 0;
  for (Operation &op : levels.getBody().front().without_terminator()) {
    auto rowwise = dyn_cast<BatchableOpInterface>(op);
    kept += rowwise && rowwise.isRowwise() && readsWhole(&op);
  }
  if (!moved.empty() || numInvariant > 0)
    remarkPassed(levels, hoistFlag)
        << remark::add("moved work out of the level loop")
        << remark::metric("HoistedOps", moved.size())
        << remark::metric("HoistedProducts", numProducts)
        << remark::metric("InvariantOps", numInvariant);
  if (kept > 0)
    remarkMissed(levels, hoistFlag)
        << remark::add("products stay in the level loop")
        << remark::reason("they depend on states of other nodes")
        << remark::metric("Products", kept);
}

void Hoister::run() {
  Block &body = levels.getBody().front();
  unsigned before = body.getOperations().size();
  moveInvariants(levels, levels.getBody());
  unsigned numInvariant = before - body.getOperations().size();
  addInputs();
  findMovable();
  for (Operation *op : moved) {
    for (OpOperand &operand : op->getOpOperands())
      if (kinds.contains(operand.get()))
        outer(operand.get());
    build(op);
  }
  unsigned numProducts = llvm::count_if(moved, readsWhole);
  replaceUses();
  report(numInvariant, numProducts);
}

//===----------------------------------------------------------------------===//
// Rows that are the same, rows that are not read
//===----------------------------------------------------------------------===//

namespace {
/// A row-wise op of a value that is the same for all rows of a segment is
/// computed once per segment.
struct ExpandLater : OpInterfaceRewritePattern<BatchableOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(BatchableOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (!op.isRowwise() || op.movesDataOnly() || op->getNumResults() != 1)
      return rewriter.notifyMatchFailure(op, "is not a row-wise computation");
    ExpandOp expand;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isRowOperand(operand))
        continue;
      auto def = operand.get().getDefiningOp<ExpandOp>();
      if (!def || (expand && expand != def))
        return rewriter.notifyMatchFailure(
            op, "does not depend on one expanded value alone");
      expand = def;
    }
    if (!expand)
      return rewriter.notifyMatchFailure(
          op, "does not depend on an expanded value");
    IRMapping mapping;
    mapping.map(expand.getResult(), expand.getInput());
    Operation *perSegment = rewriter.clone(*op, mapping);
    rewriter.replaceOpWithNewOp<ExpandOp>(op, perSegment->getResult(0),
                                          expand.getRows());
    return success();
  }
};

/// A row-wise op of which only one part of the nodes is read is computed for it
/// alone. A look-up goes into both parts: what is computed from either one then
/// depends on ids of its own.
struct PartEarlier : OpRewritePattern<PartOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PartOp part,
                                PatternRewriter &rewriter) const override {
    auto op = part.getInput().getDefiningOp<BatchableOpInterface>();
    if (!op || !op.isRowwise() || !isPure(op) || op->getNumRegions() > 0)
      return rewriter.notifyMatchFailure(part, "is not of a row-wise op");
    for (Operation *user : op->getUsers()) {
      auto other = dyn_cast<PartOp>(user);
      if (!other || other.getForest() != part.getForest() ||
          (other.getPart() != part.getPart() && !looksUp(op)))
        return rewriter.notifyMatchFailure(part, "other rows are read as well");
    }
    IRMapping mapping;
    for (OpOperand &operand : op->getOpOperands())
      if (isRowOperand(operand) && !mapping.contains(operand.get()))
        mapping.map(operand.get(),
                    PartOp::create(rewriter, part.getLoc(), operand.get(),
                                   part.getForest(), part.getPart()));
    Operation *narrow = rewriter.clone(*op, mapping);
    unsigned index = cast<OpResult>(part.getInput()).getResultNumber();
    rewriter.replaceOp(part, narrow->getResult(index));
    return success();
  }
};

struct Hoist : ragged::impl::HoistBase<Hoist> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    set.add<ExpandLater, PartEarlier>(context);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    if (failed(applyPatternsGreedily(getOperation(), patterns)))
      return signalPassFailure();
    // Loops in loops first: what leaves one may leave the next.
    getOperation()->walk([](Operation *op) {
      if (auto levels = dyn_cast<LevelsOp>(op))
        Hoister(levels).run();
      else if (isa<CarryingOpInterface>(op))
        moveInvariants(op, op->getRegion(0));
    });
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
