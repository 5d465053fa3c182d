//===-- dialects/Depth/IR/DepthDialect.cpp - The depth dialect ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/InlineAnywhere.h"
#include "dialects/Depth/IR/Depth.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cambium::depth;

#include "dialects/Depth/IR/DepthDialect.cpp.inc"
#include "dialects/Depth/IR/DepthEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Depth/IR/DepthAttrs.cpp.inc"

void DepthDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Depth/IR/DepthAttrs.cpp.inc"
      >();
  KeywordOps<
#define GET_OP_LIST
#include "dialects/Depth/IR/DepthOps.cpp.inc"
      >::registerIn(*this);
  addInterfaces<cambium::InlineAnywhere>();
}
