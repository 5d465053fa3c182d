//===-- lib/Buffers/OwnDestinations.cpp - A destination for every op ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Destinations.h"
#include "cambium/Buffers/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace cambium {
#define GEN_PASS_DEF_OWNDESTINATIONS
#include "cambium/Buffers/Passes.h.inc"
} // namespace cambium

using namespace cambium;

namespace {
struct OwnDestinations : cambium::impl::OwnDestinationsBase<OwnDestinations> {
  void runOnOperation() override {
    // Fills come first: their clones are further users of the empty tensors.
    SmallVector<Operation *> fills, empties, begun;
    getOperation()->walk([&](Operation *op) {
      if (isa<linalg::FillOp, linalg::BroadcastOp>(op) &&
          op->getNumResults() == 1)
        fills.push_back(op);
      else if (isa<tensor::EmptyOp>(op))
        empties.push_back(op);
      else if (isBegun(op))
        begun.push_back(op);
    });
    // The last part that is put into an array has the others as its users.
    for (Operation *op : llvm::reverse(begun))
      cloneForUses(op, isDestination);
    for (Operation *op : fills)
      cloneForUses(op, isDestination);
    for (Operation *op : empties)
      cloneForUses(op, [](OpOperand &) { return true; });
  }

  /// Whether the op puts a part into an array of which nothing but such parts
  /// is written yet. A copy of the array would read the rest.
  static bool isBegun(Operation *op) {
    while (auto put = dyn_cast_or_null<tensor::InsertSliceOp>(op))
      if (op = put.getDest().getDefiningOp();
          isa_and_nonnull<tensor::EmptyOp>(op))
        return true;
    return false;
  }

  /// Leaves one use with the op and gives the other wanted ones clones, which
  /// stand right before their users.
  static void cloneForUses(Operation *op,
                           function_ref<bool(OpOperand &)> wanted) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : op->getUses())
      uses.push_back(&use);
    if (uses.size() < 2)
      return;
    for (OpOperand *use : uses) {
      if (!wanted(*use))
        continue;
      OpBuilder builder(use->getOwner());
      use->set(builder.clone(*op)->getResult(0));
    }
    if (op->use_empty())
      op->erase();
  }
};
} // namespace
