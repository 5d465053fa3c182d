//===-- MaxSpanning.cpp - Trees of greatest score as loops ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The algorithm of dialects/Tree/Interpret/MaxSpanning.cpp, which says what it
// does, as loops over the numbers of a segment: the same steps in the same
// order, hence the same tree where several are as good. Of n rows it takes
// about n^2 steps. Segments are independent.
//
//===----------------------------------------------------------------------===//
#include "dialects/RT/IR/Status.h"
#include "dialects/Ragged/ToLinalg/LoopState.h"
#include "dialects/Ragged/ToLinalg/Windows.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

namespace {
/// The tree of one segment.
class SpanningTree {
public:
  SpanningTree(MaxSpanningOp op, LinalgBuilder &b, ValueRange arrays)
      : op(op), b(b), state(b, arrays) {}

  SmallVector<Value> build(RowsView &rows, RowsView &pairs, Value s);

  /// The arrays: of pairs, of rows (`kNumbersPerRow` for each), the result.
  enum Array : unsigned { kScore, kLevel, kEdge, kNumbers, kParents };
  static constexpr int64_t kNumbersPerRow = 9;

private:
  /// Counters behind them.
  enum Counter : unsigned {
    kStart = kParents + 1,
    kLength,
    kNext,
    kBest,
    kBestLevel,
    kBestScore
  };
  /// What is known of a row: nothing yet, it stands on the path, it is
  /// finished, another row stands for it.
  enum Status : int64_t { kNew, kOnPath, kDone, kGone };
  /// Numbers of rows: of each one, then of those and the cycles.
  enum Number : int64_t {
    kStatus,
    kPath,
    kNode,
    kParent,
    kChosen = 5,
    kTaken = 7
  };
  struct Weight {
    Value level, score;
  };

  void readScores();
  void step();
  void choose(Value v);
  void follow(Value v);
  void contract(Value first);
  void subtract(Value m, Value next);
  void join(Value first, Value m);
  void takeGreater(Value to, Value from);
  void expand();

  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return b.make<arith::CmpIOp>(predicate, x, y);
  }
  Value isEqual(Value x, Value y) {
    return compare(arith::CmpIPredicate::eq, x, y);
  }
  Value both(Value x, Value y) { return b.make<arith::AndIOp>(x, y); }
  Value either(Value x, Value y) { return b.make<arith::OrIOp>(x, y); }
  Value negate(Value x) {
    return b.make<arith::XOrIOp>(x, b.number(x.getType(), 1));
  }
  Value select(Value condition, Value x, Value y) {
    return b.make<arith::SelectOp>(condition, x, y);
  }
  Value times(Value x, Value y) { return b.make<arith::MulIOp>(x, y); }
  Value one() { return b.index(1); }
  Value zero() { return b.index(0); }
  Value toWord(Value index) {
    return b.make<arith::IndexCastOp>(b.getBuilder().getI32Type(), index);
  }
  void add(Counter counter, int64_t more) {
    state.set(counter, b.add(state.get(counter), b.index(more)));
  }

  /// The number of the pair (v, u) among all.
  Value pair(Value v, Value u) {
    return b.add(firstPair, b.add(times(v, count), u));
  }
  Value place(Number kind, Value i) {
    return b.add(firstNumber, b.add(times(b.index(kind), count), i));
  }
  Value number(Number kind, Value i) {
    return b.toIndex(state.load(kNumbers, place(kind, i)));
  }
  void setNumber(Number kind, Value i, Value value) {
    state.store(kNumbers, place(kind, i), toWord(value));
  }
  Value hasStatus(Value i, Status status) {
    return isEqual(number(kStatus, i), b.index(status));
  }
  Weight weight(Value at) {
    return {b.toIndex(state.load(kLevel, at)), state.load(kScore, at)};
  }
  Value isGreater(Weight x, Weight y) {
    Value higher = compare(arith::CmpIPredicate::sgt, x.level, y.level);
    Value more =
        b.make<arith::CmpFOp>(arith::CmpFPredicate::OGT, x.score, y.score);
    return either(higher, both(isEqual(x.level, y.level), more));
  }

  MaxSpanningOp op;
  LinalgBuilder &b;
  LoopState state;
  Value begin, count, firstPair, firstNumber;
};
} // namespace

