//===-- PeelYields.cpp - Views that a recursion need not store -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/RowsOpInterface.h"
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
  auto rows = dyn_cast<RowsOpInterface>(op);
  return rows && rows.isRowView();
}

namespace {
/// What one result of a recursion becomes.
struct Peeled {
  Value result;
  /// What the region yields for it, and the views to apply after the loop, the
  /// last one first.
  Value source;
  SmallVector<Operation *> views;
};

class Peeler {
public:
  Peeler(LevelsOp op, IRRewriter &rewriter)
      : op(op), rewriter(rewriter), yields(op.getYields()) {}

  void run() {
    peel(op.getNodeResults(), yields.nodes);
    peel(op.getEdgeResults(), yields.edges);
    bool isPeeled = llvm::any_of(
        peeled, [](const Peeled &one) { return !one.views.empty(); });
    if (isPeeled || yields.nodes.size() != op.getNodeResults().size() ||
        yields.edges.size() != op.getEdgeResults().size())
      rebuild();
  }

private:
  /// Looks through views, and leaves in `values` what must be yielded: each
  /// value once, and none that stands in an operand.
  void peel(ResultRange results, Values &values) {
    Values sources;
    for (auto [result, value] : llvm::zip_equal(results, values)) {
      Peeled one{result, value, {}};
      while (Operation *def = one.source.getDefiningOp()) {
        if (!isView(def) || !isIn(def->getOperand(0)))
          break;
        one.views.push_back(def);
        one.source = def->getOperand(0);
      }
      if (!op.getArrayOf(one.source) &&
          !llvm::is_contained(sources, one.source))
        sources.push_back(one.source);
      peeled.push_back(std::move(one));
    }
    values = std::move(sources);
  }

  /// Whether the value has a row per row of the region.
  bool isIn(Value value) {
    return value.getParentRegion() == &op.getBody() &&
           !isa<RowsType>(value.getType());
  }

  void rebuild() {
    rewriter.setInsertionPoint(op);
    LevelsInputs inputs = op.getInputs();
    llvm::DenseMap<Value, Value> arrays;
    for (const Peeled &one : peeled)
      if (Value array = op.getArrayOf(one.source))
        arrays[one.source] = array;
    LevelsOp fresh;
    rewriter.modifyOpInPlace(op.getYield(), [&] {
      fresh =
          LevelsOp::create(rewriter, op.getLoc(), op.getDirection(),
                           op.getPart(), op.getForest(), inputs, yields,
                           op.getRematerialize(), op.getCuts(), op.getBody());
    });
    auto replace = [&](ResultRange from, ResultRange to) {
      for (auto [old, value] : llvm::zip_equal(from, to))
        rewriter.replaceAllUsesWith(old, value);
    };
    replace(op.getRecurrentResults(), fresh.getRecurrentResults());
    replace(op.getSharedResults(), fresh.getSharedResults());
    addArrays(yields.nodes, fresh.getNodeResults(), arrays);
    addArrays(yields.edges, fresh.getEdgeResults(), arrays);
    for (const Peeled &one : peeled)
      rewriter.replaceAllUsesWith(one.result,
                                  applyViews(one, arrays.lookup(one.source)));
    rewriter.eraseOp(op);
  }

  static void addArrays(ArrayRef<Value> yielded, ResultRange results,
                        llvm::DenseMap<Value, Value> &arrays) {
    for (auto [value, result] : llvm::zip_equal(yielded, results))
      arrays[value] = result;
  }

  Value applyViews(const Peeled &one, Value array) {
    for (Operation *view : llvm::reverse(one.views)) {
      Operation *outside = rewriter.clone(*view);
      outside->setOperand(0, array);
      array = outside->getResult(0);
    }
    return array;
  }

  LevelsOp op;
  IRRewriter &rewriter;
  LevelsYields yields;
  SmallVector<Peeled> peeled;
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
