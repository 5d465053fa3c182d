//===-- cambium/Support/Views.h - What a view is of -----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_VIEWS_H
#define CAMBIUM_SUPPORT_VIEWS_H

#include "mlir/IR/Builders.h"

namespace cambium {

/// The memory that the result of an op shows in another way, or null where the
/// op is no view (or is null itself). `memref.transpose` is one, too, of which
/// MLIR's interface does not know.
mlir::Value sourceOfView(mlir::Operation *op);

/// Row i of a memref, without the first dimension.
mlir::Value viewOfRow(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value memref, mlir::Value i);

} // namespace cambium

#endif // CAMBIUM_SUPPORT_VIEWS_H
