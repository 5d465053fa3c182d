//===-- dialects/NN/Transforms/MergeProducts.cpp - One product of several -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Remarks.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/NN/Transforms/Passes.h"
#include "dialects/RT/IR/RT.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace cambium::nn {
#define GEN_PASS_DEF_MERGEPRODUCTS
#include "dialects/NN/Transforms/Passes.h.inc"
} // namespace cambium::nn

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

static constexpr llvm::StringLiteral flag = "nn-merge-products";

//===----------------------------------------------------------------------===//
// Where weights are put together
//===----------------------------------------------------------------------===//

/// The op of the outermost loop around the op, or the op itself.
static Operation *outsideOfLoops(Operation *op) {
  while (!isa<FunctionOpInterface>(op->getParentOp()))
    op = op->getParentOp();
  return op;
}

/// Makes the value available before the op: moves pure ops that give it. Fails
/// if it depends on what comes later or is computed in a loop.
static LogicalResult makeAvailable(Value value, Operation *before) {
  SmallVector<Operation *> toMove;
  SmallVector<Value> worklist{value};
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    Operation *def = next.getDefiningOp();
    if (!def) {
      if (!next.getParentRegion()->isAncestor(before->getParentRegion()))
        return failure();
      continue;
    }
    if (def->getBlock() != before->getBlock()) {
      if (!def->getParentRegion()->isAncestor(before->getParentRegion()))
        return failure();
      continue;
    }
    if (def->isBeforeInBlock(before))
      continue;
    if (def == before || !isPure(def) || def->getNumRegions() > 0)
      return failure();
    toMove.push_back(def);
    llvm::append_range(worklist, def->getOperands());
  }
  llvm::sort(toMove,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  toMove.erase(llvm::unique(toMove), toMove.end());
  for (Operation *op : toMove)
    op->moveBefore(before);
  return success();
}

//===----------------------------------------------------------------------===//
// One product
//===----------------------------------------------------------------------===//

namespace {
/// Products with the same input in one block, in block order.
class ProductGroup {
public:
  explicit ProductGroup(ArrayRef<LinearOp> products)
      : products(products), first(products.front()),
        place(outsideOfLoops(first)) {}

  /// Leaves out products whose weights are not there before the first one.
  void keepAvailable();
  /// Whether one product costs less than several. Weights that fill the vectors
  /// of the machine by themselves are read where they are: putting them side by
  /// side at every call costs a small batch more than one product saves.
  bool isWorthIt(int64_t wideColumns);
  void merge();

private:
  Value concatBiases(OpBuilder &builder);

  SmallVector<LinearOp> products;
  LinearOp first;
  Operation *place;
};
} // namespace

void ProductGroup::keepAvailable() {
  llvm::erase_if(products, [&](LinearOp op) {
    bool isAvailable =
        succeeded(makeAvailable(op.getWeight(), place)) &&
        (!op.getBias() || succeeded(makeAvailable(op.getBias(), place)));
    if (!isAvailable)
      remarkMissed(op, flag)
          << remark::add("a product is not merged with others")
          << remark::reason("its weight is not known before the first one");
    return !isAvailable;
  });
}

bool ProductGroup::isWorthIt(int64_t wideColumns) {
  if (products.size() < 2)
    return false;
  bool areWide = llvm::all_of(products, [&](LinearOp op) {
    return op.getWeight().getType().getDimSize(1) >= wideColumns;
  });
  if (areWide)
    remarkMissed(first, flag)
        << remark::add("products with the same left operand are not merged")
        << remark::reason("every weight has at least {0} columns", wideColumns);
  return !areWide;
}

/// The biases side by side, zeros for those that are not there; none if all are
/// not.
Value ProductGroup::concatBiases(OpBuilder &builder) {
  if (llvm::none_of(products, [](LinearOp op) { return !!op.getBias(); }))
    return {};
  SmallVector<Value> biases;
  for (LinearOp op : products) {
    Value bias = op.getBias();
    if (!bias) {
      RankedTensorType weight = op.getWeight().getType();
      auto type = RankedTensorType::get({weight.getDimSize(1)},
                                        weight.getElementType());
      bias = arith::ConstantOp::create(builder, op.getLoc(),
                                       builder.getZeroAttr(type));
    }
    biases.push_back(bias);
  }
  return ConcatOp::create(builder, first.getLoc(), biases, /*dim=*/0);
}

