//===-- dialects/Ragged/ToLinalg/Iterate.cpp - The loop over rows --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Remarks.h"
#include "cambium/Support/Rows.h"
#include "dialects/Ragged/ToLinalg/KeepMarked.h"
#include "dialects/Ragged/ToLinalg/Views.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

namespace {
/// What the loop carries: the number of active rows, that of the iteration, the
/// list of active rows (the first ones of an array), the iterations of each
/// row, how many have been executed; then the states of all rows, what is
/// shared, and the records.
class IterateLoop {
public:
  IterateLoop(IterateOp op, LinalgBuilder &b) : op(op), b(b) {}

  SmallVector<Value> build() {
    numRows = b.rows(op.getInit().front());
    auto [ids, count] = makeList();
    SmallVector<Value> init{count, b.index(0), ids,
                            b.zeros(tensorType(op.getSteps()), numRows),
                            b.index(0)};
    for (Value array : op.getInit())
      init.push_back(own(array));
    for (Value array : op.getShared())
      init.push_back(own(array));
    addRecords(init);
    SmallVector<Value> last = makeLoop(init);
    ArrayRef<Value> arrays = ArrayRef(last).drop_front(kStates);
    size_t states = op.getInit().size(), shared = op.getShared().size();
    IterateResults results{Values(arrays.take_front(states)), last[kSteps],
                           Values(arrays.slice(states, shared)),
                           /*records=*/{}};
    for (Value record : arrays.drop_front(states + shared))
      results.records.push_back(
          b.rowRange(record, b.index(0), last[kExecuted]));
    return results.inOrder();
  }

private:
  enum { kCount, kIteration, kIds, kSteps, kExecuted, kStates };

  /// The loop writes into its arrays: one that is read elsewhere is copied.
  /// Bufferization would see that too, but for arrays that are results of the
  /// function, which have the memory of its caller.
  Value own(Value array) {
    int64_t readers = llvm::count_if(array.getUses(), [](OpOperand &use) {
      return !isa<tensor::DimOp>(use.getOwner());
    });
    if (readers == 1 || !hasRows(array.getType()))
      return array;
    auto type = tensorType(array);
    return b.copy(array, b.empty(type, b.rows(array)));
  }

  /// Records have room for as many rows as there can be. A large allocation
  /// takes memory only where something is written, and records are written from
  /// their beginning: they cost what is executed.
  void addRecords(SmallVectorImpl<Value> &init) {
    Value most = b.make<arith::MulIOp>(numRows, b.index(op.getMax()));
    for (Value result : op.getRecords())
      init.push_back(b.empty(tensorType(result), most));
  }

  void addToRecords(const IterateYields &yielded, Value count, ValueRange state,
                    SmallVectorImpl<Value> &next) {
    size_t first = next.size() - yielded.records.size();
    for (auto [i, value] : llvm::enumerate(yielded.records))
      next[first + i] =
          b.setRowRange(value, state[first + i], state[kExecuted], count);
    next[kExecuted] = b.add(state[kExecuted], count);
  }

  /// The rows that start active, in order, and how many they are.
  std::pair<Value, Value> makeList() {
    Value list = b.empty(tensorType(op.getIdsArg()), numRows);
    list = rt::forEach(b, numRows, list, [&](Value i, Value all) -> Value {
      return b.make<tensor::InsertOp>(toInteger(i), all, i);
    });
    if (!op.getActive())
      return {list, numRows};
    return keepMarked(b, list, numRows, op.getActive());
  }
  Value toInteger(Value index) {
    return b.make<arith::IndexCastOp>(b.getBuilder().getI32Type(), index);
  }

  SmallVector<Value> makeLoop(ValueRange init) {
    auto loop = b.make<scf::WhileOp>(
        init.getTypes(), init,
        [&](OpBuilder &builder, Location loc, ValueRange state) {
          LinalgBuilder b(builder, loc);
          Value any = b.make<arith::CmpIOp>(arith::CmpIPredicate::sgt,
                                            state[kCount], b.index(0));
          Value more =
              b.make<arith::CmpIOp>(arith::CmpIPredicate::slt,
                                    state[kIteration], b.index(op.getMax()));
          b.make<scf::ConditionOp>(b.make<arith::AndIOp>(any, more), state);
        },
        [](OpBuilder &, Location, ValueRange) {});
    OpBuilder::InsertionGuard guard(b.getBuilder());
    b.getBuilder().setInsertionPointToStart(loop.getAfterBody());
    SmallVector<Value> next = makeIteration(loop.getAfterArguments());
    b.make<scf::YieldOp>(next);
    return llvm::to_vector_of<Value>(loop.getResults());
  }

