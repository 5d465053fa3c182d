//===-- WholeRows.cpp - Loops whose rows are all there --------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/ToLinalg/WholeRows.h"
#include "cambium/Interfaces/RowListOpInterface.h"
#include "cambium/Interfaces/WorkOpInterface.h"
#include "dialects/Ragged/ToLinalg/Views.h"

using namespace mlir;
using namespace cambium;

bool ragged::isWorthWholePart(Region &body, Value ids, int64_t moved) {
  Operation *loop = body.getParentOp();
  if (rt::isGpu(rt::getTarget(loop)))
    return false;
  double operations = 0;
  body.walk([&](Operation *inner) {
    if (auto user = dyn_cast<RowListOpInterface>(inner))
      moved += user.getMovedElements(ids);
    else if (auto product = dyn_cast<WorkOpInterface>(inner))
      if (std::optional<Work> work = product.getWork(); work && work->rows)
        operations += work->operations;
  });
  // A multiplication and an addition each.
  double most = static_cast<double>(moved) *
                static_cast<double>(rt::getTargetCosts(loop).movedWork);
  return operations / 2 < most;
}

void ragged::useAllRows(LinalgBuilder &b, Value ids, Value count) {
  for (Operation *user : llvm::make_early_inc_range(ids.getUsers())) {
    auto reader = dyn_cast<RowListOpInterface>(user);
    if (!reader)
      continue;
    OpBuilder::InsertionGuard guard(b.getBuilder());
    b.getBuilder().setInsertionPoint(user);
    Value all = reader.lowerForAllRows(b.getBuilder(), ids, count);
    if (!all)
      continue;
    user->getResult(0).replaceAllUsesWith(all);
    user->erase();
  }
}
