//===-- include/cambium/Support/JsonDepth.h - Nesting of JSON ---*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_JSONDEPTH_H
#define CAMBIUM_SUPPORT_JSONDEPTH_H

#include "llvm/ADT/StringRef.h"

namespace cambium {

/// Values within values that a reader of JSON takes.
inline constexpr int kMostJsonDepth = 1000;

/// Whether values nest deeper: LLVM's reader, which calls itself for each,
/// would leave the stack.
inline bool isJsonTooDeep(llvm::StringRef text) {
  int depth = 0;
  bool isString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"')
      isString = !isString;
    else if (isString)
      i += c == '\\';
    else if (c == '[' || c == '{')
      ++depth;
    else if (c == ']' || c == '}')
      --depth;
    if (depth > kMostJsonDepth)
      return true;
  }
  return false;
}

} // namespace cambium

#endif // CAMBIUM_SUPPORT_JSONDEPTH_H
