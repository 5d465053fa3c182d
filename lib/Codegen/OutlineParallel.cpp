//===-- lib/Codegen/OutlineParallel.cpp - Functions of parallel regions ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Codegen/Passes.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace cambium {
#define GEN_PASS_DEF_OUTLINEPARALLEL
#include "cambium/Codegen/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

namespace {
struct OutlineParallel : cambium::impl::OutlineParallelBase<OutlineParallel> {
  using OutlineParallelBase::OutlineParallelBase;

  void runOnOperation() override {
    SmallVector<rt::ParallelOp> loops;
    // Inner ones first, so that an outer function contains launches alone.
    getOperation().walk([&](rt::ParallelOp loop) { loops.push_back(loop); });
    SymbolTable symbols(getOperation());
    for (rt::ParallelOp loop : loops)
      outline(loop, symbols);
  }

  /// Copies constants that the region uses into it.
  static void sinkConstants(rt::ParallelOp loop) {
    llvm::SetVector<Value> captures;
    getUsedValuesDefinedAbove(loop.getBody(), captures);
    OpBuilder builder = OpBuilder::atBlockBegin(&loop.getBody().front());
    for (Value value : captures) {
      Operation *constant = value.getDefiningOp();
      // Parameters are constants of a call: reading them again costs nothing.
      if (!constant || !(matchPattern(constant, m_Constant()) || isa<rt::ParamOp>(constant)))
        continue;
      Operation *copy = builder.clone(*constant);
      replaceAllUsesInRegionWith(value, copy->getResult(0), loop.getBody());
    }
  }

  static void outline(rt::ParallelOp loop, SymbolTable &symbols) {
    sinkConstants(loop);
    llvm::SetVector<Value> captures;
    getUsedValuesDefinedAbove(loop.getBody(), captures);
    auto parent = loop->getParentOfType<func::FuncOp>();

    OpBuilder builder(parent);
    SmallVector<Type> types(ValueRange(captures.getArrayRef()).getTypes());
    types.append(2, builder.getIndexType());
    auto task = func::FuncOp::create(builder, loop.getLoc(),
                                     (parent.getSymName() + ".task").str(),
                                     builder.getFunctionType(types, {}));
    task.setPrivate();
    symbols.insert(task, Block::iterator(parent));

    task.getBody().takeBody(loop.getBody());
    Block &body = task.getBody().front();
    for (auto [index, value] : llvm::enumerate(captures)) {
      BlockArgument argument =
          body.insertArgument(index, value.getType(), value.getLoc());
      replaceAllUsesInRegionWith(value, argument, task.getBody());
    }
    Operation *exit = body.getTerminator();
    builder.setInsertionPoint(exit);
    func::ReturnOp::create(builder, exit->getLoc());
    exit->erase();

    builder.setInsertionPoint(loop);
    rt::LaunchOp::create(builder, loop.getLoc(), task.getSymName(), captures.getArrayRef(),
                         loop.getCount(), loop.getGrain());
    loop.erase();
  }
};
} // namespace
