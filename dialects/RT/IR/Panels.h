//===-- dialects/RT/IR/Panels.h - Which parameters have panels --*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RT_IR_PANELS_H
#define CAMBIUM_DIALECTS_RT_IR_PANELS_H

#include "dialects/RT/IR/RT.h"

namespace cambium::rt {

/// What products of f32 with a parameter read where its module is for a
/// processor.
PanelFormat getPanelFormat(mlir::ModuleOp module);

/// Whether products read matrices of that type, which are parameters, in
/// panels: smaller ones stay in the first cache.
bool hasPanels(mlir::ShapedType matrix, const TargetCosts &costs);

/// Whether these panels hold words: why not, or nothing.
llvm::StringRef whyNoWords(mlir::ShapedType matrix, PanelFormat format,
                           const TargetCosts &costs);

} // namespace cambium::rt

#endif // CAMBIUM_DIALECTS_RT_IR_PANELS_H
