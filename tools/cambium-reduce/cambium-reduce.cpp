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
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

// Example: the smallest part of model.mlir for which test.sh exits with 1
//   cambium-reduce model.mlir --reduction-tree='traversal-mode=0
//   test=./test.sh'
int main(int argc, char **argv) {
  cambium::hideOptionsOfLibraries();
  mlir::DialectRegistry registry;
  cambium::registerAllDialects(registry);
  cambium::registerAllPasses();
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
