//===-- include/cambium/Buffers/Passes.h - Passes of the buffers phase ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_BUFFERS_PASSES
#define CAMBIUM_BUFFERS_PASSES

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace cambium {

#define GEN_PASS_DECL
#include "cambium/Buffers/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "cambium/Buffers/Passes.h.inc"

/// From the linalg phase to the buffers phase: entries on memrefs, memory for
/// every value, the contract checked at the end.
void buildBuffersPipeline(mlir::OpPassManager &pm);

} // namespace cambium

#endif // CAMBIUM_BUFFERS_PASSES
