//===-- dialects/Depth/Batching/Iterate.cpp - Iterations over a batch ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Remarks.h"
#include "dialects/Depth/Batching/DepthBatching.h"
#include "dialects/Depth/Batching/IterateBatcher.h"
#include "dialects/Depth/Batching/SearchBatcher.h"
#include "dialects/Ragged/Batching/Models.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::depth;

LogicalResult depth::bindSlices(IterateOp op, Batcher &batcher, Value number) {
  for (auto [slice, array] :
       llvm::zip_equal(op.getSliceArgs(), op.getSlices())) {
    if (!batcher.isUnit(array)) {
      // [DEPTH-ITERATE-C15]
      InFlightDiagnostic diag =
          op.emitOpError("expected arrays of slices that depend on parameters "
                         "alone, but got ")
          << array.getType() << " that depends on the example";
      diag.attachNote(array.getLoc()) << "it comes from here";
      return diag;
    }
    Value batched = ragged::SliceOp::create(batcher.getBuilder(), op.getLoc(),
                                            batcher.get(array), number);
    batcher.set(slice, batched, /*isUnit=*/true);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

LogicalResult IterateBatcher::addRowInputs() {
  for (Value value : op.getInit())
    init.push_back(batcher.getRows(value));
  if (op.isPerRow()) {
    space = batcher.getSpaces().spaceOf(op.getInit().front());
    const RowSpace &known = batcher.getSpaces().get(space);
    if (known.cell) {
      // [DEPTH-ITERATE-C13]
      InFlightDiagnostic diag =
          op.emitOpError("expected rows of the example, but got ")
          << known.what << " (a loop in a cell carries values of the node)";
      diag.attachNote(known.origin) << "they come from here";
      return diag;
    }
    FailureOr<Value> rows = batcher.getPartition(op, op.getInit().front());
    if (failed(rows))
      return failure();
    partition = *rows;
  }
  if (op.getActive())
    starting = batcher.getRows(op.getActive());
  if (!isMasked)
    return success();
  Value like = init.front();
  if (starting) {
    auto type = cast<RankedTensorType>(starting.getType());
    init.push_back(
        make<arith::UIToFPOp>(type.clone(builder.getF32Type()), starting));
    starting = isSet(ofRunning(init.back(), partition));
  } else {
    init.push_back(numbers(like, builder.getF32FloatAttr(1)));
  }
  init.push_back(numbers(like, builder.getI32IntegerAttr(0)));
  return success();
}

/// A loop of whole examples has only those that go on at hand, not their rows
/// or trees.
LogicalResult IterateBatcher::failUsesRows(Value value) {
  InFlightDiagnostic diag =
      // [DEPTH-ITERATE-C9]
      op.emitOpError("expected a loop of whole examples to use no rows of "
                     "them, but got ")
      << value.getType() << " (carry rows, with a flag per row)";
  diag.attachNote(value.getLoc()) << "the rows come from here";
  return diag;
}

LogicalResult IterateBatcher::enter() {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op.getBody(), captured);
  for (Value value : captured) {
    bool isTensor = isa<RankedTensorType>(value.getType());
    if (!op.isPerRow() && (!isTensor || hasRows(value.getType())))
      return failUsesRows(value);
    if (!isTensor || batcher.isUnit(value))
      continue;
    bool isOfRows = op.isPerRow()
                        ? hasRows(value.getType()) &&
                              batcher.getSpaces().spaceOf(value) == space
                        : true;
    if (!isOfRows)
      continue;
    Value rows = make<ragged::GatherOp>(batcher.get(value), ids);
    rebound.push_back({value, batcher.rebind(value, rows)});
  }
  return success();
}

void IterateBatcher::leave() {
  for (auto [value, before] : rebound)
    batcher.rebind(value, before);
}

LogicalResult IterateBatcher::makeContext(BatchContext &context) {
  context.makeKeys = [this] { return makeKeys(); };
  if (!op.isPerRow()) {
    context.makeCount = [this] {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&loop.getBlock());
      return make<tensor::DimOp>(ids, 0);
    };
    return success();
  }
  context.count = batcher.getCount();
  context.partitions = outer.partitions;
  context.stoppingSpaces = outer.stoppingSpaces;
  context.stoppingSpaces.push_back(space);
  active = make<ragged::GroupOp>(ids, partition);
  context.partitions[space] = active;
  if (isMasked)
    return success();
  context.partialSpace = space;
  context.makeAllRows = [this](Operation *, Value value) {
    return makeAllRows(value);
  };
  context.makePartialKeys = [this] { return makePartialKeys(); };
  return success();
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

void IterateBatcher::addCarried() {
  for (Value value : init)
    states.push_back(loop.addState(value));
  batcher.set(op.getStateArgs(),
              ValueRange(states).take_front(op.getInit().size()));
  if (!isMasked)
    return;
  running = states[states.size() - 2];
  steps = states.back();
}

/// Every row at hand is in the same iteration: slices are the same for all.
LogicalResult IterateBatcher::addSlices() {
  if (op.getSlices().empty())
    return success();
  return bindSlices(op, batcher, make<ragged::IterationOp>(ids));
}

LogicalResult IterateBatcher::batchBody() {
  OpBuilder::InsertionGuard guard(builder);
  ids = loop.getIdsArg();
  addCarried();
  BatchContext context;
  batcher.getCount(); // is built here, outside of the loop
  before = builder.saveInsertionPoint();
  builder.setInsertionPointToStart(&loop.getBlock());
  if (failed(makeContext(context)) || failed(enter()) || failed(addSlices()))
    return failure();
  Batcher::ContextScope scope(batcher, context);
  if (failed(batcher.batchBlock(op.getBody().front())))
    return failure();
  yields.flags = batcher.getRows(op.getYield().getActive());
  for (Value value : op.getYield().getNext())
    yields.states.push_back(batcher.getRows(value));
  if (isMasked)
    mask();
  if (!isMasked && failed(yieldKept()))
    return failure();
  leave();
  return success();
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

void IterateBatcher::setResults(ragged::IterateOp batched) {
  for (auto [result, rows] : llvm::zip(op.getStates(), batched.getStates()))
    batcher.set(result, rows);
  size_t last = op.getInit().size() + 1;
  batcher.set(op.getSteps(),
              isMasked ? Value(batched.getStates()[last]) : batched.getSteps());
}

LogicalResult IterateBatcher::run() {
  if (failed(addRowInputs()) || failed(batchBody()))
    return failure();
  if (failed(batchKept(ValueRange(init), shared)))
    return failure();
  setResults(loop.build(builder, op.getMax(), starting, shared, yields,
                        op.getRematerialize()));
  return success();
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

/// Whether all rows of running examples are computed; fails where rows must be
/// left out and cannot be.
static FailureOr<bool> chooseMasked(IterateOp op, Batcher &batcher) {
  if (!op.isPerRow() || op.getForm() == Form::Masked)
    return op.isPerRow();
  Obstacle obstacle = findObstacle(op, batcher.getSpaces());
  if (!obstacle.reader)
    return false;
  if (op.getForm() == Form::Auto) {
    remarkMissed(op, "ragged-batch")
        << remark::add("rows that have stopped are computed and thrown away")
        << remark::reason("'{0}' reads other rows of '{1}'",
                          obstacle.reader->getName().getStringRef().str(),
                          obstacle.cause->getName().getStringRef().str());
    return true;
  }
  // [DEPTH-ITERATE-C10]
  InFlightDiagnostic diag = op.emitOpError(
      "cannot be compacted: expected what is read of other rows to be computed "
      "row by row from carried values");
  diag.attachNote(obstacle.reader->getLoc()) << "other rows are read here";
  if (obstacle.cause != obstacle.reader)
    diag.attachNote(obstacle.cause->getLoc())
        << "what is read changes here even for a row that has stopped";
  return diag;
}

/// Each loop around another one doubles what the compiler has to look at: a
/// form of the body for all rows and one for some.
static LogicalResult verifyNesting(IterateOp op) {
  constexpr int kMostLoops = 8;
  int loops = 1;
  for (auto outer = op->getParentOfType<IterateOp>(); outer;
       outer = outer->getParentOfType<IterateOp>())
    ++loops;
  if (loops <= kMostLoops)
    return success();
  // [DEPTH-ITERATE-C18]
  return op.emitOpError("expected at most ")
         << kMostLoops << " loops in one another, but got " << loops;
}

namespace {
struct IterateBatching
    : BatchableOpInterface::ExternalModel<IterateBatching, IterateOp> {
  LogicalResult inferRowSpaces(Operation *operation, RowSpaces &spaces) const {
    auto op = cast<IterateOp>(operation);
    if (failed(verifyNesting(op)))
      return failure();
    if (op.getFixed())
      return joinCarried(op, spaces);
    if (!op.isPerRow())
      return success();
    Value first = op.getInit().front();
    auto join = [&](auto values) {
      for (Value value : values)
        if (failed(spaces.join(op, first, value)))
          return failure();
      return success();
    };
    if (op.getActive() && failed(spaces.join(op, first, op.getActive())))
      return failure();
    if (failed(join(op.getInit())) || failed(join(op.getResults())) ||
        failed(join(op.getStateArgs())))
      return failure();
    return join(op.getYield().getValues());
  }

  LogicalResult batch(Operation *operation, Batcher &batcher) const {
    auto op = cast<IterateOp>(operation);
    if (op.getFixed())
      return batchFixed(op, batcher);
    FailureOr<bool> isMasked = chooseMasked(op, batcher);
    if (failed(isMasked))
      return failure();
    return IterateBatcher(op, batcher, *isMasked).run();
  }

  bool sharesRowSpaces(Operation *) const { return true; }
};
} // namespace

void depth::registerBatchingModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, DepthDialect *) {
    IterateOp::attachInterface<IterateBatching>(*context);
    attachSearchBatching(*context);
  });
}
