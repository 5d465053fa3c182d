//===-- StageText.h - What a stage is, for people ---------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_GPU_STAGETEXT_H
#define CAMBIUM_LIB_KERNELS_GPU_STAGETEXT_H

#include "mlir/IR/Operation.h"

namespace cambium {

/// Names of the model's ops that ops were made of, where locations have them,
/// and where these stand: "nn.matmul, nn.tanh, tree.mlir:7-9,12".
std::string describeStage(llvm::ArrayRef<mlir::Operation *> ops);

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_GPU_STAGETEXT_H
