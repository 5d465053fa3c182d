//===-- RaggedBatch.cpp - The pass ragged-batch --------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/IR/NN.h"
#include "dialects/RT/IR/RT.h"
#include "dialects/Ragged/Batching/Batcher.h"
#include "dialects/Ragged/Batching/Passes.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "dialects/Train/IR/Train.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace cambium {
#define GEN_PASS_DEF_RAGGEDBATCH
#include "dialects/Ragged/Batching/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

/// The losses of the module's steps.
static llvm::DenseSet<StringAttr> findLosses(ModuleOp module) {
  llvm::DenseSet<StringAttr> losses;
  for (auto step : module.getOps<train::StepOp>())
    losses.insert(step.getLossAttr().getAttr());
  return losses;
}

namespace {
struct RaggedBatch : cambium::impl::RaggedBatchBase<RaggedBatch> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::DenseSet<StringAttr> losses = findLosses(module);
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      bool isLoss = losses.contains(function.getSymNameAttr());
      if (function.isExternal() || rt::isBatched(function))
        continue;
      if (function.isPrivate() && !isLoss)
        continue;
      if (failed(batchFunction(function, isLoss)))
        return signalPassFailure();
    }
    eraseUnused(module);
  }

  /// Private functions whose calls were inlined.
  void eraseUnused(ModuleOp module) {
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (function.isPrivate() &&
          SymbolTable::symbolKnownUseEmpty(function.getSymNameAttr(), module))
        function.erase();
  }
};
} // namespace
