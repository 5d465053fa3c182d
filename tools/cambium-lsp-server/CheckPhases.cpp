//===-- tools/cambium-lsp-server/CheckPhases.cpp - Errors of passes ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CheckPhases.h"
#include "cambium/Pipelines/Phases.h"
#include "cambium/Support/CheckAttributes.h"
#include "dialects/RT/IR/RT.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace cambium;

/// Whether the module is one of a later phase.
static bool isLater(ModuleOp module) {
  return module
      ->walk([](Operation *op) {
        return isa_and_present<ragged::RaggedDialect, rt::RTDialect,
                               memref::MemRefDialect>(op->getDialect())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The copy is verified as well: not checked again.
static thread_local bool isChecking = false;

/// Of -I; set before the server begins.
static std::vector<std::string> &importFolders() {
  static std::vector<std::string> folders;
  return folders;
}

static LogicalResult check(ModuleOp module) {
  if (isChecking || isLater(module))
    return success();
  if (failed(checkAttributes(module)))
    return failure();
  isChecking = true;
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager manager(module.getContext());
  PipelineOptions options;
  options.folders = importFolders();
  buildPhase(manager, Phase::Input, options);
  buildPhase(manager, Phase::Batched, options);
  LogicalResult result = manager.run(*copy);
  isChecking = false;
  return result;
}

namespace {
/// The verifier of a symbol table asks each of these ops: the first function
/// answers for its module.
struct CheckFunction
    : SymbolUserOpInterface::ExternalModel<CheckFunction, func::FuncOp> {
  LogicalResult verifySymbolUses(Operation *op, SymbolTableCollection &) const {
    auto module = dyn_cast<ModuleOp>(op->getParentOp());
    if (!module || op != *module.getOps<func::FuncOp>().begin())
      return success();
    return check(module);
  }
};
} // namespace

void cambium::addPhasesToVerifier(DialectRegistry &registry,
                                  std::vector<std::string> folders) {
  importFolders() = std::move(folders);
  registry.addExtension(+[](MLIRContext *context, func::FuncDialect *) {
    func::FuncOp::attachInterface<CheckFunction>(*context);
  });
}
