//===-- ShareRows.cpp - Equal rows are computed once ----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RowsOfIds.h"
#include "cambium/Support/Remarks.h"
#include "dialects/RT/IR/RT.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "dialects/Ragged/Transforms/Passes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace cambium::ragged {
#define GEN_PASS_DEF_SHAREROWS
#include "dialects/Ragged/Transforms/Passes.h.inc"
} // namespace cambium::ragged

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

static constexpr llvm::StringLiteral shareFlag = "ragged-share-rows";

/// Builds the ops for distinct ids; who else reads a result gathers it.
static void share(Value ids, int64_t limit, RowsOfIds &rows) {
  OpBuilder builder(ids.getContext());
  Operation *first = rows.getOps().front();
  builder.setInsertionPoint(first);
  auto distinct = DistinctOp::create(builder, first->getLoc(), ids, limit);
  IRMapping mapping;
  mapping.map(ids, distinct.getDistinct());
  SmallVector<OpResult> results = rows.getResults();
  for (Operation *op : rows.getOps()) {
    builder.setInsertionPoint(op);
    builder.clone(*op, mapping);
    for (OpResult result : op->getResults()) {
      if (!llvm::is_contained(results, result))
        continue;
      Value all =
          GatherOp::create(builder, op->getLoc(), mapping.lookup(Value(result)),
                           distinct.getPlaces());
      result.replaceUsesWithIf(
          all, [&](OpOperand &use) { return rows.isOutside(use); });
    }
  }
  rows.erase();
}

static void shareIfWorthwhile(Value ids, int64_t limit, RowsOfIds &rows,
                              int64_t leastWork) {
  int64_t work = rows.getWork();
  if (work == 0)
    return;
  Operation *first = rows.getComputing().front();
  if (work < leastWork) {
    remarkMissed(first, shareFlag)
        << remark::add("rows of equal ids are computed each")
        << remark::reason("a row has {0} multiply-adds, fewer than {1}", work,
                          leastWork);
    return;
  }
  remarkPassed(first, shareFlag)
      << remark::add("rows of equal ids are computed once")
      << remark::metric("Ops", rows.getComputing().size())
      << remark::metric("MultiplyAdds", work);
  share(ids, limit, rows);
}

namespace {
struct ShareRows : ragged::impl::ShareRowsBase<ShareRows> {
  using Base::Base;

  /// Ids that are looked up in a function, outside of loops, and their bound.
  static llvm::MapVector<Value, int64_t> findIds(Block &block) {
    llvm::MapVector<Value, int64_t> found;
    for (Operation &op : block)
      for (OpOperand &operand : op.getOpOperands())
        if (std::optional<int64_t> bound = lookupBound(operand)) {
          int64_t &limit = found[operand.get()];
          limit = std::max(limit, *bound);
        }
    return found;
  }

  void runOnOperation() override {
    int64_t leastWork = rt::getTargetCosts(getOperation()).sharedWork;
    getOperation()->walk([&](FunctionOpInterface function) {
      if (function.isExternal())
        return;
      Block &block = function.getFunctionBody().front();
      for (auto [ids, limit] : findIds(block)) {
        RowsOfIds rows(ids, block, [](Value) { return true; });
        shareIfWorthwhile(ids, limit, rows, leastWork);
      }
    });
  }
};
} // namespace
