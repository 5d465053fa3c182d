//===-- tools/cambium-lsp-server/cambium-lsp-server.cpp - Editor support --===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CheckPhases.h"
#include "cambium/InitAllDialects.h"
#include "cambium/Support/CommandLine.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  cambium::hideOptionsOfLibraries();
  mlir::DialectRegistry registry;
  cambium::registerAllDialects(registry);
  cambium::addPhasesToVerifier(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
