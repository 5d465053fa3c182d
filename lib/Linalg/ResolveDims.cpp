//===-- ResolveDims.cpp - Sizes of values, read where they come from ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Linalg/Passes.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

using namespace mlir;

namespace cambium {
#define GEN_PASS_DEF_RESOLVEDIMS
#include "cambium/Linalg/Passes.h.inc"
} // namespace cambium

using namespace cambium;

namespace {
/// A dimension of a value.
using Dim = std::pair<Value, int64_t>;

/// Follows a size from value to value, at most once over each: what was found
/// is kept, so that all of a function takes time in proportion to its length.
class Resolver {
public:
  explicit Resolver(RewriterBase &rewriter) : rewriter(rewriter) {}

  /// A value that holds the size, and that is defined where the owner is.
  Value sizeOf(Dim dim) {
    SmallVector<Dim> path;
    Value size;
    while (!(size = known.lookup(dim))) {
      path.push_back(dim);
      std::optional<Dim> next = sameSize(dim);
      if (!next && (size = sizeOperand(dim)))
        next = dimOf(size);
      if (!next) {
        if (!size)
          size = readAtOwner(dim);
        break;
      }
      dim = *next;
    }
    for (Dim each : path)
      known[each] = size;
    return size;
  }

  /// The value and the constant dimension that an op reads.
  static std::optional<Dim> dimOf(Value size) {
    auto op = size.getDefiningOp<tensor::DimOp>();
    std::optional<int64_t> index = op ? op.getConstantIndex() : std::nullopt;
    if (!index)
      return std::nullopt;
    return Dim(op.getSource(), *index);
  }

private:
  /// Another value whose dimension has this size by its type.
  std::optional<Dim> sameSize(Dim dim) {
    auto [value, index] = dim;
    if (auto arg = dyn_cast<BlockArgument>(value))
      return initialSize(arg, index);
    auto result = cast<OpResult>(value);
    Operation *owner = result.getOwner();
    if (auto cast = dyn_cast<tensor::CastOp>(owner))
      return Dim(cast.getSource(), index);
    if (auto loop = dyn_cast<rt::ForEachOp>(owner))
      return Dim(loop.getInits()[result.getResultNumber()], index);
    if (auto loop = dyn_cast<scf::ForOp>(owner))
      return initialSize(loop.getRegionIterArg(result.getResultNumber()),
                         index);
    if (auto loop = dyn_cast<scf::WhileOp>(owner))
      return passedSize(loop, result.getResultNumber(), index);
    if (auto dest = dyn_cast<DestinationStyleOpInterface>(owner))
      return Dim(dest.getTiedOpOperand(result)->get(), index);
    return std::nullopt;
  }