/// What is no number, or minus infinity, is a level below all numbers; a root
/// is below everything else, so that there is one.
void SpanningTree::readScores() {
  auto type = cast<FloatType>(op.getScores().getType().getElementType());
  Type f64 = b.getBuilder().getF64Type();
  double greatest =
      APFloat::getLargest(type.getFloatSemantics()).convertToDouble();
  Value most = b.number(type, greatest);
  Value never = b.number(type, -std::numeric_limits<double>::infinity());
  auto readPair = [&](Value v, Value u) {
    Value at = pair(v, u);
    Value score = b.make<tensor::ExtractOp>(op.getScores(), at);
    Value isNumber =
        b.make<arith::CmpFOp>(arith::CmpFPredicate::OGT, score, never);
    score = b.make<arith::MinimumFOp>(score, most);
    score = select(isNumber, score, b.number(type, 0));
    if (type != f64)
      score = b.make<arith::ExtFOp>(f64, score);
    Value level = select(isNumber, zero(), b.index(-1));
    Value belowAll = b.sub(b.index(-1), count);
    level = b.add(level, select(isEqual(u, v), belowAll, zero()));
    state.store(kScore, at, score);
    state.store(kLevel, at, toWord(level));
    state.store(kEdge, at, toWord(b.add(times(v, count), u)));
  };
  state.forEach(zero(), count, [&](Value v) {
    state.forEach(zero(), count, [&](Value u) { readPair(v, u); });
    setNumber(kStatus, v, b.index(kNew));
    setNumber(kNode, v, v);
    for (Value i : {v, b.add(count, v)}) {
      setNumber(kParent, i, zero());
      setNumber(kTaken, i, zero());
    }
  });
}

/// The best row that v can hang on to: itself as the root, or one of those that
/// stand for others.
void SpanningTree::choose(Value v) {
  Weight root = weight(pair(v, v));
  state.set(kBest, v);
  state.set(kBestLevel, root.level);
  state.set(kBestScore, root.score);
  state.forEach(zero(), count, [&](Value u) {
    Weight best{state.get(kBestLevel), state.get(kBestScore)};
    Weight here = weight(pair(v, u));
    Value isThere = negate(either(isEqual(u, v), hasStatus(u, kGone)));
    Value take = both(isThere, isGreater(here, best));
    state.set(kBest, select(take, u, state.get(kBest)));
    state.set(kBestLevel, select(take, here.level, best.level));
    state.set(kBestScore, select(take, here.score, best.score));
  });
}

/// Goes from v, the end of the path, to the best row.
void SpanningTree::follow(Value v) {
  Value u = state.get(kBest), node = number(kNode, v);
  setNumber(kChosen, node, b.toIndex(state.load(kEdge, pair(v, u))));
  Value isRoot = isEqual(u, v);
  Value ends = either(isRoot, hasStatus(u, kDone));
  Value goesOn = both(negate(isRoot), hasStatus(u, kNew));
  Value isCycle = both(negate(isRoot), hasStatus(u, kOnPath));
  state.when(ends, [&] {
    state.forEach(zero(), state.get(kLength), [&](Value i) {
      setNumber(kStatus, number(kPath, i), b.index(kDone));
    });
    state.set(kLength, zero());
  });
  state.when(goesOn, [&] {
    setNumber(kStatus, u, b.index(kOnPath));
    setNumber(kPath, state.get(kLength), u);
    add(kLength, 1);
  });
  state.when(isCycle, [&] { contract(u); });
}

/// The rows of the path from `first` on are a cycle: `first` stands for them.
void SpanningTree::contract(Value first) {
  // Counters that are free here: where the cycle begins on the path.
  state.set(kBest, zero());
  Value length = state.get(kLength), node = state.get(kNext);
  state.forEach(zero(), length, [&](Value i) {
    Value isHere = isEqual(number(kPath, i), first);
    state.set(kBest, select(isHere, i, state.get(kBest)));
  });
  Value from = state.get(kBest), behind = b.add(from, one());
  state.forEach(from, length, [&](Value i) {
    Value m = number(kPath, i), next = b.add(i, one());
    next = select(isEqual(next, length), from, next);
    subtract(m, number(kPath, next));
    setNumber(kParent, number(kNode, m), node);
    setNumber(kStatus, m, b.index(kGone));
  });
  state.forEach(behind, length,
                [&](Value i) { join(first, number(kPath, i)); });
  setNumber(kStatus, first, b.index(kOnPath));
  setNumber(kNode, first, node);
  add(kNext, 1);
  state.set(kLength, behind);
}

/// What an edge into m is worth beyond the one of the cycle, from `next`.
void SpanningTree::subtract(Value m, Value next) {
  Weight chosen = weight(pair(m, next));
  state.forEach(zero(), count, [&](Value x) {
    Value at = pair(m, x);
    Weight here = weight(at);
    state.store(kLevel, at, toWord(b.sub(here.level, chosen.level)));
    state.store(kScore, at, b.sub(here.score, chosen.score));
  });
}

/// The edges of m from and to rows outside of the cycle become those of `first`
/// where they are better.
void SpanningTree::join(Value first, Value m) {
  takeGreater(pair(first, first), pair(m, m));
  state.forEach(zero(), count, [&](Value x) {
    state.when(negate(hasStatus(x, kGone)), [&] {
      takeGreater(pair(first, x), pair(m, x));
      takeGreater(pair(x, first), pair(x, m));
    });
  });
}

void SpanningTree::takeGreater(Value to, Value from) {
  Weight source = weight(from);
  state.when(isGreater(source, weight(to)), [&] {
    state.store(kLevel, to, toWord(source.level));
    state.store(kScore, to, source.score);
    state.store(kEdge, to, state.load(kEdge, from));
  });
}

