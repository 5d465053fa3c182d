//===-- cambium/Support/PlainText.h - Texts without control codes -*- C++ -*-=//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_PLAINTEXT
#define CAMBIUM_SUPPORT_PLAINTEXT

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cambium {

/// The place of the first byte that is of a control character (C0 but for tabs
/// and ends of lines, DEL, C1) or of no UTF-8; npos if there is none.
size_t findControl(llvm::StringRef text, size_t from = 0);

/// The text with `\x1B` for each such byte: nothing in it commands a terminal.
std::string escapeControls(llvm::StringRef text);

/// The first lines of a text, and how many more there are.
std::string firstLines(llvm::StringRef text, size_t most);

/// While it lives, what a model says reaches those who show errors without
/// control characters: in messages, and in names and lines of the files that
/// locations name. Long messages are cut after a few lines. To be made after
/// the handler that shows.
class PlainDiagnostics {
public:
  explicit PlainDiagnostics(mlir::MLIRContext *context);

private:
  llvm::LogicalResult take(mlir::Diagnostic &diagnostic);
  void escapeMessage(mlir::Diagnostic &diagnostic);
  mlir::Location plainPlace(mlir::Location place);
  bool isPlain(llvm::StringRef file);

  llvm::StringMap<bool> isPlainFile;
  /// What the messages of one diagnostic refer to.
  std::vector<std::unique_ptr<std::string>> texts;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace cambium

#endif // CAMBIUM_SUPPORT_PLAINTEXT
