//===-- tools/cambium-lsp-server/Symbols.h - Names of a model -------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TOOLS_LSP_SERVER_SYMBOLS_H
#define CAMBIUM_TOOLS_LSP_SERVER_SYMBOLS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cambium {

/// A function or a parameter of the module, `@name`.
struct ModelSymbol {
  std::string name;
  bool isFunction;
  /// What stands behind the name: a signature, a type.
  std::string detail;
};

/// The symbols of a text, and the functions of the files that it imports, which
/// are relative to `path` or to one of the folders. Looks at lines alone: a
/// text that is being written does not parse.
std::vector<ModelSymbol> symbolsOf(llvm::StringRef text, llvm::StringRef path,
                                   llvm::ArrayRef<std::string> folders);

} // namespace cambium

#endif // CAMBIUM_TOOLS_LSP_SERVER_SYMBOLS_H
