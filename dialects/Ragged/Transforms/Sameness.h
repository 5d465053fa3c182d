//===-- Sameness.h - Values that are computed alike -------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RAGGED_TRANSFORMS_SAMENESS_H
#define CAMBIUM_DIALECTS_RAGGED_TRANSFORMS_SAMENESS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace cambium::ragged {

/// Whether values are computed in the same way, from values that are known to
/// be the same.
class Sameness {
public:
  explicit Sameness(mlir::Value one, mlir::Value other) { known[one] = other; }
  bool isSame(mlir::Value one, mlir::Value other);

private:
  llvm::DenseMap<mlir::Value, mlir::Value> known;
};

} // namespace cambium::ragged

#endif // CAMBIUM_DIALECTS_RAGGED_TRANSFORMS_SAMENESS_H
