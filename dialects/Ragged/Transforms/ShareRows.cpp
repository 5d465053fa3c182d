//===-- ShareRows.cpp - Equal rows are computed once ----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RowsOfIds.h"
#include "Sameness.h"
#include "cambium/Support/Remarks.h"
#include "dialects/RT/IR/RT.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "dialects/Ragged/Transforms/Passes.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace cambium::ragged {
#define GEN_PASS_DEF_SHAREROWS
#include "dialects/Ragged/Transforms/Passes.h.inc"
} // namespace cambium::ragged

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

static constexpr llvm::StringLiteral shareFlag = "ragged-share-rows";

namespace {
/// Arrays of ids of which the same is computed.
struct Group {
  int64_t limit;
  SmallVector<Value> ids;
  SmallVector<RowsOfIds> rows;
};
} // namespace

/// Whether the same is computed from the ids of a group.
static bool isSame(const Group &group, Value ids, const RowsOfIds &rows) {
  SmallVector<OpResult> ones = group.rows.front().getResults(),
                        others = rows.getResults();
  Sameness sameness(group.ids.front(), ids);
  return ones.size() == others.size() &&
         llvm::all_of_zip(ones, others, [&](Value one, Value other) {
           return sameness.isSame(one, other);
         });
}

/// Whether the ids depend on the rows of others.
static bool dependsOn(Value ids, const RowsOfIds &rows) {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitUsesFromAbove = false;
  Operation *op = ids.getDefiningOp();
  return op && (failed(getBackwardSlice(op, &slice, options)) ||
                llvm::any_of(rows.getOps(), [&](Operation *op) {
                  return slice.contains(op);
                }));
}

/// Whether the rows of the ids can be computed with those of a group.
static bool belongsTo(const Group &group, Value ids, const RowsOfIds &rows) {
  return isSame(group, ids, rows) &&
         llvm::all_of_zip(
             group.ids, group.rows, [&](Value others, const RowsOfIds &theirs) {
               return !dependsOn(ids, theirs) && !dependsOn(others, rows);
             });
}

/// Builds the ops for distinct ids; who else reads a result gathers it.
static void share(Group &group) {
  OpBuilder builder(group.ids.front().getContext());
  RowsOfIds &one = group.rows.front();
  Operation *first = one.getOps().front();
  builder.setInsertionPoint(first);
  auto distinct =
      DistinctOp::create(builder, first->getLoc(), group.ids, group.limit);
  IRMapping mapping;
  mapping.map(group.ids.front(), distinct.getDistinct());
  for (Operation *op : one.getOps()) {
    builder.setInsertionPoint(op);
    builder.clone(*op, mapping);
  }
  SmallVector<OpResult> results = one.getResults();
  for (auto [rows, places] :
       llvm::zip_equal(group.rows, distinct.getPlaces())) {
    for (auto [result, other] : llvm::zip_equal(results, rows.getResults())) {
      builder.setInsertionPoint(other.getOwner());
      Value all = GatherOp::create(builder, other.getLoc(),
                                   mapping.lookup(Value(result)), places);
      other.replaceUsesWithIf(
          all, [&](OpOperand &use) { return rows.isOutside(use); });
    }
  }
  for (RowsOfIds &rows : group.rows)
    rows.erase();
  if (group.rows.size() > 1)
    sortTopologically(distinct->getBlock());
}

static void shareAndTell(Group &group) {
  const RowsOfIds &rows = group.rows.front();
  remarkPassed(rows.getComputing().front(), shareFlag)
      << remark::add("rows of equal ids are computed once")
      << remark::metric("Arrays", group.ids.size())
      << remark::metric("Ops", rows.getComputing().size())
      << remark::metric("MultiplyAdds", rows.getWork());
  share(group);
}

/// Whether a row is worth it; tells why not.
static bool isWorthwhile(const RowsOfIds &rows, int64_t leastWork) {
  int64_t work = rows.getWork();
  if (work > 0 && work < leastWork)
    remarkMissed(rows.getComputing().front(), shareFlag)
        << remark::add("rows of equal ids are computed each")
        << remark::reason("a row has {0} multiply-adds, fewer than {1}", work,
                          leastWork);
  return work > 0 && work >= leastWork;
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

  /// Arrays whose rows can be computed together, where that is worth it.
  static SmallVector<Group> findGroups(Block &block, int64_t leastWork) {
    SmallVector<Group> groups;
    DenseSet<Operation *> taken;
    bool movesFreely =
        llvm::all_of(block.without_terminator(),
                     [](Operation &op) { return isMemoryEffectFree(&op); });
    for (auto [ids, limit] : findIds(block)) {
      RowsOfIds rows(ids, block, [](Value) { return true; });
      // Ids that are computed from others of the block go with these.
      if (llvm::any_of(rows.getOps(),
                       [&](Operation *op) { return taken.contains(op); }) ||
          !isWorthwhile(rows, leastWork))
        continue;
      taken.insert_range(rows.getOps());
      auto found = llvm::find_if(groups, [&, ids = ids](const Group &group) {
        return movesFreely && belongsTo(group, ids, rows);
      });
      Group &group = found == groups.end()
                         ? groups.emplace_back(Group{limit, {}, {}})
                         : *found;
      group.limit = std::max(group.limit, limit);
      group.ids.push_back(ids);
      group.rows.push_back(std::move(rows));
    }
    return groups;
  }

  void runOnOperation() override {
    int64_t leastWork = rt::getTargetCosts(getOperation()).sharedWork;
    getOperation()->walk([&](FunctionOpInterface function) {
      if (function.isExternal())
        return;
      Block &block = function.getFunctionBody().front();
      for (Group &group : findGroups(block, leastWork))
        shareAndTell(group);
    });
  }
};
} // namespace