  SmallVector<Value> makeIteration(ValueRange state) {
    // Memory is allocated once, for as many rows as can be active.
    Value count = b.make<rt::AtMostOp>(state[kCount], numRows);
    Value ids = b.rowRange(state[kIds], b.index(0), count);
    ValueRange states = state.slice(kStates, op.getInit().size());
    ValueRange shared =
        state.slice(kStates + states.size(), op.getShared().size());
    IterateArgs args{ids, {}, Values(shared)};
    for (Value all : states)
      args.states.push_back(b.make<GatherOp>(all.getType(), all, ids));
    setIteration(b, op.getIdsArg(), state[kIteration]);
    IterateYields yielded =
        op.byKind(inlineBody(b, op.getBody(), args.inOrder()));

    SmallVector<Value> next(state);
    next[kIteration] = b.add(state[kIteration], b.index(1));
    next[kSteps] = countSteps(state[kSteps], ids, count, next[kIteration]);
    for (auto [i, all] : llvm::enumerate(states))
      next[kStates + i] =
          b.make<PutRowsOp>(all.getType(), yielded.states[i], all, ids);
    for (auto [i, shared] : llvm::enumerate(yielded.shared))
      next[kStates + states.size() + i] = shared;
    addToRecords(yielded, count, state, next);
    std::tie(next[kIds], next[kCount]) =
        keepMarked(b, state[kIds], count, yielded.flags);
    return next;
  }

  /// Every active row has done one iteration more.
  Value countSteps(Value steps, Value ids, Value count, Value done) {
    Value number = toInteger(done);
    return rt::forEach(b, count, steps, [&](Value i, Value all) -> Value {
      return b.make<tensor::InsertOp>(number, all, b.indexAt(ids, i));
    });
  }

  IterateOp op;
  LinalgBuilder &b;
  Value numRows;
};
} // namespace

/// Says what a training step keeps of an iteration of a row.
static void reportRecords(IterateOp op) {
  int64_t bytes = 0;
  for (Value record : op.getRecords()) {
    RankedTensorType row = rowType(tensorType(record));
    int64_t bits = row.getNumElements() * row.getElementTypeBitWidth();
    bytes += llvm::divideCeil(bits, 8);
  }
  if (bytes)
    remarkPassed(op, "linalg-lower")
        << remark::add("records {0} bytes in {1} arrays for each iteration of "
                       "a row",
                       bytes, op.getRecords().size());
}

static Lowered lowerIterate(IterateOp op, LinalgBuilder &b) {
  reportRecords(op);
  return IterateLoop(op, b).build();
}

/// Whether the value is the array with some rows overwritten.
static bool isUpdated(Value value, Value array) {
  while (value != array) {
    Operation *def = value.getDefiningOp();
    if (auto put = dyn_cast_if_present<PutRowsOp>(def))
      value = put.getAll();
    else if (auto add = dyn_cast_if_present<AddSliceOp>(def))
      value = add.getAll();
    else if (auto insert = dyn_cast_if_present<tensor::InsertSliceOp>(def))
      value = insert.getDest();
    else
      return false;
  }
  return true;
}

/// Whether the value can be computed into the array's memory: element by
/// element, when nobody reads the array any more.
static bool canReplace(Value value, Value array) {
  Operation *def = value.getDefiningOp();
  Block *body = array.getParentBlock();
  if (!def || def->getBlock() != body || !def->hasTrait<OpTrait::Elementwise>())
    return false;
  return llvm::all_of(array.getUsers(), [&](Operation *user) {
    Operation *reader = body->findAncestorOpInBlock(*user);
    return isa<tensor::DimOp>(user) || reader == def ||
           reader->isBeforeInBlock(def);
  });
}

/// What an iteration leaves stands where the one before has left it. That an
/// array keeps its number of rows is seen from what is put into it.
static Value store(LinalgBuilder &b, Value value, Value state, Value count) {
  if (isUpdated(value, state))
    return value;
  RankedTensorType type = tensorType(state);
  if (!canReplace(value, state))
    value = b.copy(value, b.empty(type, count));
  if (count)
    return b.setRowRange(value, state, b.index(0), count);
  return b.make<bufferization::MaterializeInDestinationOp>(type, value, state)
      .getResult();
}

static Lowered lowerRepeat(RepeatOp op, LinalgBuilder &b) {
  SmallVector<Value> init(op.getInit()), counts;
  if (op.getCount() == 1) {
    init.insert(init.begin(), b.index(0));
    return inlineBody(b, op.getBody(), init);
  }
  for (Value value : init)
    counts.push_back(hasRows(value.getType()) ? b.rows(value) : Value());
  return b.loops(
      b.index(0), b.index(op.getCount()), init,
      [&](Value i, ValueRange states) {
        SmallVector<Value> args{i};
        llvm::append_range(args, states);
        SmallVector<Value> next = inlineBody(b, op.getBody(), args);
        // One that another one becomes is put aside before it is overwritten.
        for (auto [value, state] : llvm::zip_equal(next, states))
          if (value != state && llvm::is_contained(states, value))
            value = b.copy(value, b.emptyLike(tensorType(value), value));
        for (auto [value, state, count] : llvm::zip_equal(next, states, counts))
          value = store(b, value, state, count);
        return next;
      });
}

void ragged::attachIterateLowering(MLIRContext *context) {
  attachLinalgModel<IterateOp, lowerIterate>(context);
  attachLinalgModel<RepeatOp, lowerRepeat>(context);
}
