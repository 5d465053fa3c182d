//===-- dialects/RT/IR/RTDialect.cpp - The rt dialect and its attributes --===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/IndependentLoops.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cambium::rt;

#include "dialects/RT/IR/RTDialect.cpp.inc"
#include "dialects/RT/IR/RTEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/RT/IR/RTAttrs.cpp.inc"

void RTDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/RT/IR/RTAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/RT/IR/RTOps.cpp.inc"
      >();
}

bool cambium::rt::isEntry(Operation *op) { return op->hasAttr(kEntryAttr); }

bool cambium::rt::isInParallel(Operation *op) {
  while ((op = op->getParentOp()))
    if (isa<ParallelOp>(op) || op->hasAttr(cambium::kIndependentAttr))
      return true;
  return false;
}

static LogicalResult verifyEntry(Operation *op, Attribute value) {
  auto kind = dyn_cast<StringAttr>(value);
  if (!kind ||
      !llvm::is_contained({"function", "accumulate", "apply"}, kind.getValue()))
    return op->emitOpError(
               "expected 'rt.entry' to be \"function\", \"accumulate\" or "
               "\"apply\", but got ")
           << value;
  if (!isa<FunctionOpInterface>(op))
    return op->emitOpError("expected 'rt.entry' on a function");
  return success();
}

LogicalResult RTDialect::verifyOperationAttribute(Operation *op,
                                                  NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kEntryAttr)
    return verifyEntry(op, attribute.getValue());
  return success();
}
