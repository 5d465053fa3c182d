//===-- tools/cambium-lsp-server/Proxy.h - Between editor and server ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TOOLS_LSP_SERVER_PROXY_H
#define CAMBIUM_TOOLS_LSP_SERVER_PROXY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/LSP/Transport.h"
#include <string>

namespace mlir {
class DialectRegistry;
}

namespace cambium {

/// Runs the server in a process of its own, and passes on what it and the
/// editor say. Answers about a place get what the server cannot know: it has no
/// place for them. `style` is how the editor writes, `folders` are those of -I,
/// `registry` has the dialects that a text may name; gives the exit code.
int runBehindProxy(llvm::lsp::JSONStreamStyle style,
                   llvm::ArrayRef<std::string> folders,
                   const mlir::DialectRegistry &registry,
                   llvm::function_ref<int()> server);

} // namespace cambium

#endif // CAMBIUM_TOOLS_LSP_SERVER_PROXY_H
