//===-- dialects/NN/IR/Names.cpp - What users call what models take ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/IR/Names.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace cambium::nn;

static constexpr StringLiteral kName = "cambium.name";
static constexpr StringLiteral kRows = "cambium.rows";
static constexpr StringLiteral kPer = "cambium.per";

NamesDialect::NamesDialect(MLIRContext *context)
    : Dialect(getDialectNamespace(), context, TypeID::get<NamesDialect>()) {}

/// What is one per call is the same for all examples, whose rows differ.
static LogicalResult verifyPer(Operation *op, unsigned index, Attribute value) {
  auto text = dyn_cast<StringAttr>(value);
  if (!text || text.getValue() != "call")
    // [NN-NAME-C4]
    return op->emitOpError("expected \"call\" as 'cambium.per', but got ")
           << value;
  Type type = cast<FunctionOpInterface>(op).getArgumentTypes()[index];
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (tensor && tensor.hasStaticShape())
    return success();
  // [NN-NAME-C5]
  return op->emitOpError("expected a tensor of static shape to be one per "
                         "call, but got ")
         << type;
}

static LogicalResult verify(Operation *op, NamedAttribute attribute,
                            bool isArgument) {
  bool isKnown = attribute.getName() == kName ||
                 (isArgument && attribute.getName() == kRows);
  if (!isKnown)
    // [NN-NAME-C1]
    return op->emitOpError("expected '")
           << kName << "'"
           << (isArgument ? ", 'cambium.rows' or 'cambium.per'" : "")
           << ", but got '" << attribute.getName().getValue() << "'";
  auto text = dyn_cast<StringAttr>(attribute.getValue());
  if (text && !text.empty())
    return success();
  // [NN-NAME-C2]
  return op->emitOpError("expected a name as '")
         << attribute.getName().getValue() << "', but got "
         << attribute.getValue();
}

LogicalResult NamesDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                     unsigned index,
                                                     NamedAttribute attribute) {
  if (attribute.getName() == kPer)
    return verifyPer(op, index, attribute.getValue());
  return verify(op, attribute, /*isArgument=*/true);
}

LogicalResult
NamesDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned,
                                          NamedAttribute attribute) {
  return verify(op, attribute, /*isArgument=*/false);
}

LogicalResult NamesDialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attribute) {
  // [NN-NAME-C3]
  return op->emitOpError("expected '")
         << attribute.getName().getValue()
         << "' on an argument or a result of a function";
}

static StringRef textOf(Attribute attribute) {
  auto text = dyn_cast_if_present<StringAttr>(attribute);
  return text ? text.getValue() : StringRef();
}

StringRef cambium::nn::getArgumentName(FunctionOpInterface function,
                                       unsigned index) {
  return textOf(function.getArgAttr(index, kName));
}

StringRef cambium::nn::getResultName(FunctionOpInterface function,
                                     unsigned index) {
  return textOf(function.getResultAttr(index, kName));
}

bool cambium::nn::isPerCall(FunctionOpInterface function, unsigned index) {
  return !textOf(function.getArgAttr(index, kPer)).empty();
}

StringRef cambium::nn::getRowsName(FunctionOpInterface function,
                                   unsigned index) {
  return textOf(function.getArgAttr(index, kRows));
}
