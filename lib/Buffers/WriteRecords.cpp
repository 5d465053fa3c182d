//===-- lib/Buffers/WriteRecords.cpp - Memory for what loops record -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A level puts its rows of every value that the gradient needs into an array
// that the loop carries. Upstream's analysis of a loop asks each carried array
// about all others, and each time looks for it among them: the cube of their
// number. What is only written needs no analysis.
//
//===----------------------------------------------------------------------===//
#include "Destinations.h"
#include "cambium/Buffers/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace cambium {
#define GEN_PASS_DEF_WRITERECORDS
#include "cambium/Buffers/Passes.h.inc"
} // namespace cambium

using namespace cambium;

/// Whether no other op writes, or still reads, the memory in which a value is
/// made. Such a value may be made where it is put; of others there are copies,
/// and what lies there instead may be read after it was put there.
static bool hasOwnMemory(Value value) {
  if (llvm::any_of(value.getUses(), isDestination))
    return false;
  while (OpOperand *destination = findDestination(value)) {
    value = destination->get();
    if (value.getDefiningOp<tensor::EmptyOp>())
      return true;
    if (llvm::any_of(value.getUsers(), [&](Operation *user) {
          return user != destination->getOwner();
        }))
      return false;
  }
  return true;
}

/// The op that puts rows into a carried array, if the loop does nothing else
/// with it and nothing was there before.
static tensor::InsertSliceOp findWrite(scf::ForOp loop, unsigned number) {
  Value yielded = loop.getYieldedValues()[number];
  BlockArgument array = loop.getRegionIterArg(number);
  auto write = yielded.getDefiningOp<tensor::InsertSliceOp>();
  if (!write || write->getBlock() != loop.getBody() || !yielded.hasOneUse() ||
      write.getDest() != array || !array.hasOneUse() ||
      !loop.getInitArgs()[number].getDefiningOp<tensor::EmptyOp>())
    return {};
  return hasOwnMemory(write.getSource()) ? write : tensor::InsertSliceOp();
}

/// Right behind the last of the values that are defined in the block.
static void setInsertionPointBehind(OpBuilder &builder, ValueRange values,
                                    Block *block) {
  Operation *last = nullptr;
  for (Value value : values) {
    Operation *op = value.getDefiningOp();
    if (op && op->getBlock() == block && (!last || last->isBeforeInBlock(op)))
      last = op;
  }
  if (last)
    builder.setInsertionPointAfter(last);
  else
    builder.setInsertionPointToStart(block);
}

/// The rows of `memory` that `write` puts something into. They stand as early
/// as they can: what is put there can then be computed there.
static Value viewOf(tensor::InsertSliceOp write, Value memory,
                    OpBuilder &builder) {
  SmallVector<Value> numbers(write.getOffsets());
  llvm::append_range(numbers, write.getSizes());
  llvm::append_range(numbers, write.getStrides());
  setInsertionPointBehind(builder, numbers, write->getBlock());
  MemRefType type = memref::SubViewOp::inferRankReducedResultType(
      write.getSourceType().getShape(), cast<MemRefType>(memory.getType()),
      write.getMixedOffsets(), write.getMixedSizes(), write.getMixedStrides());
  return memref::SubViewOp::create(
      builder, write.getLoc(), type, memory, write.getMixedOffsets(),
      write.getMixedSizes(), write.getMixedStrides());
}

/// The array as memory, which the op fills; a tensor again behind the loop.
static Value writeToMemory(scf::ForOp loop, unsigned number,
                           tensor::InsertSliceOp write, OpBuilder &builder) {
  auto init = loop.getInitArgs()[number].getDefiningOp<tensor::EmptyOp>();
  auto type = cast<RankedTensorType>(init.getType());
  Location loc = loop.getLoc();
  builder.setInsertionPoint(loop);
  bufferization::BufferizationOptions options;
  Value memory = memref::AllocOp::create(
      builder, loc, MemRefType::get(type.getShape(), type.getElementType()),
      init.getDynamicSizes(),
      builder.getI64IntegerAttr(options.bufferAlignment));
  Value view = viewOf(write, memory, builder);
  builder.setInsertionPoint(write);
  bufferization::MaterializeInDestinationOp::create(
      builder, write.getLoc(), Type(), write.getSource(), view,
      /*restrict=*/true, /*writable=*/true);
  builder.setInsertionPointAfter(loop);
  return bufferization::ToTensorOp::create(builder, loc, type, memory,
                                           /*restrict=*/true,
                                           /*writable=*/true);
}

/// The loop without what it only writes.
static void shrink(scf::ForOp loop, OpBuilder &builder) {
  SmallVector<Value> inits, yields, results;
  SmallVector<unsigned> kept;
  llvm::BitVector dropped(loop.getBody()->getNumArguments());
  SmallVector<Operation *> writes;
  for (unsigned i = 0, e = loop.getNumResults(); i < e; ++i) {
    if (tensor::InsertSliceOp write = findWrite(loop, i)) {
      results.push_back(writeToMemory(loop, i, write, builder));
      writes.push_back(write);
      dropped.set(loop.getNumInductionVars() + i);
      continue;
    }
    results.push_back({});
    kept.push_back(i);
    inits.push_back(loop.getInitArgs()[i]);
    yields.push_back(loop.getYieldedValues()[i]);
  }
  if (writes.empty())
    return;
  loop.getBody()->getTerminator()->setOperands(yields);
  for (Operation *write : writes)
    write->erase();
  loop.getBody()->eraseArguments(dropped);
  builder.setInsertionPoint(loop);
  auto smaller = scf::ForOp::create(
      builder, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(),
      loop.getStep(), inits, /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  smaller->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  smaller.getRegion().takeBody(loop.getRegion());
  for (auto [i, old] : llvm::enumerate(kept))
    results[old] = smaller.getResult(i);
  loop->replaceAllUsesWith(results);
  loop->erase();
}

namespace {
struct WriteRecords : cambium::impl::WriteRecordsBase<WriteRecords> {
  void runOnOperation() override {
    OpBuilder builder(&getContext());
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      shrink(loop, builder);
  }
};
} // namespace
