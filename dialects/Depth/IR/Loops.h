//===-- dialects/Depth/IR/Loops.h - What loops and searches share
//----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_DEPTH_IR_LOOPS_H
#define CAMBIUM_DIALECTS_DEPTH_IR_LOOPS_H

#include "mlir/IR/OpImplementation.h"

namespace cambium::depth {

/// What the bodies of loops have in common: no side effects.
llvm::LogicalResult verifyNoEffects(mlir::Operation *op, mlir::Region &body);

/// Parses `(%a = %b : type, ...)`.
mlir::ParseResult parseBindings(
    mlir::OpAsmParser &parser,
    llvm::SmallVectorImpl<mlir::OpAsmParser::Argument> &args,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &operands);
void printBindings(mlir::OpAsmPrinter &printer, llvm::StringRef keyword,
                   mlir::Block::BlockArgListType args,
                   mlir::OperandRange values);

} // namespace cambium::depth

#endif // CAMBIUM_DIALECTS_DEPTH_IR_LOOPS_H