  /// The value that a loop starts with, if no iteration changes its size.
  std::optional<Dim> initialSize(BlockArgument arg, int64_t index) {
    Operation *parent = arg.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      if (arg.getOwner() == loop.getAfterBody())
        return passedSize(loop, arg.getArgNumber(), index);
      unsigned number = arg.getArgNumber();
      Value yielded = loop.getYieldOp()->getOperand(number);
      if (!preservesSize(loop, arg, yielded, index))
        return std::nullopt;
      return Dim(loop.getInits()[number], index);
    }
    // A size is no iteration's own.
    if (auto loop = dyn_cast<rt::ForEachOp>(parent))
      return Dim(loop.getTiedLoopInit(arg)->get(), index);
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop || arg == loop.getInductionVar() ||
        !preservesSize(loop, arg, loop.getTiedLoopYieldedValue(arg)->get(),
                       index))
      return std::nullopt;
    return Dim(loop.getTiedLoopInit(arg)->get(), index);
  }

  /// What a `while` loop passes on where its condition is tested, if that has
  /// the size of a value from before the loop.
  std::optional<Dim> passedSize(scf::WhileOp loop, unsigned number,
                                int64_t index) {
    std::optional<Dim> passed(
        Dim(loop.getConditionOp().getArgs()[number], index));
    while (passed && isInside(passed->first, loop))
      passed = sameSize(*passed);
    return passed;
  }

  static bool isInside(Value value, Operation *loop) {
    Operation *parent = value.getParentRegion()->getParentOp();
    return loop->isAncestor(parent);
  }

  /// Whether the value that the next iteration gets for the argument has the
  /// size of the argument.
  bool preservesSize(Operation *loop, BlockArgument arg, Value next,
                     int64_t index) {
    // No, until the answer is known: what is yielded may ask for it again.
    auto [found, isNew] = preserved.try_emplace(Dim(arg, index), false);
    if (!isNew)
      return found->second;
    std::optional<Dim> yielded(Dim(next, index));
    while (yielded && yielded->first != arg && isInside(yielded->first, loop))
      yielded = previousSize(loop, *yielded);
    return preserved[Dim(arg, index)] = yielded && yielded->first == arg;
  }

  /// `sameSize`, but not out of the loop: what a `while` loop passed on is that
  /// of this iteration.
  std::optional<Dim> previousSize(Operation *loop, Dim dim) {
    auto arg = dyn_cast<BlockArgument>(dim.first);
    auto whileOp = dyn_cast<scf::WhileOp>(loop);
    if (!arg || !whileOp || arg.getOwner() != whileOp.getAfterBody())
      return sameSize(dim);
    return Dim(whileOp.getConditionOp().getArgs()[arg.getArgNumber()],
               dim.second);
  }

  /// The size as the op that makes the value computes it, if it does.
  Value sizeOperand(Dim dim) {
    auto [value, index] = dim;
    Operation *owner = value.getDefiningOp();
    if (!owner)
      return nullptr;
    rewriter.setInsertionPoint(owner);
    if (auto empty = dyn_cast<tensor::EmptyOp>(owner))
      return materialize(empty.getMixedSizes()[index], owner->getLoc());
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(owner))
      return materialize(keptSizes(slice)[index], owner->getLoc());
    ReifiedRankedShapedTypeDims shapes;
    if (failed(reifyResultShapes(rewriter, owner, shapes)))
      return nullptr;
    return materialize(shapes[cast<OpResult>(value).getResultNumber()][index],
                       owner->getLoc());
  }

  /// The sizes of a slice, without those that its type leaves out.
  static SmallVector<OpFoldResult> keptSizes(tensor::ExtractSliceOp slice) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    SmallVector<OpFoldResult> sizes;
    for (auto [i, size] : llvm::enumerate(slice.getMixedSizes()))
      if (!dropped.test(i))
        sizes.push_back(size);
    return sizes;
  }

  Value materialize(OpFoldResult size, Location loc) {
    return getValueOrCreateConstantIndexOp(rewriter, loc, size);
  }

  /// Reads the size of a value of which nothing more is known, where it begins.
  Value readAtOwner(Dim dim) {
    auto [value, index] = dim;
    rewriter.setInsertionPointAfterValue(value);
    return rewriter.createOrFold<tensor::DimOp>(value.getLoc(), value, index);
  }

  RewriterBase &rewriter;
  DenseMap<Dim, Value> known;
  DenseMap<Dim, bool> preserved;
};

/// The ops that read sizes, also those that a size is computed from anew.
struct Reads : RewriterBase::Listener {
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    if (auto dim = dyn_cast<tensor::DimOp>(op))
      worklist.push_back(dim);
  }
  SmallVector<tensor::DimOp> worklist;
};

struct ResolveDims : cambium::impl::ResolveDimsBase<ResolveDims> {
  void runOnOperation() override {
    Reads reads;
    getOperation()->walk(
        [&](tensor::DimOp op) { reads.worklist.push_back(op); });
    IRRewriter rewriter(&getContext(), &reads);
    Resolver resolver(rewriter);
    // Until the end, any of them may stand for a size.
    for (size_t i = 0; i < reads.worklist.size(); ++i) {
      tensor::DimOp op = reads.worklist[i];
      std::optional<Dim> dim = Resolver::dimOf(op);
      Value size = dim ? resolver.sizeOf(*dim) : op.getResult();
      if (size != op.getResult())
        op.replaceAllUsesWith(size);
    }
    for (tensor::DimOp op : reads.worklist)
      if (op->use_empty())
        op.erase();
  }
};
} // namespace
