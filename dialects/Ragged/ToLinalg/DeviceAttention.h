//===-- dialects/Ragged/ToLinalg/DeviceAttention.h - For GPUs ---*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RAGGED_TOLINALG_DEVICEATTENTION_H
#define CAMBIUM_DIALECTS_RAGGED_TOLINALG_DEVICEATTENTION_H

#include "cambium/Support/LinalgModel.h"
#include "dialects/Ragged/IR/Ragged.h"

namespace cambium::ragged {

/// The lowering for GPUs, by blocks of threads.
Lowered lowerOnDevice(AttentionOp op, LinalgBuilder &b);
Lowered lowerOnDevice(AttentionGradOp op, LinalgBuilder &b);

} // namespace cambium::ragged

#endif // CAMBIUM_DIALECTS_RAGGED_TOLINALG_DEVICEATTENTION_H
