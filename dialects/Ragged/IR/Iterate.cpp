//===-- dialects/Ragged/IR/Iterate.cpp - Iterations of rows ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

Block::BlockArgListType IterateOp::getStateArgs() {
  return getBody().getArguments().drop_front().take_front(getInit().size());
}
Block::BlockArgListType IterateOp::getSharedArgs() {
  return getBody().getArguments().take_back(getShared().size());
}

ResultRange IterateOp::getStates() {
  return getResults().take_front(getInit().size());
}
Value IterateOp::getSteps() { return getResult(getInit().size()); }
ResultRange IterateOp::getSharedResults() {
  return getResults().slice(getInit().size() + 1, getShared().size());
}
ResultRange IterateOp::getRecords() {
  return getResults().drop_front(getInit().size() + 1 + getShared().size());
}

static OperandRange yieldedBy(IterateOp op) {
  return op.getBody().front().getTerminator()->getOperands();
}
IterateYields IterateOp::byKind(ValueRange yielded) {
  size_t states = getInit().size(), shared = getShared().size();
  ValueRange arrays = yielded.drop_front();
  return {yielded.front(), Values(arrays.take_front(states)),
          Values(arrays.slice(states, shared)),
          Values(arrays.drop_front(states + shared))};
}
IterateYields IterateOp::getYields() { return byKind(yieldedBy(*this)); }

CarriedValue IterateOp::getCarried(OpResult result) {
  size_t first = getInit().size() + 1, i = result.getResultNumber();
  if (i < first || i - first >= getShared().size())
    return {};
  return {getShared()[i - first], getSharedArgs()[i - first],
          &getBody().front().getTerminator()->getOpOperand(i)};
}

/// The types of the results but for the records, which are those of what is
/// yielded.
static LogicalResult verifyResults(IterateOp op) {
  SmallVector<Type> expected(op.getInit().getTypes());
  expected.push_back(RankedTensorType::get(
      {ShapedType::kDynamic}, IntegerType::get(op.getContext(), 32)));
  llvm::append_range(expected, op.getShared().getTypes());
  TypeRange actual = op.getResultTypes();
  if (actual.size() >= expected.size() &&
      actual.take_front(expected.size()) == TypeRange(expected))
    return success();
  // [RAGGED-ITERATE-C1]
  return op.emitOpError() << "expected results of types (" << expected
                          << "), then the records, but got (" << actual << ")";
}

LogicalResult IterateOp::verify() {
  int64_t max = getMaxAttr().getInt();
  if (max < 1)
    // [RAGGED-ITERATE-C2]
    return emitOpError()
           << "expected a positive maximum of iterations, but got " << max;
  if (getInit().empty())
    // [RAGGED-ITERATE-C3]
    return emitOpError("expected at least one 'init' operand");
  for (Type type : getInit().getTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    if (tensor.getRank() == 0 || !tensor.isDynamicDim(0))
      // [RAGGED-ITERATE-C4]
      return emitOpError() << "expected 'init' operands to hold rows, but got "
                           << type;
  }
  Type flags = RankedTensorType::get({ShapedType::kDynamic},
                                     IntegerType::get(getContext(), 1));
  if (getActive() && getActive().getType() != flags)
    // [RAGGED-ITERATE-C5]
    return emitOpError() << "expected 'active' to be of type " << flags
                         << ", but got " << getActive().getType();
  return verifyResults(*this);
}

LogicalResult IterateOp::verifyRegions() {
  auto flags = [&](unsigned width) -> Type {
    return RankedTensorType::get({ShapedType::kDynamic},
                                 IntegerType::get(getContext(), width));
  };
  SmallVector<Type> args{flags(32)}, yields{flags(1)};
  for (SmallVector<Type> *types : {&args, &yields}) {
    llvm::append_range(*types, getInit().getTypes());
    llvm::append_range(*types, getShared().getTypes());
  }
  llvm::append_range(yields, getRecords().getTypes());
  if (TypeRange(args) != TypeRange(getBody().getArgumentTypes()))
    // [RAGGED-ITERATE-C6]
    return emitOpError() << "expected region arguments of types (" << args
                         << "), but got (" << getBody().getArgumentTypes()
                         << ")";
  auto yield = cast<YieldOp>(getBody().front().getTerminator());
  if (TypeRange(yields) == TypeRange(yield.getOperandTypes()))
    return success();
  // [RAGGED-ITERATE-C7]
  InFlightDiagnostic diag = emitOpError()
                            << "expected to yield (" << yields << "), but got ("
                            << yield.getOperandTypes() << ")";
  diag.attachNote(yield.getLoc()) << "it is yielded here";
  return diag;
}

//===----------------------------------------------------------------------===//
// Canonicalization
//===----------------------------------------------------------------------===//

