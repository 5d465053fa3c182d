//===-- tools/cambium-lsp-server/Answers.cpp - What an editor is told -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Answers.h"
#include "Strings.h"
#include "Symbols.h"
#include "cambium/Support/OpTexts.h"
#include "llvm/ADT/StringExtras.h"

using namespace cambium;
using llvm::StringRef;
namespace lsp = llvm::lsp;

/// The line of a position.
static StringRef lineAt(StringRef text, lsp::Position position) {
  for (int line = 0; line < position.line && !text.empty(); ++line)
    text = text.split('\n').second;
  return text.split('\n').first;
}

/// The byte of a line at a place that is counted in units of UTF-16, as the
/// protocol does.
static size_t byteAt(StringRef line, int character) {
  size_t byte = 0;
  while (character > 0 && byte < line.size()) {
    unsigned char lead = line[byte];
    character -= lead >= 0xF0 ? 2 : 1;
    byte += lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  }
  return std::min(byte, line.size());
}

lsp::Position cambium::positionAt(StringRef text, size_t byte) {
  StringRef before = text.take_front(byte);
  lsp::Position position;
  position.line = int(before.count('\n'));
  for (unsigned char c : before.drop_front(before.rfind('\n') + 1))
    position.character += c >= 0xF0 ? 2 : (c & 0xC0) != 0x80;
  return position;
}

lsp::Position cambium::placeIn(StringRef text, lsp::Position position) {
  StringRef line = lineAt(text, position);
  lsp::Position end = positionAt(line, line.size());
  position.line = std::max(position.line, 0);
  position.character = std::clamp(position.character, 0, end.character);
  return position;
}

static bool isOfName(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
}

//===----------------------------------------------------------------------===//
// Documentation
//===----------------------------------------------------------------------===//

static std::string documentationOf(const OpText &text) {
  StringRef name = text.name, syntax = text.syntax;
  std::string grammar;
  if (!syntax.empty())
    grammar =
        ("```ebnf\noperation ::= `" + name + "` " + syntax + "\n```\n\n").str();
  return ("**" + name + "**: " + text.summary + "\n\n" + grammar +
          text.description)
      .str();
}

std::optional<lsp::Hover> cambium::documentationAt(StringRef text,
                                                   lsp::Position position) {
  StringRef line = lineAt(text, position);
  size_t begin = byteAt(line, position.character), end = begin;
  while (begin > 0 && isOfName(line[begin - 1]))
    --begin;
  while (end < line.size() && isOfName(line[end]))
    ++end;
  const OpText *found = findOpText(line.slice(begin, end));
  if (!found)
    return std::nullopt;
  // A name has letters of one unit.
  int before = byteAt(line, position.character) - begin;
  lsp::Position first = position, last = position;
  first.character -= before;
  last.character = first.character + int(end - begin);
  lsp::Hover hover(lsp::Range(first, last));
  hover.contents.value = documentationOf(*found);
  return hover;
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

/// The names that may stand behind the `@` before the position.
static std::vector<lsp::CompletionItem>
symbolsAt(StringRef text, StringRef line, StringRef path,
          lsp::Position position, llvm::ArrayRef<std::string> folders) {
  StringRef begun =
      line.take_back(line.size() -
                     line.find_last_not_of("abcdefghijklmnopqrstuvwxyz"
                                           "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                           "0123456789_.$-") -
                     1);
  StringRef before = line.drop_back(begun.size());
  if (!before.consume_back("@") || before.trim().starts_with("//"))
    return {};
  before = before.rtrim();
  bool wantsParameter = before.ends_with("nn.use");
  bool wantsFunction = before.ends_with("call") || before.ends_with("loss");
  lsp::Position at = position;
  at.character -= int(begun.size()) + 1;
  std::vector<lsp::CompletionItem> items;
  for (const ModelSymbol &symbol : symbolsOf(text, path, folders)) {
    if (symbol.isFunction ? wantsParameter : wantsFunction)
      continue;
    lsp::CompletionItem item("@" + symbol.name,
                             symbol.isFunction
                                 ? lsp::CompletionItemKind::Function
                                 : lsp::CompletionItemKind::Variable);
    item.detail = symbol.detail;
    item.textEdit = lsp::TextEdit{lsp::Range(at, position), item.label};
    items.push_back(std::move(item));
  }
  return items;
}

//===----------------------------------------------------------------------===//
// Completion
//===----------------------------------------------------------------------===//

std::vector<lsp::CompletionItem>
cambium::operationsAt(StringRef text, lsp::Position position,
                      llvm::function_ref<std::vector<StringRef>()> operations) {
  StringRef line = lineAt(text, position);
  line = line.take_front(byteAt(line, position.character));
  size_t begin = line.size();
  while (begin > 0 && isOfName(line[begin - 1]))
    --begin;
  StringRef word = line.drop_front(begin), before = line.take_front(begin);
  auto [dialect, begun] = word.split('.');
  before = before.rtrim();
  if (begun.empty() || (!before.empty() && !before.ends_with("=")))
    return {};
  lsp::Position first = position;
  first.character -= int(begun.size());
  std::vector<lsp::CompletionItem> items;
  for (StringRef name : operations()) {
    if (!name.starts_with(word))
      continue;
    lsp::CompletionItem item(name.drop_front(dialect.size() + 1).str(),
                             lsp::CompletionItemKind::Field);
    const OpText *text = findOpText(name);
    item.detail = text ? text->summary.str() : "operation";
    item.textEdit = lsp::TextEdit{lsp::Range(first, position), item.label};
    items.push_back(std::move(item));
  }
  return items;
}

std::vector<lsp::CompletionItem>
cambium::completionsAt(StringRef text, StringRef path, lsp::Position position,
                       llvm::ArrayRef<std::string> folders) {
  StringRef line = lineAt(text, position);
  line = line.take_front(byteAt(line, position.character));
  std::vector<lsp::CompletionItem> items =
      symbolsAt(text, line, path, position, folders);
  return items.empty() ? stringsAt(text, line, path, position, folders) : items;
}
