//===-- tools/cambium-lsp-server/Answers.h - What an editor is told -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TOOLS_LSP_SERVER_ANSWERS_H
#define CAMBIUM_TOOLS_LSP_SERVER_ANSWERS_H

#include "llvm/Support/LSP/Protocol.h"
#include <optional>
#include <string>
#include <vector>

namespace cambium {

/// A byte of a text as the protocol counts: lines, and units of UTF-16.
llvm::lsp::Position positionAt(llvm::StringRef text, size_t byte);

/// The place that the protocol means: behind the end of a line is its end. An
/// editor may ask before it has told of a change.
llvm::lsp::Position placeIn(llvm::StringRef text, llvm::lsp::Position position);

/// What an op means, where its name stands, as Markdown.
std::optional<llvm::lsp::Hover> documentationAt(llvm::StringRef text,
                                                llvm::lsp::Position position);

/// What upstream's server does not know: the names that may stand behind the
/// `@` before the position, and what a string may hold. `folders` are those of
/// -I.
std::vector<llvm::lsp::CompletionItem>
completionsAt(llvm::StringRef text, llvm::StringRef path,
              llvm::lsp::Position position,
              llvm::ArrayRef<std::string> folders);

/// The ops whose names begin with what stands before the position (`nn.so`),
/// where an op may stand. Behind the point alone upstream's server knows them.
std::vector<llvm::lsp::CompletionItem>
operationsAt(llvm::StringRef text, llvm::lsp::Position position,
             llvm::function_ref<std::vector<llvm::StringRef>()> operations);

} // namespace cambium

#endif // CAMBIUM_TOOLS_LSP_SERVER_ANSWERS_H
