//===-- ChainRows.cpp - Iterations that write different rows go at once ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Accesses.h"
#include "Library.h"
#include "cambium/Kernels/Passes.h"
#include "dialects/RT/IR/Bounds.h"
#include "dialects/RT/IR/ForEach.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace cambium {
#define GEN_PASS_DEF_CHAINROWS
#include "cambium/Kernels/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

namespace {
/// What an op in a loop reads or writes: a memory from outside of it, and the
/// row of it that an index chooses, or null.
struct ChosenRow {
  Memory memory;
  Value from, row;
};

/// A loop of which an iteration writes one row, the same of each memory.
class RowLoop {
public:
  explicit RowLoop(scf::ForOp loop) : loop(loop) {}

  /// Whether it is one.
  bool find();
  Value getRow() const { return row; }
  rt::TouchOp getTouch() const { return touch; }
  /// Whether all iterations write different rows.
  bool areRowsDistinct();

private:
  ChosenRow chosen(Value value);
  bool add(Operation *op);
  bool isIndependent();

  scf::ForOp loop;
  Value row;
  rt::TouchOp touch;
  SmallVector<ChosenRow> reads, writes;
};
} // namespace

ChosenRow RowLoop::chosen(Value value) {
  ChosenRow result{Memory::of(value), {}, {}};
  Operation *first = nullptr;
  while (Operation *view = value.getDefiningOp()) {
    if (!loop->isProperAncestor(view) || !isa<ViewLikeOpInterface>(view))
      break;
    first = view;
    value = cast<ViewLikeOpInterface>(view).getViewSource();
  }
  result.from = value;
  auto part = dyn_cast_or_null<memref::SubViewOp>(first);
  if (part && isOneInteger(part.getMixedSizes()[0]))
    result.row = dyn_cast<Value>(part.getMixedOffsets()[0]);
  return result;
}

/// Whether what the op does is known.
bool RowLoop::add(Operation *op) {
  if (auto touched = dyn_cast<rt::TouchOp>(op)) {
    bool isFirst = !touch;
    touch = touched;
    return isFirst;
  }
  if (isa<memref::AllocaOp, rt::ForEachOp>(op) ||
      op->hasTrait<rt::NeedsEntry>())
    return false;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return isMemoryEffectFree(op) ||
           op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  for (const MemoryEffects::EffectInstance &effect : instances) {
    if (!effect.getValue() || !isa<MemRefType>(effect.getValue().getType()))
      return false;
    bool isRead = isa<MemoryEffects::Read>(effect.getEffect());
    (isRead ? reads : writes).push_back(chosen(effect.getValue()));
  }
  return true;
}

/// Whether iterations of different rows have no bytes in common that one of
/// them writes.
bool RowLoop::isIndependent() {
  auto isOwn = [&](const ChosenRow &one, const ChosenRow &other) {
    return !one.memory.meets(other.memory) ||
           (one.from == other.from && one.row == row && other.row == row);
  };
  return llvm::all_of(writes, [&](const ChosenRow &written) {
    return llvm::all_of(reads,
                        [&](auto &read) { return isOwn(written, read); }) &&
           llvm::all_of(writes,
                        [&](auto &other) { return isOwn(written, other); });
  });
}

bool RowLoop::find() {
  if (loop.getNumResults() != 0 ||
      !isZeroInteger(getAsOpFoldResult(loop.getLowerBound())) ||
      !isOneInteger(getAsOpFoldResult(loop.getStep())))
    return false;
  bool isKnown = true;
  loop.getBody()->walk([&](Operation *op) { isKnown &= add(op); });
  if (!isKnown || writes.empty())
    return false;
  row = writes.front().row;
  if (!row || !row.getDefiningOp() ||
      row.getDefiningOp()->getBlock() != loop.getBody() ||
      (touch && touch.getRow() != row))
    return false;
  return isIndependent();
}

bool RowLoop::areRowsDistinct() {
  auto cast = row.getDefiningOp<arith::IndexCastOp>();
  auto load = cast ? cast.getIn().getDefiningOp<memref::LoadOp>() : nullptr;
  return load && load.getMemRef().getDefiningOp<rt::TouchedOp>() &&
         load.getIndices()[0] == loop.getInductionVar();
}

namespace {
class RowChainer {
public:
  RowChainer(func::FuncOp entry, Library &library)
      : entry(entry), library(library), b(entry.getContext()),
        words(MemRefType::get({ShapedType::kDynamic}, b.getI32Type())) {}

