//===-- lib/Support/Suggest.cpp - Names that were meant -------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Suggest.h"

using namespace cambium;
using llvm::StringRef;

/// A swap of neighbours is one error of typing, but two edits.
static bool isSwap(StringRef a, StringRef b) {
  if (a.size() != b.size())
    return false;
  size_t i = 0;
  while (i < a.size() && a[i] == b[i])
    ++i;
  return i + 1 < a.size() && a[i] == b[i + 1] && a[i + 1] == b[i] &&
         a.substr(i + 2) == b.substr(i + 2);
}

StringRef cambium::closestName(StringRef name,
                               llvm::ArrayRef<StringRef> names) {
  constexpr size_t kLongest = 64;
  StringRef best;
  // A third of the letters may be wrong, at most three.
  unsigned wrong =
      name.size() == 2 ? 1 : std::min<unsigned>(3, name.size() / 3);
  unsigned least = wrong + 1;
  for (StringRef each : names) {
    if (name.size() > kLongest || each.size() > kLongest)
      continue;
    unsigned far =
        isSwap(name, each) ? 1 : name.edit_distance(each, true, least);
    if (far < least) {
      least = far;
      best = each;
    }
  }
  return best;
}

std::string cambium::didYouMean(StringRef name,
                                llvm::ArrayRef<StringRef> names) {
  StringRef closest = closestName(name, names);
  return closest.empty() ? "" : (": did you mean '" + closest + "'?").str();
}
