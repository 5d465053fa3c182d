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
#include "tools/Channels.h"
#include "llvm/Support/thread.h"
#include <optional>

/// What the proxy has to know of the options.
struct Options {
  llvm::lsp::JSONStreamStyle style = llvm::lsp::JSONStreamStyle::Standard;
  std::vector<std::string> folders;
  bool wantsHelp = false;
};

static Options readOptions(llvm::ArrayRef<char *> words) {
  Options options;
  for (size_t i = 0; i < words.size(); ++i) {
    llvm::StringRef name = llvm::StringRef(words[i]).ltrim('-');
    if (name == "h" || name.starts_with("help") || name == "version")
      options.wantsHelp = true;
    else if (name == "lit-test" || name.ends_with("delimited"))
      options.style = llvm::lsp::JSONStreamStyle::Delimited;
    else if (name == "I" && i + 1 < words.size())
      options.folders.emplace_back(words[++i]);
    else if (name.consume_front("I"))
      options.folders.push_back(name.ltrim('=').str());
  }
  return options;
}

/// The server of MLIR, which reads the options; gives the exit code.
static int serve(int argc, char **argv, const Options &options,
                 mlir::DialectRegistry &registry) {
  llvm::cl::list<std::string> folders(
      "I", llvm::cl::desc("Folder to look for imported files in"),
      llvm::cl::value_desc("folder"), llvm::cl::Prefix);
  cambium::addPhasesToVerifier(registry, options.folders);
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
  cambium::fillStandardChannels();
  cambium::hideOptionsOfLibraries();
  const Options options = readOptions(llvm::ArrayRef(argv, argc).drop_front());
  mlir::DialectRegistry registry;
  cambium::registerAllDialects(registry);
  auto server = [&] { return serve(argc, argv, options, registry); };
  return options.wantsHelp
             ? server()
             : cambium::runBehindProxy(options.style, options.folders, registry,
                                       server);
}
