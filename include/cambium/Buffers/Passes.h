//===-- include/cambium/Buffers/Passes.h - Passes of the buffers phase ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_BUFFERS_PASSES_H
#define CAMBIUM_BUFFERS_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace cambium {

#define GEN_PASS_DECL
#include "cambium/Buffers/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "cambium/Buffers/Passes.h.inc"

} // namespace cambium

#endif // CAMBIUM_BUFFERS_PASSES_H
