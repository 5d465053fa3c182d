//===-- tools/cambium-lsp-server/CheckPhases.h - Errors of passes ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TOOLS_LSP_SERVER_CHECKPHASES_H
#define CAMBIUM_TOOLS_LSP_SERVER_CHECKPHASES_H

#include <string>
#include <vector>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cambium {

/// Makes the verifier of a module run the first phases on a copy of it: what an
/// editor shows are then the errors of imports, of modules and of batching too.
/// The server of MLIR has no other place for passes. Imported files are looked
/// for in the folders too.
void addPhasesToVerifier(mlir::DialectRegistry &registry,
                         std::vector<std::string> folders);

} // namespace cambium

#endif // CAMBIUM_TOOLS_LSP_SERVER_CHECKPHASES_H
