//===-- cambium/Support/IndependentLoops.h - Loops that may run at once ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_INDEPENDENTLOOPS_H
#define CAMBIUM_SUPPORT_INDEPENDENTLOOPS_H

#include "llvm/ADT/StringRef.h"

namespace cambium {

/// On a loop: its iterations write nothing that others read or write, and may
/// run at once; an iteration moves so many elements, an integer, 0 if one is
/// worth a thread. Only the memory in which they are computed may be in the
/// way.
inline constexpr llvm::StringLiteral kIndependentAttr = "cambium.independent";

} // namespace cambium

#endif // CAMBIUM_SUPPORT_INDEPENDENTLOOPS_H
