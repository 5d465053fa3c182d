//===-- lib/LLVM/DeviceBarrier.h - The barrier of all blocks ----*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_LLVM_DEVICEBARRIER_H
#define CAMBIUM_LIB_LLVM_DEVICEBARRIER_H

#include "dialects/RT/IR/RT.h"

namespace cambium {

/// A register of the thread: its number, that of its block, ...
mlir::Value readRegister(mlir::OpBuilder &builder, mlir::Location loc,
                         llvm::StringRef name, unsigned bits = 32);

/// Calls the function by which all blocks wait for each other, and makes it
/// where the module has none yet: one for each way to be watched.
void callBarrier(mlir::OpBuilder &builder, rt::BarrierOp op, mlir::Value call);

} // namespace cambium

#endif // CAMBIUM_LIB_LLVM_DEVICEBARRIER_H
