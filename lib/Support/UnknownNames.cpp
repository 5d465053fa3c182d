//===-- lib/Support/UnknownNames.cpp - Names that no dialect has ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/UnknownNames.h"
#include "cambium/Support/OpTexts.h"
#include "cambium/Support/Suggest.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace cambium;

/// The text between two others; empty if it is not there.
static StringRef between(StringRef text, StringRef before, StringRef after) {
  auto [head, tail] = text.split(before);
  return tail.contains(after) ? tail.split(after).first : StringRef();
}

/// The dialect that was meant by an unknown one; empty if there is none like
/// it.
static StringRef closestDialect(MLIRContext *context, StringRef name) {
  std::vector<StringRef> known = context->getAvailableDialects();
  return llvm::is_contained(known, name) ? "" : closestName(name, known);
}

/// The op that was meant.
static std::string closestOp(MLIRContext *context, StringRef full) {
  SmallVector<StringRef> known;
  for (const OpText &text : getOpTexts())
    known.push_back(text.name);
  // Of dialects that are not ours, those that the text has used so far.
  for (RegisteredOperationName name : context->getRegisteredOperations())
    known.push_back(name.getStringRef());
  if (StringRef meant = closestName(full, known); !meant.empty())
    return meant.str();
  auto [dialect, name] = full.split('.');
  StringRef meant = closestDialect(context, dialect);
  return meant.empty() ? "" : (meant + "." + name).str();
}

/// The last op of ours in the text.
static StringRef lastOp(StringRef text) {
  constexpr StringRef kNames = "abcdefghijklmnopqrstuvwxyz_.0123456789";
  while (!text.empty()) {
    text = text.take_front(text.find_last_of(kNames) + 1);
    StringRef word = text.drop_front(text.find_last_not_of(kNames) + 1);
    if (findOpText(word))
      return word;
    text = text.drop_back(word.size());
  }
  return "";
}

/// What is no keyword of an op is taken for the next op.
static std::string closestWord(MLIRContext *context, StringRef word,
                               StringRef full, StringRef before) {
  StringRef meant = closestName(word, keywordsOf(lastOp(before)));
  return meant.empty() ? closestOp(context, full) : meant.str();
}

StringRef cambium::textBefore(StringRef text, unsigned line, unsigned column) {
  size_t end = 0;
  for (unsigned i = 1; i < line; ++i)
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  return text.take_front(end + column - 1);
}

std::string cambium::findMeant(MLIRContext *context, StringRef message,
                               StringRef before) {
  if (message.contains("' is unknown (tried '"))
    return closestWord(context, between(message, "custom op '", "'"),
                       between(message, "(tried '", "'"), before);
  if (message.contains("not found for custom op") ||
      message.ends_with("' is unknown"))
    return closestOp(context, between(message, "custom op '", "'"));
  if (!message.contains("unregistered dialect"))
    return "";
  for (char mark : {'!', '#'}) {
    std::string before = {mark, '"'};
    StringRef dialect = between(message, before, "\"");
    StringRef meant = closestDialect(context, dialect);
    if (!meant.empty())
      return (Twine(mark) + meant + "." + between(message, "<\"", "\">")).str();
  }
  return "";
}

/// What a keyword that stands behind its place belongs to: the op before, with
/// its grammar in one line. Empty if it is no keyword of that op.
static std::string findPlace(StringRef message, StringRef before) {
  if (!message.contains("' is unknown (tried '"))
    return "";
  StringRef word = between(message, "custom op '", "'"), op = lastOp(before);
  if (!llvm::is_contained(keywordsOf(op), word))
    return "";
  SmallVector<StringRef> words;
  llvm::SplitString(findOpText(op)->syntax, words);
  return ("'" + word + "' is a keyword of '" + op +
          "', whose order is: " + llvm::join(words, " "))
      .str();
}

UnknownNames::UnknownNames(MLIRContext *context, StringRef text)
    : ScopedDiagnosticHandler(context, [context, text](Diagnostic &diagnostic) {
        auto place = dyn_cast<FileLineColLoc>(diagnostic.getLocation());
        if (!place || diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return failure();
        std::string message = diagnostic.str();
        StringRef before = textBefore(text, place.getLine(), place.getColumn());
        std::string meant = findMeant(context, message, before);
        if (std::string found = findPlace(message, before); !found.empty())
          diagnostic.attachNote() << found;
        else if (!meant.empty())
          diagnostic.attachNote() << "did you mean '" << meant << "'?";
        return failure(); // The next handler shows it.
      }) {}
