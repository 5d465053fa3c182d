//===-- include/cambium/LLVM/Passes.h - Passes of the LLVM phase ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LLVM_PASSES_H
#define CAMBIUM_LLVM_PASSES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/Pass.h"

namespace cambium {

#define GEN_PASS_DECL
#include "cambium/LLVM/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "cambium/LLVM/Passes.h.inc"

} // namespace cambium

#endif // CAMBIUM_LLVM_PASSES_H
