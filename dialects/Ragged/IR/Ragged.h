//===-- dialects/Ragged/IR/Ragged.h - The ragged dialect ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RAGGED_IR_RAGGED_H
#define CAMBIUM_DIALECTS_RAGGED_IR_RAGGED_H

#include "cambium/Interfaces/CarryingOpInterface.h"
#include "cambium/Support/KeywordOps.h"
#include "dialects/Ragged/IR/LoopValues.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Ragged/IR/RaggedDialect.h.inc"

#include "dialects/Ragged/IR/RaggedEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Ragged/IR/RaggedAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/Ragged/IR/RaggedTypes.h.inc"

namespace cambium::ragged {
/// The rows of the result are the rows of the op's `!ragged.rows` operand.
template <typename Op>
class ProducesRows : public mlir::OpTrait::TraitBase<Op, ProducesRows> {};
/// The rows of the result are the segments of the op's `!ragged.rows` operand.
template <typename Op>
class ProducesSegments : public mlir::OpTrait::TraitBase<Op, ProducesSegments> {
};
} // namespace cambium::ragged

#define GET_OP_CLASSES
#include "dialects/Ragged/IR/RaggedOps.h.inc"

namespace cambium::ragged {
/// The type of rows of cuts whose sides are rows of a type, back, and whether a
/// type is one.
mlir::RankedTensorType cutsType(mlir::Type edges);
mlir::RankedTensorType sidesType(mlir::Type cuts);
bool isOfCuts(mlir::Type type);
} // namespace cambium::ragged

#endif // CAMBIUM_DIALECTS_RAGGED_IR_RAGGED_H
