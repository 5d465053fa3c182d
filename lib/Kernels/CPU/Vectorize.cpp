//===-- Vectorize.cpp - linalg ops as loops over vectors -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LoopPlan.h"
#include "VectorLoops.h"
#include "cambium/Kernels/Passes.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

namespace cambium {
#define GEN_PASS_DEF_VECTORIZE
#include "cambium/Kernels/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

namespace {
struct Vectorize : cambium::impl::VectorizeBase<Vectorize> {
  using VectorizeBase::VectorizeBase;

  void runOnOperation() override {
    TargetCosts costs = rt::getTargetCosts(getOperation());
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops)
      if (vectorize(op, costs))
        op->erase();
  }

  static bool vectorize(linalg::LinalgOp op, const TargetCosts &costs) {
    OpBuilder builder(op);
    if (auto transpose = dyn_cast<linalg::TransposeOp>(*op))
      if (emitTranspose(builder, transpose, costs))
        return true;
    std::optional<LoopPlan> plan = planLoops(op, costs);
    if (!plan) {
      remark::missed(op.getLoc(), remark::RemarkOpts::name("Loop").category(
                                      "kernels-vectorize"))
          << remark::reason("no loop whose iterations can be lanes of vectors");
      return false;
    }
    emitVectorLoops(builder, op, *plan);
    return true;
  }
};
} // namespace