void ProductGroup::merge() {
  SmallVector<Value> weights;
  SmallVector<int64_t> sizes;
  SmallVector<Location> locs;
  for (LinearOp op : products) {
    weights.push_back(op.getWeight());
    sizes.push_back(op.getWeight().getType().getDimSize(1));
    locs.push_back(op.getLoc());
  }
  OpBuilder builder(place);
  Location loc = builder.getFusedLoc(locs);
  Value weight = ConcatOp::create(builder, loc, weights, /*dim=*/1);
  Value bias = concatBiases(builder);
  builder.setInsertionPoint(first);
  Value product =
      LinearOp::create(builder, loc, first.getInput(), weight, bias);
  int64_t last = cast<RankedTensorType>(product.getType()).getRank() - 1;
  auto parts = SplitOp::create(builder, loc, product, last, sizes);
  remarkPassed(first, flag)
      << remark::add("merged products with the same left operand")
      << remark::metric("Products", products.size())
      << remark::metric("Columns", llvm::sum_of(sizes));
  for (auto [op, part] : llvm::zip_equal(products, parts.getResults())) {
    op.getResult().replaceAllUsesWith(part);
    op.erase();
  }
}

static void mergeInBlock(Block &block, int64_t wideColumns) {
  llvm::MapVector<Value, SmallVector<LinearOp>> groups;
  // Of no columns, there is no part of a product.
  for (auto op : block.getOps<LinearOp>())
    if (op.getWeight().getType().getDimSize(1) > 0)
      groups[op.getInput()].push_back(op);
  for (auto &[input, products] : groups) {
    // All results stand behind the first product: products may not be in a
    // chain, and they are not, because they have the same input.
    ProductGroup group(products);
    if (products.size() < 2)
      continue;
    group.keepAvailable();
    if (group.isWorthIt(wideColumns))
      group.merge();
  }
}

//===----------------------------------------------------------------------===//
// Splits
//===----------------------------------------------------------------------===//

/// The loop of which every use of the parts is a node input; null if there is
/// none.
static ragged::LevelsOp onlyLoop(SplitOp split) {
  ragged::LevelsOp loop;
  for (OpOperand &use : split->getUses()) {
    auto levels = dyn_cast<ragged::LevelsOp>(use.getOwner());
    if (!levels || (loop && levels != loop) || !levels.getNodeArgOf(use))
      return {};
    loop = levels;
  }
  return loop;
}

/// Splits in the loop: one array is read instead of several.
static void splitInLoop(SplitOp split) {
  ragged::LevelsOp levels = onlyLoop(split);
  if (!levels || split.getDim() == 0)
    return;
  Value whole = levels.addNodes(split.getInput());
  OpBuilder builder = OpBuilder::atBlockBegin(&levels.getBody().front());
  auto parts = SplitOp::create(builder, split.getLoc(), whole, split.getDim(),
                               split.getSizes());
  SmallVector<std::pair<BlockArgument, OpResult>> read;
  for (auto [arg, array] :
       llvm::zip_equal(levels.getNodeArgs(), levels.getNodes()))
    if (array.getDefiningOp() == split)
      read.push_back({arg, cast<OpResult>(array)});
  for (auto [arg, part] : llvm::reverse(read)) {
    arg.replaceAllUsesWith(parts.getResult(part.getResultNumber()));
    levels.eraseNodes(arg);
  }
  split.erase();
}

namespace {
struct MergeProducts : nn::impl::MergeProductsBase<MergeProducts> {
  using Base::Base;

  void runOnOperation() override {
    int64_t wideColumns = rt::getTargetCosts(getOperation()).wideColumns;
    getOperation()->walk<WalkOrder::PostOrder>(
        [&](Block *block) { mergeInBlock(*block, wideColumns); });
    getOperation()->walk([](SplitOp split) { splitInLoop(split); });
  }
};
} // namespace
