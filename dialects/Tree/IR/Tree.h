//===-- dialects/Tree/IR/Tree.h - The tree dialect ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_TREE_IR_TREE_H
#define CAMBIUM_DIALECTS_TREE_IR_TREE_H

#include "cambium/Support/KeywordOps.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Tree/IR/TreeDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/Tree/IR/TreeTypes.h.inc"

#define GET_OP_CLASSES
#include "dialects/Tree/IR/TreeOps.h.inc"

namespace cambium::tree {
/// The most children that the folds over `tree` take: their least fixed arity,
/// or -1 if none has one.
int64_t getMaxArity(mlir::Value tree);
} // namespace cambium::tree

#endif // CAMBIUM_DIALECTS_TREE_IR_TREE_H
