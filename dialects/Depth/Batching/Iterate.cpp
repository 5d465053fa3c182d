//===-- dialects/Depth/Batching/Iterate.cpp - Iterations over a batch -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Batching/Models.h"
#include "cambium/Support/Remarks.h"
#include "dialects/Depth/Batching/DepthBatching.h"
#include "dialects/Depth/IR/Depth.h"
#include "dialects/NN/IR/ConstantLike.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::depth;

namespace {
/// Builds the `ragged.iterate` of a loop. Its rows are those of the carried
/// values, or the examples.
class IterateBatcher {
public:
  IterateBatcher(IterateOp op, Batcher &batcher, bool isMasked)
      : op(op), loc(op.getLoc()), batcher(batcher),
        builder(batcher.getBuilder()), isMasked(isMasked) {}

  LogicalResult run();

private:
  LogicalResult addRowInputs();
  LogicalResult batchBody();
  void addCarried(Block &block);
  /// The context of the body: the examples' rows that are at hand, or the
  /// examples that are.
  LogicalResult makeContext(BatchContext &context);
  FailureOr<AllRows> makeAllRows(Value value);
  /// Binds values from outside to their rows that are at hand.
  LogicalResult enter();
  void leave();
  LogicalResult failUsesRows(Value value);
  SmallVector<Operation *> findKeptOps();
  LogicalResult batchKept(ValueRange carried, SmallVectorImpl<Value> &values);
  LogicalResult yieldKept(SmallVectorImpl<Value> &yielded);
  SmallVector<Value> mask(ArrayRef<Value> yielded);
  Value ofRunning(Value numbers);
  Value spread(Value numbers, Value like);
  Value numbers(Value like, TypedAttr value);
  void setResults(ragged::IterateOp loop);

  template <typename OpT, typename... Args> OpT make(Args &&...args) {
    return OpT::create(builder, loc, std::forward<Args>(args)...);
  }

  IterateOp op;
  Location loc;
  Batcher &batcher;
  OpBuilder &builder;
  /// All rows of the running examples are computed; flags say which count.
  bool isMasked;

  /// Of the rows that stop: their space and its partition.
  unsigned space = 0;
  Value partition;
  Region body;
  Value ids, active;
  SmallVector<Value> init, states, shared;
  SmallVector<std::pair<Value, Value>> rebound;
  /// Values that are read of all rows, and the arrays that hold them.
  llvm::MapVector<Value, AllRows> kept;
};
} // namespace

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
  if (!isMasked)
    return success();
  Value like = init.front();
  init.push_back(numbers(like, builder.getF32FloatAttr(1)));
  init.push_back(numbers(like, builder.getI32IntegerAttr(0)));
  return success();
}

