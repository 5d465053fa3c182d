//===-- lib/Target/Cut.h - Long functions in pieces -------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TARGET_CUT_H
#define CAMBIUM_TARGET_CUT_H

#include <cstddef>

namespace llvm {
class Module;
} // namespace llvm

namespace cambium {

/// Cuts functions of more than `most` instructions into pieces of at least half
/// as many, where they are outside of loops: each piece calls the next one
/// last. The time that LLVM takes to allocate registers grows with the square
/// of a function.
void cutFunctions(llvm::Module &code, size_t most);

} // namespace cambium

#endif // CAMBIUM_TARGET_CUT_H
