//===-- lib/Support/ParseModel.cpp - Reading MLIR text
//---------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/ParseModel.h"
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

LogicalResult cambium::checkNesting(const llvm::SourceMgr &sources) {
  const llvm::MemoryBuffer *buffer =
      sources.getMemoryBuffer(sources.getMainFileID());
  // Bytecode is read without recursion.
  if (buffer->getBuffer().starts_with("ML\xefR"))
    return success();
  const char *place = NestingScan(buffer->getBuffer()).run();
  if (!place)
    return success();
  sources.PrintMessage(
      llvm::SMLoc::getFromPointer(place), llvm::SourceMgr::DK_Error,
      "expected brackets to nest at most " + Twine(kMaxNesting) + " deep");
  return failure();
}

OwningOpRef<ModuleOp> cambium::parseModel(llvm::SourceMgr &sources,
                                          MLIRContext *context) {
  if (failed(checkNesting(sources)))
    return nullptr;
  return parseSourceFile<ModuleOp>(sources, context);
}
