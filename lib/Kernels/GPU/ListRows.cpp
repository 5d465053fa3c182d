//===-- ListRows.cpp - Rows that loops touch, listed by all threads -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The list has the rows in the order of their first iterations, as if one
// thread went through them: each iteration says whether it lists its row, parts
// of the iterations count those that do, and each part then knows where in the
// list its rows begin.
//
//===----------------------------------------------------------------------===//
#include "ListRows.h"
#include "Accesses.h"
#include "dialects/RT/IR/ForEach.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace cambium;

/// Whether a value in the loop is known when the row is: all iterations of a
/// row have the same one.
static bool followsFrom(Value value, Value row, scf::ForOp loop) {
  if (value == row)
    return true;
  if (!loop->isAncestor(value.getParentRegion()->getParentOp()))
    return true;
  Operation *op = value.getDefiningOp();
  return op && isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return followsFrom(operand, row, loop);
         });
}

bool cambium::canListTogether(rt::TouchOp touch, scf::ForOp loop) {
  for (Operation *op = touch->getParentOp(); op != loop;
       op = op->getParentOp()) {
    auto branch = dyn_cast<scf::IfOp>(op);
    if (!branch || !followsFrom(branch.getCondition(), touch.getRow(), loop))
      return false;
  }
  return true;
}

namespace {
class RowLister {
public:
  RowLister(OpBuilder &b, Location loc) : b(b), loc(loc) {}

  void list(scf::ForOp loop, rt::TouchOp touch, const RowsOfLoop &rows,
            const PartsOfLoop &each, Library &library);
  void clear(StringRef param);
  Value keep(const KeptWords &kept, Value copy, const PartsOfLoop &each,
             Library &library);

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value constant(Type type, int64_t value) {
    return arith::ConstantIntOp::create(b, loc, type, value);
  }
  Value read(Value array, Value number) {
    return memref::LoadOp::create(b, loc, array, number);
  }
  Value compare(arith::CmpIPredicate predicate, Value value) {
    return arith::CmpIOp::create(b, loc, predicate, value,
                                 constant(value.getType(), 0));
  }
  /// A loop of independent iterations; the insertion point is in it.
  Value begin(Value count) {
    auto each = rt::ForEachOp::create(b, loc, count, IntegerAttr());
    b.setInsertionPointToStart(&each.getBody().front());
    return each.getNumber();
  }
  MemRefType arrayOf(Type element) {
    return MemRefType::get({ShapedType::kDynamic}, element);
  }
  Value rowsOf(StringRef param) {
    return rt::TouchedOp::create(b, loc, arrayOf(b.getI32Type()), param);
  }
  Value flagsOf(StringRef param) {
    return rt::TouchedFlagsOp::create(b, loc, arrayOf(b.getI8Type()), param);
  }
  void mark(scf::ForOp loop, Value flags, Value isFirst,
            const PartsOfLoop &each);
  /// A function of the library, for each part.
  void stage(StringRef name, const PartsOfLoop &each, ValueRange more,
             Library &library);

  OpBuilder &b;
  Location loc;
};
} // namespace

/// Each iteration says whether it is the first one of a row that is not listed.
void RowLister::mark(scf::ForOp loop, Value flags, Value isFirst,
                     const PartsOfLoop &each) {
  OpBuilder::InsertionGuard guard(b);
  Type i32 = b.getI32Type();
  Value number = begin(each.count);
  memref::StoreOp::create(b, loc, constant(i32, 0), each.marks, number);
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), number);
  SmallVector<Operation *> others;
  rt::TouchOp touch;
  for (Operation &op : loop.getBody()->without_terminator())
    b.clone(op, mapping)->walk([&](Operation *inner) {
      if (isa<linalg::LinalgOp>(inner))
        others.push_back(inner);
      else if (auto touched = dyn_cast<rt::TouchOp>(inner))
        touch = touched;
    });
  b.setInsertionPoint(touch);
  Value isNew = compare(arith::CmpIPredicate::eq, read(flags, touch.getRow()));
  Value first = compare(arith::CmpIPredicate::ne, read(isFirst, number));
  Value both = arith::AndIOp::create(b, loc, isNew, first);
  Value listed = arith::ExtUIOp::create(b, loc, i32, both);
  memref::StoreOp::create(b, loc, listed, each.marks, number);
  touch.erase();
  for (Operation *op : others)
    op->erase();
}

void RowLister::stage(StringRef name, const PartsOfLoop &each, ValueRange more,
                      Library &library) {
  OpBuilder::InsertionGuard guard(b);
  Value parts = index(each.parts);
  SmallVector<Value> arguments{each.count, parts, each.marks, each.sums};
  llvm::append_range(arguments, more);
  library.emit(b, name, begin(parts), arguments);
}

