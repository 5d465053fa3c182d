//===-- NameWithPlace.cpp - How errors of calls name an op -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/NameWithPlace.h"
#include "llvm/Support/Path.h"

using namespace mlir;

std::string cambium::nameWithPlace(Operation *op) {
  std::string name = ("'" + op->getName().getStringRef() + "'").str();
  if (auto place = op->getLoc()->findInstanceOf<FileLineColLoc>())
    name += (" (" + llvm::sys::path::filename(place.getFilename()) + ":" +
             Twine(place.getLine()) + ":" + Twine(place.getColumn()) + ")")
                .str();
  return name;
}
