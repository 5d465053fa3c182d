//===-- SplitSums.cpp - Sums that have parts ------------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each part is an iteration of its own, whatever the number of blocks, and the
// sums of parts are added in their order: the bits depend on sizes alone.
//
//===----------------------------------------------------------------------===//
#include "SplitSums.h"
#include "../Combiners.h"
#include "Accesses.h"
#include "dialects/RT/IR/ForEach.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace cambium;

/// What combines all elements of the operands into one number, or null.
static Operation *findCombiner(linalg::LinalgOp op) {
  bool isSum = op.hasPureBufferSemantics() && op.getNumDpsInits() == 1 &&
               op.getNumReductionLoops() == op.getNumLoops() &&
               op.getNumLoops() != 0 && !op.hasIndexSemantics() &&
               cast<MemRefType>(op.getDpsInits()[0].getType()).getRank() == 0;
  if (!isSum)
    return nullptr;
  SmallVector<Operation *> combiners = findCombiners(op);
  return combiners.empty() ? nullptr : combiners.front();
}

namespace {
class SumSplitter {
public:
  SumSplitter(linalg::LinalgOp op, Operation *combiner, Operation *place)
      : op(op), combiner(combiner), loc(op.getLoc()), b(place) {}

  /// Sums of `count` parts, into `parts`; `emit` makes that of a part.
  void split(Value count, Value parts,
             function_ref<void(Value number, Value sum)> emit) {
    auto each = rt::ForEachOp::create(b, loc, count, IntegerAttr());
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&each.getBody().front());
      Value neutral = arith::ConstantOp::create(
          b, loc, *arith::getNeutralElement(combiner));
      memref::StoreOp::create(b, loc, neutral, parts, each.getNumber());
      emit(each.getNumber(), sumOf(parts, each.getNumber()));
    }
    join(count, parts);
  }

  /// The op with other operands.
  void clone(ValueRange operands) {
    mlir::clone(b, op.getOperation(), TypeRange(), operands);
  }

  OpBuilder &builder() { return b; }

private:
  /// A word of the parts as memory of a number.
  Value sumOf(Value parts, Value number) {
    OpFoldResult offset = number, one = b.getIndexAttr(1);
    auto type = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
        {}, cast<MemRefType>(parts.getType()), {offset}, {one}, {one}));
    return memref::SubViewOp::create(b, loc, type, parts, {offset}, {one},
                                     {one});
  }

  /// Adds all parts to the sum.
  void join(Value count, Value parts) {
    OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
    Value all = memref::SubViewOp::create(b, loc, parts, {zero},
                                          {OpFoldResult(count)}, {one});
    AffineMap maps[] = {b.getMultiDimIdentityMap(1),
                        AffineMap::get(1, 0, b.getContext())};
    utils::IteratorType iterators[] = {utils::IteratorType::reduction};
    linalg::GenericOp::create(
        b, loc, ValueRange{all}, op.getDpsInits(), maps, iterators,
        [&](OpBuilder &inner, Location at, ValueRange args) {
          Value both[] = {args[1], args[0]};
          Operation *sum =
              inner.create(at, combiner->getName().getIdentifier(), both,
                           args[0].getType(), combiner->getAttrs());
          linalg::YieldOp::create(inner, at, sum->getResults());
        });
  }

  linalg::LinalgOp op;
  Operation *combiner;
  Location loc;
  OpBuilder b;
};
} // namespace

/// The only op of a loop that writes, or null: others read, and nothing of what
/// it writes.
static linalg::LinalgOp findSum(scf::ForOp loop) {
  linalg::LinalgOp sum;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      if (sum)
        return {};
      sum = linalgOp;
    } else if (!isMemoryEffectFree(&op) && !isa<memref::LoadOp>(op)) {
      return {};
    }
  }
  if (!sum || !findCombiner(sum))
    return {};
  Value total = sum.getDpsInits()[0];
  Memory memory = Memory::of(total);
  bool isRead = llvm::any_of(sum.getDpsInputs(), [&](Value input) {
    return Memory::of(input).meets(memory);
  });
  loop.getBody()->walk([&](memref::LoadOp load) {
    isRead |= Memory::of(load.getMemRef()).meets(memory);
  });
  bool isOutside = !loop->isAncestor(total.getParentRegion()->getParentOp());
  return isOutside && !isRead ? sum : linalg::LinalgOp();
}

