//===-- dialects/RT/IR/Kept.h - What is kept between calls ------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RT_IR_KEPT_H
#define CAMBIUM_DIALECTS_RT_IR_KEPT_H

#include "dialects/RT/IR/RT.h"
#include "mlir/IR/BuiltinOps.h"

namespace cambium::rt {

/// Bytes as the next array begins behind them: with a line of the caches.
int64_t placeBehind(int64_t bytes);

/// The bytes of all marks and of all rows that functions of a module keep.
/// Marks come first.
struct KeptBytes {
  int64_t marks = 0, rows = 0;
};
KeptBytes countKept(mlir::ModuleOp module);

} // namespace cambium::rt

#endif // CAMBIUM_DIALECTS_RT_IR_KEPT_H
