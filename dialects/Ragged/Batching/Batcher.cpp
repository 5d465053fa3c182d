//===-- Batcher.cpp - From one example to all rows -----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/Batching/Batcher.h"
#include "cambium/Interfaces/BatchableOpInterface.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "dialects/Train/IR/Train.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cambium;

Type Batcher::batchedType(Type type) {
  // Rows of rows stand one after the other.
  if (hasInnerRows(type))
    return rowType(type);
  return hasRows(type) ? type : Type(rowsType(type));
}

void Batcher::set(Value value, Value batched, bool isUnit) {
  auto watched = forced.find(value);
  if (watched != forced.end()) {
    if (isUnit)
      batched = ragged::BroadcastOp::create(builder, value.getLoc(),
                                            batchedType(value.getType()),
                                            batched, getCount());
    batched = train::WatchOp::create(builder, value.getLoc(), batched,
                                     watched->second);
    isUnit = false;
  }
  values[value] = {batched, isUnit};
}

void Batcher::set(ValueRange range, ValueRange batched, bool isUnit) {
  for (auto [value, form] : llvm::zip_equal(range, batched))
    set(value, form, isUnit);
}

Value Batcher::getRows(Value value) {
  if (!isUnit(value))
    return get(value);
  return ragged::BroadcastOp::create(builder, value.getLoc(),
                                     batchedType(value.getType()), get(value),
                                     getCount());
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

FailureOr<Value> Batcher::getPartition(Operation *op, Value rows) {
  if (context->partialSpace == spaces.spaceOf(rows))
    return op->emitOpError("reads all rows, but only those that go on are at "
                           "hand: expected the form 'masked'");
  return getOwnPartition(op, rows);
}

FailureOr<AllRows> Batcher::getAllRows(Operation *op, Value rows) {
  if (context->partialSpace == spaces.spaceOf(rows))
    return context->makeAllRows(op, rows);
  FailureOr<Value> partition = getPartition(op, rows);
  if (failed(partition))
    return failure();
  return AllRows{getRows(rows), *partition};
}

FailureOr<Value> Batcher::getOwnPartition(Operation *op, Value rows) {
  return findPartition(op, spaces.spaceOf(rows));
}

FailureOr<Value> Batcher::getInnerPartition(Operation *op, Value rows) {
  return findPartition(op, spaces.innerOf(rows));
}

FailureOr<Value> Batcher::findPartition(Operation *op, unsigned space) {
  auto it = context->partitions.find(space);
  if (it != context->partitions.end())
    return it->second;
  const RowSpace &known = spaces.get(space);
  InFlightDiagnostic diag = op->emitOpError();
  if (known.edgesOf)
    diag << "expected rows that belong to one example or one node, but got "
         << known.what;
  else
    diag << "expected rows of the node at hand, but got " << known.what
         << " (rows within rows are not supported)";
  diag.attachNote(known.origin) << known.what << " come from here";
  return diag;
}

FailureOr<Value> Batcher::getNodePartition(Operation *op, Value tree) {
  unsigned space = spaces.nodesOf(tree);
  if (llvm::is_contained(context->stoppingSpaces, space))
    // [DEPTH-ITERATE-C12]
    return op->emitOpError("expected a tree all of whose nodes are at hand, "
                           "but got one whose nodes are the rows of a loop "
                           "that stop");
  auto it = context->partitions.find(space);
  if (it != context->partitions.end())
    return it->second;
  return op->emitOpError(
      "expected a tree of the example, not recursion inside of a cell");
}

/// Edge rows in the user's order of a value per example.
static FailureOr<Value> expandToEdges(Batcher &batcher, Operation *op,
                                      Value batched, Value tree) {
  OpBuilder &builder = batcher.getBuilder();
  FailureOr<Value> nodes = batcher.getNodePartition(op, tree);
  if (failed(nodes))
    return failure();
  Location loc = op->getLoc();
  Value forest = batcher.get(tree);
  Value perNode = ragged::ExpandOp::create(builder, loc, batched, *nodes);
  perNode = ragged::PermuteOp::create(builder, loc, perNode, forest,
                                      ragged::Order::NodesToLevels);
  Value edges =
      ragged::EdgesOp::create(builder, loc, forest, ragged::Part::All);
  Value perEdge = ragged::ExpandOp::create(builder, loc, perNode, edges);
  return Value(ragged::PermuteOp::create(builder, loc, perEdge, forest,
                                         ragged::Order::EdgesToUser));
}

FailureOr<Value> Batcher::expandBatched(Operation *op, Value batched,
                                        Value like) {
  const RowSpace &known = spaces.get(spaces.spaceOf(like));
  if (known.edgesOf && !context->partitions.contains(spaces.spaceOf(like)))
    return expandToEdges(*this, op, batched, known.edgesOf);
  FailureOr<Value> rows = getOwnPartition(op, like);
  if (failed(rows))
    return failure();
  return Value(ragged::ExpandOp::create(builder, op->getLoc(), batched, *rows));
}

FailureOr<Value> Batcher::expand(Operation *op, Value value, Value like) {
  if (!isUnit(value))
    return expandBatched(op, get(value), like);
  Value count;
  unsigned space = spaces.spaceOf(like);
  auto it = context->partitions.find(space);
  if (it != context->partitions.end())
    count = ragged::NumRowsOp::create(builder, op->getLoc(), it->second);
  else
    count = tensor::DimOp::create(builder, op->getLoc(), get(like), 0);
  return Value(ragged::BroadcastOp::create(builder, op->getLoc(),
                                           rowsType(get(value).getType()),
                                           get(value), count));
}

Value Batcher::getCount() {
  if (!context->count)
    context->count = context->makeCount();
  return context->count;
}

Value Batcher::getKeys() {
  if (!context->keys)
    context->keys = context->makeKeys();
  return context->keys;
}

FailureOr<Value> Batcher::getKeysOf(Operation *op, Value value) {
  if (!getKeys())
    return failure();
  if (!hasRows(value.getType()))
    return getKeys();
  if (context->partialSpace == spaces.spaceOf(value))
    return context->makePartialKeys();
  FailureOr<Value> rows = getPartition(op, value);
  if (failed(rows))
    return failure();
  return Value(ragged::KeysOp::create(builder, op->getLoc(), getKeys(), *rows));
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

void Batcher::cloneUnit(Operation *op) {
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, get(operand));
  Operation *clone = builder.clone(*op, mapping);
  set(op->getResults(), clone->getResults(), /*isUnit=*/true);
}

Operation *Batcher::cloneRowwise(Operation *op,
                                 function_ref<bool(unsigned)> broadcast) {
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    bool needsRows = !broadcast || broadcast(operand.getOperandNumber());
    operands.push_back(needsRows ? getRows(operand.get()) : get(operand.get()));
  }
  SmallVector<Type> types;
  for (Type type : op->getResultTypes())
    types.push_back(batchedType(type));
  OperationState state(op->getLoc(), op->getName(), operands, types,
                       op->getDiscardableAttrDictionary().getValue());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  return builder.create(state);
}

