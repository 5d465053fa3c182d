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
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "tools/Channels.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

// Example: the smallest part of model.mlir for which test.sh exits with 1
//   cambium-reduce model.mlir --reduction-tree='traversal-mode=0
//   test=./test.sh'
/// mlirReduceMain reads the file itself, by a parser that calls itself.
static bool nestsTooDeep(llvm::ArrayRef<const char *> arguments) {
  for (llvm::StringRef path : arguments) {
    auto file = llvm::MemoryBuffer::getFile(path);
    if (path.starts_with("-") || !file)
      continue;
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(std::move(*file), llvm::SMLoc());
    if (mlir::failed(cambium::checkNesting(sources)))
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
  if (nestsTooDeep(llvm::ArrayRef(argv, argc).drop_front()))
    return 1;
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
