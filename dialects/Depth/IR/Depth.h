//===-- dialects/Depth/IR/Depth.h - The depth dialect ---------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_DEPTH_IR_DEPTH_H
#define CAMBIUM_DIALECTS_DEPTH_IR_DEPTH_H

#include "cambium/Interfaces/SizedOpInterface.h"
#include "cambium/Interfaces/StackingOpInterface.h"
#include "cambium/Support/KeywordOps.h"
#include "dialects/NN/IR/Numbers.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Depth/IR/DepthDialect.h.inc"
#include "dialects/Depth/IR/DepthEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Depth/IR/DepthAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/Depth/IR/DepthOps.h.inc"

#endif // CAMBIUM_DIALECTS_DEPTH_IR_DEPTH_H
