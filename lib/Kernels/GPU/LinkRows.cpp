//===-- LinkRows.cpp - Iterations of a row behind each other --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LinkRows.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace cambium;

namespace {
class RowLinker {
public:
  RowLinker(OpBuilder &b, Location loc, const RowLinks &links,
            const TargetCosts &costs, Library &library)
      : b(b), loc(loc), links(links), costs(costs), library(library) {}

  Operation *link();

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  /// Iterations of a function of the library, as many as are linked.
  void forAll(StringRef name, ValueRange more) {
    OpBuilder::InsertionGuard guard(b);
    auto each = rt::ForEachOp::create(b, loc, links.count, IntegerAttr());
    b.setInsertionPointToStart(&each.getBody().front());
    SmallVector<Value> arguments{links.count};
    llvm::append_range(arguments, more);
    library.emit(b, name, each.getNumber(), arguments);
  }
  void sort();

  OpBuilder &b;
  Location loc;
  const RowLinks &links;
  const TargetCosts &costs;
  Library &library;
};
} // namespace

/// Into `order`. The links are not known yet: their memory has every second
/// order.
void RowLinker::sort() {
  forAll("order_run", {index(costs.orderedRun), links.keys, links.order});
  Value init = index(costs.orderedRun);
  scf::WhileOp::create(
      b, loc, init.getType(), init,
      [&](OpBuilder &, Location, ValueRange size) {
        Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                           size[0], links.count);
        scf::ConditionOp::create(b, loc, more, size);
      },
      [&](OpBuilder &, Location, ValueRange size) {
        Value twice = arith::MulIOp::create(b, loc, size[0], index(2));
        forAll("merge_runs", {size[0], links.keys, links.order, links.next});
        forAll("merge_runs", {twice, links.keys, links.next, links.order});
        scf::YieldOp::create(
            b, loc, arith::MulIOp::create(b, loc, twice, index(2)).getResult());
      });
}

Operation *RowLinker::link() {
  Value isNarrow = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle,
                                         links.count, index(costs.linkedAlone));
  auto branch = scf::IfOp::create(b, loc, isNarrow, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  forAll("link_equal", {links.keys, links.next, links.isFirst});
  b.setInsertionPointToStart(branch.elseBlock());
  sort();
  forAll("link_ordered", {links.keys, links.order, links.next, links.isFirst});
  return branch;
}

Operation *cambium::linkRows(OpBuilder &builder, Location loc,
                             const RowLinks &links, const TargetCosts &costs,
                             Library &library) {
  return RowLinker(builder, loc, links, costs, library).link();
}
