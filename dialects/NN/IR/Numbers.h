//===-- dialects/NN/IR/Numbers.h - Numbers from outside ---------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_NN_IR_NUMBERS_H
#define CAMBIUM_DIALECTS_NN_IR_NUMBERS_H

#include "mlir/IR/OpImplementation.h"

namespace cambium::nn {

/// The number that an attribute stands for: that of an `#nn.given`, else the
/// attribute.
mlir::Attribute getNumber(mlir::Attribute attribute);

// Numbers of ops in assembly: `8`, an alias, or `(#nn.given<"heads" = 8>)`.
mlir::ParseResult parseInteger(mlir::OpAsmParser &parser,
                               mlir::Attribute &value);
mlir::ParseResult parseReal(mlir::OpAsmParser &parser, mlir::Attribute &value);
void printInteger(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                  mlir::Attribute value);
void printReal(mlir::OpAsmPrinter &printer, mlir::Operation *op,
               mlir::Attribute value);

/// See NN_DrawsNumbers.
template <typename Op>
struct DrawsNumbers : mlir::OpTrait::TraitBase<Op, DrawsNumbers> {};

} // namespace cambium::nn

#endif // CAMBIUM_DIALECTS_NN_IR_NUMBERS_H