void cambium::splitSum(scf::ForOp loop, AllocateElements allocate) {
  bool isPlain = loop.getNumResults() == 0 &&
                 isZeroInteger(getAsOpFoldResult(loop.getLowerBound())) &&
                 isOneInteger(getAsOpFoldResult(loop.getStep()));
  linalg::LinalgOp sum = isPlain ? findSum(loop) : linalg::LinalgOp();
  if (!sum)
    return;
  Value count = loop.getUpperBound(), total = sum.getDpsInits()[0];
  Value parts = allocate(count, getElementTypeOrSelf(total.getType()));
  if (!parts)
    return;
  SumSplitter splitter(sum, findCombiner(sum), loop);
  splitter.split(count, parts, [&](Value number, Value part) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), number);
    for (Operation &op : loop.getBody()->without_terminator())
      if (&op != sum.getOperation())
        splitter.builder().clone(op, mapping);
    SmallVector<Value> operands;
    for (Value input : sum.getDpsInputs())
      operands.push_back(mapping.lookupOrDefault(input));
    operands.push_back(part);
    splitter.clone(operands);
  });
  loop.erase();
}

/// Rows `begin` to `begin + count` of an operand, if its first dimension is
/// that of the op.
static Value rowsOf(OpBuilder &b, Location loc, Value operand, AffineMap map,
                    Value begin, Value count) {
  if (!isa<MemRefType>(operand.getType()) || map.getNumResults() == 0 ||
      map.getResult(0) != b.getAffineDimExpr(0))
    return operand;
  SmallVector<OpFoldResult> offsets(map.getNumResults(), b.getIndexAttr(0)),
      sizes = memref::getMixedSizes(b, loc, operand),
      strides(map.getNumResults(), b.getIndexAttr(1));
  offsets[0] = begin;
  sizes[0] = count;
  return memref::SubViewOp::create(b, loc, operand, offsets, sizes, strides);
}

void cambium::splitSum(linalg::LinalgOp op, const TargetCosts &costs,
                       AllocateElements allocate) {
  Operation *combiner = findCombiner(op);
  if (!combiner)
    return;
  int64_t terms = 1;
  for (int64_t range : op.getStaticLoopRanges())
    terms *= range; // Sizes of parameters are known.
  bool isKnown = !ShapedType::isDynamicShape(op.getStaticLoopRanges());
  for (AffineMap map : op.getIndexingMapsArray())
    isKnown &= map.isProjectedPermutation() &&
               (!map.isFunctionOfDim(0) ||
                map.getResult(0) == getAffineDimExpr(0, op.getContext()));
  int64_t rows = op.getStaticLoopRanges()[0];
  if (!isKnown || terms < costs.splitSum || rows < 2)
    return;
  SumSplitter splitter(op, combiner, op);
  OpBuilder &b = splitter.builder();
  Location loc = op.getLoc();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  int64_t each = llvm::divideCeil(rows, costs.sumParts);
  Value count = index(llvm::divideCeil(rows, each));
  Value parts =
      allocate(count, getElementTypeOrSelf(op.getDpsInits()[0].getType()));
  if (!parts)
    return;
  splitter.split(count, parts, [&](Value number, Value part) {
    Value begin = arith::MulIOp::create(b, loc, number, index(each));
    Value rest = arith::SubIOp::create(b, loc, index(rows), begin);
    Value size = arith::MinSIOp::create(b, loc, rest, index(each));
    SmallVector<Value> operands;
    for (OpOperand *input : op.getDpsInputOperands())
      operands.push_back(rowsOf(b, loc, input->get(),
                                op.getMatchingIndexingMap(input), begin, size));
    operands.push_back(part);
    splitter.clone(operands);
  });
  op->erase();
}
