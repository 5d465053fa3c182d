//===-- dialects/RT/IR/RT.h - The rt dialect ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RT_IR_RT_H
#define CAMBIUM_DIALECTS_RT_IR_RT_H

#include "cambium/Support/KeywordOps.h"
#include "cambium/Support/TargetCosts.h"
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
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace cambium::rt {
/// The attribute of an argument or result that says what it is.
inline constexpr llvm::StringLiteral kRoleAttr = "rt.as";

/// Spaces of an input or output that are no index of a row space.
inline constexpr int64_t kPerExample = -1;
inline constexpr int64_t kPerCall = -2;

/// Only an entry, or code that is in one, can do what the op does.
template <typename Op>
class NeedsEntry : public mlir::OpTrait::TraitBase<Op, NeedsEntry> {};
} // namespace cambium::rt

#include "dialects/RT/IR/RTDialect.h.inc"
#include "dialects/RT/IR/RTEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/RT/IR/RTAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/RT/IR/RTOps.h.inc"

namespace cambium::rt {

/// Whether a function is an entry of the module: the host can call it.
bool isEntry(mlir::Operation *op);

/// The parameter whose arrays the op gives, reads or changes; null for ops of
/// no parameter.
mlir::FlatSymbolRefAttr getParam(mlir::Operation *op);

/// What slot 0 or 1 holds of a matrix of which an optimizer keeps a number per
/// row and per column; dimensions before the last two number matrices.
mlir::MemRefType getFactoredState(mlir::ShapedType type, int64_t slot);

/// The type of matrices in panels of `width` columns, as `rt.panels` gives
/// them.
mlir::MemRefType getPanelsType(mlir::ShapedType matrices, int64_t width,
                               PanelFormat format = PanelFormat::Values);
/// Elements of a column that a word of a panel holds.
int64_t getWordElements(PanelFormat format);

/// What an argument (a result) of a function is: `rt.as`, or null.
mlir::Attribute getArgumentRole(mlir::FunctionOpInterface function,
                                unsigned index);
mlir::Attribute getResultRole(mlir::FunctionOpInterface function,
                              unsigned index);
/// Whether the function is batched: its arguments and results have roles.
bool isBatched(mlir::FunctionOpInterface function);
/// The step that the function is the `accumulate` or `apply` of, or null.
TrainingOp findTraining(mlir::FunctionOpInterface function);

/// Whether it is a GPU.
bool isGpu(ProcessorAttr target);
/// Whether it has products that multiply so.
bool hasMath(ProcessorAttr target, Math math);

/// The target of the module around `op`, which `rt.target` says, or null.
ProcessorAttr getTarget(mlir::Operation *op);
/// How products of `op` multiply, and how weights are kept: `rt.target` says
/// so. In bf16, those of a training step stay f32.
Math getMath(mlir::Operation *op);
Weights getWeights(mlir::Operation *op);
/// What work costs on it; the costs of any x86-64 without one.
TargetCosts getTargetCosts(mlir::Operation *op);

/// Whether an op is in a loop whose iterations run at once, or will.
bool isInParallel(mlir::Operation *op);

} // namespace cambium::rt

#endif // CAMBIUM_DIALECTS_RT_IR_RT_H
