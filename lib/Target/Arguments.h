//===-- lib/Target/Arguments.h - Arguments that say nothing -----*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TARGET_ARGUMENTS_H
#define CAMBIUM_TARGET_ARGUMENTS_H

#include "cambium/Target/Object.h"

namespace llvm {
class Module;
} // namespace llvm

namespace cambium {

/// Takes arguments from internal functions that are not used, are the same
/// constant in every call, or always equal another argument: five of the seven
/// that a matrix is passed as. Tasks of parallel loops get nothing that they do
/// not read, either. LLVM does so too, but in a time that grows with
/// the square of the number of arguments, and a long loop has thousands.
void dropArguments(llvm::Module &code);

/// Takes from functions that other objects call what they do not use.
UnusedArguments dropUnused(llvm::Module &code);
/// Lets calls of such functions pass no more than is left.
void dropUnused(llvm::Module &code, const UnusedArguments &unused);

} // namespace cambium

#endif // CAMBIUM_TARGET_ARGUMENTS_H
