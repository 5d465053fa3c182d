//===-- dialects/RT/IR/RT.h - The rt dialect ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RT_IR_RT_H
#define CAMBIUM_DIALECTS_RT_IR_RT_H

#include "dialects/NN/IR/NN.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/RT/IR/RTDialect.h.inc"
#include "dialects/RT/IR/RTEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/RT/IR/RTAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/RT/IR/RTOps.h.inc"

namespace cambium::rt {

/// Names of the attributes that describe entries; see the dialect's
/// description.
inline constexpr llvm::StringLiteral kEntryAttr = "rt.entry";
inline constexpr llvm::StringLiteral kOutputAttr = "rt.output";

/// Attributes of the entries of training steps.
inline constexpr llvm::StringLiteral kStepAttr = "rt.step";
inline constexpr llvm::StringLiteral kAccumulateAttr = "rt.accumulate";
inline constexpr llvm::StringLiteral kScalarsAttr = "rt.scalars";
inline constexpr llvm::StringLiteral kEveryAttr = "rt.every";
inline constexpr llvm::StringLiteral kOptimizersAttr = "rt.optimizers";

/// Values of `ragged.space` that are no index of a row space.
inline constexpr int64_t kPerExample = -1;
inline constexpr int64_t kPerCall = -2;

/// Whether a function is an entry of the module.
bool isEntry(mlir::Operation *op);

/// Whether an op is in a loop whose iterations run at once, or will.
bool isInParallel(mlir::Operation *op);

} // namespace cambium::rt

#endif // CAMBIUM_DIALECTS_RT_IR_RT_H