LogicalResult Batcher::batchOp(Operation *op) {
  auto batchable = dyn_cast<BatchableOpInterface>(op);
  if (!batchable)
    return op->emitOpError(
        "cannot be batched: it has no form over all rows of a batch");
  assert(llvm::all_of(op->getOperands(),
                      [&](Value operand) { return has(operand); }) &&
         "operands are batched before their users");
  SmallVector<std::pair<Value, Value>> unclamped;
  for (OpOperand &operand : op->getOpOperands())
    if (std::optional<int64_t> bound =
            batchable.getIdBound(operand.getOperandNumber());
        bound && !checkedIds.contains(operand.get()))
      unclamped.push_back(
          {operand.get(),
           rebind(operand.get(), clampIds(get(operand.get()), *bound))});
  LogicalResult result = batchable.batch(*this);
  for (auto [value, before] : llvm::reverse(unclamped))
    rebind(value, before);
  return result;
}

/// Ids below 0 become 0, ids of `bound` and more the last one: what they index
/// is memory.
Value Batcher::clampIds(Value ids, int64_t bound) {
  auto type = cast<RankedTensorType>(ids.getType());
  Location loc = ids.getLoc();
  auto number = [&](int64_t value) -> Value {
    Attribute attr = IntegerAttr::get(type.getElementType(), value);
    if (type.hasStaticShape())
      return arith::ConstantOp::create(builder, loc,
                                       DenseElementsAttr::get(type, attr));
    Value row = arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(rowType(type), attr));
    Value count = tensor::DimOp::create(builder, loc, ids, 0);
    return ragged::BroadcastOp::create(builder, loc, type, row, count);
  };
  Value atLeast = arith::MaxSIOp::create(builder, loc, ids, number(0));
  return arith::MinSIOp::create(builder, loc, atLeast, number(bound - 1));
}

LogicalResult Batcher::batchOps(ArrayRef<Operation *> ops) {
  for (Operation *op : ops)
    if (failed(batchOp(op)))
      return failure();
  return success();
}

LogicalResult Batcher::batchBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(batchOp(&op)))
      return failure();
  return success();
}
