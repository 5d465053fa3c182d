//===-- lib/Target/ControlValues.h - What kernels keep ----------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TARGET_CONTROLVALUES_H
#define CAMBIUM_TARGET_CONTROLVALUES_H

#include <cstddef>
#include <cstdint>

namespace llvm {
class Module;
} // namespace llvm

namespace cambium {

/// Lets at most `most` values live in registers of kernels while a stage is
/// called, as far as there are others that all threads have alike: those stand
/// in shared memory, once for a block, and are read where they are used. A
/// block has `sharedBytes` of it, with what its kernel asks for at the start.
void keepControlValues(llvm::Module &code, size_t most, int64_t sharedBytes);

} // namespace cambium

#endif // CAMBIUM_TARGET_CONTROLVALUES_H
