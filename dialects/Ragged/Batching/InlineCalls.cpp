//===-- InlineCalls.cpp - Functions in place of their calls --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/Batching/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

namespace cambium {
#define GEN_PASS_DEF_INLINECALLS
#include "dialects/Ragged/Batching/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

namespace {
struct InlineCalls : cambium::impl::InlineCallsBase<InlineCalls> {
  using Base::Base;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    DenseSet<Operation *> named = findNamed(symbols);
    SmallVector<func::FuncOp> roots, others;
    for (auto function : getOperation().getOps<func::FuncOp>())
      (function.isPublic() || function.isExternal() || named.contains(function)
           ? roots
           : others)
          .push_back(function);
    for (func::FuncOp function : roots)
      inlineAll(function, symbols);
    for (func::FuncOp function : others)
      function.erase();
  }

  /// The functions that something else than a call names.
  DenseSet<Operation *> findNamed(SymbolTable &symbols) {
    DenseSet<Operation *> named;
    if (auto uses = SymbolTable::getSymbolUses(&getOperation().getBodyRegion()))
      for (SymbolTable::SymbolUse use : *uses)
        if (!isa<func::CallOp>(use.getUser()))
          named.insert(symbols.lookup(use.getSymbolRef().getRootReference()));
    return named;
  }

  /// From the outermost call inwards, so that each op is copied once.
  static void inlineAll(func::FuncOp function, SymbolTable &symbols) {
    SmallVector<func::CallOp> calls;
    auto collect = [&](func::CallOp call) { calls.push_back(call); };
    function.walk(collect);
    while (!calls.empty()) {
      func::CallOp call = calls.pop_back_val();
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (callee && llvm::hasSingleElement(callee.getBody()))
        inlineOne(call, callee.getBody().front(), collect);
    }
  }

  static void inlineOne(func::CallOp call, Block &body,
                        function_ref<void(func::CallOp)> collect) {
    IRMapping mapping;
    mapping.map(body.getArguments(), call.getOperands());
    OpBuilder builder(call);
    for (Operation &op : body.without_terminator()) {
      Operation *copy = builder.clone(op, mapping);
      copy->walk([&](Operation *inner) {
        inner->setLoc(CallSiteLoc::get(inner->getLoc(), call.getLoc()));
        if (auto nested = dyn_cast<func::CallOp>(inner))
          collect(nested);
      });
    }
    for (auto [result, value] : llvm::zip_equal(
             call.getResults(), body.getTerminator()->getOperands()))
      result.replaceAllUsesWith(mapping.lookupOrDefault(value));
    call.erase();
  }
};
} // namespace
