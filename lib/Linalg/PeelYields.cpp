//===-- PeelYields.cpp - Views that a recursion need not store -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Linalg/Passes.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/IR/PatternMatch.h"

namespace cambium {
#define GEN_PASS_DEF_PEELYIELDS
#include "cambium/Linalg/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

/// An op whose result is another view of the rows of its operand.
static bool isView(Operation *op) {
  if (auto slice = dyn_cast<nn::SliceOp>(op))
    return slice.getDim() > 0;
  return isa<nn::ReshapeOp>(op);
}

namespace {
/// What one result of a recursion becomes.
struct Peeled {
  /// What the region yields for it, and the views to apply after the loop, the
  /// last one first.
  Value source;
  SmallVector<Operation *> views;
  /// Its number among the results of the new op; none if it is an operand.
  std::optional<unsigned> number;
  Value operand;
};

class Peeler {
public:
  Peeler(LevelsOp op, IRRewriter &rewriter)
      : op(op), rewriter(rewriter),
        yield(cast<YieldOp>(op.getBody().front().getTerminator())) {}

  void run() {
    bool changed = false;
    for (auto [i, value] : llvm::enumerate(yield.getValues())) {
      Peeled result{value, {}, std::nullopt, {}};
      if (canPeel(i))
        changed |= peel(result);
      results.push_back(result);
    }
    if (!changed && !number())
      return;
    rebuild();
  }

private:
  /// Whether the yield is an array over nodes or edges, not passed on.
  bool canPeel(unsigned i) {
    return i >= op.getNumRecurrent() &&
           i < op.getNumResults() - op.getShared().size();
  }

  bool peel(Peeled &result) {
    while (Operation *def = result.source.getDefiningOp()) {
      if (!isView(def) || !isIn(def->getOperand(0)))
        break;
      result.views.push_back(def);
      result.source = def->getOperand(0);
    }
    return !result.views.empty();
  }

  /// Whether the value has a row per row of the region.
  bool isIn(Value value) {
    return value.getParentRegion() == &op.getBody() &&
           !isa<RowsType>(value.getType());
  }

  /// Rows that the region gets as they are stand in an operand.
  Value operandOf(Value source) {
    auto arg = dyn_cast<BlockArgument>(source);
    if (!arg || arg.getOwner() != &op.getBody().front())
      return {};
    unsigned i = arg.getArgNumber() - 1, nodes = op.getNodes().size();
    if (i < nodes)
      return op.getNodes()[i];
    return i < nodes + op.getEdges().size() ? op.getEdges()[i - nodes]
                                            : Value();
  }

  /// Gives each distinct yield a number; true if results go away.
  bool number() {
    numNodes = 0;
    yields.clear();
    bool fewer = false;
    unsigned recurrent = op.getNumRecurrent(),
             nodesEnd = recurrent + op.getNumNodeYields();
    for (auto [i, result] : llvm::enumerate(results)) {
      size_t begin = i < recurrent  ? i
                     : i < nodesEnd ? recurrent
                                    : recurrent + numNodes;
      if (canPeel(i)) {
        result.operand = operandOf(result.source);
        if (result.operand) {
          fewer = true;
          continue;
        }
        auto *known =
            llvm::find(llvm::drop_begin(yields, begin), result.source);
        if (known != yields.end()) {
          fewer = true;
          result.number = known - yields.begin();
          continue;
        }
        numNodes += i < nodesEnd;
      }
      result.number = yields.size();
      yields.push_back(result.source);
    }
    return fewer;
  }

  void rebuild() {
    number();
    rewriter.setInsertionPoint(op);
    SmallVector<Type> types;
    for (Value value : yields)
      types.push_back(value.getType());
    auto fresh = LevelsOp::create(
        rewriter, op.getLoc(), types, op.getDirection(), op.getPart(),
        op.getForest(), op.getNodes(), op.getEdges(), op.getBase(),
        op.getShared(), op.getNumRecurrent(), numNodes);
    rewriter.modifyOpInPlace(yield,
                             [&] { yield.getValuesMutable().assign(yields); });
    rewriter.inlineRegionBefore(op.getBody(), fresh.getBody(),
                                fresh.getBody().end());
    SmallVector<Value> values;
    for (const Peeled &result : results) {
      Value value =
          result.number ? fresh.getResult(*result.number) : result.operand;
      for (Operation *view : llvm::reverse(result.views)) {
        Operation *outside = rewriter.clone(*view);
        outside->setOperand(0, value);
        value = outside->getResult(0);
      }
      values.push_back(value);
    }
    rewriter.replaceOp(op, values);
  }

  LevelsOp op;
  IRRewriter &rewriter;
  YieldOp yield;
  SmallVector<Peeled> results;
  SmallVector<Value> yields;
  unsigned numNodes = 0;
};
} // namespace

namespace {
struct PeelYields : cambium::impl::PeelYieldsBase<PeelYields> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<LevelsOp> levels;
    getOperation()->walk([&](LevelsOp op) { levels.push_back(op); });
    for (LevelsOp op : levels)
      Peeler(op, rewriter).run();
  }
};
} // namespace
