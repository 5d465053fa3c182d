//===-- lib/LLVM/EntryNames.h - What entries are called ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_LLVM_ENTRYNAMES
#define CAMBIUM_LIB_LLVM_ENTRYNAMES

#include "llvm/ADT/StringRef.h"

namespace cambium {

/// What the user calls an entry, on functions of the llvm phase: there the
/// symbol is another one, which is no name of a function of ours or of a
/// library.
inline constexpr llvm::StringLiteral kEntryNameAttr = "rt.name";

} // namespace cambium

#endif // CAMBIUM_LIB_LLVM_ENTRYNAMES
