//===-- dialects/RT/ToBuffers/ToBuffers.h - Memory of independent loops --===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RT_TOBUFFERS_TOBUFFERS_H
#define CAMBIUM_DIALECTS_RT_TOBUFFERS_TOBUFFERS_H

#include "mlir/IR/DialectRegistry.h"

namespace cambium::rt {

/// Lets bufferization know `rt.for_each`.
void registerBufferModels(mlir::DialectRegistry &registry);

} // namespace cambium::rt

#endif // CAMBIUM_DIALECTS_RT_TOBUFFERS_TOBUFFERS_H
