//===-- tools/cambium-lsp-server/Strings.h - What may stand in quotes -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TOOLS_LSP_SERVER_STRINGS_H
#define CAMBIUM_TOOLS_LSP_SERVER_STRINGS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/LSP/Protocol.h"
#include <string>
#include <vector>

namespace cambium {

/// What a string that is begun at the end of `line` may become: behind
/// `nn.import` a file, behind `cambium.name` a field of a format of data,
/// behind `cambium.rows` rows of the text. `folders` are those of -I.
std::vector<llvm::lsp::CompletionItem>
stringsAt(llvm::StringRef text, llvm::StringRef line, llvm::StringRef path,
          llvm::lsp::Position position, llvm::ArrayRef<std::string> folders);

} // namespace cambium

#endif // CAMBIUM_TOOLS_LSP_SERVER_STRINGS_H
