//===-- cambium/Support/ParseWord.h - A word of a list ----------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_PARSEWORD
#define CAMBIUM_SUPPORT_PARSEWORD

#include "mlir/IR/OpImplementation.h"

namespace cambium {

/// Parses a word. An editor offers the known ones; others are for the caller to
/// refuse.
inline mlir::ParseResult parseWord(mlir::AsmParser &parser,
                                   llvm::StringRef &word,
                                   llvm::ArrayRef<llvm::StringRef> known) {
  if (succeeded(parser.parseOptionalKeyword(&word, known)))
    return mlir::success();
  return parser.parseKeyword(&word);
}

} // namespace cambium

#endif // CAMBIUM_SUPPORT_PARSEWORD
