//===-- dialects/NN/IR/NN.h - The nn dialect ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_NN_IR_NN_H
#define CAMBIUM_DIALECTS_NN_IR_NN_H

#include "cambium/Interfaces/SizedOpInterface.h"
#include "cambium/Support/KeywordOps.h"
#include "dialects/NN/IR/Numbers.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/NN/IR/NNDialect.h.inc"

#include "dialects/NN/IR/NNEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/NN/IR/NNAttrs.h.inc"

namespace cambium::nn {
/// In random numbers, attention number `n` of a module is `kAttentionIds + n`;
/// lower ids are those of dropouts.
inline constexpr int64_t kAttentionIds = int64_t{1} << 32;
/// And number `n` of what `nn.random` draws is `kRandomIds + n`.
inline constexpr int64_t kRandomIds = int64_t{2} << 32;
/// Behind these, number `n` of what `depth.search` draws is `kSearchIds + n`.
inline constexpr int64_t kSearchIds = int64_t{1} << 32;

/// Of a function of an imported file: the sizes of that file, an array of
/// `#nn.size`.
inline constexpr llvm::StringLiteral kSizesAttr = "nn.file_sizes";
} // namespace cambium::nn

#define GET_OP_CLASSES
#include "dialects/NN/IR/NNOps.h.inc"

#endif // CAMBIUM_DIALECTS_NN_IR_NN_H
