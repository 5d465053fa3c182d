//===-- lib/Support/ParseModel.cpp - Reading MLIR text --------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/ParseModel.h"
#include "cambium/Support/CheckAttributes.h"
#include "cambium/Support/CheckText.h"
#include "cambium/Support/PlainText.h"
#include "cambium/Support/UnknownNames.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace cambium;

std::unique_ptr<llvm::MemoryBuffer> cambium::openModel(StringRef path,
                                                       std::string *error) {
  llvm::sys::fs::file_status status;
  bool isFile = path == "-" || llvm::sys::fs::status(path, status) ||
                llvm::sys::fs::is_regular_file(status) ||
                llvm::sys::fs::is_directory(status);
  if (isFile)
    return openInputFile(path, error);
  // It may have no end, or wait for it.
  if (error)
    *error = ("cannot open input file '" + path +
              "': expected a regular file, or - for the standard input")
                 .str();
  return nullptr;
}

static StringRef mainText(const llvm::SourceMgr &sources) {
  return sources.getMemoryBuffer(sources.getMainFileID())->getBuffer();
}

/// The line of the place is shown as the source manager shows it, but without
/// what would command a terminal.
static void showError(const llvm::SourceMgr &sources, const TextError &error) {
  StringRef text = mainText(sources);
  auto place = llvm::SMLoc::getFromPointer(text.data() + error.place);
  auto [line, column] = sources.getLineAndColumn(place);
  StringRef before = text.substr(error.place - (column - 1), column - 1);
  StringRef behind = text.substr(error.place).take_until([](char c) {
    return c == '\n' || c == '\r';
  });
  llvm::SMDiagnostic shown(
      sources, place,
      sources.getMemoryBuffer(sources.getMainFileID())->getBufferIdentifier(),
      line, column - 1, llvm::SourceMgr::DK_Error, error.message,
      escapeControls(before.str() + behind.str()), {});
  shown.print(nullptr, llvm::errs());
}

LogicalResult cambium::checkText(const llvm::SourceMgr &sources) {
  std::optional<TextError> error = findTextError(mainText(sources));
  if (error)
    showError(sources, *error);
  return failure(error.has_value());
}

static OwningOpRef<ModuleOp> parseChecked(llvm::SourceMgr &sources,
                                          MLIRContext *context) {
  UnknownNames notes(context, mainText(sources));
  auto module = parseSourceFile<ModuleOp>(sources, context);
  if (module && failed(checkAttributes(*module)))
    return nullptr;
  return module;
}

OwningOpRef<ModuleOp> cambium::parseModelText(StringRef text,
                                              MLIRContext *context) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, "-"),
                             llvm::SMLoc());
  if (std::optional<TextError> error = findTextError(text)) {
    auto [line, column] = sources.getLineAndColumn(
        llvm::SMLoc::getFromPointer(mainText(sources).data() + error->place));
    emitError(FileLineColLoc::get(context, "-", line, column))
        << error->message;
    return nullptr;
  }
  return parseChecked(sources, context);
}

OwningOpRef<ModuleOp> cambium::parseModel(llvm::SourceMgr &sources,
                                          MLIRContext *context) {
  if (failed(checkText(sources)))
    return nullptr;
  return parseChecked(sources, context);
}
