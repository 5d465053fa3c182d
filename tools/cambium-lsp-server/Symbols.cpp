//===-- tools/cambium-lsp-server/Symbols.cpp - Names of a model -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Symbols.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace cambium;
using llvm::StringRef;

namespace {
/// Collects along imports.
class Collector {
public:
  explicit Collector(llvm::ArrayRef<std::string> folders) : folders(folders) {}

  void collect(StringRef text, StringRef path, bool isImported) {
    for (StringRef rest = text; !rest.empty();) {
      StringRef line;
      std::tie(line, rest) = rest.split('\n');
      line = line.trim();
      if (line.consume_front("func.func "))
        add(line, /*isFunction=*/true);
      else if (!isImported && line.consume_front("nn.param "))
        add(line, /*isFunction=*/false);
      else if (line.consume_front("nn.import "))
        import(line.split('"').second.split('"').first, path);
    }
  }

  std::vector<ModelSymbol> symbols;

private:
  void add(StringRef line, bool isFunction) {
    StringRef behind = line.split('@').second;
    StringRef name = behind.take_while([](char c) {
      return llvm::isAlnum(c) || StringRef("_.$-").contains(c);
    });
    // A visibility may stand before the name, nothing else.
    if (name.empty() ||
        line.take_until([](char c) { return c == '@'; }).contains('%'))
      return;
    StringRef detail = behind.drop_front(name.size()).rtrim("{ ").trim();
    symbols.push_back({name.str(), isFunction, detail.str()});
  }

  void import(StringRef name, StringRef path) {
    if (isTaken(name, llvm::sys::path::parent_path(path)))
      return;
    for (const std::string &folder : folders)
      if (isTaken(name, folder))
        return;
  }

  /// Whether the folder has the file.
  bool isTaken(StringRef name, StringRef folder) {
    llvm::SmallString<128> file(folder), real;
    llvm::sys::path::append(file, name);
    if (llvm::sys::fs::real_path(file, real) ||
        !llvm::sys::fs::is_regular_file(real))
      return false;
    if (!seen.insert(real).second)
      return true;
    if (auto buffer = llvm::MemoryBuffer::getFile(real))
      collect((*buffer)->getBuffer(), real, /*isImported=*/true);
    return true;
  }

  llvm::ArrayRef<std::string> folders;
  llvm::StringSet<> seen;
};
} // namespace

std::vector<ModelSymbol>
cambium::symbolsOf(StringRef text, StringRef path,
                   llvm::ArrayRef<std::string> folders) {
  Collector collector(folders);
  collector.collect(text, path, /*isImported=*/false);
  return std::move(collector.symbols);
}