/// A number for each row.
Value IterateBatcher::numbers(Value like, TypedAttr value) {
  auto scalar = RankedTensorType::get({}, value.getType());
  Value constant =
      make<arith::ConstantOp>(DenseElementsAttr::get(scalar, Attribute(value)));
  Value count = make<tensor::DimOp>(like, 0);
  return make<ragged::BroadcastOp>(rowsType(scalar), constant, count);
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

FailureOr<AllRows> IterateBatcher::makeAllRows(Value value) {
  AllRows &known = kept[value];
  if (known.rows)
    return known;
  for (auto [outside, before] : rebound)
    if (outside == value)
      return known = {before, partition};
  Value all = body.front().addArgument(value.getType(), loc);
  return known = {all, partition};
}

/// The ops of the loop from which the kept values are computed, in order.
SmallVector<Operation *> IterateBatcher::findKeptOps() {
  llvm::DenseSet<Operation *> needed;
  SmallVector<Value> worklist;
  for (auto &[value, rows] : kept)
    worklist.push_back(value);
  while (!worklist.empty()) {
    Operation *def = worklist.pop_back_val().getDefiningOp();
    if (!def || !op->isProperAncestor(def) || !needed.insert(def).second)
      continue;
    llvm::append_range(worklist, def->getOperands());
    llvm::append_range(worklist, getCaptured(def));
  }
  SmallVector<Operation *> ops;
  for (Operation &inner : op.getBody().front())
    if (needed.contains(&inner))
      ops.push_back(&inner);
  return ops;
}

/// The kept values of rows whose carried values are `carried`.
LogicalResult IterateBatcher::batchKept(ValueRange carried,
                                        SmallVectorImpl<Value> &values) {
  for (auto [arg, rows] : llvm::zip(op.getBody().getArguments(), carried))
    batcher.set(arg, rows);
  if (failed(batcher.batchOps(findKeptOps())))
    return failure();
  for (auto &[value, rows] : kept)
    if (rows.rows.getParentBlock() == &body.front())
      values.push_back(batcher.getRows(value));
  return success();
}

LogicalResult IterateBatcher::makeContext(BatchContext &context) {
  BatchContext &outer = batcher.getContext();
  context.makeKeys = [this] {
    // [DEPTH-ITERATE-C11]
    op.emitOpError("expected no random numbers in a loop whose rows stop");
    return Value();
  };
  if (!op.isPerRow()) {
    context.makeCount = [this] {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&body.front());
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
  return success();
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

void IterateBatcher::addCarried(Block &block) {
  for (Value value : init)
    states.push_back(block.addArgument(value.getType(), loc));
  for (auto [arg, rows] : llvm::zip(op.getBody().getArguments(), states))
    batcher.set(arg, rows);
}

LogicalResult IterateBatcher::batchBody() {
  OpBuilder::InsertionGuard guard(builder);
  Block &block = body.emplaceBlock();
  auto index =
      RankedTensorType::get({ShapedType::kDynamic}, builder.getI32Type());
  ids = block.addArgument(index, loc);
  addCarried(block);
  BatchContext context;
  batcher.getCount(); // is built here, outside of the loop
  builder.setInsertionPointToStart(&block);
  if (failed(makeContext(context)))
    return failure();
  if (failed(enter()))
    return failure();
  Batcher::ContextScope scope(batcher, context);
  if (failed(batcher.batchBlock(op.getBody().front())))
    return failure();
  SmallVector<Value> yielded;
  for (Value value : op.getYield().getValues())
    yielded.push_back(batcher.getRows(value));
  if (isMasked)
    yielded = mask(yielded);
  else if (failed(yieldKept(yielded)))
    return failure();
  leave();
  make<ragged::YieldOp>(yielded);
  return success();
}

/// What the next iteration reads of the rows of this one: computed from their
/// next values, also for a row that stops with them.
LogicalResult IterateBatcher::yieldKept(SmallVectorImpl<Value> &yielded) {
  SmallVector<Value> values;
  if (failed(batchKept(ValueRange(yielded).drop_front(), values)))
    return failure();
  Block::BlockArgListType arrays =
      body.front().getArguments().take_back(values.size());
  for (auto [value, all] : llvm::zip_equal(values, arrays))
    yielded.push_back(make<ragged::PutRowsOp>(value, all, ids));
  return success();
}

/// Numbers of rows for each element of `like`.
Value IterateBatcher::spread(Value numbers, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  if (type.getRank() == 1)
    return numbers;
  Type element = getElementTypeOrSelf(numbers.getType());
  return make<nn::BroadcastOp>(type.clone(element), numbers, Value(),
                               ArrayRef<int64_t>{0});
}

/// For each row, the greatest number of its example. Of the whole batch, where
/// values of an example are computed from its rows: without rows they would be
/// what 1 / 0 is, of which no gradient can be zero.
Value IterateBatcher::ofRunning(Value numbers) {
  if (reducesRows(op, batcher.getSpaces())) {
    auto scalar =
        RankedTensorType::get({}, getElementTypeOrSelf(numbers.getType()));
    Value any = make<nn::MaxOp>(scalar, numbers, 0);
    return make<nn::BroadcastOp>(numbers.getType(), any, numbers,
                                 ArrayRef<int64_t>{});
  }
  Value any = make<ragged::ReduceOp>(ragged::ReduceKind::Max, numbers, active);
  return make<ragged::ExpandOp>(any, active);
}

/// A row that has stopped keeps its values; an example goes on while one of its
/// rows does.
SmallVector<Value> IterateBatcher::mask(ArrayRef<Value> yielded) {
  Value running = states[states.size() - 2], steps = states.back();
  auto isSet = [&](Value number) -> Value {
    Value half = constantLike(builder, loc, number, 0.5);
    return make<arith::CmpFOp>(arith::CmpFPredicate::OGT, number, half);
  };
  SmallVector<Value> next{Value()};
  for (auto [value, old] : llvm::zip(yielded.drop_front(), states))
    next.push_back(
        make<arith::SelectOp>(isSet(spread(running, value)), value, old));
  Value goesOn = make<arith::UIToFPOp>(running.getType(), yielded.front());
  goesOn = make<arith::MulFOp>(goesOn, running);
  next.front() = isSet(ofRunning(goesOn));
  next.push_back(goesOn);
  Value one = make<arith::FPToSIOp>(steps.getType(), running);
  next.push_back(make<arith::AddIOp>(steps, one));
  return next;
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

void IterateBatcher::setResults(ragged::IterateOp loop) {
  for (auto [result, rows] : llvm::zip(op.getStates(), loop.getStates()))
    batcher.set(result, rows);
  Value counted = isMasked ? Value(loop.getStates().back()) : loop.getSteps();
  batcher.set(op.getSteps(), counted);
}

LogicalResult IterateBatcher::run() {
  if (failed(addRowInputs()) || failed(batchBody()))
    return failure();
  if (failed(batchKept(ValueRange(init), shared)))
    return failure();
  SmallVector<Type> types(ValueRange(init).getTypes());
  types.push_back(ids.getType());
  llvm::append_range(types, ValueRange(shared).getTypes());
  auto loop = make<ragged::IterateOp>(types, op.getMax(), init, shared);
  loop.setRematerialize(op.getRematerialize());
  loop.getBody().takeBody(body);
  setResults(loop);
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

namespace {
struct IterateBatching
    : BatchableOpInterface::ExternalModel<IterateBatching, IterateOp> {
  LogicalResult inferRowSpaces(Operation *operation, RowSpaces &spaces) const {
    auto op = cast<IterateOp>(operation);
    if (!op.isPerRow())
      return success();
    Value first = op.getInit().front();
    auto join = [&](auto values) {
      for (Value value : values)
        if (failed(spaces.join(op, first, value)))
          return failure();
      return success();
    };
    if (failed(join(op.getInit())) || failed(join(op.getResults())) ||
        failed(join(op.getBody().getArguments())))
      return failure();
    return join(op.getYield().getValues());
  }

  LogicalResult batch(Operation *operation, Batcher &batcher) const {
    auto op = cast<IterateOp>(operation);
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
  });
}
