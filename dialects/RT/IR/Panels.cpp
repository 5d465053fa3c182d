//===-- dialects/RT/IR/Panels.cpp - Which parameters have panels ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/RT/IR/Panels.h"

using namespace mlir;
using namespace cambium;

rt::PanelFormat cambium::rt::getPanelFormat(ModuleOp module) {
  if (getWeights(module) == Weights::Int8)
    return PanelFormat::Int8;
  return getMath(module) == Math::BF16 ? PanelFormat::BF16
                                       : PanelFormat::Values;
}

bool cambium::rt::hasPanels(ShapedType matrix, const TargetCosts &costs) {
  int64_t bytes = matrix.getElementTypeBitWidth() / 8;
  return matrix.getRank() == 2 && matrix.hasStaticShape() &&
         matrix.getDimSize(1) >= costs.panelColumns(bytes) &&
         matrix.getNumElements() * bytes >= costs.panelBytes;
}

StringRef cambium::rt::whyNoWords(ShapedType matrix, PanelFormat format,
                                  const TargetCosts &costs) {
  if (format == PanelFormat::Values || !matrix.getElementType().isF32())
    return "nothing else was asked for";
  if (format == PanelFormat::Int8 && matrix.getDimSize(0) > costs.mostIntegers)
    return "an element is the sum of too many products";
  return "";
}
