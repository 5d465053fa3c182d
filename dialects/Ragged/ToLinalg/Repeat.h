//===-- dialects/Ragged/ToLinalg/Repeat.h - Rows that stay -----*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RAGGED_TOLINALG_REPEAT_H
#define CAMBIUM_DIALECTS_RAGGED_TOLINALG_REPEAT_H

#include "cambium/Support/LinalgBuilder.h"
#include "cambium/Support/LinalgModel.h"
#include "dialects/Ragged/IR/Ragged.h"

namespace cambium::ragged {

/// What an iteration leaves stands where the one before has left it: `before`,
/// the first `count` rows of the array. That an array keeps its number of rows
/// is seen from what is put into it. Without rows there is no count.
mlir::Value store(LinalgBuilder &b, mlir::Value value, mlir::Value before,
                  mlir::Value array, mlir::Value count);

/// One that another one becomes is put aside before it is overwritten.
void putAside(LinalgBuilder &b, llvm::MutableArrayRef<mlir::Value> next,
              mlir::ValueRange states);

Lowered lowerRepeat(RepeatOp op, LinalgBuilder &b);

} // namespace cambium::ragged

#endif // CAMBIUM_DIALECTS_RAGGED_TOLINALG_REPEAT_H
