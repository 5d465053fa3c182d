//===-- dialects/Tree/IR/TreeDialect.cpp - The tree dialect ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/InlineAnywhere.h"
#include "dialects/Tree/IR/Tree.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cambium::tree;

#include "dialects/Tree/IR/TreeDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/Tree/IR/TreeTypes.cpp.inc"

void TreeDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/Tree/IR/TreeTypes.cpp.inc"
      >();
  KeywordOps<
#define GET_OP_LIST
#include "dialects/Tree/IR/TreeOps.cpp.inc"
      >::registerIn(*this);
  addInterfaces<cambium::InlineAnywhere>();
}
