//===-- include/cambium/Codegen/Passes.h - Passes from buffers to LLVM ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_CODEGEN_PASSES_H
#define CAMBIUM_CODEGEN_PASSES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace cambium {

#define GEN_PASS_DECL
#include "cambium/Codegen/Passes.h.inc"

/// The attribute of the module that holds the manifest.
inline constexpr llvm::StringLiteral kManifestAttr = "rt.manifest";

#define GEN_PASS_REGISTRATION
#include "cambium/Codegen/Passes.h.inc"

} // namespace cambium

#endif // CAMBIUM_CODEGEN_PASSES_H
