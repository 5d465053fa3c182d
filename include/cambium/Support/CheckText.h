//===-- cambium/Support/CheckText.h - What no parser is given ---*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_CHECKTEXT
#define CAMBIUM_SUPPORT_CHECKTEXT

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace cambium {

/// What is wrong with a text, and where.
struct TextError {
  size_t place;
  std::string message;
};

/// Looks at the text of a module before MLIR's parser does, which follows by
/// recursion, and so with stack:
///
/// - brackets: at most 512 deep;
/// - operators of an affine expression, at most 512;
/// - attributes and types that aliases stand for: at most 2,048 deep, brackets
///   of their definitions counted, and with at most 2^20 aliases within.
///
/// It ends by a signal where a list of `linalg.broadcast`, `linalg.reduce` or
/// `linalg.transpose` holds no integers: it takes the list that it could not
/// read into the op. Text is UTF-8 without control characters.
std::optional<TextError> findTextError(llvm::StringRef text);

} // namespace cambium

#endif // CAMBIUM_SUPPORT_CHECKTEXT
