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
#include "dialects/Ragged/ToLinalg/Repeat.h"
#include "dialects/Ragged/ToLinalg/Views.h"
#include "dialects/Ragged/ToLinalg/WholeRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

/// The states of the active rows are gathered and put back.
static bool isWorthWholePart(IterateOp op) {
  int64_t moved = 0;
  for (Value state : op.getInit())
    moved += 2 * elementsOfRow(state);
  return isWorthWholePart(op.getBody(), op.getIdsArg(), moved);
}

namespace {
/// A loop has two parts. While no row has stopped, its body works on the arrays
/// themselves: nothing is gathered or put back. From then on it carries a list
/// of the active rows. Rows do not come back, so that the first part ends once.
class IterateLoop {
public:
  IterateLoop(IterateOp op, LinalgBuilder &b) : op(op), b(b) {}

  SmallVector<Value> build() {
    numRows = b.rows(op.getInit().front());
    list = makeList();
    for (Value array : op.getInit())
      arrays.push_back(own(array));
    for (Value array : op.getShared())
      arrays.push_back(own(array));
    addRecords();
    SmallVector<Value> last =
        makeListedPart(isWorthWholePart(op) ? makeWholePart() : makeStart());
    ArrayRef<Value> results = ArrayRef(last).drop_front(kArrays);
    size_t states = op.getInit().size(), shared = op.getShared().size();
    IterateResults all{Values(results.take_front(states)), last[kSteps],
                       Values(results.slice(states, shared)),
                       /*records=*/{}};
    for (Value record : results.drop_front(states + shared))
      all.records.push_back(b.rowRange(record, b.index(0), last[kExecuted]));
    return all.inOrder();
  }

private:
  /// What the part with a list carries: the number of active rows, that of the
  /// iteration, the list of active rows (the first ones of an array), the
  /// iterations of each row, how many have been executed; then the states of
  /// all rows, what is shared, and the records.
  enum { kCount, kIteration, kIds, kSteps, kExecuted, kArrays };
  /// What the other part carries: the same count and number, the flag of each
  /// row, and the arrays.
  enum { kFlags = kIteration + 1, kWholeArrays };

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
  void addRecords() {
    Value most = b.make<arith::MulIOp>(numRows, b.index(op.getMax()));
    for (Value result : op.getRecords())
      arrays.push_back(b.empty(tensorType(result), most));
  }

  /// The numbers of all rows, in order.
  Value makeList() {
    Value ids = b.empty(tensorType(op.getIdsArg()), numRows);
    return rt::forEach(b, numRows, ids, [&](Value i, Value all) -> Value {
      return b.make<tensor::InsertOp>(toInteger(i), all, i);
    });
  }
  Value toInteger(Value index) {
    return b.make<arith::IndexCastOp>(b.getBuilder().getI32Type(), index);
  }

  /// Flags are words, which lanes of vectors can be; bits in code for a GPU.
  Type flagType() {
    return b.getBuilder().getIntegerType(rt::isGpu(rt::getTarget(op)) ? 1 : 32);
  }
  Value asFlags(Value bits) {
    Type type = flagType();
    if (type.isInteger(1))
      return bits;
    Value dest = b.emptyLike(tensorType(bits).clone(type), bits);
    return b.elementwise(dest, bits,
                         [&](LinalgBuilder &b, ValueRange args) -> Value {
                           return b.make<arith::ExtUIOp>(type, args[0]);
                         });
  }

  ValueRange statesOf(ValueRange arrays) {
    return arrays.take_front(op.getInit().size());
  }
  ValueRange sharedOf(ValueRange arrays) {
    return arrays.slice(op.getInit().size(), op.getShared().size());
  }
  MutableArrayRef<Value> recordsOf(MutableArrayRef<Value> arrays) {
    return arrays.drop_front(op.getInit().size() + op.getShared().size());
  }

