//===-- TrainingOpInterface.h - What acts in training --------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_INTERFACES_TRAININGOPINTERFACE
#define CAMBIUM_INTERFACES_TRAININGOPINTERFACE

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"
#include <optional>

namespace cambium {
/// Rows of the gradient of a table: `gradient[ids[i]] += rows[i]`.
struct GradientRows {
  mlir::Value ids, rows;
  /// The id whose rows are not added; null if there is none.
  mlir::IntegerAttr paddingId;
};
} // namespace cambium

#include "cambium/Interfaces/TrainingOpInterface.h.inc"

#endif // CAMBIUM_INTERFACES_TRAININGOPINTERFACE
