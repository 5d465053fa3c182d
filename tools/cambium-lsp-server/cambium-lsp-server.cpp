//===-- tools/cambium-lsp-server/cambium-lsp-server.cpp - Editor support --===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CheckPhases.h"
#include "Proxy.h"
#include "cambium/InitAllDialects.h"
#include "cambium/Support/CommandLine.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/thread.h"
#include <optional>

/// The server of MLIR; gives the exit code.
static int serve(int argc, char **argv) {
  mlir::DialectRegistry registry;
  cambium::registerAllDialects(registry);
  cambium::addPhasesToVerifier(registry);
  // The parser calls itself for each bracket of a text, and editors show any
  // text: on a stack this large, no file of a sensible size overflows it.
  constexpr unsigned stackBytes = 1U << 30;
  bool failed = true;
  llvm::thread server(std::optional<unsigned>(stackBytes), [&] {
    failed = mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
  });
  server.join();
  return failed;
}

int main(int argc, char **argv) {
  cambium::hideOptionsOfLibraries();
  // The server reads the options; here only what the proxy has to know of them.
  auto style = llvm::lsp::JSONStreamStyle::Standard;
  for (llvm::StringRef option : llvm::ArrayRef(argv, argc).drop_front()) {
    llvm::StringRef name = option.ltrim('-');
    if (name == "h" || name.starts_with("help") || name == "version")
      return serve(argc, argv);
    if (name == "lit-test" || name.ends_with("delimited"))
      style = llvm::lsp::JSONStreamStyle::Delimited;
  }
  return cambium::runBehindProxy(style, [&] { return serve(argc, argv); });
}
