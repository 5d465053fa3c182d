//===-- lib/Support/KeywordOps.cpp - Attributes are keywords --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/KeywordOps.h"
#include "cambium/Support/OpTexts.h"
#include "cambium/Support/Suggest.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace cambium;

/// The word that stands at a place of the text, which ends with a zero.
static StringRef wordAt(SMLoc place) {
  const char *end = place.getPointer();
  while (llvm::isAlnum(*end) || *end == '_')
    ++end;
  return StringRef(place.getPointer(), end - place.getPointer());
}

/// What could stand there: `expected ... one of: a, b`, `expected 'a' or 'b'`,
/// or the keywords of the op.
static SmallVector<StringRef> findChoices(StringRef message, StringRef op) {
  StringRef expected = message.substr(message.find("expected"));
  SmallVector<StringRef> choices;
  if (StringRef list = expected.split("one of: ").second; !list.empty()) {
    list.split(choices, ", ");
    return choices;
  }
  if (!expected.contains("' or '"))
    return keywordsOf(op);
  while (expected.contains('\'')) {
    auto [word, rest] = expected.split('\'').second.split('\'');
    choices.push_back(word);
    expected = rest;
  }
  return choices;
}

namespace {
/// While an op is parsed, errors at a misspelled word get a note. Of ops within
/// ops the innermost one knows.
class SpellingNotes {
public:
  SpellingNotes(OpAsmParser &parser, StringRef op)
      : parser(parser), op(op), outer(innermost),
        handler(parser.getContext(), [this](Diagnostic &diagnostic) {
          if (innermost == this)
            addNote(diagnostic);
          return failure(); // The next handler shows it.
        }) {
    innermost = this;
  }
  ~SpellingNotes() { innermost = outer; }

private:
  void addNote(Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return;
    std::string message = diagnostic.str();
    // Of the parser, not of inference.
    if (!StringRef(message).starts_with("expected") &&
        !StringRef(message).starts_with("custom op"))
      return;
    StringRef word = wordAt(parser.getCurrentLocation());
    SmallVector<StringRef> choices = findChoices(message, op);
    StringRef meant = closestName(word, choices);
    if (!word.empty() && !meant.empty() && meant != word)
      diagnostic.attachNote() << "did you mean '" << meant << "'?";
  }

  OpAsmParser &parser;
  StringRef op;
  SpellingNotes *outer;
  ScopedDiagnosticHandler handler;
  static thread_local SpellingNotes *innermost;
};
thread_local SpellingNotes *SpellingNotes::innermost = nullptr;
} // namespace

ParseResult cambium::parseKeywordOp(OpAsmParser &parser, OperationState &state,
                                    ParseOp parse,
                                    ArrayRef<StringRef> attributes) {
  SpellingNotes notes(parser, state.name.getStringRef());
  ParseResult result = parse(parser, state);
  // What keywords have said is in the properties. Where an op does not parse,
  // this may be why.
  for (NamedAttribute attribute : state.attributes)
    if (llvm::is_contained(attributes, attribute.getName().getValue()))
      return parser.emitError(parser.getNameLoc())
             << "expected '" << attribute.getName().getValue()
             << "' to be a keyword, but got it in braces";
  return result;
}

ParseResult cambium::failAtUnknownOp(OpAsmParser &parser,
                                     OperationState &state) {
  StringRef full = state.name.getStringRef();
  auto [dialect, name] = full.split('.');
  SmallVector<StringRef> names;
  for (const OpText &text : getOpTexts())
    if (text.name.split('.').first == dialect)
      names.push_back(text.name.split('.').second);
  InFlightDiagnostic diag = parser.emitError(parser.getNameLoc())
                            << "is unknown";
  if (StringRef meant = closestName(name, names); !meant.empty())
    diag << ": did you mean '" << dialect << "." << meant << "'?";
  return diag;
}