  /// Lets iterations of different rows go at once, if there are such.
  void chain(scf::ForOp loop) {
    RowLoop rows(loop);
    if (!rows.find())
      return;
    loc = loop.getLoc();
    b.setInsertionPoint(loop);
    if (rows.areRowsDistinct() && !rows.getTouch())
      return copy(loop);
    if (rows.getTouch() && !takeTouch(loop, rows))
      return;
    chain(loop, rows.getRow());
  }

private:
  /// Iterations of a row behind each other, and which ones are the first.
  struct Links {
    Value array, count, next, isFirst;
    Operation *behind;
  };

  /// As many words as there are iterations at most, or null. They read `array`.
  Value allocate(Value count, Value array) {
    Operation *place =
        entry.getBody().front().findAncestorOpInBlock(*b.getInsertionPoint());
    OpBuilder outside(place);
    // What a loop ends with is known when it has ended: the host does not.
    auto bound = [&](Value size) {
      return rt::boundOf(size, outside, [&](Value value) {
        return !place->isAncestor(value.getParentRegion()->getParentOp()) &&
               !value.getDefiningOp<scf::WhileOp>();
      });
    };
    Value most = bound(count);
    if (Value rows = most || !array ? Value() : sizeOf(array))
      most = bound(rows);
    return most ? rt::AllocOp::create(outside, loc, words, most) : Value();
  }

  /// The size of the memory that an array is a part of, or null.
  static Value sizeOf(Value array) {
    while (auto view = array.getDefiningOp<ViewLikeOpInterface>())
      array = view.getViewSource();
    auto memory = array.getDefiningOp<rt::AllocOp>();
    bool isArray = memory && memory.getType().getRank() == 1 &&
                   memory.getSizes().size() == 1;
    return isArray ? memory.getSizes()[0] : Value();
  }

  /// A loop of independent iterations; the insertion point is in it.
  Value begin(Value count) {
    auto each = rt::ForEachOp::create(b, loc, count, IntegerAttr());
    b.setInsertionPointToStart(&each.getBody().front());
    return each.getNumber();
  }

