//===-- lib/Interpreter/Integers.h - Integers of arith ----------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_INTERPRETER_INTEGERS_H
#define CAMBIUM_INTERPRETER_INTEGERS_H

#include "mlir/IR/TypeUtilities.h"

namespace cambium {

/// The bits of an element.
inline unsigned widthOf(mlir::Value value) {
  mlir::Type type = mlir::getElementTypeOrSelf(value);
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

/// Tensors hold integers with the sign of their width.
inline uint64_t unsignedOf(int64_t x, unsigned width) {
  return width == 64 ? x : x & ((int64_t(1) << width) - 1);
}

/// The meaning of arithmetic of integers.
void attachIntegerModels(mlir::MLIRContext *context);

} // namespace cambium

#endif // CAMBIUM_INTERPRETER_INTEGERS_H
