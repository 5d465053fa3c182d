//===-- ChainRows.cpp - Iterations that write different rows go at once ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Accesses.h"
#include "LinkRows.h"
#include "ListRows.h"
#include "RowLoop.h"
#include "SplitSums.h"
#include "cambium/Kernels/Passes.h"
#include "cambium/Support/Views.h"
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

namespace cambium {
#define GEN_PASS_DEF_CHAINROWS
#include "cambium/Kernels/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

namespace {
class RowChainer {
public:
  RowChainer(func::FuncOp entry, Library &library, const TargetCosts &costs)
      : entry(entry), library(library), costs(costs), b(entry.getContext()),
        words(MemRefType::get({ShapedType::kDynamic}, b.getI32Type())) {}

  /// Lets iterations of different rows go at once, if there are such.
  void chain(scf::ForOp loop) {
    RowLoop rows(loop);
    loc = loop.getLoc();
    b.setInsertionPoint(loop);
    if (std::optional<KeptWords> kept = findKeptWords(loop))
      return keep(loop, *kept);
    if (!rows.find())
      return splitSum(loop, [&](Value count, Type element) {
        return allocate(count, {}, element);
      });
    if (rows.areRowsDistinct() && !rows.getTouch())
      return copy(loop);
    std::optional<Links> links = linksOf(loop, rows.getRow());
    b.setInsertionPoint(loop);
    if (!links || (rows.getTouch() && !takeTouch(loop, rows, *links)))
      return;
    follow(loop, *links);
    loop.erase();
  }

  /// Divides a large sum.
  void split(linalg::LinalgOp op) {
    loc = op.getLoc();
    b.setInsertionPoint(op);
    splitSum(op, costs, [&](Value count, Type element) {
      return allocate(count, {}, element);
    });
  }

private:
  /// Iterations of a row behind each other, and which ones are the first.
  struct Links {
    Value array, count, keys, next, isFirst;
    Operation *behind;
  };

  /// As many elements, or words, as there are iterations at most, or null. They
  /// read `array`.
  Value allocate(Value count, Value array = {}, Type element = {}) {
    Operation *place =
        entry.getBody().front().findAncestorOpInBlock(*b.getInsertionPoint());
    OpBuilder outside(place);
    // The host knows neither what a loop ends with nor what is touched.
    auto bound = [&](Value size) {
      return rt::boundOf(size, outside, [&](Value value) {
        return !place->isAncestor(value.getParentRegion()->getParentOp()) &&
               !isa_and_nonnull<scf::WhileOp, rt::NumTouchedOp>(
                   value.getDefiningOp());
      });
    };
    Value most = bound(count);
    if (Value rows = most || !array ? Value() : sizeOf(array))
      most = bound(rows);
    auto type = element ? MemRefType::get(words.getShape(), element) : words;
    return most ? rt::AllocOp::create(outside, loc, type, most) : Value();
  }

  /// The size of the memory that an array is a part of, or null.
  static Value sizeOf(Value array) {
    while (Value source = sourceOfView(array.getDefiningOp()))
      array = source;
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
    clone(loop, begin(loop.getUpperBound()));
    loop.erase();
  }

  void keep(scf::ForOp loop, const KeptWords &kept) {
    Value count = loop.getUpperBound();
    if (Value copy = allocate(count, kept.array))
      keepTogether(loop, kept, copy, partsOf(count, kept.array), library);
  }

  /// Lists the rows that the loop touches, and leaves the rest.
  bool takeTouch(scf::ForOp loop, RowLoop &rows, const Links &links) {
    bool stores =
        loop.getBody()
            ->walk([&](memref::StoreOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    if (stores || !canListTogether(rows.getTouch(), loop))
      return false;
    listTogether(loop, rows.getTouch(), {links.keys, links.isFirst},
                 partsOf(links.count, links.array), library);
    rows.getTouch()->erase();
    return true;
  }

  PartsOfLoop partsOf(Value count, Value array) {
    auto words = [&](int64_t number) {
      return allocate(arith::ConstantIndexOp::create(b, loc, number));
    };
    return {count, costs.listParts, allocate(count, array),
            words(costs.listParts), words(1)};
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
          isFirst = allocate(count, array), order = allocate(count, array);
    if (!keys || !next || !isFirst || !order)
      return std::nullopt;
    makeKeys(loop, row, keys);
    b.setInsertionPoint(loop);
    Operation *linked =
        linkRows(b, loc, {count, keys, next, isFirst, order}, costs, library);
    made.push_back({array, count, keys, next, isFirst, linked});
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
  const TargetCosts &costs;
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
    TargetCosts costs = rt::getTargetCosts(getOperation());
    for (auto entry : getOperation().getOps<func::FuncOp>()) {
      if (!rt::isEntry(entry))
        continue;
      SmallVector<scf::ForOp> loops;
      entry.walk([&](scf::ForOp loop) {
        if (isInControl(loop))
          loops.push_back(loop);
      });
      RowChainer chainer(entry, library, costs);
      for (scf::ForOp loop : loops)
        chainer.chain(loop);
      entry.walk([](rt::ClearTouchedOp op) { clearTogether(op); });
      SmallVector<linalg::LinalgOp> sums;
      entry.walk([&](linalg::LinalgOp op) {
        if (!op->getParentOfType<rt::ForEachOp>())
          sums.push_back(op);
      });
      for (linalg::LinalgOp sum : sums)
        chainer.split(sum);
    }
  }
};
} // namespace
