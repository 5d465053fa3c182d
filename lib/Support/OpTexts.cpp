//===-- lib/Support/OpTexts.cpp - What definitions say --------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/OpTexts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cambium;
using llvm::StringRef;

static constexpr OpText kTexts[] = {
#include "lib/Support/OpTexts.inc"
};

llvm::ArrayRef<OpText> cambium::getOpTexts() { return kTexts; }

const OpText *cambium::findOpText(StringRef name) {
  const OpText *found =
      llvm::lower_bound(kTexts, name, [](const OpText &text, StringRef name) {
        return text.name < name;
      });
  return found != std::end(kTexts) && found->name == name ? found : nullptr;
}

llvm::SmallVector<StringRef> cambium::keywordsOf(StringRef name) {
  llvm::SmallVector<StringRef> keywords;
  const OpText *text = findOpText(name);
  StringRef rest = text ? text->syntax : "";
  while (!rest.empty()) {
    rest = rest.split('`').second;
    auto [word, behind] = rest.split('`');
    rest = behind;
    if (!word.empty() && llvm::isAlpha(word.front()) &&
        !llvm::is_contained(keywords, word))
      keywords.push_back(word);
  }
  return keywords;
}