  /// A loop that goes on while there are rows and iterations, and `more`.
  SmallVector<Value>
  makeLoop(ValueRange init, function_ref<Value(LinalgBuilder &, Value)> more,
           function_ref<SmallVector<Value>(ValueRange)> makeIteration) {
    auto loop = b.make<scf::WhileOp>(
        init.getTypes(), init,
        [&](OpBuilder &builder, Location loc, ValueRange state) {
          LinalgBuilder b(builder, loc);
          Value any = b.make<arith::CmpIOp>(arith::CmpIPredicate::sgt,
                                            state[kCount], b.index(0));
          Value left =
              b.make<arith::CmpIOp>(arith::CmpIPredicate::slt,
                                    state[kIteration], b.index(op.getMax()));
          Value goesOn = b.make<arith::AndIOp>(any, left);
          if (Value also = more(b, state[kCount]))
            goesOn = b.make<arith::AndIOp>(goesOn, also);
          b.make<scf::ConditionOp>(goesOn, state);
        },
        [](OpBuilder &, Location, ValueRange) {});
    OpBuilder::InsertionGuard guard(b.getBuilder());
    b.getBuilder().setInsertionPointToStart(loop.getAfterBody());
    SmallVector<Value> next = makeIteration(loop.getAfterArguments());
    b.make<scf::YieldOp>(next);
    return llvm::to_vector_of<Value>(loop.getResults());
  }

  //===--- All rows -------------------------------------------------------===//

  /// The list of the rows that go on after the iterations of all rows.
  SmallVector<Value> makeWholePart() {
    Value flags, count = numRows;
    if (Value active = op.getActive()) {
      flags = asFlags(active);
      count = countMarked(flags);
    } else {
      auto type = RankedTensorType::get({ShapedType::kDynamic}, flagType());
      Value yes = b.make<arith::ConstantIntOp>(flagType(), 1);
      flags = rt::forEach(b, numRows, b.empty(type, numRows),
                          [&](Value i, Value all) -> Value {
                            return b.make<tensor::InsertOp>(yes, all, i);
                          });
    }
    SmallVector<Value> init{count, b.index(0), flags};
    llvm::append_range(init, arrays);
    SmallVector<Value> last = makeLoop(
        init,
        [&](LinalgBuilder &b, Value count) -> Value {
          return b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, count,
                                       numRows);
        },
        [&](ValueRange state) { return makeWholeIteration(state); });
    Value ids = keepMarked(b, list, numRows, last[kFlags]).first;
    Value done = last[kIteration], number = toInteger(done);
    Value steps = b.empty(tensorType(op.getSteps()), numRows);
    steps = rt::forEach(b, numRows, steps, [&](Value i, Value all) -> Value {
      return b.make<tensor::InsertOp>(number, all, i);
    });
    SmallVector<Value> start{last[kCount], done, ids, steps,
                             b.make<arith::MulIOp>(done, numRows)};
    llvm::append_range(start, ArrayRef(last).drop_front(kWholeArrays));
    return start;
  }

  Value countMarked(Value flags) {
    return b.loop(b.index(0), numRows, b.index(0), [&](Value i, Value count) {
      Value flag = b.make<tensor::ExtractOp>(flags, i);
      return b.add(count, b.make<arith::IndexCastUIOp>(
                              b.getBuilder().getIndexType(), flag));
    });
  }

  /// The number of rows is that of all, but one of the loop: what depends on it
  /// is not made before the loop, where a bias would become an array.
  SmallVector<Value> makeWholeIteration(ValueRange state) {
    Value count = b.make<rt::AtMostOp>(state[kCount], numRows);
    Value first = b.make<arith::MulIOp>(state[kIteration], numRows);
    ValueRange all = state.drop_front(kWholeArrays);
    Region copy;
    IRMapping mapping;
    op.getBody().cloneInto(&copy, mapping);
    useAllRows(b, copy.getArgument(0), count);
    setIteration(b, copy.getArgument(0), state[kIteration]);
    auto view = [&](Value array) {
      return b.rowRange(array, b.index(0), count);
    };
    IterateArgs args{view(list), {}, Values(sharedOf(all))};
    for (Value array : statesOf(all))
      args.states.push_back(view(array));
    IterateYields yielded = op.byKind(inlineBody(b, copy, args.inOrder()));
    Value flags = asFlags(yielded.flags);

    SmallVector<Value> next(state);
    MutableArrayRef<Value> arrays =
        MutableArrayRef(next).drop_front(kWholeArrays);
    for (auto [record, value] :
         llvm::zip_equal(recordsOf(arrays), yielded.records))
      record = putRecord(value, record, first, count);
    next[kCount] = countMarked(flags);
    next[kIteration] = b.add(state[kIteration], b.index(1));
    next[kFlags] = b.setRowRange(flags, state[kFlags], b.index(0), count);
    putAside(b, yielded.states, args.states);
    for (auto [i, value] : llvm::enumerate(yielded.states))
      arrays[i] = store(b, value, args.states[i], all[i], count);
    size_t states = yielded.states.size();
    for (auto [i, shared] : llvm::enumerate(yielded.shared))
      arrays[states + i] = shared;
    return next;
  }