/// Begins a path at the next row if there is none, and goes on with it.
void SpanningTree::step() {
  Value start = state.get(kStart);
  Value begins = both(isEqual(state.get(kLength), zero()),
                      compare(arith::CmpIPredicate::slt, start, count));
  state.when(begins, [&] {
    add(kStart, 1);
    state.when(hasStatus(start, kNew), [&] {
      setNumber(kStatus, start, b.index(kOnPath));
      setNumber(kPath, zero(), start);
      state.set(kLength, one());
    });
  });
  Value length = state.get(kLength);
  state.when(negate(isEqual(length, zero())), [&] {
    Value v = number(kPath, b.sub(length, one()));
    choose(v);
    follow(v);
  });
}

/// From the last cycle to the rows: the edge that was chosen for it, unless one
/// into it has been taken already.
void SpanningTree::expand() {
  Value nodes = state.get(kNext);
  state.forEach(zero(), nodes, [&](Value i) {
    Value node = b.sub(b.sub(nodes, one()), i);
    state.when(isEqual(number(kTaken, node), zero()), [&] {
      Value edge = number(kChosen, node);
      Value row = b.make<arith::DivUIOp>(edge, count);
      Value parent = b.make<arith::RemUIOp>(edge, count);
      parent = select(isEqual(row, parent), b.index(-1), parent);
      state.store(kParents, b.add(begin, row), toWord(parent));
      state.set(kBest, row);
      state.forEach(zero(), nodes, [&](Value) {
        Value at = state.get(kBest);
        setNumber(kTaken, at, one());
        state.set(kBest, select(isEqual(at, node), node, number(kParent, at)));
      });
    });
  });
}

SmallVector<Value> SpanningTree::build(RowsView &rows, RowsView &pairs,
                                       Value s) {
  auto [first, last] = rows.segment(s);
  begin = first, count = b.sub(last, first);
  firstNumber = times(begin, b.index(kNumbersPerRow));
  Value none = zero(), noScore = b.number(b.getBuilder().getF64Type(), 0);
  state.append({none, none, count, none, none, noScore});
  state.when(negate(isEqual(count, none)), [&] {
    firstPair = pairs.segment(begin).first;
    readScores();
    // A path begins, grows, ends or loses a cycle: each n times at most.
    state.forEach(zero(), times(count, b.index(4)), [&](Value) { step(); });
    expand();
  });
  return llvm::to_vector(state.all().take_front(kParents + 1));
}

/// The first row that does not have as many pairs as there are rows in its
/// segment; `kNone` if there is none.
static constexpr int64_t kNone = INT32_MAX;
static Value findNotSquare(LinalgBuilder &b, RowsView &rows, RowsView &pairs) {
  auto inSegment = [&](Value s, ValueRange found) {
    auto [begin, end] = rows.segment(s);
    Value count = b.sub(end, begin);
    return b.loops(begin, end, found, [&](Value r, ValueRange found) {
      auto [first, last] = pairs.segment(r);
      Value differs = b.make<arith::CmpIOp>(arith::CmpIPredicate::ne,
                                            b.sub(last, first), count);
      Value here = b.make<arith::MinSIOp>(r, found[0]);
      return SmallVector<Value>{
          b.make<arith::SelectOp>(differs, here, found[0])};
    });
  };
  return b.loops(b.index(0), rows.numSegments(), b.index(kNone), inSegment)[0];
}

/// The parents of a tree of greatest score in each segment.
static Lowered lowerMaxSpanning(MaxSpanningOp op, LinalgBuilder &b) {
  RowsView rows(b, op.getRows()), pairs(b, op.getPairs());
  OpBuilder &builder = b.getBuilder();
  if (op.getChecked()) {
    Value bad = findNotSquare(b, rows, pairs);
    Value isBad =
        b.make<arith::CmpIOp>(arith::CmpIPredicate::ne, bad, b.index(kNone));
    b.make<rt::FailIfOp>(isBad, bad,
                         static_cast<int32_t>(rt::Status::OutOfRange),
                         *op.getChecked(), /*stop=*/true);
  }
  auto array = [&](Type element, Value size) {
    auto type = RankedTensorType::get({ShapedType::kDynamic}, element);
    return b.make<bufferization::AllocTensorOp>(type, ValueRange{size});
  };
  Value size = b.make<arith::MulIOp>(rows.numRows(),
                                     b.index(SpanningTree::kNumbersPerRow));
  SmallVector<Value> arrays{
      array(builder.getF64Type(), pairs.numRows()),
      array(builder.getI32Type(), pairs.numRows()),
      array(builder.getI32Type(), pairs.numRows()),
      array(builder.getI32Type(), size),
      array(builder.getI32Type(), rows.numRows()),
  };
  return lowered(
      rt::forEach(b, rows.numSegments(), rt::kWorthwhile, arrays,
                  [&](Value s, ValueRange arrays) {
                    return SpanningTree(op, b, arrays).build(rows, pairs, s);
                  })[SpanningTree::kParents]);
}

void ragged::attachMaxSpanningLowering(MLIRContext *context) {
  attachLinalgModel<MaxSpanningOp, lowerMaxSpanning>(context);
}