namespace {
/// Records that nobody reads are not made.
struct DropRecords : OpRewritePattern<IterateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IterateOp op,
                                PatternRewriter &rewriter) const override {
    auto isUnused = [](Value value) { return value.use_empty(); };
    if (llvm::none_of(op.getRecords(), isUnused))
      return rewriter.notifyMatchFailure(op, "every record is read");
    IterateResults results{Values(op.getStates()),
                           op.getSteps(),
                           Values(op.getSharedResults()),
                           {}};
    IterateYields yields = op.getYields();
    Values records = std::move(yields.records);
    yields.records.clear();
    for (auto [value, result] : llvm::zip_equal(records, op.getRecords()))
      if (!result.use_empty()) {
        yields.records.push_back(value);
        results.records.push_back(result);
      }
    IterateOp fresh;
    rewriter.modifyOpInPlace(op.getBody().front().getTerminator(), [&] {
      fresh = IterateOp::create(rewriter, op.getLoc(), op.getMax(),
                                op.getActive(), op.getInit(), op.getShared(),
                                yields, op.getRematerialize(), op.getBody());
    });
    Values kept = results.inOrder();
    for (auto [from, to] : llvm::zip_equal(kept, fresh.getResults()))
      rewriter.replaceAllUsesWith(from, to);
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void IterateOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<DropRecords>(context);
}

//===----------------------------------------------------------------------===//
// RepeatOp
//===----------------------------------------------------------------------===//

/// Makes the region with its arguments; what it yields is added behind.
void RepeatOp::build(OpBuilder &builder, OperationState &state, int64_t count,
                     ValueRange init, bool rematerialize) {
  state.addOperands(init);
  state.addTypes(init.getTypes());
  auto &properties = state.getOrAddProperties<Properties>();
  properties.count = builder.getI64IntegerAttr(count);
  if (rematerialize)
    properties.rematerialize = builder.getUnitAttr();
  Block &block = state.addRegion()->emplaceBlock();
  block.addArgument(builder.getIndexType(), state.location);
  for (Value value : init)
    block.addArgument(value.getType(), state.location);
}

CarriedValue RepeatOp::getCarried(OpResult result) {
  unsigned i = result.getResultNumber();
  return {getInit()[i], getStateArgs()[i],
          &getBody().front().getTerminator()->getOpOperand(i)};
}

OperandRange RepeatOp::getYielded() {
  return getBody().front().getTerminator()->getOperands();
}

LogicalResult RepeatOp::verify() {
  int64_t count = getCountAttr().getInt();
  if (count >= 1)
    return success();
  // [RAGGED-REPEAT-C1]
  return emitOpError() << "expected a positive number of iterations, but got "
                       << count;
}

LogicalResult RepeatOp::verifyRegions() {
  SmallVector<Type> expected{IndexType::get(getContext())};
  llvm::append_range(expected, getInit().getTypes());
  // [RAGGED-REPEAT-C2]
  if (TypeRange(expected) != TypeRange(getBody().getArgumentTypes()))
    return emitOpError() << "expected region arguments of types (" << expected
                         << "), but got (" << getBody().getArgumentTypes()
                         << ")";
  if (getYielded().getTypes() == getResultTypes())
    return success();
  // [RAGGED-REPEAT-C3]
  InFlightDiagnostic diag = emitOpError()
                            << "expected to yield (" << getResultTypes()
                            << "), but got (" << getYielded().getTypes() << ")";
  diag.attachNote(getBody().front().getTerminator()->getLoc())
      << "it is yielded here";
  return diag;
}

namespace {
/// What is carried as it is comes from outside.
struct DropUnchanged : OpRewritePattern<RepeatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(RepeatOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> init, yielded, kept;
    llvm::BitVector drop(op.getBody().getNumArguments());
    for (auto [arg, value, next, result] :
         llvm::zip_equal(op.getStateArgs(), op.getInit(), op.getYielded(),
                         op.getResults())) {
      if (next == arg) {
        drop.set(arg.getArgNumber());
        continue;
      }
      init.push_back(value);
      yielded.push_back(next);
      kept.push_back(result);
    }
    if (drop.none())
      return rewriter.notifyMatchFailure(op,
                                         "everything that is carried changes");
    for (auto [arg, value, result] :
         llvm::zip_equal(op.getStateArgs(), op.getInit(), op.getResults()))
      if (drop.test(arg.getArgNumber())) {
        rewriter.replaceAllUsesWith(arg, value);
        rewriter.replaceAllUsesWith(result, value);
      }
    auto fresh = RepeatOp::create(rewriter, op.getLoc(), op.getCount(), init,
                                  op.getRematerialize());
    Operation *end = op.getBody().front().getTerminator();
    rewriter.modifyOpInPlace(end, [&] { end->setOperands(yielded); });
    op.getBody().front().eraseArguments(drop);
    rewriter.eraseBlock(&fresh.getBody().front());
    rewriter.inlineRegionBefore(op.getBody(), fresh.getBody(),
                                fresh.getBody().end());
    for (auto [from, to] : llvm::zip_equal(kept, fresh.getResults()))
      rewriter.replaceAllUsesWith(from, to);
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void RepeatOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<DropUnchanged>(context);
}
