//===-- cambium-strip.cpp - Takes off what nothing may depend on ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A test tool: reads the form of a phase from standard input and writes it
// without the attributes that a pass may lose: the discardable ones of all ops,
// and those of arguments and results that no dialect verifies. What is left of
// these (`rt.as`, `llvm.noalias`) is a part of a function's signature: without
// it the next phase reports an error. With --add, writes a discardable
// attribute on every op instead, which tells that there was something to strip.
//
//===----------------------------------------------------------------------===//
#include "cambium/InitAllDialects.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;

static llvm::cl::opt<bool> addInstead("add",
                                      llvm::cl::desc("write attributes"));

static bool isVerified(NamedAttribute attribute) {
  return attribute.getNameDialect() != nullptr;
}

/// Without what no dialect verifies.
static DictionaryAttr verifiedOnly(DictionaryAttr attributes) {
  if (!attributes)
    return attributes;
  return DictionaryAttr::get(
      attributes.getContext(),
      llvm::to_vector(llvm::make_filter_range(attributes, isVerified)));
}

static void strip(Operation *op) {
  op->setDiscardableAttrs(DictionaryAttr::get(op->getContext()));
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return;
  for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
    function.setArgAttrs(i, verifiedOnly(function.getArgAttrDict(i)));
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
    function.setResultAttrs(i, verifiedOnly(function.getResultAttrDict(i)));
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::ParseCommandLineOptions(argc, argv, "cambium-strip");
  DialectRegistry registry;
  cambium::registerAllDialects(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>("-", ParserConfig(&context));
  if (!module)
    return 1;
  module->walk([](Operation *op) {
    if (!addInstead)
      strip(op);
    // Upstream prints attributes of a prefetch where it does not read them.
    else if (!isa<memref::PrefetchOp>(op))
      op->setDiscardableAttr("test.mark", UnitAttr::get(op->getContext()));
  });
  module->print(llvm::outs());
  llvm::outs() << "\n";
  return 0;
}
