//===-- lib/Pipelines/ProductKernels.cpp - Compiled beside the rest
//--------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProductKernels.h"
#include "cambium/Target/Machine.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace cambium;

/// Whether a function is a kernel: it stands alone, so that its code can be
/// made elsewhere, and no call is to disappear. Results and what is not called
/// by name would be seen from outside.
static bool isKernel(func::FuncOp function, const SymbolUserMap &users) {
  if (!function.isPrivate() || !function.getNoInline() ||
      function.isExternal() || function.getNumResults() != 0)
    return false;
  if (!llvm::all_of(users.getUsers(function), llvm::IsaPred<func::CallOp>))
    return false;
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(&function.getBody());
  if (!uses || !uses->empty())
    return false;
  WalkResult result = function.walk([](Operation *op) {
    return isa<rt::RTDialect>(op->getDialect()) ? WalkResult::interrupt()
                                                : WalkResult::advance();
  });
  return !result.wasInterrupted();
}

ProductKernels::ProductKernels(ModuleOp host)
    : module(ModuleOp::create(host.getLoc())) {
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  for (auto target : host.getOps<rt::TargetOp>())
    builder.clone(*target);
  SymbolTableCollection tables;
  SymbolUserMap users(tables, host);
  for (auto function : host.getOps<func::FuncOp>()) {
    if (!isKernel(function, users))
      continue;
    auto kernel = cast<func::FuncOp>(builder.cloneWithoutRegions(*function));
    kernel.getBody().takeBody(function.getBody());
    names.push_back((kHiddenPrefix + function.getSymName()).str());
    kernel.setSymName(names.back());
    OpBuilder empty(function.getContext());
    empty.setInsertionPointToStart(function.addEntryBlock());
    func::ReturnOp::create(empty, function.getLoc());
  }
}

/// Loads what passes need: no thread may.
static void loadDialects(MLIRContext &context,
                         ArrayRef<OpPassManager *> pipelines) {
  DialectRegistry registry;
  for (OpPassManager *pipeline : pipelines)
    pipeline->getDependentDialects(registry);
  context.appendDialectRegistry(registry);
  for (StringRef name : registry.getDialectNames())
    context.getOrLoadDialect(name);
}

void ProductKernels::start(std::unique_ptr<PassManager> pipeline,
                           ArrayRef<OpPassManager *> others,
                           const ObjectOptions &object,
                           llvm::ThreadPoolInterface &threads) {
  passes = std::move(pipeline);
  options = object;
  MLIRContext &context = *module->getContext();
  SmallVector<OpPassManager *> pipelines(others);
  pipelines.push_back(passes.get());
  loadDialects(context, pipelines);
  options.onUnused = [this](UnusedArguments found) { tell(std::move(found)); };
  if (context.isMultithreadingEnabled())
    isDone = threads.async([this] { make(); });
  else
    make();
}

ProductKernels::~ProductKernels() {
  if (isDone.valid())
    isDone.wait();
}

UnusedArguments ProductKernels::getUnused() {
  return unused.get_future().get();
}

FailureOr<std::vector<ObjectBytes>> ProductKernels::finish() {
  if (isDone.valid())
    isDone.wait();
  return std::move(code);
}

void ProductKernels::make() {
  code = makeCode();
  // Nobody waits for what will not come.
  if (!isTold)
    tell({});
}

void ProductKernels::tell(UnusedArguments found) {
  isTold = true;
  unused.set_value(std::move(found));
}

FailureOr<std::vector<ObjectBytes>> ProductKernels::makeCode() {
  if (failed(passes->run(*module)) || failed(verify(*module)))
    return failure();
  for (auto function : module->getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal()) {
      function.setVisibility_(LLVM::Visibility::Hidden);
      function.setDsoLocal(true);
    }
  return emitObjects(*module, options);
}
