//===-- Remarks.h - What a pass did, and what not and why -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Remarks are named and filtered by the flag of the pass:
//
//   cambium-opt --cambium-to-batched --remarks-filter=ragged-hoist model.mlir
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_REMARKS_H
#define CAMBIUM_SUPPORT_REMARKS_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace cambium {

/// The options of a remark of the pass with this flag at the op.
inline mlir::remark::RemarkOpts remarkOptions(mlir::Operation *op,
                                              llvm::StringRef flag) {
  llvm::StringRef name;
  if (auto function = op->getParentOfType<mlir::FunctionOpInterface>())
    name = function.getName();
  return mlir::remark::RemarkOpts::name(flag).category(flag).function(name);
}

/// Says what a pass did at an op.
inline mlir::remark::detail::InFlightRemark remarkPassed(mlir::Operation *op,
                                                         llvm::StringRef flag) {
  return mlir::remark::passed(op->getLoc(), remarkOptions(op, flag));
}

/// Says what a pass could not do at an op.
inline mlir::remark::detail::InFlightRemark remarkMissed(mlir::Operation *op,
                                                         llvm::StringRef flag) {
  return mlir::remark::missed(op->getLoc(), remarkOptions(op, flag));
}

} // namespace cambium

#endif // CAMBIUM_SUPPORT_REMARKS_H
