//===-- dialects/Ragged/IR/RaggedDialect.cpp - The ragged dialect ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/InlineAnywhere.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cambium::ragged;

#include "dialects/Ragged/IR/RaggedDialect.cpp.inc"
#include "dialects/Ragged/IR/RaggedEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Ragged/IR/RaggedAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/Ragged/IR/RaggedTypes.cpp.inc"

void RaggedDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Ragged/IR/RaggedAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/Ragged/IR/RaggedTypes.cpp.inc"
      >();
  KeywordOps<
#define GET_OP_LIST
#include "dialects/Ragged/IR/RaggedOps.cpp.inc"
      >::registerIn(*this);
  addInterfaces<cambium::InlineAnywhere>();
}
