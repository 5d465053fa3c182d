//===-- tools/cambium-opt/cambium-opt.cpp - Runs passes on Cambium's IR ---===//
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
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  cambium::hideOptionsOfLibraries();
  mlir::DialectRegistry registry;
  cambium::registerAllDialects(registry);
  cambium::registerAllPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv,
      "Cambium's pass driver\n\nExample: the batched form of a model\n"
      "  cambium-opt --cambium-to-batched models/coba/tree_lstm.mlir\n",
      registry));
}
