//===-- lib/Support/ParseModel.cpp - Reading MLIR text
//---------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/ParseModel.h"
#include "cambium/Support/UnknownNames.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace cambium;

/// A level of the parser takes up to 2 KB of stack, of which there are 8 MB.
static constexpr unsigned kMaxNesting = 512;

namespace {
/// Walks text as far as brackets matter: without strings and comments, and
/// without the arrows and comparisons that have an angle bracket.
class NestingScan {
public:
  explicit NestingScan(StringRef text) : text(text) {}

  /// Where the text nests too deep; null if nowhere.
  const char *run() {
    for (size_t i = 0; i < text.size(); ++i) {
      char next = i + 1 < text.size() ? text[i + 1] : '\0';
      if (text[i] == '"')
        i = endOfString(i);
      else if (text[i] == '/' && next == '/')
        i = std::min(text.find('\n', i), text.size());
      else if ((text[i] == '-' && next == '>') ||
               ((text[i] == '<' || text[i] == '>') && next == '='))
        ++i;
      else if (StringRef("([{<").contains(text[i]))
        depth += 1;
      else if (StringRef(")]}>").contains(text[i]))
        depth -= depth > 0;
      if (depth > kMaxNesting)
        return text.data() + i;
    }
    return nullptr;
  }

private:
  size_t endOfString(size_t i) const {
    for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
      i += text[i] == '\\';
    return i;
  }

  StringRef text;
  unsigned depth = 0;
};
} // namespace

/// Where the main file nests too deep; null if nowhere.
static const char *findTooDeep(const llvm::SourceMgr &sources) {
  StringRef text =
      sources.getMemoryBuffer(sources.getMainFileID())->getBuffer();
  // Bytecode is read without recursion.
  return text.starts_with("ML\xefR") ? nullptr : NestingScan(text).run();
}

static std::string tooDeep() {
  return ("expected brackets to nest at most " + Twine(kMaxNesting) + " deep")
      .str();
}

LogicalResult cambium::checkNesting(const llvm::SourceMgr &sources) {
  const char *place = findTooDeep(sources);
  if (!place)
    return success();
  sources.PrintMessage(llvm::SMLoc::getFromPointer(place),
                       llvm::SourceMgr::DK_Error, tooDeep());
  return failure();
}

OwningOpRef<ModuleOp> cambium::parseModelText(StringRef text,
                                              MLIRContext *context) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, "-"),
                             llvm::SMLoc());
  if (const char *place = findTooDeep(sources)) {
    auto [line, column] =
        sources.getLineAndColumn(llvm::SMLoc::getFromPointer(place));
    emitError(FileLineColLoc::get(context, "-", line, column)) << tooDeep();
    return nullptr;
  }
  UnknownNames notes(context);
  return parseSourceFile<ModuleOp>(sources, context);
}

OwningOpRef<ModuleOp> cambium::parseModel(llvm::SourceMgr &sources,
                                          MLIRContext *context) {
  if (failed(checkNesting(sources)))
    return nullptr;
  UnknownNames notes(context);
  return parseSourceFile<ModuleOp>(sources, context);
}
