//===-- dialects/Ragged/Derivatives/RepeatDerivative.cpp - Loops ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The derivative of a loop of a fixed number is a loop of that number in the
// other direction. What it needs of the forward one is recorded, iteration by
// iteration, in arrays of rows: those of an iteration are consecutive, so that
// a product reads them where they stand.
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/DifferentiableOpInterface.h"
#include "dialects/NN/IR/ConstantLike.h"
#include "dialects/Ragged/Derivatives/LoopDerivatives.h"
#include "dialects/Ragged/Derivatives/RecordedRows.h"
#include "dialects/Ragged/Derivatives/ReverseSweep.h"
#include "dialects/Ragged/Derivatives/Tape.h"
#include "dialects/Ragged/IR/LoopBuilders.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

namespace {
/// Builds the region of the reverse loop.
class RepeatSweep : public ReverseSweep {
public:
  RepeatSweep(OpBuilder &builder, const ActiveValues &active,
              RecordedRows &records, VJPBuilder &outer, Block &block)
      : ReverseSweep(builder, active), op(records.getLoop()), records(records),
        outer(outer), block(block) {}

  Value value(Value primal) override {
    if (primal.getParentRegion() != &op.getBody())
      return outer.value(primal);
    auto [it, isNew] = known.try_emplace(primal);
    if (!isNew)
      return it->second;
    Value found = primal == op.getIterationArg() ? iteration()
                  : records.isRebuilt(primal)
                      ? rebuild(*this, primal, known, records.rowsLike(primal))
                      : read(primal);
    return known[primal] = found;
  }

private:
  /// The number of the forward iteration that is taken back.
  Value iteration() {
    OpBuilder builder = OpBuilder::atBlockBegin(&block);
    Value last = arith::ConstantIndexOp::create(
        builder, op.getLoc(), static_cast<int64_t>(op.getCount()) - 1);
    return arith::SubIOp::create(builder, op.getLoc(), last,
                                 block.getArgument(0));
  }

  Value read(Value primal) {
    Value number = value(op.getIterationArg());
    return records.read(getBuilder(), primal, number);
  }

  RepeatOp op;
  RecordedRows &records;
  VJPBuilder &outer;
  Block &block;
  llvm::DenseMap<Value, Value> known;
};

/// The whole derivative of one op.
class RepeatDerivative {
public:
  RepeatDerivative(RepeatOp op, VJPBuilder &outer)
      : op(op), outer(outer), loc(op.getLoc()), records(op, outer) {}

  LogicalResult build() {
    findActive();
    LooseRegion region(loc);
    Block &block = region.front();
    block.addArgument(IndexType::get(op.getContext()), loc);
    OpBuilder inner(op.getContext());
    inner.setInsertionPointToEnd(&block);
    RepeatSweep sweep(inner, active, records, outer, block);
    seed(sweep, block);
    Block &body = op.getBody().front();
    if (failed(sweep.run(body.begin(), std::prev(body.end()))))
      return failure();
    finish(sweep, block);
    records.build();
    auto reverse = outer.create<RepeatOp>(loc, op.getCount(), init,
                                          /*rematerialize=*/false);
    reverse.getBody().takeBody(region.get());
    for (auto [primal, cotangent] :
         llvm::zip_equal(primals, reverse.getResults()))
      outer.add(primal, cotangent);
    return success();
  }

private:
  /// Values of the region that depend on what is wanted.
  void findActive() {
    ActiveValues::Pairs taken, carried;
    for (auto [arg, value, yielded] :
         llvm::zip_equal(op.getStateArgs(), op.getInit(), op.getYielded())) {
      taken.push_back({arg, value});
      carried.push_back({arg, yielded});
    }
    active.propagateInLoop(outer, op.getBody(), taken, carried);
  }

  /// The cotangents of what an iteration yields are arguments of the region.
  void seed(RepeatSweep &sweep, Block &block) {
    for (auto [i, arg] : llvm::enumerate(op.getStateArgs())) {
      if (!active.contains(arg))
        continue;
      Value cotangent = outer.cotangent(op.getResult(i));
      if (!cotangent)
        cotangent = constantLike(outer.getBuilder(), loc,
                                 outer.value(op.getInit()[i]), 0.0);
      init.push_back(cotangent);
      primals.push_back(op.getInit()[i]);
      Value seed = block.addArgument(arg.getType(), loc);
      carried.push_back({arg, seed});
      sweep.add(op.getYielded()[i], seed);
    }
  }

  /// Yields the cotangents of what the iteration got, and the sums of those of
  /// values from outside.
  void finish(RepeatSweep &sweep, Block &block) {
    OpBuilder &inner = sweep.getBuilder();
    SmallVector<Value> yielded;
    for (auto [arg, seed] : carried) {
      Value cotangent = sweep.cotangent(arg);
      if (!cotangent)
        cotangent = constantLike(inner, loc, seed, 0.0);
      yielded.push_back(cotangent);
    }
    for (Value value : capturedBy(op.getBody())) {
      Value term = active.contains(value) ? sweep.cotangent(value) : Value();
      if (!term)
        continue;
      init.push_back(
          constantLike(outer.getBuilder(), loc, outer.value(value), 0.0));
      primals.push_back(value);
      Value sum = block.addArgument(value.getType(), loc);
      yielded.push_back(arith::AddFOp::create(inner, loc, sum, term));
    }
    YieldOp::create(inner, loc, yielded);
  }

  RepeatOp op;
  VJPBuilder &outer;
  Location loc;
  RecordedRows records;
  ActiveValues active;
  /// What the reverse loop carries first: region arguments, and what holds
  /// their cotangents.
  SmallVector<std::pair<Value, Value>> carried;
  /// All that it carries, and of what each result is the cotangent.
  SmallVector<Value> primals, init;
};

struct RepeatModel
    : DifferentiableOpInterface::ExternalModel<RepeatModel, RepeatOp> {
  void expandTape(Operation *op, OpBuilder &builder, bool) const {
    expandTapes(cast<RepeatOp>(op).getBody().front(), builder, true);
  }
  LogicalResult buildVJP(Operation *op, VJPBuilder &builder) const {
    return RepeatDerivative(cast<RepeatOp>(op), builder).build();
  }
};
} // namespace

void cambium::registerRepeatDerivative(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, RaggedDialect *) {
    RepeatOp::attachInterface<RepeatModel>(*context);
  });
}