  /// The body of a loop for an iteration.
  void clone(scf::ForOp loop, Value number) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), number);
    for (Operation &op : loop.getBody()->without_terminator())
      b.clone(op, mapping);
  }

  void copy(scf::ForOp loop) {
    Value number = begin(loop.getUpperBound());
    clone(loop, number);
    loop.erase();
  }

  /// Lets a loop of its own say which rows are touched.
  bool takeTouch(scf::ForOp loop, RowLoop &rows) {
    auto copy = cast<scf::ForOp>(b.clone(*loop));
    copy.walk([&](linalg::LinalgOp op) { op->erase(); });
    bool isAlone = !copy.getBody()
                        ->walk([&](Operation *op) {
                          return isa<memref::StoreOp>(op)
                                     ? WalkResult::interrupt()
                                     : WalkResult::advance();
                        })
                        .wasInterrupted();
    if (!isAlone)
      return copy.erase(), false;
    rows.getTouch()->erase();
    return true;
  }

  void chain(scf::ForOp loop, Value row) {
    std::optional<Links> links = linksOf(loop, row);
    if (!links)
      return;
    b.setInsertionPoint(loop);
    follow(loop, *links);
    loop.erase();
  }

  /// The array whose words are the rows of iterations, or null.
  static Value arrayOf(scf::ForOp loop, Value row) {
    auto cast = row.getDefiningOp<arith::IndexCastOp>();
    auto load = cast ? cast.getIn().getDefiningOp<memref::LoadOp>() : nullptr;
    bool isPlain =
        load && load.getIndices().size() == 1 &&
        load.getIndices()[0] == loop.getInductionVar() &&
        !loop->isAncestor(load.getMemRef().getParentRegion()->getParentOp());
    return isPlain ? load.getMemRef() : Value();
  }

  /// Whether nothing writes to the array behind an op and before another one of
  /// its block.
  static bool isKept(Value array, Operation *from, Operation *to) {
    Memory memory = Memory::of(array);
    for (Operation *op = from; op && op != to; op = op->getNextNode())
      if (Accesses::of(op).writesTo(memory))
        return false;
    return from->getBlock() == to->getBlock();
  }

  /// What links the iterations: an earlier loop over the same rows may have it.
  std::optional<Links> linksOf(scf::ForOp loop, Value row) {
    Value count = loop.getUpperBound(), array = arrayOf(loop, row);
    for (const Links &known : made)
      if (array && known.array == array && known.count == count &&
          isKept(array, known.behind, loop))
        return known;
    Value keys = allocate(count, array), next = allocate(count, array),
          isFirst = allocate(count, array);
    if (!keys || !next || !isFirst)
      return std::nullopt;
    makeKeys(loop, row, keys);
    b.setInsertionPoint(loop);
    Value number = begin(count);
    library.emit(b, "link_equal", number, {count, keys, next, isFirst});
    Operation *linked = b.getInsertionBlock()->getParentOp();
    made.push_back({array, count, next, isFirst, linked});
    return made.back();
  }

  /// The row of each iteration.
  void makeKeys(scf::ForOp loop, Value row, Value keys) {
    BackwardSliceOptions options;
    options.inclusive = true;
    options.filter = [&](Operation *op) { return loop->isProperAncestor(op); };
    llvm::SetVector<Operation *> needed;
    (void)getBackwardSlice(row, &needed, options);
    IRMapping mapping;
    Value number = begin(loop.getUpperBound());
    mapping.map(loop.getInductionVar(), number);
    for (Operation *op : needed)
      b.clone(*op, mapping);
    Value word =
        arith::IndexCastOp::create(b, loc, b.getI32Type(), mapping.lookup(row));
    memref::StoreOp::create(b, loc, word, keys, number);
  }

  /// The first iteration of a row executes all of that row, in their order.
  void follow(scf::ForOp loop, const Links &links) {
    Value count = loop.getUpperBound(), number = begin(count);
    Value flag = memref::LoadOp::create(b, loc, links.isFirst, number);
    Value zero = arith::ConstantIntOp::create(b, loc, 0, 32);
    Value goes =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, flag, zero);
    auto branch = scf::IfOp::create(b, loc, goes);
    b.setInsertionPointToStart(branch.thenBlock());
    scf::WhileOp::create(
        b, loc, TypeRange{b.getIndexType()}, ValueRange{number},
        [&](OpBuilder &inner, Location at, ValueRange args) {
          Value more = arith::CmpIOp::create(
              inner, at, arith::CmpIPredicate::slt, args[0], count);
          scf::ConditionOp::create(inner, at, more, args);
        },
        [&](OpBuilder &inner, Location at, ValueRange args) {
          OpBuilder::InsertionGuard guard(b);
          b.setInsertionPoint(inner.getInsertionBlock(),
                              inner.getInsertionPoint());
          clone(loop, args[0]);
          Value word = memref::LoadOp::create(b, at, links.next, args[0]);
          Value behind =
              arith::IndexCastOp::create(b, at, b.getIndexType(), word);
          scf::YieldOp::create(b, at, behind);
        });
  }

  func::FuncOp entry;
  Library &library;
  OpBuilder b;
  Location loc = entry.getLoc();
  MemRefType words;
  SmallVector<Links> made;
};

/// Whether all threads go through the loops around it. One warp executes what
/// is short altogether.
bool isInControl(scf::ForOp loop) {
  for (Operation *op = loop->getParentOp(); !isa<func::FuncOp>(op);
       op = op->getParentOp()) {
    if (!isa<scf::SCFDialect>(op->getDialect()))
      return false;
    bool isWide = op->walk([](Operation *inner) {
                      return isa<linalg::MatmulOp, rt::ForEachOp>(inner)
                                 ? WalkResult::interrupt()
                                 : WalkResult::advance();
                    }).wasInterrupted();
    if (!isWide && isa<scf::ForOp, scf::WhileOp>(op))
      return false;
  }
  return true;
}

struct ChainRows : cambium::impl::ChainRowsBase<ChainRows> {
  using ChainRowsBase::ChainRowsBase;

  void runOnOperation() override {
    Library library(&getContext());
    for (auto entry : getOperation().getOps<func::FuncOp>()) {
      if (!rt::isEntry(entry))
        continue;
      SmallVector<scf::ForOp> loops;
      entry.walk([&](scf::ForOp loop) {
        if (isInControl(loop))
          loops.push_back(loop);
      });
      RowChainer chainer(entry, library);
      for (scf::ForOp loop : loops)
        chainer.chain(loop);
    }
  }
};
} // namespace