  /// What an iteration begins with is recorded before it is overwritten.
  Value putRecord(Value value, Value record, Value first, Value count) {
    OpBuilder::InsertionGuard guard(b.getBuilder());
    if (auto view = value.getDefiningOp<tensor::ExtractSliceOp>();
        view && view->getBlock() == record.getParentBlock())
      b.getBuilder().setInsertionPointAfter(view);
    return b.setRowRange(value, record, first, count);
  }

  //===--- The rows of a list ---------------------------------------------===//

  SmallVector<Value> makeStart() {
    Value ids = list, count = numRows;
    if (op.getActive())
      std::tie(ids, count) = keepMarked(b, list, numRows, op.getActive());
    SmallVector<Value> start{count, b.index(0), ids,
                             b.zeros(tensorType(op.getSteps()), numRows),
                             b.index(0)};
    llvm::append_range(start, arrays);
    return start;
  }

  SmallVector<Value> makeListedPart(ValueRange start) {
    return makeLoop(
        start, [](LinalgBuilder &, Value) { return Value(); },
        [&](ValueRange state) { return makeListedIteration(state); });
  }

  SmallVector<Value> makeListedIteration(ValueRange state) {
    // Memory is allocated once, for as many rows as can be active.
    Value count = b.make<rt::AtMostOp>(state[kCount], numRows);
    Value ids = b.rowRange(state[kIds], b.index(0), count);
    ValueRange all = state.drop_front(kArrays);
    IterateArgs args{ids, {}, Values(sharedOf(all))};
    for (Value array : statesOf(all))
      args.states.push_back(b.make<GatherOp>(array.getType(), array, ids));
    setIteration(b, op.getIdsArg(), state[kIteration]);
    IterateYields yielded =
        op.byKind(inlineBody(b, op.getBody(), args.inOrder()));
    Value flags = asFlags(yielded.flags);

    SmallVector<Value> next(state);
    next[kIteration] = b.add(state[kIteration], b.index(1));
    if (!op.getSteps().use_empty())
      next[kSteps] = countSteps(state[kSteps], ids, count, next[kIteration]);
    MutableArrayRef<Value> arrays = MutableArrayRef(next).drop_front(kArrays);
    size_t states = yielded.states.size();
    for (auto [i, rows] : llvm::enumerate(yielded.states))
      arrays[i] = b.make<PutRowsOp>(all[i].getType(), rows, all[i], ids);
    for (auto [i, shared] : llvm::enumerate(yielded.shared))
      arrays[states + i] = shared;
    for (auto [record, value] :
         llvm::zip_equal(recordsOf(arrays), yielded.records))
      record = b.setRowRange(value, record, state[kExecuted], count);
    next[kExecuted] = b.add(state[kExecuted], count);
    std::tie(next[kIds], next[kCount]) =
        keepMarked(b, state[kIds], count, flags);
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
  Value numRows, list;
  /// States, what is shared, records: as the loop begins with them.
  SmallVector<Value> arrays;
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

void ragged::attachIterateLowering(MLIRContext *context) {
  attachLinalgModel<IterateOp, lowerIterate>(context);
  attachLinalgModel<RepeatOp, lowerRepeat>(context);
}
