//===-- lib/LLVM/RowText.h - The number of a row in a message ---*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_LLVM_ROWTEXT_H
#define CAMBIUM_LIB_LLVM_ROWTEXT_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cambium {

/// Code that writes a message with the number of a row behind it.
class RowText {
public:
  RowText(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  /// Memory for a message of so many bytes and a number.
  static mlir::Value allocate(mlir::OpBuilder &builder, mlir::Location loc,
                              size_t length);
  /// Where in `memory` the text stands: `length` bytes of `message`, the
  /// number, and a zero.
  mlir::Value write(mlir::Value memory, mlir::Value message, size_t length,
                    mlir::Value number);

private:
  mlir::Value constant(int64_t value);
  mlir::Value byteAt(mlir::Value base, mlir::Value offset);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace cambium

#endif // CAMBIUM_LIB_LLVM_ROWTEXT_H
