//===-- dialects/Train/IR/TrainOps.cpp - Verification of train operations -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Suggest.h"
#include "dialects/Train/IR/Train.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace cambium::train;

#define GET_OP_CLASSES
#include "dialects/Train/IR/TrainOps.cpp.inc"

LogicalResult GradientOp::inferReturnTypes(MLIRContext *,
                                           std::optional<Location> loc,
                                           Adaptor op,
                                           SmallVectorImpl<Type> &types) {
  auto loss = cast<RankedTensorType>(op.getLoss().getType());
  // After batching the loss has a row per example.
  bool isBatched = loss.getRank() == 1 && loss.isDynamicDim(0);
  if (loss.getRank() != 0 && !isBatched)
    // [TRAIN-GRADIENT-C1]
    return emitOptionalError(
        loc, "'train.gradient' op expected a scalar loss, but got ", loss);
  if (op.getWrt().empty())
    // [TRAIN-GRADIENT-C2]
    return emitOptionalError(
        loc, "'train.gradient' op expected at least one value after 'wrt'");
  for (Value value : op.getWrt())
    types.push_back(value.getType());
  return success();
}

LogicalResult StepOp::verify() {
  if (getAccumulate() < 1)
    // [TRAIN-STEP-C1]
    return emitOpError() << "expected 'accumulate' to be positive, but got "
                         << getAccumulate();
  if (auto norm = getClipNorm(); norm && !(norm->convertToDouble() > 0))
    // [TRAIN-STEP-C2]
    return emitOpError() << "expected 'clip_norm' to be positive, but got "
                         << norm->convertToDouble();
  if (getUpdates() && getUpdates()->empty())
    // [TRAIN-STEP-C6]
    return emitOpError("expected 'updates' to name a group");
  if (!getGroups())
    return success();
  DictionaryAttr groups = *getGroups();
  for (NamedAttribute group : groups)
    if (!isa<OptimizerAttr>(group.getValue()))
      // [TRAIN-STEP-C3]
      return emitOpError() << "expected an optimizer for group '"
                           << group.getName().getValue() << "', but got "
                           << group.getValue();
  return success();
}

LogicalResult StepOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto loss = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
      *this, getLossAttr());
  if (!loss)
    // [TRAIN-STEP-C4]
    return emitOpError() << "expected the name of a function, but got '"
                         << getLoss() << "'"
                         << didYouMeanSymbol<FunctionOpInterface>(getLoss(),
                                                                  *this);
  RankedTensorType scalar;
  if (loss.getNumResults() > 0)
    scalar = dyn_cast<RankedTensorType>(loss.getResultTypes()[0]);
  // After batching the loss has a row per example.
  if (scalar && isa<FloatType>(scalar.getElementType()) &&
      (scalar.getRank() == 0 ||
       (scalar.getRank() == 1 && scalar.isDynamicDim(0))))
    return success();
  // [TRAIN-STEP-C5]
  InFlightDiagnostic diag =
      emitOpError()
      << "expected a function whose first result is a scalar loss, "
         "but got "
      << loss.getFunctionType();
  diag.attachNote(loss.getLoc()) << "the function is defined here";
  return diag;
}
