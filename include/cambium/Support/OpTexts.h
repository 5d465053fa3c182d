//===-- cambium/Support/OpTexts.h - What definitions say --------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_OPTEXTS
#define CAMBIUM_SUPPORT_OPTEXTS

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace cambium {

/// What the definition of an op says to a reader.
struct OpText {
  llvm::StringRef name;
  llvm::StringRef summary;
  llvm::StringRef description;
  /// The grammar; keywords stand in backquotes.
  llvm::StringRef syntax;
};

/// Of all ops of our dialects, by name.
llvm::ArrayRef<OpText> getOpTexts();

/// Null for an op of another dialect.
const OpText *findOpText(llvm::StringRef name);

/// The words of an op's syntax, as `batch_dims`; none for other ops.
llvm::SmallVector<llvm::StringRef> keywordsOf(llvm::StringRef name);

} // namespace cambium

#endif // CAMBIUM_SUPPORT_OPTEXTS
