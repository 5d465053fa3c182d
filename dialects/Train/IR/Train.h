//===-- dialects/Train/IR/Train.h - The train dialect ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_TRAIN_IR_TRAIN_H
#define CAMBIUM_DIALECTS_TRAIN_IR_TRAIN_H

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

#include "dialects/Train/IR/TrainDialect.h.inc"

#include "dialects/Train/IR/TrainEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Train/IR/TrainAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/Train/IR/TrainOps.h.inc"

#endif // CAMBIUM_DIALECTS_TRAIN_IR_TRAIN_H
