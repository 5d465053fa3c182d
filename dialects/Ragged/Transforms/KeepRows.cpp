//===-- KeepRows.cpp - Rows of ids are kept between calls -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RowTable.h"
#include "RowsOfIds.h"
#include "Sameness.h"
#include "cambium/Support/LinalgBuilder.h"
#include "cambium/Support/Remarks.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/RT/IR/RT.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "dialects/Ragged/Transforms/Passes.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

namespace cambium::ragged {
#define GEN_PASS_DEF_KEEPROWS
#include "dialects/Ragged/Transforms/Passes.h.inc"
} // namespace cambium::ragged

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

static constexpr llvm::StringLiteral keepFlag = "ragged-keep-rows";

//===----------------------------------------------------------------------===//
// What can be kept
//===----------------------------------------------------------------------===//

namespace {
/// Values that are made of parameters and constants alone.
class Constancy {
public:
  bool isConstant(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    auto [found, isNew] = known.try_emplace(op, false);
    if (!isNew)
      return found->second;
    bool result =
        isa<nn::UseOp>(op) || matchPattern(op, m_Constant()) ||
        (isPure(op) && op->getNumRegions() == 0 && op->getNumOperands() > 0 &&
         llvm::all_of(op->getOperands(),
                      [&](Value v) { return isConstant(v); }));
    return known[op] = result;
  }

private:
  DenseMap<Operation *, bool> known;
};

/// A table, and what was computed for the first function that has it.
struct Table {
  int64_t limit;
  /// Where its marks and its rows begin.
  rt::KeptBytes from;
  /// The ids whose rows are computed, and their rows.
  Value ids;
  SmallVector<Value> rows;
};
} // namespace

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Gives all rows to who reads a result. Where rows are gathered for ids that
/// are not distinct, they are read at once.
static void
readAll(DistinctOp distinct, const RowsOfIds &rows, OpResult result,
        LinalgBuilder &b,
        llvm::function_ref<Value(Value ids, PlaceOf numberOf)> read) {
  ValueRange places = distinct.getPlaces();
  llvm::MapVector<Value, SmallVector<GatherOp>> gathers;
  bool hasOthers = false;
  for (OpOperand &use : result.getUses()) {
    if (!rows.isOutside(use))
      continue;
    auto gather = dyn_cast<GatherOp>(use.getOwner());
    if (gather && llvm::is_contained(places, gather.getIndex()) &&
        !gather.getOrZero())
      gathers[gather.getIndex()].push_back(gather);
    else
      hasOthers = true;
  }
  for (auto [ids, at] : llvm::zip_equal(distinct.getIds(), places)) {
    if (!gathers.contains(at))
      continue;
    Value all = read(ids, [&, at = at](Value i) { return b.indexAt(at, i); });
    for (GatherOp gather : gathers[at]) {
      gather.getResult().replaceAllUsesWith(all);
      gather.erase();
    }
  }
  if (!hasOthers)
    return;
  Value all = read(distinct.getDistinct(), [](Value i) { return i; });
  result.replaceUsesWithIf(all,
                           [&](OpOperand &use) { return rows.isOutside(use); });
}

namespace {
struct KeepRows : ragged::impl::KeepRowsBase<KeepRows> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (most <= 0 || rt::isGpu(rt::getTarget(module)))
      return;
    module.walk([&](FunctionOpInterface function) {
      // What updates parameters reads them between updates.
      if (!rt::isEntry(function) || rt::findTraining(function))
        return;
      Block &block = function.getFunctionBody().front();
      for (auto distinct : llvm::to_vector(block.getOps<DistinctOp>()))
        run(distinct, block);
    });
  }

private:
  void run(DistinctOp distinct, Block &block) {
    Constancy constancy;
    RowsOfIds rows(distinct.getDistinct(), block,
                   [&](Value value) { return constancy.isConstant(value); });
    SmallVector<OpResult> results = rows.getResults();
    int64_t work = rows.getWork();
    if (results.empty() || work < rt::getTargetCosts(distinct).sharedWork) {
      remarkMissed(distinct, keepFlag)
          << remark::add("rows are computed in every call")
          << remark::reason("an id and parameters alone give {0} multiply-adds",
                            work);
      return;
    }
    int64_t limit = distinct.getLimit();
    rt::KeptBytes size = RowTable::bytesOf(limit, results);
    int64_t left = (most << 20) - bytes.marks - bytes.rows;
    Table *table = findTable(distinct, limit, results);
    if (!table && size.marks + size.rows > left) {
      remarkMissed(distinct, keepFlag)
          << remark::add("rows are computed in every call")
          << remark::reason("a table has {0} bytes, but {1} are left",
                            size.marks + size.rows, left);
      return;
    }
    if (!table) {
      table = &tables.emplace_back(Table{limit, bytes, Value(), {}});
      bytes.marks += size.marks;
      bytes.rows += size.rows;
    }
    remarkPassed(distinct, keepFlag)
        << remark::add("rows are kept between calls")
        << remark::metric("Table", table - tables.begin())
        << remark::metric("Bytes", size.marks + size.rows)
        << remark::metric("Ops", rows.getComputing().size())
        << remark::metric("MultiplyAdds", work);
    keep(distinct, rows, results, *table);
    sortTopologically(&block);
  }

  /// The table of another function that computes the same, or null.
  Table *findTable(DistinctOp distinct, int64_t limit,
                   ArrayRef<OpResult> results) {
    for (Table &table : tables) {
      if (table.limit != limit || table.rows.size() != results.size())
        continue;
      Sameness sameness(table.ids, distinct.getDistinct());
      if (llvm::all_of_zip(table.rows, results, [&](Value one, Value other) {
            return sameness.isSame(one, other);
          }))
        return &table;
    }
    return nullptr;
  }

  /// Computes what is missing, and reads the rest.
  void keep(DistinctOp distinct, RowsOfIds &rows, ArrayRef<OpResult> results,
            Table &table) {
    OpBuilder builder(distinct->getContext());
    builder.setInsertionPointAfter(distinct);
    LinalgBuilder b(builder, distinct->getLoc());
    RowTable code(b, table.from, table.limit, results);
    std::pair<Value, Value> found = code.findMissing(distinct.getDistinct());
    Value missing = found.first, places = found.second;
    IRMapping mapping;
    mapping.map(distinct.getDistinct(), missing);
    for (Operation *op : rows.getOps()) {
      builder.setInsertionPoint(op);
      builder.clone(*op, mapping);
    }
    table.ids = missing;
    table.rows.clear();
    for (OpResult result : results)
      table.rows.push_back(mapping.lookup(Value(result)));
    code.write(missing, table.rows);
    for (size_t k = 0; k < results.size(); ++k)
      readAll(distinct, rows, results[k], b, [&](Value ids, PlaceOf numberOf) {
        return code.read(ids, table.rows[k], k, [&](Value i) {
          return b.indexAt(places, numberOf(i));
        });
      });
    rows.erase();
  }

  /// Of all tables.
  rt::KeptBytes bytes;
  SmallVector<Table> tables;
};
} // namespace
