//===-- lib/Support/CheckAttributes.cpp - Misspelled attributes -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/CheckAttributes.h"
#include "cambium/Support/OpTexts.h"
#include "cambium/Support/Suggest.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace cambium;

/// What the op knows: its attributes, and the words of its syntax.
static SmallVector<StringRef> namesOf(Operation *op) {
  SmallVector<StringRef> names = keywordsOf(op->getName().getStringRef());
  for (StringAttr name : op->getName().getAttributeNames())
    names.push_back(name.getValue());
  return names;
}

static LogicalResult checkOp(Operation *op) {
  if (!op->isRegistered())
    return success();
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    StringRef name = attribute.getName().getValue();
    if (name.contains('.'))
      continue;
    return op->emitOpError("expected attributes that it has, or of a dialect "
                           "('dialect.name'), but got '")
           << name << "'" << didYouMean(name, namesOf(op));
  }
  return success();
}

LogicalResult cambium::checkAttributes(Operation *root) {
  WalkResult result = root->walk([](Operation *op) {
    return failed(checkOp(op)) ? WalkResult::interrupt()
                               : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
