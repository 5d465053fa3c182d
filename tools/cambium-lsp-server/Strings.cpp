//===-- tools/cambium-lsp-server/Strings.cpp - What may stand in quotes ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Strings.h"
#include "cambium/data.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace cambium;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace lsp = llvm::lsp;

/// Texts for an editor, and what each of them is.
using Choices = std::map<std::string, std::string>;

//===----------------------------------------------------------------------===//
// Fields of the formats
//===----------------------------------------------------------------------===//

/// The pieces of a text between commas that stand in no brackets.
static std::vector<StringRef> splitOutside(StringRef text) {
  std::vector<StringRef> pieces;
  int depth = 0;
  size_t begin = 0;
  for (size_t at = 0; at <= text.size(); ++at) {
    char c = at < text.size() ? text[at] : ',';
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth > 0 || c != ',')
      continue;
    pieces.push_back(text.slice(begin, at).trim());
    begin = at + 1;
  }
  return pieces;
}

/// The fields that `cambium-run --help` lists: a name each, and in brackets
/// what it holds.
static Choices fieldsOfFormats() {
  Choices fields;
  for (const data::FormatInfo &format : data::formats())
    for (StringRef piece :
         splitOutside(StringRef(format.summary).split("Fields: ").second)) {
      auto [name, meaning] = piece.split(" (");
      if (name.empty() || !llvm::all_of(name, [](char c) {
            return llvm::isAlnum(c) || c == '_' || c == '.';
          }))
        continue;
      std::string &detail = fields[name.str()];
      detail += (detail.empty() ? "" : "; ") + std::string(format.name);
      if (!meaning.empty())
        detail += (": " + meaning.split(')').first).str();
    }
  return fields;
}

/// The rows that the text names already.
static Choices rowsOf(StringRef text) {
  Choices rows;
  for (StringRef rest = text; !rest.empty();) {
    rest = rest.split("cambium.rows").second;
    StringRef name = rest.split('"').second.split('"').first;
    if (!name.empty() && !name.contains('\n'))
      rows[name.str()] = "rows";
  }
  return rows;
}

//===----------------------------------------------------------------------===//
// Files to import
//===----------------------------------------------------------------------===//

/// What a path that is begun may become: files and folders of the model's
/// folder and of those of -I.
static Choices filesBehind(StringRef begun, StringRef path,
                           llvm::ArrayRef<std::string> folders) {
  Choices files;
  StringRef inner = begun.take_front(begun.rfind('/') + 1);
  auto collect = [&](StringRef base) {
    llvm::SmallString<128> folder(base);
    llvm::sys::path::append(folder, inner);
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end;
         at.increment(error)) {
      StringRef name = llvm::sys::path::filename(at->path());
      const bool isFolder = fs::is_directory(at->path());
      if (!name.starts_with(".") && (isFolder || name.ends_with(".mlir")))
        files[(inner + name + (isFolder ? "/" : "")).str()] = base.str();
    }
  };
  if (!path.empty())
    collect(llvm::sys::path::parent_path(path));
  for (const std::string &folder : folders)
    collect(folder);
  return files;
}

//===----------------------------------------------------------------------===//
// What an editor asks
//===----------------------------------------------------------------------===//

std::vector<lsp::CompletionItem>
cambium::stringsAt(StringRef text, StringRef line, StringRef path,
                   lsp::Position position,
                   llvm::ArrayRef<std::string> folders) {
  if (line.trim().starts_with("//") || line.count('"') % 2 == 0)
    return {};
  auto [before, begun] = line.rsplit('"');
  before = before.rtrim();
  auto kind = lsp::CompletionItemKind::Field;
  Choices choices;
  if (before.ends_with("nn.import")) {
    choices = filesBehind(begun, path, folders);
    kind = lsp::CompletionItemKind::File;
  } else if (before.consume_back("=")) {
    before = before.rtrim();
    if (before.ends_with("cambium.name"))
      choices = fieldsOfFormats();
    else if (before.ends_with("cambium.rows"))
      choices = rowsOf(text);
  }
  lsp::Position first = position;
  first.character -= int(begun.size());
  std::vector<lsp::CompletionItem> items;
  for (const auto &[label, detail] : choices) {
    lsp::CompletionItem item(label, kind);
    item.detail = detail;
    item.textEdit = lsp::TextEdit{lsp::Range(first, position), label};
    items.push_back(std::move(item));
  }
  return items;
}
