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

/// Iterations of a function of the library, `count` of them, to which it is
/// given first.
static void forAll(OpBuilder &b, Location loc, Library &library, StringRef name,
                   Value count, ValueRange more) {
  OpBuilder::InsertionGuard guard(b);
  auto each = rt::ForEachOp::create(b, loc, count, IntegerAttr());
  b.setInsertionPointToStart(&each.getBody().front());
  SmallVector<Value> arguments{count};
  llvm::append_range(arguments, more);
  library.emit(b, name, each.getNumber(), arguments);
}

void cambium::orderByKeys(OpBuilder &b, Location loc, const KeyOrder &sorted,
                          const TargetCosts &costs, Library &library) {
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  auto forEach = [&](StringRef name, ValueRange more) {
    forAll(b, loc, library, name, sorted.count, more);
  };
  Value init = index(costs.orderedRun);
  forEach("order_run", {init, sorted.keys, sorted.order});
  scf::WhileOp::create(
      b, loc, init.getType(), init,
      [&](OpBuilder &, Location, ValueRange size) {
        Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                           size[0], sorted.count);
        scf::ConditionOp::create(b, loc, more, size);
      },
      [&](OpBuilder &, Location, ValueRange size) {
        Value twice = arith::MulIOp::create(b, loc, size[0], index(2));
        forEach("merge_runs",
                {size[0], sorted.keys, sorted.order, sorted.other});
        forEach("merge_runs", {twice, sorted.keys, sorted.other, sorted.order});
        scf::YieldOp::create(
            b, loc, arith::MulIOp::create(b, loc, twice, index(2)).getResult());
      });
}

Operation *cambium::linkRows(OpBuilder &b, Location loc, const RowLinks &links,
                             const TargetCosts &costs, Library &library) {
  Value few = arith::ConstantIndexOp::create(b, loc, costs.linkedAlone);
  Value isNarrow = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle,
                                         links.count, few);
  auto branch = scf::IfOp::create(b, loc, isNarrow, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  forAll(b, loc, library, "link_equal", links.count,
         {links.keys, links.next, links.isFirst});
  b.setInsertionPointToStart(branch.elseBlock());
  // The links are not known yet: their memory has every second order.
  orderByKeys(b, loc, {links.count, links.keys, links.order, links.next}, costs,
              library);
  forAll(b, loc, library, "link_ordered", links.count,
         {links.keys, links.order, links.next, links.isFirst});
  return branch;
}
