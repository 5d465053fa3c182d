//===-- tools/cambium-reduce/cambium-reduce.cpp - Smaller test cases ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/InitAllDialects.h"
#include "cambium/InitAllPasses.h"
#include "cambium/Support/CommandLine.h"
#include "cambium/Support/ParseModel.h"
#include "cambium/Support/PlainText.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "tools/Channels.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

// Example: the smallest part of model.mlir for which test.sh exits with 1
//   cambium-reduce model.mlir --reduction-tree='traversal-mode=0
//   test=./test.sh'
/// mlirReduceMain reads the file itself: what its parser must not be given is
/// refused before.
static bool hasNoModel(llvm::ArrayRef<const char *> arguments) {
  for (llvm::StringRef path : arguments) {
    if (path.starts_with("-") || !llvm::sys::fs::exists(path))
      continue;
    std::string message;
    std::unique_ptr<llvm::MemoryBuffer> file =
        cambium::openModel(path, &message);
    if (!file) {
      llvm::errs() << cambium::escapeControls(message) << "\n";
      return true;
    }
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
    if (mlir::failed(cambium::checkText(sources)))
      return true;
  }
  return false;
}

int main(int argc, char **argv) {
  cambium::fillStandardChannels();
  cambium::hideOptionsOfLibraries();
  mlir::DialectRegistry registry;
  cambium::registerAllDialects(registry);
  cambium::registerAllPasses();
  mlir::MLIRContext context(registry);
  cambium::PlainDiagnostics plain(&context);
  if (hasNoModel(llvm::ArrayRef(argv, argc).drop_front()))
    return 1;
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