void RowLister::list(scf::ForOp loop, rt::TouchOp touch, const RowsOfLoop &rows,
                     const PartsOfLoop &each, Library &library) {
  StringRef param = touch.getParam();
  Value listed = rowsOf(param), flags = flagsOf(param);
  mark(loop, flags, rows.isFirst, each);
  Value before = rt::NumTouchedOp::create(b, loc, b.getIndexType(), param);
  stage("count_marks", each, {}, library);
  stage("list_marks", each, {before, rows.keys, listed, flags, each.total},
        library);
  Value now = arith::IndexCastOp::create(b, loc, b.getIndexType(),
                                         read(each.total, index(0)));
  rt::SetNumTouchedOp::create(b, loc, param, now);
}

/// How many words are kept.
Value RowLister::keep(const KeptWords &kept, Value copy,
                      const PartsOfLoop &each, Library &library) {
  {
    OpBuilder::InsertionGuard guard(b);
    Value number = begin(each.count);
    memref::StoreOp::create(b, loc, read(kept.array, number), copy, number);
    Value mark = arith::ExtUIOp::create(b, loc, b.getI32Type(),
                                        read(kept.flags, number));
    memref::StoreOp::create(b, loc, mark, each.marks, number);
  }
  stage("count_marks", each, {}, library);
  stage("keep_marks", each, {copy, kept.array, each.total}, library);
  return arith::IndexCastOp::create(b, loc, b.getIndexType(),
                                    read(each.total, index(0)));
}

void RowLister::clear(StringRef param) {
  Value rows = rowsOf(param), flags = flagsOf(param);
  Value count = rt::NumTouchedOp::create(b, loc, b.getIndexType(), param);
  {
    OpBuilder::InsertionGuard guard(b);
    Value row = arith::IndexCastOp::create(b, loc, b.getIndexType(),
                                           read(rows, begin(count)));
    memref::StoreOp::create(b, loc, constant(b.getI8Type(), 0), flags, row);
  }
  rt::SetNumTouchedOp::create(b, loc, param, index(0));
}

void cambium::listTogether(scf::ForOp loop, rt::TouchOp touch,
                           const RowsOfLoop &rows, const PartsOfLoop &parts,
                           Library &library) {
  OpBuilder b(loop);
  RowLister(b, loop.getLoc()).list(loop, touch, rows, parts, library);
}

void cambium::clearTogether(rt::ClearTouchedOp op) {
  OpBuilder b(op);
  RowLister(b, op.getLoc()).clear(op.getParam());
  op.erase();
}

std::optional<KeptWords> cambium::findKeptWords(scf::ForOp loop) {
  bool isPlain = loop.getNumResults() == 1 &&
                 isZeroInteger(getAsOpFoldResult(loop.getLowerBound())) &&
                 isOneInteger(getAsOpFoldResult(loop.getStep())) &&
                 isZeroInteger(getAsOpFoldResult(loop.getInitArgs()[0]));
  auto stores = loop.getBody()->getOps<memref::StoreOp>();
  if (!isPlain || !llvm::hasSingleElement(stores))
    return std::nullopt;
  memref::StoreOp store = *stores.begin();
  Value end = loop.getYieldedValues()[0], at = loop.getRegionIterArgs()[0];
  auto sum = end.getDefiningOp<arith::AddIOp>();
  auto more = sum && sum.getLhs() == at
                  ? sum.getRhs().getDefiningOp<arith::IndexCastUIOp>()
                  : nullptr;
  auto flag = more ? more.getIn().getDefiningOp<memref::LoadOp>() : nullptr;
  auto word = store.getValue().getDefiningOp<memref::LoadOp>();
  auto reads = [&](memref::LoadOp load) {
    return load && load.getIndices().size() == 1 &&
           load.getIndices()[0] == loop.getInductionVar();
  };
  if (!reads(flag) || !reads(word) || store.getIndices()[0] != at ||
      word.getMemRef() != store.getMemRef() || !word.getType().isInteger(32))
    return std::nullopt;
  // Nothing but that: two reads, a store, a sum of a flag, and the end.
  bool isAll = loop.getBody()->getOperations().size() == 6;
  Memory array = Memory::of(store.getMemRef());
  if (!isAll || array.meets(Memory::of(flag.getMemRef())))
    return std::nullopt;
  return KeptWords{store.getMemRef(), flag.getMemRef()};
}

void cambium::keepTogether(scf::ForOp loop, const KeptWords &kept, Value copy,
                           const PartsOfLoop &parts, Library &library) {
  OpBuilder b(loop);
  Value count = RowLister(b, loop.getLoc()).keep(kept, copy, parts, library);
  loop.getResult(0).replaceAllUsesWith(count);
  loop.erase();
}
